import type { Agent } from '@/api'
import { formatTokens, texts } from '@/core'
import { priceOf, useAgentDetail } from './closely'

/** StartsFresh says of an agent that it starts fresh: what ends with that, and, as soon as it is known, how much that is and what comes of it. */
export function StartsFresh({ agent }: { agent: Agent }) {
  const { data } = useAgentDetail(agent)
  const session = data?.session
  const fresh = priceOf(data?.forecast?.fresh)
  const going = session && session.turns > 0 && data.forecast?.native === session.native ? priceOf(session.saved ? data.forecast.restored : data.forecast.warm) : ''
  const size = session && session.context_tokens > 0 ? formatTokens(session.context_tokens) : ''
  return (
    <>
      {texts.roster.startsFresh(agent.binding.handle, forgets(agent))}
      {session && session.turns > 0 && ' ' + texts.closely.forgetsHolding(session.turns, size)}
      {fresh && ' ' + texts.closely.costs(fresh, going)}
    </>
  )
}

/** forgets is what Start fresh will do to an agent, in words. */
function forgets({ state }: Agent): string {
  if (state.run_id) return texts.roster.forgets.turn
  if (state.native || state.pid > 0) return texts.roster.forgets.process
  return state.restorable ? texts.roster.forgets.saved : texts.roster.forgets.nothing
}
