import { ChevronRight, SquarePen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Change, Run } from '@/api'
import { formatCount, hasEnded, plain, problemOf, texts, useHearth, useSelect } from '@/core'
import { DiffTable, HiddenNote, Revealed } from '@/features/diff'
import { Button, CopyIcon, cx, ErrorNote, IconButton, Spinner, useToast } from '@/ui'
import { linesOf, plainEnds, standingOf, useChanges } from './changes'
import { UndoDialog } from './undo-dialog'

/** How many lines of difference are open from the start, all files together. */
const openAtFirst = 300

/** RunChanges are the files that a run changed, one after the other, and the way to take that back. */
export default function RunChanges({ run, chosen }: { run: Run; chosen: boolean }) {
  const changes = useChanges(run)
  const heading = useRef<HTMLHeadingElement>(null)
  const archived = useSelect((s) => Boolean(s.channels[run.channel_id]?.archived_at))
  const [asked, setAsked] = useState<'undo' | 'back'>()
  useEffect(() => {
    if (!chosen) return
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [chosen])
  const { title, sum, bash, undo, back, loading } = texts.changes
  const undone = run.changed?.undone ?? 0
  const files = run.changed?.files ?? 0
  return (
    <section aria-labelledby="changes-of-run" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 id="changes-of-run" ref={heading} tabIndex={-1} className="flex-1 scroll-mt-4 font-semibold outline-none">
          {title}
          <span className="sr-only"> {sum(files)}</span>
        </h3>
        {hasEnded(run) && !archived && undone > 0 && (
          <Button size="sm" onClick={() => setAsked('back')}>{back}</Button>
        )}
        {hasEnded(run) && !archived && undone < files && (
          <Button size="sm" onClick={() => setAsked('undo')}>{undo}</Button>
        )}
      </div>
      {changes.isError && (
        <ErrorNote action={<Button size="sm" onClick={() => void changes.refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(changes.error).message}</ErrorNote>
      )}
      {changes.isPending && <p className="flex h-6 items-center"><Spinner label={loading} className="size-3" /></p>}
      {changes.data && <Files runId={run.id} changes={changes.data} />}
      <p className="text-small text-soft">{bash}</p>
      {asked && <UndoDialog run={run} back={asked === 'back'} onClose={() => setAsked(undefined)} onDone={() => void changes.refetch()} />}
    </section>
  )
}

function Files({ runId, changes }: { runId: string; changes: readonly Change[] }) {
  const lines = changes.reduce((sum, c) => sum + c.added + c.removed, 0)
  return (
    <ul className="flex flex-col overflow-hidden rounded-md border border-line">
      {changes.map((change) => (
        <File key={change.n} runId={runId} change={change} openFirst={lines <= openAtFirst} />
      ))}
    </ul>
  )
}

function File({ runId, change, openFirst }: { runId: string; change: Change; openFirst: boolean }) {
  const { api } = useHearth()
  const toast = useToast()
  const [open, setOpen] = useState(openFirst)
  const name = plain(change.shown)
  const cut = name.lastIndexOf('/') + 1
  const standing = standingOf(change)
  const marks = [change.made && texts.changes.made, change.outside && texts.changes.outside].filter((mark) => mark !== false)
  const added = formatCount(change.added)
  const removed = formatCount(change.removed)
  const show = () => void api.openChange(runId, change.n).catch((error: unknown) => toast({ message: problemOf(error).message, tone: 'error' }))
  return (
    <li className="border-line not-first:border-t">
      <div className="flex min-h-8 items-center gap-1 bg-side pe-1">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-0.5 rounded-sm px-2 py-1 text-start -outline-offset-2 hover:bg-hover"
        >
          <ChevronRight size={12} aria-hidden className={cx('shrink-0 transition-transform', open && 'rotate-90')} />
          <bdi className={cx('min-w-0 font-mono text-[0.8125rem] [overflow-wrap:anywhere]', change.undone && 'line-through')}>
            <span className="text-soft">{name.slice(0, cut)}</span>
            {name.slice(cut)}
          </bdi>
          {marks.map((mark) => (
            <span key={mark} className="shrink-0 text-small text-soft">{mark}</span>
          ))}
          {change.form === 'text' && (
            <span className="shrink-0 text-small tabular-nums">
              <span aria-hidden>
                <span className="text-green">+{added}</span> <span className="text-red">−{removed}</span>
              </span>
              <span className="sr-only">{texts.changes.linesSaid(added, removed)}</span>
            </span>
          )}
          {change.undone && <span className="shrink-0 text-small text-soft">{texts.changes.undone}</span>}
          {standing !== '' && <span className="shrink-0 text-small text-amber">{standing}</span>}
        </button>
        <CopyIcon text={change.path} label={texts.changes.copyPath(name)} done={texts.common.copied} />
        {change.standing !== 'gone' && change.standing !== 'fault' && (
          <IconButton size="sm" label={texts.changes.open(name)} onClick={show}>
            <SquarePen size={13} aria-hidden />
          </IconButton>
        )}
      </div>
      {open && <Body change={change} name={name} />}
    </li>
  )
}

/** Body is the difference, or why there is none to show. */
function Body({ change, name }: { change: Change; name: string }) {
  const { binary, large, tooOld, mixed, left, region } = texts.changes
  const hunks = plainEnds(change.hunks)
  const why = change.form === 'binary' ? binary : change.form === 'large' ? large : change.kept ? '' : tooOld
  return (
    <div className="border-t border-line">
      {change.mixed && <p className="px-3 py-1.5 text-small text-amber">{mixed}</p>}
      {change.fault !== '' && <p className="px-3 py-1.5 text-small text-amber"><Revealed text={change.fault} /></p>}
      {why !== '' && <p className="px-3 py-1.5 text-small text-soft">{why}</p>}
      {hunks.length > 0 && (
        // It may be longer than its place, so it has to be reachable by keyboard.
        <div role="region" aria-label={region(name)} tabIndex={0} dir="ltr" className="max-h-[60vh] overflow-auto -outline-offset-2">
          <DiffTable lines={linesOf(hunks)} />
        </div>
      )}
      {change.left > 0 && <p className="px-3 py-1.5 text-small text-soft">{left(change.left)}</p>}
      <div className="px-3 empty:hidden">
        <HiddenNote text={hunks.flatMap((h) => h.lines.map((l) => l.text)).join('')} />
      </div>
    </div>
  )
}
