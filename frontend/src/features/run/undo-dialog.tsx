import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChangeMove, Run, Undone } from '@/api'
import { formatCount, plain, problemOf, texts, useHearth } from '@/core'
import { DiffTable } from '@/features/diff'
import { Button, Dialog, ErrorNote, Spinner, useToast } from '@/ui'
import { leftOf, linesOf, plainEnds } from './changes'

export interface UndoDialogProps {
  run: Run
  /** Put back what was taken back. */
  back: boolean
  onClose: () => void
  onDone: () => void
}

/** UndoDialog asks before files are changed: it names them, and those that stay as they are because others have changed them since. */
export function UndoDialog({ run, back, onClose, onDone }: UndoDialogProps) {
  const hearth = useHearth()
  const toast = useToast()
  const [over, setOver] = useState<readonly ChangeMove[]>([])
  const plan = useQuery({
    queryKey: ['undo', run.id, back],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => hearth.api.undoChanges(run.id, { dry_run: true, back }),
  })
  const { undoTitle, undoHint, backTitle, backHint, undoFiles, backFiles, nothing, nothingBack, look } = texts.changes
  const fail = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })
  const carryOut = async (backwards: boolean, files: readonly number[] = []) => {
    const overwrite = backwards === back ? over.map(({ n, hash }) => ({ n, hash })) : []
    const done = await hearth.api.undoChanges(run.id, { back: backwards, overwrite, files: [...files] })
    hearth.store.dispatch({ type: 'run.changed', run: done.run })
    tell(done, backwards)
    onDone()
  }
  const tell = (done: Undone, backwards: boolean) => {
    const { undid, wentBack } = texts.changes
    const changed = done.files.filter((f) => f.deed !== 'leave').map((f) => f.n)
    if (changed.length > 0) {
      toast({
        message: (backwards ? wentBack : undid)(changed.length),
        duration: 10_000,
        ...(backwards === back ? { undo: () => void carryOut(!backwards, changed).catch(fail) } : {}),
      })
    }
    if (backwards !== back) return
    const planned = new Set([...(plan.data?.files.filter((f) => f.deed !== 'leave') ?? []), ...over].map((f) => f.n))
    const left = leftOf(done.files, planned)
    for (const message of left) toast({ message, tone: 'error' })
    // Somebody else has done the same in the meantime.
    if (changed.length === 0 && left.length === 0) toast({ message: back ? nothingBack : nothing })
  }
  const act = useMutation({ mutationFn: () => carryOut(back), onSuccess: onClose, onError: fail })
  const files = plan.data?.files ?? []
  const doing = files.filter((f) => f.deed !== 'leave')
  const leaving = files.filter((f) => f.deed === 'leave' && f.reason !== 'done')
  const count = doing.length + over.length
  const choose = (file: ChangeMove, on: boolean) => setOver(on ? [...over, file] : over.filter((f) => f.n !== file.n))
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={back ? backTitle : undoTitle}
      description={back ? backHint : undoHint}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone={back ? 'main' : 'danger'} disabled={count === 0} busy={act.isPending} onClick={() => act.mutate()}>
            {(back ? backFiles : undoFiles)(count)}
          </Button>
        </>
      }
    >
      {plan.isError && (
        <ErrorNote action={<Button size="sm" onClick={() => void plan.refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(plan.error).message}</ErrorNote>
      )}
      {plan.isPending && <Spinner label={look} />}
      {plan.data && doing.length + leaving.length === 0 && <p>{back ? nothingBack : nothing}</p>}
      {doing.length > 0 && <Doing files={doing} back={back} />}
      {leaving.length > 0 && <Leaving files={leaving} chosen={over} onChoose={choose} />}
    </Dialog>
  )
}

function Doing({ files, back }: { files: readonly ChangeMove[]; back: boolean }) {
  return (
    <section className="mb-4 last:mb-0">
      <h3 className="mb-1 font-medium">{texts.changes.doing}</h3>
      <ul className="flex flex-col gap-1">
        {files.map((f) => (
          <li key={f.n} className="[overflow-wrap:anywhere]">
            <Name of={f} /> <span className="text-soft">{f.deed !== 'leave' && texts.changes.deed(f.deed, back)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface LeavingProps {
  files: readonly ChangeMove[]
  chosen: readonly ChangeMove[]
  onChoose: (file: ChangeMove, on: boolean) => void
}

function Leaving({ files, chosen, onChoose }: LeavingProps) {
  return (
    <section>
      <h3 className="mb-1 font-medium">{texts.changes.leaving}</h3>
      <ul className="flex flex-col gap-3">
        {files.map((f) => (
          <Left key={f.n} file={f} on={chosen.some((c) => c.n === f.n)} onChoose={(on) => onChoose(f, on)} />
        ))}
      </ul>
    </section>
  )
}

function Left({ file, on, onChoose }: { file: ChangeMove; on: boolean; onChoose: (on: boolean) => void }) {
  const { reason, later, ofAgent, fault, overwrite, lost, lostKept, left, region } = texts.changes
  const last = file.later.at(-1)
  const why =
    file.reason === 'fault' ? fault(file.fault)
    : file.reason === 'changed' && last ? later(last.handle ? `@${last.handle}` : ofAgent)
    : file.reason === '' ? '' : reason(file.reason)
  const name = plain(file.shown)
  return (
    <li className="flex flex-col gap-1">
      <p className="[overflow-wrap:anywhere]">
        <Name of={file} /> <span className="text-amber">{why}</span>
      </p>
      {file.can_overwrite && (
        <label className="flex items-start gap-2">
          <input type="checkbox" checked={on} onChange={(event) => onChoose(event.target.checked)} className="mt-1 accent-[var(--accent)]" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {overwrite(name)}
            {on && <span className="block text-small text-soft">{lostKept}</span>}
          </span>
        </label>
      )}
      {file.lost.length > 0 && (
        <details>
          <summary className="cursor-pointer rounded-sm text-small text-soft">{lost(formatCount(file.lost_added), formatCount(file.lost_removed))}</summary>
          <div role="region" aria-label={region(name)} tabIndex={0} dir="ltr" className="mt-1 max-h-48 overflow-auto rounded-md border border-line bg-side">
            <DiffTable lines={linesOf(plainEnds(file.lost))} />
          </div>
          {file.lost_left > 0 && <p className="text-small text-soft">{left(file.lost_left)}</p>}
        </details>
      )}
    </li>
  )
}

function Name({ of }: { of: ChangeMove }) {
  return <bdi className="font-mono text-[0.8125rem]">{plain(of.shown)}</bdi>
}
