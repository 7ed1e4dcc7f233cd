import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WorkbenchDeleted } from '@/api'
import { problemOf, texts, useHearth } from '@/core'
import { useToast } from '@/ui'
import { nameOf, type FileName } from './use-open'

/** How long a deletion can be undone with one press, in milliseconds; afterwards from the list of what was deleted. */
const undoFor = 10_000

/** A file of a workbench. */
export interface BenchFile {
  bench: string
  file: FileName
}

/** useDelete deletes files at once, with Undo. onGone hears which went, before anything is fetched anew. */
export function useDelete(channelId: string, onGone: (gone: readonly WorkbenchDeleted[]) => Promise<void>): (files: readonly BenchFile[]) => Promise<void> {
  const { api } = useHearth()
  const toast = useToast()
  const queries = useQueryClient()
  const look = () => queries.invalidateQueries({ queryKey: ['workbench', channelId] })
  const fail = (message: string) => toast({ message, tone: 'error' })
  const undo = async (deleted: readonly WorkbenchDeleted[]) => {
    const faults: string[] = []
    for (const one of deleted) {
      await api.restoreInWorkbench(channelId, { bench: one.bench, deleted: one.id, ...nameOf(one) }).catch((error: unknown) => faults.push(problemOf(error).message))
    }
    if (faults[0] !== undefined) fail(texts.workbench.notUndone(faults[0], faults.length))
    await look()
  }
  return async (files) => {
    const gone: WorkbenchDeleted[] = []
    const faults: string[] = []
    for (const bench of new Set(files.map((f) => f.bench))) {
      const names = files.filter((f) => f.bench === bench).map((f) => nameOf(f.file))
      await api.deleteInWorkbench(channelId, bench, names).then(
        ({ deleted, refused }) => {
          gone.push(...deleted)
          faults.push(...refused.map((r) => r.fault))
        },
        (error: unknown) => faults.push(problemOf(error).message),
      )
    }
    if (gone[0]) toast({ message: texts.workbench.deleted(gone[0].shown, gone.length), duration: undoFor, undo: () => void undo(gone) })
    if (faults[0] !== undefined) fail(texts.workbench.notDeleted(faults[0], faults.length))
    await onGone(gone)
    await look()
  }
}

/** useDeleted are the deleted files that can be restored; fetched anew as the workbench changes. */
export function useDeleted(channelId: string) {
  const { api } = useHearth()
  return useQuery({ queryKey: ['workbench', channelId, 'deleted'], staleTime: 0, queryFn: ({ signal }) => api.deletedInWorkbench(channelId, { signal }) })
}

/** freeName is a path like another one, that no file is likely to have: report.csv becomes report-restored.csv. */
export function freeName(path: string): string {
  const slash = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  const end = dot > slash ? dot : path.length
  return `${path.slice(0, end)}-restored${path.slice(end)}`
}
