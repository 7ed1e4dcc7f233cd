import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { Run } from '@/api'
import { compareTimes, formatCount, handleOf, hasEnded, problemOf, rowLink, texts, useSelect, type State } from '@/core'
import { Button, ErrorNote, RelativeTime, Segmented, Skeleton, Tooltip } from '@/ui'
import { Changes } from './changes'
import { ConsideredRows } from './considered-rows'
import { contextOf, sentTokens, type Sent } from './kinds'
import { Marks } from './marks'
import { Raw } from './raw'
import { Savings } from './savings'
import { Stack } from './stack'
import { useFraming, useTurn } from './use-turn'

type View = 'blocks' | 'changes' | 'raw'

const link = 'rounded-sm text-accent underline underline-offset-2'

/** TurnView is what one turn was sent and why. `part`: it stands among other things of the turn, which say what became of it and what was kept out. */
export function TurnView({ runId, part = false }: { runId: string; part?: boolean }) {
  const held = useSelect((s) => s.runs[runId])
  const turn = useTurn(runId)
  const run = held ?? turn.data?.run
  // The calls come with the turn itself; a list leaves them out.
  const whole = run && turn.data && run.usage.calls.length === 0 ? { ...run, usage: { ...run.usage, calls: turn.data.run.usage.calls } } : run
  if (!whole) {
    if (turn.isError) {
      const gone = problemOf(turn.error).code === 'not_found'
      return (
        <ErrorNote className="m-4" action={gone ? undefined : <Button size="sm" onClick={() => void turn.refetch()}>{texts.common.tryAgain}</Button>}>
          {gone ? texts.context.notFound : problemOf(turn.error).message}
        </ErrorNote>
      )
    }
    return <Skeleton lines={5} className="p-4" />
  }
  const kept = !part && turn.data && <Savings savings={turn.data.savings} />
  return (
    <div className="flex max-w-6xl flex-col gap-4">
      {!part && <Head run={whole} />}
      {turn.isError && !turn.data && (
        <ErrorNote action={<Button size="sm" onClick={() => void turn.refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(turn.error).message}</ErrorNote>
      )}
      {turn.isPending && <Skeleton lines={5} />}
      {turn.data && (turn.data.sent ? <SentView run={whole} sent={turn.data.sent} beforeId={turn.data.before_run_id}>{kept}</SentView> : <Nothing run={whole} />)}
      {turn.data && !turn.data.sent && kept}
    </div>
  )
}

function Head({ run }: { run: Run }) {
  const { channel = '' } = useParams({ strict: false })
  const handle = useSelect((s) => handleOf(s, run.binding_id)) ?? texts.run.ofAgent
  return (
    <div>
      <h3 className="text-title font-semibold break-words" dir="auto">{texts.run.title(handle)}</h3>
      <p className="text-soft">
        <RelativeTime time={run.started_at ?? run.queued_at} /> · {texts.run.state[run.state]}
        {run.temperature !== '' && (
          <>
            {' · '}
            <Tooltip content={texts.run.temperatureHint[run.temperature]}>
              <span>{texts.run.temperature[run.temperature]}</span>
            </Tooltip>
          </>
        )}
        {' · '}
        {texts.context.cause[run.cause]}
        {run.row_id !== '' && (
          <>
            {' · '}
            <Link
              {...rowLink(channel, { id: run.row_id, thread_root_id: run.thread_root_id })}
              className={link}
            >
              {texts.context.question}
            </Link>
          </>
        )}
        {' · '}
        <Link to="/c/$channel/runs/$run" params={{ channel, run: run.id }} className={link}>
          {texts.context.steps}
        </Link>
      </p>
    </div>
  )
}

function Nothing({ run }: { run: Run }) {
  const { nothing } = texts.context
  const why =
    run.cause === 'unasked' ? nothing.unasked
    : run.state === 'queued' || run.state === 'waiting' ? nothing[run.state]
    : hasEnded(run) && !run.started_at ? nothing.out
    : nothing.other
  return <p className="text-soft">{why}</p>
}

interface SentProps {
  run: Run
  sent: Sent
  /** The turn that it is compared with; empty: none. */
  beforeId: string
  children: ReactNode
}

function SentView(props: SentProps) {
  // Of a command that starts the agent fresh.
  return props.sent.blocks.length === 0 ? <p className="text-soft">{texts.clientCommands.fresh}</p> : <Whole {...props} />
}

function Whole({ run, sent, beforeId, children }: SentProps) {
  const [view, setView] = useState<View>('blocks')
  const framing = useFraming(run)
  const earlier = useSelect((s) => earlierOf(s, run), (a, b) => a.count === b.count && a.atLeast === b.atLeast)
  const context = contextOf(run)
  return (
    <>
      <div className="flex flex-col gap-2">
        <p>
          {texts.context.sentOf(formatCount(sentTokens(sent)), sent.blocks.length)}{' '}
          {context !== undefined && <span className="text-soft">{texts.context.whole(formatCount(context))}</span>}
        </p>
        <Segmented
          label={texts.context.view}
          value={view}
          onChange={setView}
          options={(['blocks', 'changes', 'raw'] as const).map((value) => ({ value, text: texts.context.views[value] }))}
        />
      </div>
      {view === 'blocks' && <Stack run={run} sent={sent} framing={framing} earlier={earlier} />}
      {view === 'changes' && <Changes run={run} sent={sent} beforeId={beforeId} />}
      {view === 'raw' && <Raw sent={sent} />}
      {children}
      <ConsideredRows key={run.id} run={run} sent={sent} />
      <Marks run={run} sent={sent} />
    </>
  )
}

/** earlierOf counts the turns that a turn's session had before it. At least: where its first is not held. */
function earlierOf(state: State, run: Run): { count: number; atLeast: boolean } {
  let count = 0
  let begun = run.temperature === 'cold'
  for (const other of Object.values(state.runs)) {
    if (other.binding_id !== run.binding_id || other.native !== run.native || !other.started_at || compareTimes(other.queued_at, run.queued_at) >= 0) continue
    count++
    begun ||= other.temperature === 'cold'
  }
  return { count, atLeast: !begun }
}
