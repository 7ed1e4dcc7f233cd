import { selectAgents, texts, useSelect, useSelector, glanceOf } from '@/core'
import { useAgentStates } from '@/features/agent'
import { maxRecipients, namedIn } from '@/features/mention'
import { Dot } from '@/ui'

/** useRecipients reads whom a text would address in a channel, and whether that can be sent. */
export function useRecipients(channelId: string, text: string) {
  useAgentStates(channelId)
  const agents = useSelector(selectAgents, channelId)
  const people = useSelect((s) => s.people[channelId])
  const direct = useSelect((s) => s.channels[channelId]?.direct ?? false)
  const loaded = people !== undefined
  if (direct) return { agents, tooMany: undefined, hint: undefined, named: false }
  const named = namedIn(text, [...agents.map((a) => a.binding.handle), ...(people ?? []).map((p) => p.handle).filter(Boolean)])
  const to = agents.filter((a) => named.handles.includes(a.binding.handle))
  to.sort((a, b) => named.handles.indexOf(a.binding.handle) - named.handles.indexOf(b.binding.handle))
  const [unknown] = named.unknown
  const nobody = loaded && agents.length > 0 && text.trim() !== '' && to.length === 0
  return {
    agents: to,
    named: true,
    tooMany: to.length > maxRecipients ? texts.composer.tooMany(to.length, maxRecipients) : undefined,
    hint: !nobody ? undefined : unknown !== undefined ? texts.composer.nobodyCalled(unknown) : texts.composer.nobody,
  }
}

/** Recipients says under a text who will be asked, and how they are. `quiet`: that nobody is, is not said now. */
export function Recipients({ recipients: { agents, hint, named }, quiet }: { recipients: ReturnType<typeof useRecipients>; quiet: boolean }) {
  if (hint && quiet) return null
  if (hint) return <p className="min-w-0 truncate text-small text-soft" title={hint}>{hint}</p>
  if (!named || agents.length === 0) return null
  return (
    <p className="flex min-w-0 items-center gap-2 overflow-hidden text-small text-soft">
      <span className="shrink-0">{texts.composer.to}</span>
      {agents.map(({ binding, state }) => (
        <span key={binding.id} className="flex min-w-0 items-center gap-1">
          <Dot tone={glanceOf(state)} />
          <span className="truncate font-medium text-text" dir="auto">{binding.handle}</span>
          <span className="shrink-0">{texts.roster.phase[state.phase]}</span>
        </span>
      ))}
    </p>
  )
}
