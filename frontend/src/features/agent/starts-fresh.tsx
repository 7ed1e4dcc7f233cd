import { useEffect, useState } from 'react'
import type { Agent, StartedFresh } from '@/api'
import { formatTokens, texts } from '@/core'
import { priceOf } from './closely'

/** StartsFresh says of an agent that it starts fresh: what ends with that, and, as soon as it has begun, how much that was and what comes of it. */
export function StartsFresh({ agent, begun }: { agent: Agent; begun: Promise<StartedFresh> }) {
  const [before, setBefore] = useState<StartedFresh>()
  useEffect(() => {
    begun.then(setBefore, () => undefined) // who began it says what went wrong
  }, [begun])
  const session = before?.forgot
  const fresh = priceOf(before?.forecast?.fresh)
  const going = session && session.turns > 0 && before.forecast?.native === session.native ? priceOf(session.saved ? before.forecast.restored : before.forecast.warm) : ''
  const size = session && session.context_tokens > 0 ? formatTokens(session.context_tokens) : ''
  return (
    <>
      {texts.roster.startsFresh(agent.binding.handle, forgets(agent))}
      {session && session.turns > 0 && ' ' + texts.closely.forgetsHolding(session.turns, size)}
      {fresh && ' ' + texts.closely.costs(fresh, going)}
    </>
  )
}

/** forgets is what Start fresh does to an agent, in words. */
function forgets({ state }: Agent): string {
  if (state.run_id) return texts.roster.forgets.turn
  if (state.native || state.pid > 0) return texts.roster.forgets.process
  return state.restorable ? texts.roster.forgets.saved : texts.roster.forgets.nothing
}
