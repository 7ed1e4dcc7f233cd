import { useState, type RefObject } from 'react'
import type { Agent } from '@/api'
import { selectAgents, texts, useHearth, useSelect, useSelector } from '@/core'
import { modelOf, Phase, useAgentActions } from '@/features/agent'
import { useSuggestions, type Suggestions } from '@/features/mention'
import type { Lists, Meant } from './client-commands'
import { SlashOption } from './slash-option'
import { parseSlash, slashAt, slashNames, type SlashName, type SlashTyping } from './slash'

export interface SlashOptions {
  channelId: string
  input: RefObject<HTMLTextAreaElement | null>
  /** Takes the text with what was chosen in it. */
  onComplete: (text: string) => void
}

export interface Slash extends Suggestions {
  look: () => void
  close: () => void
  /** Does what a text says: true. False where it is no command, a sentence where it can't be done, and a command of a client's where it has to be sent. */
  run: (text: string) => boolean | string | Meant
}

type Client = typeof import('./client-commands') & { lists: Lists }

/** useSlash completes what is told with a slash, to an agent's process or to its client, and does the former. */
export function useSlash({ channelId, input, onComplete }: SlashOptions): Slash {
  const agents = useSelector(selectAgents, channelId)
  const { startFresh, stop, warm, restore } = useAgentActions()
  const hearth = useHearth()
  const direct = useSelect((s) => s.channels[channelId]?.direct ?? false)
  const [typing, setTyping] = useState<SlashTyping>()
  const [client, setClient] = useState<Client>()
  const place = client && { agents, direct, lists: client.lists }
  // Only an offer: without it a command is sent all the same.
  const ask = async () => {
    const module = await import('./client-commands')
    setClient({ ...module, lists: await module.listsOf(hearth, agents) })
  }

  const look = () => {
    const field = input.current
    const next = field && field.selectionStart === field.selectionEnd ? slashAt(field.value, field.selectionStart) : undefined
    setTyping(next)
    if (next?.part === 'name') ask().catch(() => undefined)
  }
  const close = () => setTyping(undefined)
  const act: Record<SlashName, (agent: Agent) => unknown> = { fresh: startFresh, stop, warm, restore }
  const run = (text: string): boolean | string | Meant => {
    const command = parseSlash(text)
    if (!command) {
      const meant = (place && client.meant(place, text)) ?? false
      if (typeof meant !== 'object' || !meant.command.starts_fresh) return meant
      startFresh(meant.agent)
      return true
    }
    const [only] = agents
    if (!only) return texts.slash.none
    if (command.handle === '' && agents.length > 1) return texts.slash.which(command.name)
    const wanted = command.handle.normalize('NFC').toLowerCase()
    const agent = command.handle === '' ? only : agents.find((a) => a.binding.handle.toLowerCase() === wanted)
    if (!agent) return texts.slash.nobody(command.handle)
    void act[command.name](agent)
    return true
  }
  const put = (text: string) => {
    setTyping(slashAt(text, text.length))
    onComplete(text)
  }
  const names =
    typing?.part === 'name'
      ? slashNames
          // Where there is one agent only, the whole name is all there is to write: Enter does it.
          .filter((name) => name.startsWith(typing.query) && (name !== typing.query || (agents.length > 1 && typing.before === '')))
          .map((name) => ({
            key: name,
            content: <SlashOption name={name} description={texts.slash[name]} />,
            choose: () => put(typing.before !== '' ? `${typing.before}/${name}` : agents.length > 1 ? `/${name} ` : `/${name}`),
          }))
      : []
  const handles =
    typing?.part === 'handle'
      ? agents
          .filter(({ binding: { handle } }) => handle.toLowerCase().startsWith(typing.query.toLowerCase()) && handle.toLowerCase() !== typing.query.toLowerCase())
          .map((agent) => ({
            key: agent.binding.id,
            content: (
              <>
                <span className="truncate font-medium" dir="auto">{agent.binding.handle}</span>
                <span className="min-w-0 flex-1 truncate text-small text-soft">{modelOf(agent)}</span>
                <Phase state={agent.state} plain />
              </>
            ),
            choose: () => put(`/${typing.name} ${agent.binding.handle}`),
          }))
      : []
  const theirs = place && typing?.part === 'name' ? client.suggest(place, typing, put) : { options: [], note: '' }
  const subject = typing ? `${typing.part}:${typing.query}` : ''
  return { look, close, run, ...useSuggestions(texts.slash.list, subject, [...names, ...handles, ...theirs.options], close, theirs.note) }
}
