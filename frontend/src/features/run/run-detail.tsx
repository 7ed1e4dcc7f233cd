import { Link, useLocation, useParams } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { Run } from '@/api'
import { formatCount, formatDuration, formatMoney, hasEnded, problemOf, rowLink, texts, useSelect } from '@/core'
import { Button, cx, ErrorNote, later, Loading, RelativeTime } from '@/ui'
import { useRunActions } from './actions'
import BreakDetail from './break-detail'
import { tookOf, usedNothing, wroteOf, type Figure } from './figures'
import { StepList } from './step-list'
import { useRunDetail } from './use-run-detail'

/** RunChanges is fetched where there are changes. */
const RunChanges = later<{ run: Run; chosen: boolean }>(() => import('./run-changes'))

/** RunDetail is one run in the detail panel: what became of it, its figures and its steps. */
export default function RunDetail({ runId }: { runId: string }) {
  const { channel = '' } = useParams({ strict: false })
  const run = useSelect((s) => s.runs[runId])
  const live = useSelect((s) => s.live[runId])
  const detail = useRunDetail(runId)
  const part = useLocation({ select: (l) => l.hash })
  if (detail.isError && !run) return <ErrorNote className="m-4">{problemOf(detail.error).message}</ErrorNote>
  const whole = run ?? detail.data?.run
  if (!whole) return <Loading />
  return (
    <div className="flex flex-col gap-4 p-4">
      <Summary run={whole} />
      {whole.break && (
        <BreakDetail found={whole.break} chosen={part === 'cache'}>
          <Link to="/c/$channel/cache" params={{ channel }} className="rounded-sm text-accent underline underline-offset-2">
            {texts.breaks.all}
          </Link>
        </BreakDetail>
      )}
      <Figures run={whole} part={part} command={detail.data?.sent !== undefined && !detail.data.sent.blocks.some((block) => block.kind === 'payload')} />
      {whole.changed && <RunChanges key={whole.id} run={whole} chosen={part === 'changes'} />}
      <StepList run={whole} steps={live?.steps ?? detail.data?.steps ?? []} savings={live?.savings ?? detail.data?.savings ?? []} going={!hasEnded(whole)} />
    </div>
  )
}

function Summary({ run }: { run: Run }) {
  const { channel = '' } = useParams({ strict: false })
  const { retry } = useRunActions(run.id)
  return (
    <>
      <p className="text-soft">
        {texts.run.state[run.state]}
        {run.cause === 'unasked' && ` · ${texts.run.unasked}`} · <RelativeTime time={run.started_at ?? run.queued_at} />
        {run.row_id !== '' && (
          <>
            {' · '}
            <Link {...rowLink(channel, { id: run.row_id, thread_root_id: run.thread_root_id })} className="rounded-sm text-accent underline underline-offset-2">
              {texts.run.question}
            </Link>
          </>
        )}
      </p>
      {run.failure && (
        <ErrorNote
          action={
            <Button size="sm" icon={<RotateCcw size={12} aria-hidden />} busy={retry.isPending} onClick={() => retry.mutate()}>
              {texts.run.retry}
            </Button>
          }
        >
          <span dir="auto">{run.failure.message}</span>
          {run.started_at && <span className="block">{run.failure.held ? texts.run.held : texts.run.notHeld}</span>}
        </ErrorNote>
      )}
    </>
  )
}

function Figures({ run, part, command }: { run: Run; part: string; command: boolean }) {
  const { usage } = run
  const took = tookOf(run)
  const rows: [Figure['part'], string, ReactNode][] = [
    ['tokens', texts.run.footer.read(''), formatCount(usage.cache_read_tokens)],
    ['tokens', texts.run.footer.wrote(''), formatCount(wroteOf(run))],
    ['tokens', texts.run.footer.fresh(''), formatCount(usage.input_tokens)],
    ['tokens', texts.run.said, formatCount(usage.output_tokens)],
    ['cost', texts.run.cost, usage.cost_usd > 0 ? formatMoney(usage.cost_usd) : command && usedNothing(run) ? texts.clientCommands.noModel : texts.run.costUnknown],
  ]
  if (took !== undefined) rows.unshift(['took', texts.run.took, formatDuration(took)])
  if (run.temperature !== '') rows.unshift(['temperature', texts.run.process, texts.run.temperatureHint[run.temperature]])
  return (
    <dl className="flex flex-col">
      {rows.map(([of, name, value]) => (
        <Line key={name} chosen={part === of} name={name}>
          {value}
        </Line>
      ))}
    </dl>
  )
}

function Line({ name, chosen, children }: { name: string; chosen: boolean; children: ReactNode }) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div ref={line} className={cx('-mx-2 grid grid-cols-[6rem_1fr] gap-x-4 rounded-sm px-2 py-0.5', chosen && 'bg-accent-ground')}>
      <dt className="text-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
