import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Channel } from '@/api'
import { addressOf, useCommand, useHearth, useSelect } from '@/core'
import { AgentForm } from '@/features/agent'
import { CreateChannel, CreateDirect, useChannelMoves } from '@/features/channels'
import { GoToDate } from '@/features/jump'
import { Report } from '@/features/logs'
import { Palette } from '@/features/palette'
import { QuickMention } from '@/features/quick'
import { SearchEverywhere } from '@/features/search'
import { Settings } from '@/features/settings'
import { Shortcuts, useKeyboard } from '@/features/shortcuts'
import { BenchSettings } from '@/features/workbench'

type Open = 'date' | 'search' | 'palette' | 'mention' | 'help' | 'preferences' | 'workbench' | 'report' | 'channel' | 'direct'

/** Overlays is what opens over any page, one at a time, with the commands that open it and those that hold everywhere. */
export function Overlays({ channelId }: { channelId: string | undefined }) {
  const hearth = useHearth()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const [sought, setSought] = useState<string>()
  const channel = useSelect((s) => (channelId === undefined ? undefined : s.channels[channelId]))
  const dark = useSelect((s) => s.preferences.theme === 'dark')
  const [agent, setAgent] = useState('')
  const binding = useSelect((s) => s.bindings[agent])
  const close = () => setOpen(undefined)
  const go = (made: Channel) => void navigate({ to: '/c/$channel', params: { channel: addressOf(made) } })
  useKeyboard()
  useChannelMoves()
  useCommand('palette', () => setOpen('palette'))
  useCommand('search.everywhere', (about) => {
    setSought(about)
    setOpen('search')
  })
  useCommand('go.date', () => setOpen('date'), channel !== undefined)
  useCommand('mention.quick', () => setOpen('mention'))
  useCommand('help', () => setOpen('help'))
  useCommand('preferences', () => setOpen('preferences'))
  useCommand('workbench.settings', () => setOpen('workbench'))
  useCommand('agent.settings', (about) => (about === undefined ? false : setAgent(about)))
  useCommand('logs', () => void navigate({ to: '/logs' }))
  useCommand('report', () => setOpen('report'))
  useCommand('channel.create', () => setOpen('channel'))
  useCommand('direct.create', () => setOpen('direct'))
  useCommand('theme.next', () => {
    const now = document.documentElement.dataset.theme
    hearth.store.dispatch({ type: 'preferences', preferences: { theme: dark || now === 'dark' ? 'light' : 'dark' } })
  })
  useCommand('go.back', () => history.back())
  useCommand('go.forward', () => history.forward())
  return (
    <>
      {open === 'palette' && <Palette channelId={channelId} onClose={close} />}
      {open === 'search' && <SearchEverywhere channelId={channelId} text={sought} onClose={close} />}
      {open === 'date' && channel && <GoToDate channel={channel} onClose={close} />}
      {open === 'mention' && <QuickMention channelId={channelId} onClose={close} />}
      {open === 'help' && <Shortcuts onClose={close} />}
      {open === 'preferences' && <Settings channelId={channelId} onClose={close} />}
      {open === 'workbench' && <BenchSettings onClose={close} />}
      {open === 'report' && <Report onClose={close} />}
      {open === 'channel' && <CreateChannel onClose={close} onCreated={go} />}
      {open === 'direct' && <CreateDirect onClose={close} onCreated={go} />}
      {binding && <AgentForm channelId={binding.channel_id} binding={binding} onClose={() => setAgent('')} />}
    </>
  )
}
