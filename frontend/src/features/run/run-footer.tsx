import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { Run } from '@/api'
import { hasEnded, problemOf, texts } from '@/core'
import { useKept } from '@/features/markdown'
import { Button, cx, ErrorNote, Spinner, Tooltip } from '@/ui'
import { ChangedPart } from './changed-part'
import { figuresOf } from './figures'
import { RunBreak } from './run-break'
import { StepList } from './step-list'
import { useRunDetail } from './use-run-detail'

export interface RunFooterProps {
  run: Run
  /** How the channel is named in addresses. */
  channel: string
  /** Whether Tab stops here: in a list only at the row that is chosen. */
  stop?: boolean
  /** The reply that stands above. */
  reply?: string
}

/** RunFooter is the quiet line under a reply: its steps, which open, and its figures, each a way into the run. */
export function RunFooter({ run, channel, stop = true, reply }: RunFooterProps) {
  const [open, setOpen] = useKept(`steps:${run.id}`)
  const tabIndex = stop || open ? 0 : -1
  return (
    <>
      <div className="-ml-1 flex min-h-6 flex-wrap items-center text-small text-soft">
        <button
          type="button"
          data-do="steps"
          tabIndex={tabIndex}
          aria-expanded={open}
          aria-label={open ? texts.run.hideSteps : texts.run.showSteps}
          onClick={() => setOpen(!open)}
          className="flex items-center gap-1 rounded-sm px-1 hover:bg-hover hover:text-text"
        >
          <ChevronRight size={12} aria-hidden className={cx('transition-transform', open && 'rotate-90')} />
          {texts.run.steps}
        </button>
        <ChangedPart run={run} channel={channel} tabIndex={tabIndex} />
        <Figures run={run} channel={channel} tabIndex={tabIndex} />
      </div>
      {open && <RunSteps runId={run.id} {...(reply === undefined ? {} : { reply })} />}
    </>
  )
}

/** Figures are a link to the run; each part of it leads to its place there. Behind them stands whether the cache broke. */
export function Figures({ run, channel, tabIndex = 0 }: { run: Run; channel: string; tabIndex?: number }) {
  const navigate = useNavigate()
  const figures = figuresOf(run)
  if (figures.length === 0) return null
  return (
    <>
      <Tooltip
        side="bottom"
        content={
          <span className="flex flex-col gap-1">
            {run.temperature !== '' && <span>{texts.run.temperatureHint[run.temperature]}</span>}
            <span className="text-soft">{texts.run.footer.hint}</span>
          </span>
        }
      >
        <Link
          to="/c/$channel/runs/$run"
          params={{ channel, run: run.id }}
          tabIndex={tabIndex}
          onClick={(event) => {
            // One link to a keyboard and a screen reader; a press says which part is meant.
            const part = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-part]')?.dataset.part : undefined
            if (part === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
            event.preventDefault()
            void navigate({ to: '/c/$channel/runs/$run', params: { channel, run: run.id }, hash: part })
          }}
          className="rounded-sm px-1 text-small text-soft hover:bg-hover"
        >
          {figures.map(({ part, text }, i) => (
            <span key={part}>
              {i > 0 && ' · '}
              <span data-part={part} className="hover:text-text hover:underline hover:underline-offset-2">
                {text}
              </span>
            </span>
          ))}
        </Link>
      </Tooltip>
      <RunBreak run={run} channel={channel} tabIndex={tabIndex} />
    </>
  )
}

/** RunSteps are the steps of a run that has ended, fetched when they are looked at. */
export function RunSteps({ runId, reply = '' }: { runId: string; reply?: string }) {
  const detail = useRunDetail(runId)
  if (detail.isError) {
    return (
      <ErrorNote className="my-1" action={<Button size="sm" onClick={() => void detail.refetch()}>{texts.common.tryAgain}</Button>}>
        {problemOf(detail.error).message}
      </ErrorNote>
    )
  }
  if (!detail.data) return <p className="flex h-6 items-center"><Spinner label={texts.run.loadingSteps} className="size-3" /></p>
  return <StepList run={detail.data.run} steps={detail.data.steps} savings={detail.data.savings} going={!hasEnded(detail.data.run)} beside={reply} />
}
