import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Change, ChangeMove, DiffHunk, Run } from '@/api'
import { plain, texts, useHearth } from '@/core'
import type { DiffLine } from '@/features/diff'

/**
 * useChanges are the files that a run changed. They are fetched anew when they are looked at again, and when the run says that it
 * changed more or that something was taken back: how a file stands, nobody tells.
 */
export function useChanges(run: Run) {
  const { api } = useHearth()
  const { files, added, removed, undone } = run.changed ?? { files: 0, added: 0, removed: 0, undone: 0 }
  return useQuery({
    queryKey: ['changes', run.id, files, added, removed, undone],
    staleTime: 0,
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.changes(run.id, { signal }),
  })
}

/** plainEnds are hunks without the carriage returns of a file in which every line ends with one: they would say nothing. */
export function plainEnds(hunks: readonly DiffHunk[]): readonly DiffHunk[] {
  const ends = (line: DiffHunk['lines'][number]) => line.unended || line.cut > 0 || line.text.endsWith('\r')
  if (!hunks.every((hunk) => hunk.lines.every(ends))) return hunks
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map((line) => (line.unended ? line : { ...line, text: line.text.replace(/\r$/, '') })) }))
}

/** linesOf are the lines of hunks, with what is skipped before and between them. */
export function linesOf(hunks: readonly DiffHunk[]): DiffLine[] {
  const out: DiffLine[] = []
  let seen = 0 // lines of the old text so far
  for (const hunk of hunks) {
    let old = Math.max(hunk.old, 1)
    let now = Math.max(hunk.new, 1)
    if (old - 1 > seen) out.push({ kind: 'skip', count: old - 1 - seen })
    for (const { kind, text, cut, unended } of hunk.lines) {
      const notes = [cut > 0 ? texts.changes.cut(cut) : '', unended ? texts.changes.unended : ''].filter((n) => n !== '')
      const line = notes.length > 0 ? { text, note: notes.join(' · ') } : { text }
      if (kind === 'same') out.push({ kind, old: old++, new: now++, ...line })
      else if (kind === 'removed') out.push({ kind, old: old++, ...line })
      else out.push({ kind, new: now++, ...line })
    }
    seen = old - 1
  }
  return out
}

/** standingOf is what is to be said of how a file stands now; nothing where it is as it was left, or taken back. */
export function standingOf(change: Change): string {
  const last = change.later.at(-1)
  if (change.undone && change.standing === 'before') return ''
  if (change.standing === 'changed' && last) return texts.changes.later(last.handle ? `@${last.handle}` : texts.changes.ofAgent)
  return texts.changes.standing[change.standing]
}

/** leftOf is what is to be said of files that should have changed and did not. What somebody else has done already is none. */
export function leftOf(files: readonly ChangeMove[], planned: ReadonlySet<number>): string[] {
  const { raced, failed, reason } = texts.changes
  return files
    .filter((f) => f.deed === 'leave' && f.reason !== 'done' && planned.has(f.n))
    .map((f) => (f.reason === 'changed' ? raced(plain(f.shown), f.fault) : failed(plain(f.shown), f.fault || (f.reason && reason(f.reason)))))
}
