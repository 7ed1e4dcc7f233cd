import { useId, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import type { Agent } from '@/api'
import { glanceOf, selectAgents, texts, useHearth, useSelector } from '@/core'
import { cx, Dot } from '@/ui'
import { complete, matching, typingAt, type Typing } from './completion'

export interface MentionsOptions {
  channelId: string
  input: RefObject<HTMLTextAreaElement | null>
  text: string
  /** Takes the text with the handle in it, and where the caret belongs. */
  onComplete: (text: string, caret: number) => void
}

export interface Mentions {
  /** The list, for above the composer; null when nothing is being completed. */
  popup: ReactNode
  /** Attributes for the textarea. */
  input: Record<string, string | boolean | undefined>
  /** Takes the keys that are the list's; true when it took one. */
  onKeyDown: (event: KeyboardEvent) => boolean
  /** To be called when the text or the caret may have moved. */
  look: () => void
  close: () => void
}

/** useMentions completes handles in a composer: it shows the agents of the channel with how they are, and warms the one that is chosen. */
export function useMentions({ channelId, input, text, onComplete }: MentionsOptions): Mentions {
  const hearth = useHearth()
  const id = useId()
  const agents = useSelector(selectAgents, channelId)
  const [typing, setTyping] = useState<Typing>()
  const [at, setAt] = useState(0)
  const options = typing ? matching(agents, (a) => a.binding.handle, typing.query) : []
  const chosen = options[Math.min(at, options.length - 1)]

  const look = () => {
    const field = input.current
    const next = field && field.selectionStart === field.selectionEnd ? typingAt(field.value, field.selectionStart) : undefined
    if (next?.start !== typing?.start || next?.query !== typing?.query) setAt(0)
    setTyping(next)
  }
  const choose = (agent: Agent) => {
    const caret = input.current?.selectionStart ?? text.length
    if (!typing) return
    const done = complete(text, caret, typing, agent.binding.handle)
    setTyping(undefined)
    onComplete(done.text, done.caret)
    // Only a favour: where no place is free, it starts when it is asked.
    if (agent.state.phase === 'cold' || agent.state.phase === 'evicted') hearth.api.warmAgent(agent.binding.id).catch(() => undefined)
  }
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!chosen) return false
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move) setAt((Math.min(at, options.length - 1) + move + options.length) % options.length)
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') choose(chosen)
    else if (event.key === 'Escape') setTyping(undefined)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const optionId = (agent: Agent) => `${id}-${agent.binding.id}`
  return {
    look,
    close: () => setTyping(undefined),
    onKeyDown,
    input: {
      'aria-autocomplete': 'list',
      'aria-controls': chosen ? id : undefined,
      'aria-activedescendant': chosen ? optionId(chosen) : undefined,
    },
    popup: chosen ? (
      <ul
        id={id}
        role="listbox"
        aria-label={texts.roster.agents}
        className="absolute bottom-full left-0 z-20 mb-1 max-h-64 w-80 max-w-full animate-appear overflow-y-auto rounded-md bg-raised p-1 shadow-float"
      >
        {options.map((agent) => (
          <li
            key={agent.binding.id}
            id={optionId(agent)}
            role="option"
            aria-selected={agent === chosen}
            onPointerDown={(event) => {
              event.preventDefault() // the field keeps the focus
              choose(agent)
            }}
            className={cx('flex h-8 items-center gap-2 rounded-sm px-2', agent === chosen && 'bg-hover')}
          >
            <Dot tone={glanceOf(agent.state)} />
            <span className="min-w-0 flex-1 truncate font-medium" dir="auto">{agent.binding.handle}</span>
            <span className="text-small text-soft">{texts.roster.phase[agent.state.phase]}</span>
          </li>
        ))}
      </ul>
    ) : null,
  }
}
