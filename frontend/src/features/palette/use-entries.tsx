import { useNavigate } from '@tanstack/react-router'
import { Archive, AtSign, Hash, Link2, RefreshCw, Search, Square, User } from 'lucide-react'
import { useMemo } from 'react'
import { addressOf, channelAt, commandTable, glanceOf, linkIn, problemOf, rowLink, selectAgents, selectArchived, selectChannels, texts, useAvailableCommands, useHearth, useSelect, useSelector, useShortKeys, type Theme } from '@/core'
import { Dot, useToast } from '@/ui'
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

/** useAnswers are what the palette makes of the very text that was typed: a link is opened, and any text is looked for. */
export function useAnswers(typed: string): { before: readonly Entry[]; after: readonly Entry[] } {
  const hearth = useHearth()
  const navigate = useNavigate()
  const toast = useToast()
  const keys = useShortKeys()('search.everywhere')
  return useMemo(() => {
    const text = typed.trim()
    if (text === '') return { before: [], after: [] }
    const link = linkIn(text)
    if (!link) {
      const search: Entry = {
        id: 'search', group: texts.palette.commands, text: texts.palette.everywhere(text), icon: <Search size={14} />, keys,
        run: () => void hearth.commands.run('search.everywhere', text),
      }
      return { before: [], after: [search] }
    }
    const say = (message: string) => toast({ message, tone: 'error' })
    const openPath = (path: string) => {
      const address = path.split(/[/?#]/)[2] ?? ''
      let named = address
      try {
        named = decodeURIComponent(address)
      } catch {
        // No part of an address is written like this: no channel is called so.
      }
      if (channelAt(hearth.store.get(), named)) void navigate({ href: path })
      else say(texts.palette.notHere)
    }
    const openRow = async (id: string) => {
      try {
        const row = await hearth.api.row(id)
        const channel = hearth.store.get().channels[row.channel_id]
        await navigate(rowLink(channel ? addressOf(channel) : row.channel_id, row))
      } catch (error) {
        const problem = problemOf(error)
        say(problem.code === 'not_found' ? texts.palette.noMessage : problem.message)
      }
    }
    const open: Entry = {
      id: 'link', group: texts.palette.address, icon: <Link2 size={14} />, detail: 'path' in link ? link.path : link.row,
      text: 'row' in link || /\/[mt]\//.test(link.path) ? texts.palette.openMessage : texts.palette.openLink,
      run: () => ('path' in link ? openPath(link.path) : void openRow(link.row)),
    }
    return { before: [open], after: [] }
  }, [typed, hearth, navigate, toast, keys])
}
