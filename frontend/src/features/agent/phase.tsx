import type { Agent } from '@/api'
import { formatDuration, glanceOf, texts } from '@/core'
import { Dot, Ring, Tooltip, useNow } from '@/ui'

/** Phase is how an agent is: a dot and a word, explained on hover. Inside something that is pressed it explains nothing. */
export function Phase({ state, plain = false }: { state: Agent['state']; plain?: boolean }) {
  const words = (
    <span className="inline-flex shrink-0 items-center gap-1.5 text-small whitespace-nowrap">
      <Dot tone={glanceOf(state)} />
      {texts.roster.phase[state.phase]}
    </span>
  )
  return plain ? words : <Tooltip content={texts.roster.phaseHint[state.phase]}>{words}</Tooltip>
}

/** IdleRing is how long the idle process is still kept, as a thin ring; nothing while that does not count down. */
export function IdleRing({ state, plain = false }: { state: Agent['state']; plain?: boolean }) {
  return state.idle_deadline && state.since ? <Counting since={state.since} until={state.idle_deadline} plain={plain} /> : null
}

function Counting({ since, until, plain }: { since: string; until: string; plain: boolean }) {
  const now = useNow('second')
  const left = Math.max(0, Date.parse(until) - now)
  const label = texts.roster.idle(formatDuration(left))
  const ring = (
    <span className="flex text-green">
      <Ring size={14} value={left / Math.max(1, Date.parse(until) - Date.parse(since))} label={label} />
    </span>
  )
  return plain ? ring : <Tooltip content={label}>{ring}</Tooltip>
}

/** modelOf is the model that answers, in words: what the client says it is, or else what was chosen. */
export function modelOf({ binding, state }: Agent): string {
  if (binding.runtime === 'cli:standin:agent') return texts.roster.standin
  return state.model || binding.model || texts.roster.ownModel
}
