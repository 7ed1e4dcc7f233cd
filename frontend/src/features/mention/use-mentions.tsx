import { useState, type RefObject } from 'react'
import type { Agent } from '@/api'
import { selectAgents, texts, useHearth, useSelect, useSelector } from '@/core'
import { IdleRing, modelOf, Phase } from '@/features/agent'
import { Avatar } from '@/ui'
import { complete, matching, typingAt, type Typing } from './completion'
import { useSuggestions, type Suggestions } from './use-suggestions'

export interface MentionsOptions {
  channelId: string
  input: RefObject<HTMLTextAreaElement | null>
  text: string
  /** Takes the text with the handle in it, and where the caret belongs. */
  onComplete: (text: string, caret: number) => void
}

export interface Mentions extends Suggestions {
  /** To be called when the text or the caret may have moved. */
  look: () => void
  close: () => void
}

/**
 * useMentions completes handles in a field: the agents of the channel with how they are, then the people. An agent that is chosen
 * or looked at for a moment is warmed.
 */
export function useMentions({ channelId, input, text, onComplete }: MentionsOptions): Mentions {
  const hearth = useHearth()
  const agents = useSelector(selectAgents, channelId)
  const people = useSelect((s) => s.people[channelId])
  const [typing, setTyping] = useState<Typing>()

  const look = () => {
    const field = input.current
    const next = field && field.selectionStart === field.selectionEnd ? typingAt(field.value, field.selectionStart) : undefined
    setTyping((held) => (held?.start === next?.start && held?.query === next?.query ? held : next))
  }
  const put = (handle: string) => {
    if (!typing) return
    const done = complete(text, input.current?.selectionStart ?? text.length, typing, handle)
    setTyping(undefined)
    onComplete(done.text, done.caret)
  }
  // Only a favour: where no place is free, it starts when it is asked.
  const warm = ({ binding, state }: Agent) => {
    const asleep = state.phase === 'cold' || state.phase === 'evicted' || state.phase === 'crashed'
    if (asleep && state.reachable && binding.supervised && binding.resident) hearth.api.warmAgent(binding.id).catch(() => undefined)
  }
  const options = typing
    ? [
        ...matching(agents, (a) => a.binding.handle, typing.query).map((agent) => ({
          key: agent.binding.id,
          content: <AgentOption agent={agent} />,
          choose: () => {
            put(agent.binding.handle)
            warm(agent)
          },
          linger: () => warm(agent),
        })),
        ...matching((people ?? []).filter((p) => !p.owner), (p) => p.handle, typing.query).map((person) => ({
          key: 'person-' + person.handle,
          content: <PersonOption handle={person.handle} />,
          choose: () => put(person.handle),
        })),
      ]
    : []
  const close = () => setTyping(undefined)
  return { look, close, ...useSuggestions(texts.mention.list, typing ? `${typing.start}:${typing.query}` : '', options, close) }
}

function AgentOption({ agent }: { agent: Agent }) {
  return (
    <>
      <Avatar name={agent.binding.handle} agent size={20} />
      <span className="truncate font-medium" dir="auto">{agent.binding.handle}</span>
      <span className="min-w-0 flex-1 truncate text-small text-soft">{modelOf(agent)}</span>
      <IdleRing state={agent.state} plain />
      <Phase state={agent.state} plain />
    </>
  )
}

function PersonOption({ handle }: { handle: string }) {
  return (
    <>
      <Avatar name={handle} size={20} />
      <span className="min-w-0 flex-1 truncate font-medium" dir="auto">{handle}</span>
      <span className="text-small text-soft">{texts.mention.person}</span>
    </>
  )
}
