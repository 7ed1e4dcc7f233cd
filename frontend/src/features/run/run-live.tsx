import { ChevronRight, Square } from 'lucide-react'
import type { Run } from '@/api'
import { formatDuration, handleOf, texts, useSelect } from '@/core'
import { MessageBody, useKept } from '@/features/markdown'
import { Avatar, Button, cx, Dot, Spinner, Tooltip, useNow } from '@/ui'
import { useRunActions } from './actions'
import { doingOf, toolsOf, waitingOf } from './figures'
import type { RowFocus } from './row-focus'
import { StepList } from './step-list'

/** RunLive is a turn that is going: one line of what it does, which opens to its steps, and the text as it streams. */
export function RunLive({ run, handles, focus }: { run: Run; handles: readonly string[]; focus?: RowFocus }) {
  const handle = useSelect((s) => handleOf(s, run.binding_id)) ?? texts.run.ofAgent
  const live = useSelect((s) => s.live[run.id])
  const asked = useSelect((s) => Object.values(s.permissions).filter((p) => p.run_id === run.id && p.state === 'open'), (a, b) => a.length === b.length && a.every((p, i) => p === b[i]))
  const asks = asked.length > 0
  const starting = useSelect((s) => s.agents[run.binding_id]?.phase === 'starting')
  const [open, setOpen] = useKept(`steps:${run.id}`)
  const { stop } = useRunActions(run.id)
  const steps = live?.steps ?? []
  // Between two stretches the one before stays, so that nothing jumps.
  const text = live?.text || (steps.findLast((s) => s.kind === 'text' && s.parent === '')?.output ?? '')
  const waiting = waitingOf(steps, asked)
  const did = texts.run.did(toolsOf(steps, waiting))
  const doing = asks
    ? texts.run.asking
    : run.state === 'running'
      ? doingOf(steps, (live?.text ?? '') !== '')
      : starting
        ? texts.run.starting
        : run.state === 'waiting'
          ? texts.run.waiting
          : texts.run.queued
  return (
    <article {...focus} aria-label={texts.run.title(handle)} aria-busy="true" className="-outline-offset-2">
      <div className="column flex gap-3 py-1.5">
        <Avatar name={handle} agent />
        <div className="min-w-0 flex-1">
          <div className="flex min-h-6 items-center gap-2">
            <span className="max-w-[40%] shrink-0 truncate font-semibold" dir="auto">{handle}</span>
            <button
              type="button"
              data-do="steps"
              aria-expanded={open}
              aria-label={open ? texts.run.hideSteps : texts.run.showSteps}
              onClick={() => setOpen(!open)}
              className="flex min-w-0 items-center gap-1.5 rounded-sm px-1 text-small text-soft hover:bg-hover hover:text-text"
            >
              <ChevronRight size={12} aria-hidden className={cx('shrink-0 transition-transform', open && 'rotate-90')} />
              {asks ? <Dot tone="asks" /> : <Spinner className="size-3" />}
              <Temperature run={run} />
              {run.temperature !== '' && <span aria-hidden>·</span>}
              <span className={cx('truncate', asks && 'text-amber')} dir="auto">{doing}</span>
              {did && <span className="hidden min-w-0 shrink-[9999] truncate sm:inline">· {did}</span>}
            </button>
            {run.cause === 'unasked' && (
              <Tooltip content={texts.run.unaskedHint}>
                <span className="shrink-0 text-small text-soft">{texts.run.unasked}</span>
              </Tooltip>
            )}
            <span className="ml-auto flex shrink-0 items-center gap-2">
              {run.started_at && <Elapsed since={run.started_at} />}
              <Button
                size="sm"
                tone="quiet"
                data-do="stop"
                icon={<Square size={11} aria-hidden className="fill-current" />}
                busy={stop.isPending}
                onClick={() => stop.mutate()}
              >
                {run.state === 'running' ? texts.run.stop : texts.run.takeOut}
              </Button>
            </span>
          </div>
          {open && <StepList run={run} steps={steps} savings={live?.savings ?? []} waiting={waiting} going beside={text} />}
          {text && <MessageBody id={run.id} text={text} channelId={run.channel_id} handles={handles} live />}
        </div>
      </div>
    </article>
  )
}

function Elapsed({ since }: { since: string }) {
  const now = useNow('second')
  return <span className="text-small text-soft">{formatDuration(Math.max(1000, Math.floor((now - Date.parse(since)) / 1000) * 1000))}</span>
}

/** Temperature is the word for what the process remembered, explained on hover. */
function Temperature({ run }: { run: Run }) {
  const { temperature } = run
  if (temperature === '') return null
  return (
    <Tooltip content={texts.run.temperatureHint[temperature]}>
      <span className="shrink-0">{texts.run.temperature[temperature]}</span>
    </Tooltip>
  )
}
