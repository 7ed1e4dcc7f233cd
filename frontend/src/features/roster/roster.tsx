import { RefreshCw, Square } from 'lucide-react'
import type { Agent } from '@/api'
import { formatDuration, glanceOf, problemOf, selectAgents, texts, useHearth, useSelect, useSelector } from '@/core'
import { Avatar, Button, Dot, EmptyState, ErrorNote, Ring, Tooltip, useNow, useToast } from '@/ui'

export interface RosterProps {
  channelId: string
}

/** Roster is who is in a channel: its agents with how they are, and the people. */
export function Roster({ channelId }: RosterProps) {
  const agents = useSelector(selectAgents, channelId)
  const people = useSelect((s) => s.people[channelId])
  return (
    <div className="flex flex-col gap-4 p-4">
      <section aria-label={texts.roster.agents} className="flex flex-col gap-2">
        <h2 className="text-small font-medium text-soft">{texts.roster.agents}</h2>
        {people && agents.length === 0 && <EmptyState title={texts.roster.nobody} hint={texts.roster.nobodyHint} />}
        {agents.map((agent) => (
          <AgentCard key={agent.binding.id} agent={agent} />
        ))}
      </section>
      <section aria-label={texts.roster.people}>
        <h2 className="mb-1 text-small font-medium text-soft">{texts.roster.people}</h2>
        <ul>
          {people?.map((person) => (
            <li key={person.handle} className="flex h-9 items-center gap-2">
              <Avatar name={person.handle || texts.common.you} size={24} />
              <span className="truncate" dir="auto">{person.handle || texts.common.you}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

/** How long Start fresh can be undone, in milliseconds; nothing is ended before. */
const undoFor = 6000

function AgentCard({ agent: { binding, state } }: { agent: Agent }) {
  const hearth = useHearth()
  const toast = useToast()
  const say = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })
  const startFresh = () =>
    toast({
      message: texts.roster.startedFresh(binding.handle),
      duration: undoFor,
      undo: () => undefined,
      commit: () => void hearth.startFresh(binding.id).catch(say),
    })
  return (
    <article aria-label={binding.handle} className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <header className="flex items-center gap-2">
        <Avatar name={binding.handle} agent />
        <div className="min-w-0 flex-1">
          <h3 className="truncate font-semibold" dir="auto">{binding.handle}</h3>
          <p className="truncate text-small text-soft">{binding.runtime === 'cli:standin:agent' ? texts.roster.standin : state.model || binding.model}</p>
        </div>
        {state.idle_deadline && state.since && <Idle since={state.since} until={state.idle_deadline} />}
        <Tooltip content={texts.roster.phaseHint[state.phase]}>
          <span className="flex items-center gap-1.5 text-small">
            <Dot tone={glanceOf(state)} />
            {texts.roster.phase[state.phase]}
          </span>
        </Tooltip>
      </header>
      {!state.reachable && <ErrorNote>{texts.roster.unreachable}</ErrorNote>}
      {state.error && <ErrorNote>{state.error}</ErrorNote>}
      {state.queued > 0 && <p className="text-small text-soft">{texts.roster.queued(state.queued)}</p>}
      <div className="flex gap-2">
        <Tooltip content={texts.roster.startFreshHint}>
          <Button size="sm" icon={<RefreshCw size={12} aria-hidden />} onClick={startFresh}>
            {texts.roster.startFresh}
          </Button>
        </Tooltip>
        {state.run_id !== '' && (
          <Button size="sm" icon={<Square size={11} aria-hidden className="fill-current" />} onClick={() => void hearth.api.stopAgent(binding.id).catch(say)}>
            {texts.roster.stop}
          </Button>
        )}
      </div>
    </article>
  )
}

/** Idle is how long the process is still kept, as a thin ring. */
function Idle({ since, until }: { since: string; until: string }) {
  const now = useNow('second')
  const left = Math.max(0, Date.parse(until) - now)
  const label = texts.roster.idle(formatDuration(left))
  return (
    <Tooltip content={label}>
      <span className="text-green">
        <Ring value={left / Math.max(1, Date.parse(until) - Date.parse(since))} label={label} />
      </span>
    </Tooltip>
  )
}
