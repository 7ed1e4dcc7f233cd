import { Plus } from 'lucide-react'
import { useState } from 'react'
import { selectAgents, texts, useSelect, useSelector } from '@/core'
import { AgentForm, useAgentStates, useForecasts } from '@/features/agent'
import { Avatar, Button, EmptyState } from '@/ui'
import { AgentCard } from './agent-card'

export interface RosterProps {
  channelId: string
}

/** Roster is who is in a channel: its agents with how they are and what can be done to them, and the people. */
export default function Roster({ channelId }: RosterProps) {
  useAgentStates(channelId)
  const agents = useSelector(selectAgents, channelId)
  const forecasts = useForecasts(channelId)
  const people = useSelect((s) => s.people[channelId])
  const channel = useSelect((s) => s.channels[channelId])
  const [adding, setAdding] = useState(false)
  // A direct line has room for one.
  const room = channel !== undefined && !channel.archived_at && !(channel.direct && agents.length > 0)
  const add = (
    <Button size="sm" icon={<Plus size={12} aria-hidden />} onClick={() => setAdding(true)}>
      {texts.roster.add}
    </Button>
  )
  return (
    <div className="flex flex-col gap-5 p-4">
      <section aria-label={texts.roster.agents} className="flex flex-col gap-2">
        <div className="flex min-h-6 items-center justify-between">
          <h3 className="text-small font-medium text-soft">{texts.roster.agents}</h3>
          {room && agents.length > 0 && add}
        </div>
        {people && agents.length === 0 && (
          <EmptyState title={texts.roster.nobody} hint={texts.roster.nobodyHint}>
            {room && add}
          </EmptyState>
        )}
        {agents.map((agent) => (
          <AgentCard key={agent.binding.id} agent={agent} forecast={forecasts?.find((f) => f.binding_id === agent.binding.id)} />
        ))}
      </section>
      <section aria-label={texts.roster.people}>
        <h3 className="mb-1 text-small font-medium text-soft">{texts.roster.people}</h3>
        <ul>
          {people?.map((person) => (
            <li key={person.handle} className="flex h-9 items-center gap-2">
              <Avatar name={person.handle || texts.common.you} size={24} />
              <span className="truncate" dir="auto">{person.handle || texts.common.you}</span>
            </li>
          ))}
        </ul>
      </section>
      {adding && <AgentForm channelId={channelId} onClose={() => setAdding(false)} />}
    </div>
  )
}
