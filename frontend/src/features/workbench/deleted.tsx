import { ArrowLeft, RotateCcw, Trash2 } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WorkbenchDeleted } from '@/api'
import { formatDay, formatFull, problemOf, texts, useHearth } from '@/core'
import { Button, Dialog, EmptyState, ErrorNote, RelativeTime, Skeleton, TextField, useToast } from '@/ui'
import { formatBytes } from './bytes'
import { nameOf } from './use-open'
import { freeName, useDeleted } from './use-trash'

const keyOf = (d: WorkbenchDeleted) => `${d.bench}\n${d.id}\n${d.path_bytes || d.path}`

/** Deleted is what was deleted lately and can be restored. */
export function Deleted({ channelId, several, onBack, onRestored }: { channelId: string; several: boolean; onBack: () => void; onRestored: (bench: string, file: { path: string; path_bytes: string }) => void }) {
  const { data, isError, error, refetch } = useDeleted(channelId)
  const [naming, setNaming] = useState<WorkbenchDeleted>()
  const [busy, setBusy] = useState<string>()
  const restore = useRestore(channelId, onRestored)
  const press = (one: WorkbenchDeleted) => {
    if (one.taken) { setNaming(one); return; }
    setBusy(keyOf(one))
    void restore(one).finally(() => setBusy(undefined))
  }
  return (
    <section aria-label={texts.workbench.recentlyDeleted} className="flex h-full min-h-0 flex-col">
      <header className="flex flex-col gap-1 border-b border-line px-3 py-2">
        <div className="flex flex-wrap items-center gap-x-2">
          <Button size="sm" tone="quiet" className="-ms-1 @2xl:hidden" icon={<ArrowLeft size={14} aria-hidden />} data-back onClick={onBack}>
            {texts.workbench.back}
          </Button>
          <h3 className="text-title font-semibold">{texts.workbench.recentlyDeleted}</h3>
        </div>
        <p className="text-small text-soft">{texts.workbench.recentlyDeletedHint}</p>
      </header>
      {isError && (
        <ErrorNote className="m-3" action={<Button size="sm" onClick={() => void refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(error).message}</ErrorNote>
      )}
      {!data ? (
        !isError && <Skeleton lines={4} className="p-4" />
      ) : data.length === 0 ? (
        <EmptyState icon={<Trash2 size={24} aria-hidden />} title={texts.workbench.deletedNone} hint={texts.workbench.deletedNoneHint} />
      ) : (
        <ul className="min-h-0 flex-1 overflow-y-auto py-1" tabIndex={-1}>
          {data.map((one) => (
            <li key={keyOf(one)} className="flex items-center gap-3 px-3 py-1 hover:bg-hover">
              <div className="min-w-0 flex-1">
                <p className="[overflow-wrap:anywhere]"><bdi>{one.shown}</bdi></p>
                <p className="flex flex-wrap gap-x-2 text-small text-soft">
                  <span>{formatBytes(one.size)}</span>
                  <span>{texts.workbench.deletedWhen} <RelativeTime time={one.deleted_at} /></span>
                  <span title={formatFull(one.kept_until)}>{texts.workbench.keptUntil(formatDay(one.kept_until, new Date()))}</span>
                  {one.taken && <span className="text-amber">{texts.workbench.taken}</span>}
                </p>
                {several && <p className="truncate text-small text-soft" dir="ltr">{one.bench}</p>}
              </div>
              <Button size="sm" busy={busy === keyOf(one)} icon={<RotateCcw size={13} aria-hidden />} aria-label={texts.workbench.restoreNamed(one.shown)} onClick={() => press(one)}>
                {one.taken ? texts.workbench.restoreAs : texts.workbench.restore}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {naming && <RestoreAs one={naming} restore={restore} onClose={() => setNaming(undefined)} />}
    </section>
  )
}

type Restore = (one: WorkbenchDeleted, as?: string) => Promise<string | undefined>

/** useRestore restores a file, and gives what went wrong. */
function useRestore(channelId: string, onRestored: (bench: string, file: { path: string; path_bytes: string }) => void): Restore {
  const { api } = useHearth()
  const toast = useToast()
  const queries = useQueryClient()
  return async (one, as) => {
    try {
      const now = await api.restoreInWorkbench(channelId, { bench: one.bench, deleted: one.id, ...nameOf(one), ...(as ? { as } : {}) })
      toast({ message: texts.workbench.restored(now.shown) })
      onRestored(one.bench, now)
      return undefined
    } catch (error) {
      const { message } = problemOf(error)
      if (as === undefined) toast({ message, tone: 'error' })
      return message
    } finally {
      await queries.invalidateQueries({ queryKey: ['workbench', channelId] })
    }
  }
}

/** RestoreAs asks for another name, as a newer file has the one that it had. */
function RestoreAs({ one, restore, onClose }: { one: WorkbenchDeleted; restore: Restore; onClose: () => void }) {
  const [name, setName] = useState(() => freeName(one.path))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = () => {
    if (busy || name.trim() === '') return
    setBusy(true)
    void restore(one, name.trim()).then((fault) => {
      setBusy(false)
      if (fault === undefined) onClose()
      else setProblem(fault)
    })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.workbench.restoreAsTitle(one.shown)}
      description={texts.workbench.restoreAsHint}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone="main" busy={busy} disabled={name.trim() === ''} onClick={submit}>{texts.workbench.restore}</Button>
        </>
      }
    >
      <TextField
        label={texts.workbench.restorePath}
        value={name}
        problem={problem}
        spellCheck={false}
        dir="auto"
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && submit()}
      />
    </Dialog>
  )
}
