import { Link, useParams } from '@tanstack/react-router'
import type { CacheTurn, Tokens } from '@/api'
import { formatCount, formatDuration, formatShare, texts } from '@/core'
import { BreakDetail } from '@/features/run'
import { RelativeTime } from '@/ui'
import { costText, sentOf, usedOf, writtenOf } from './figures'
import { keepWide } from './address'

const { cache } = texts
const link = 'rounded-sm text-accent underline underline-offset-2'

/** TurnDetail is all that is known of what a turn used; where the cache broke, why, and what that was judged by. */
export function TurnDetail({ turn }: { turn: CacheTurn }) {
  const { channel = '' } = useParams({ strict: false })
  const params = { channel, run: turn.run_id }
  return (
    <section aria-label={cache.chosen} className="flex flex-col gap-2 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h4 className="min-w-0 grow basis-48 font-semibold break-words" dir="auto">{cache.turnOf(turn.handle)}</h4>
        <Link to="/c/$channel/runs/$run" params={params} search={keepWide} className={link}>{cache.toRun}</Link>
        <Link to="/c/$channel/context/$run" params={params} search={keepWide} className={link}>{cache.toContext}</Link>
      </div>
      <p className="text-small text-soft">
        <RelativeTime time={turn.ended_at} />
        {turn.temperature !== '' && ` · ${texts.run.temperature[turn.temperature]}`}
        {turn.model && ` · ${turn.model}`}
        {turn.client_version && ` · ${cache.figures.client} ${turn.client_version}`}
      </p>
      {turn.break && <BreakDetail found={turn.break} />}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 @md:grid-cols-[auto_1fr_auto_1fr]">
        <Fact name={cache.figures.read} value={formatCount(turn.main.cache_read_tokens)} />
        <Fact name={cache.figures.written} value={formatCount(writtenOf(turn.main))} />
        <Fact name={cache.figures.fresh} value={formatCount(turn.main.input_tokens)} />
        <Fact name={cache.figures.ratio} value={turn.read_ratio === undefined ? '' : formatShare(turn.read_ratio)} />
        <Fact name={cache.figures.output} value={formatCount(turn.main.output_tokens) + (turn.main.thinking_tokens > 0 ? ` (${cache.figures.thinking} ${formatCount(turn.main.thinking_tokens)})` : '')} />
        <Fact name={cache.figures.cost} value={costText(turn)} />
        <Fact name={cache.figures.main} value={cache.requests(turn.main_calls)} />
        <Fact name={cache.figures.subagents} value={apart(turn.subagents, turn.subagent_calls)} />
        <Fact name={cache.figures.beside} value={apart(turn.beside)} />
        <Fact name={cache.figures.context} value={turn.context_tokens > 0 ? cache.contextOf(formatCount(turn.context_tokens), turn.context_window_tokens > 0 ? formatCount(turn.context_window_tokens) : '') : ''} />
        <Fact name={cache.figures.ttft} value={turn.ttft_ms > 0 ? formatDuration(turn.ttft_ms) : ''} />
      </dl>
      {turn.compactions > 0 && <p className="text-small text-soft">{cache.compactions(turn.compactions)}</p>}
    </section>
  )
}

/** apart is what others than the agent itself used; empty: nothing. */
function apart(tokens: Tokens, calls = 0): string {
  if (calls === 0 && usedOf(tokens) === 0) return ''
  const sizes = cache.apart(formatCount(sentOf(tokens)), formatCount(tokens.output_tokens))
  return calls > 0 ? `${sizes} · ${cache.requests(calls)}` : sizes
}

function Fact({ name, value }: { name: string; value: string }) {
  if (value === '') return null
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{value}</dd>
    </>
  )
}
