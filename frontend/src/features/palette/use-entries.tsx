import { useNavigate } from '@tanstack/react-router'
import { Archive, AtSign, Hash, RefreshCw, Square, User } from 'lucide-react'
import {
  addressOf, commandTable, glanceOf, selectAgents, selectArchived, selectChannels, texts, useAvailableCommands, useHearth, useSelect,
  useSelector, useShortKeys, type Theme,
} from '@/core'
import { Dot } from '@/ui'
import type { Entry } from './entries'

const themes: Theme[] = ['system', 'light', 'dark']

/** useEntries is everything that the palette leads to, from where the person is. */
export function useEntries(channelId: string | undefined): readonly Entry[] {
  const hearth = useHearth()
  const navigate = useNavigate()
  const { shared, direct } = useSelect(selectChannels)
  const archived = useSelect(selectArchived)
  const unread = useSelect((s) => s.unread)
  const agents = useSelector(selectAgents, channelId ?? '')
  const people = useSelect((s) => s.people[channelId ?? ''])
  const commands = useAvailableCommands()
  const keysOf = useShortKeys()

  const channels: Entry[] = [...shared, ...direct, ...archived].map((channel) => ({
    id: 'channel:' + channel.id,
    group: texts.palette.channels,
    text: channel.name,
    detail: channel.archived_at ? texts.palette.archived : channel.topic,
    icon: channel.archived_at ? <Archive size={14} /> : channel.direct ? <AtSign size={14} /> : <Hash size={14} />,
    run: () => void navigate({ to: '/c/$channel', params: { channel: addressOf(channel) } }),
  }))
  // With nothing typed, what is unread comes first.
  channels.sort((a, b) => Number(unreadOf(unread, b)) - Number(unreadOf(unread, a)))

  /** Puts a mention into the channel's composer. */
  const write = (handle: string) => {
    if (channelId === undefined) return
    const text = hearth.store.get().drafts[channelId] ?? ''
    hearth.store.dispatch({ type: 'draft', place: { channelId }, text: `${text}${text && !/\s$/.test(text) ? ' ' : ''}@${handle} ` })
    hearth.commands.run('go.chat')
  }
  const ofAgents = agents.flatMap(({ binding, state }): Entry[] => {
    const icon = <Dot tone={glanceOf(state)} />
    const detail = texts.roster.phase[state.phase]
    const entry = (id: string, text: string, run: () => void): Entry => ({ id: `${id}:${binding.id}`, group: texts.palette.agents, text, detail, icon, run })
    return [
      entry('write', texts.palette.write(binding.handle), () => write(binding.handle)),
      ...(commands.includes('agent.fresh')
        ? [{ ...entry('fresh', texts.palette.fresh(binding.handle), () => hearth.commands.run('agent.fresh', binding.id)), icon: <RefreshCw size={14} /> }]
        : []),
      ...(state.run_id
        ? [{ ...entry('stop', texts.palette.stop(binding.handle), () => hearth.commands.run('run.stop', state.run_id)), icon: <Square size={14} /> }]
        : []),
    ]
  })
  const ofPeople = (people ?? [])
    .filter((person) => person.handle !== '')
    .map((person): Entry => ({
      id: 'person:' + person.handle, group: texts.palette.people, text: texts.palette.write(person.handle), icon: <User size={14} />, run: () => write(person.handle),
    }))
  const ofCommands = commands
    .filter((id) => !commandTable[id].hidden)
    .map((id): Entry => ({
      id: 'command:' + id, group: texts.palette.commands, text: texts.commands.names[id], keys: keysOf(id), run: () => void hearth.commands.run(id),
    }))
  const ofThemes = themes.map((theme): Entry => ({
    id: 'theme:' + theme, group: texts.palette.commands, text: texts.palette.theme(texts.theme[theme]),
    run: () => hearth.store.dispatch({ type: 'preferences', preferences: { theme } }),
  }))
  return [...channels, ...ofAgents, ...ofPeople, ...ofCommands, ...ofThemes]
}

const unreadOf = (unread: Readonly<Record<string, { count: number }>>, entry: Entry) => (unread[entry.id.slice('channel:'.length)]?.count ?? 0) > 0
