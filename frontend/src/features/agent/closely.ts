import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Agent, Estimate } from '@/api'
import { formatMoney, formatTokens, texts, useHearth, useSelect } from '@/core'

/** How often a living process is looked at again while somebody looks, in milliseconds: how much memory it takes is told by nobody. */
const lookAgain = 15_000

/** useAgentDetail looks at an agent closely, anew whenever what is told of it changes. */
export function useAgentDetail({ binding, state }: Agent) {
  const hearth = useHearth()
  return useQuery({
    queryKey: ['agent', binding.id, state.phase, state.since, state.native, state.run_id, state.queued, state.restorable, binding],
    queryFn: ({ signal }) => hearth.api.agentDetail(binding.id, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: state.pid > 0 ? lookAgain : false,
  })
}

/** useForecasts are what is to be expected of the agents of a channel, by binding; anew whenever a turn of theirs is over. */
export function useForecasts(channelId: string) {
  const hearth = useHearth()
  const at = useSelect((s) =>
    Object.values(s.bindings).filter((b) => b.channel_id === channelId).map((b) => `${b.id} ${s.agents[b.id]?.run_id ?? ''}`).sort().join(' '),
  )
  const known = useQuery({
    queryKey: ['forecasts', channelId, at],
    queryFn: ({ signal }) => hearth.api.forecasts(channelId, { signal }),
    placeholderData: keepPreviousData,
  })
  return known.data
}

/** priceOf is what a turn is likely to cost, or else how many tokens it is likely to send; empty: too little is known. */
export function priceOf(estimate: Estimate | undefined): string {
  if (!estimate) return ''
  if (estimate.estimated_cost_usd !== undefined) return formatMoney(estimate.estimated_cost_usd)
  const t = estimate.estimated_tokens
  return texts.closely.tokens(formatTokens(t.input_tokens + t.cache_read_tokens + t.cache_write_5m_tokens + t.cache_write_1h_tokens))
}
