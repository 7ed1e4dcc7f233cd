import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Agent, Estimate, Run } from '@/api'
import { compareTimes, formatMoney, formatTokens, hasEnded, texts, useHearth, useSelect, type State } from '@/core'

/** How often a living process is looked at again while somebody looks, in milliseconds: how much memory it takes is told by nobody. */
const lookAgain = 15_000

/** useAgentDetail looks at an agent closely, anew whenever what is told of it changes. */
export function useAgentDetail({ binding, state }: Agent) {
  const hearth = useHearth()
  const ended = useSelect((s) => endedOf(s, (r) => r.binding_id === binding.id))
  return useQuery({
    queryKey: ['agent', binding.id, ended, state.phase, state.since, state.native, state.run_id, state.queued, state.restorable, binding],
    queryFn: ({ signal }) => hearth.api.agentDetail(binding.id, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: state.pid > 0 ? lookAgain : false,
  })
}

/** useForecasts are what is to be expected of the agents of a channel, by binding; anew whenever a turn of theirs is over. */
export function useForecasts(channelId: string) {
  const hearth = useHearth()
  const ended = useSelect((s) => endedOf(s, (r) => r.channel_id === channelId))
  const known = useQuery({
    queryKey: ['forecasts', channelId, ended],
    queryFn: ({ signal }) => hearth.api.forecasts(channelId, { signal }),
    placeholderData: keepPreviousData,
  })
  return known.data
}

/** endedOf is the run that ended last, of some. What is told of an agent's state may come before its turn was stored. */
function endedOf(state: State, of: (run: Run) => boolean): string {
  let last: Run | undefined
  for (const run of Object.values(state.runs)) if (of(run) && hasEnded(run) && (!last || compareTimes(run.ended_at ?? '', last.ended_at ?? '') > 0)) last = run
  return last?.id ?? ''
}

/** priceOf is what a turn is likely to cost, or else how many tokens it is likely to send; empty: too little is known. */
export function priceOf(estimate: Estimate | undefined): string {
  if (!estimate) return ''
  if (estimate.estimated_cost_usd !== undefined) return formatMoney(estimate.estimated_cost_usd)
  const t = estimate.estimated_tokens
  // What is read is far cheaper than what is new: one sum of both would make dear what is cheap.
  return texts.closely.estimated(formatTokens(t.input_tokens + t.cache_write_5m_tokens + t.cache_write_1h_tokens), t.cache_read_tokens > 0 ? formatTokens(t.cache_read_tokens) : '')
}
