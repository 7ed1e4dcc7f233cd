import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Channel } from '@/api'
import { addressOf, useCommand, useHearth, useSelect } from '@/core'
import { CreateChannel, CreateDirect, useChannelMoves } from '@/features/channels'
import { Report } from '@/features/logs'
import { Palette } from '@/features/palette'
import { Preferences } from '@/features/preferences'
import { Shortcuts, useKeyboard } from '@/features/shortcuts'

type Open = 'palette' | 'help' | 'preferences' | 'report' | 'channel' | 'direct'

/** Overlays is what opens over any page, one at a time, with the commands that open it and those that hold everywhere. */
export function Overlays({ channelId }: { channelId: string | undefined }) {
  const hearth = useHearth()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const dark = useSelect((s) => s.preferences.theme === 'dark')
  const close = () => setOpen(undefined)
  const go = (channel: Channel) => void navigate({ to: '/c/$channel', params: { channel: addressOf(channel) } })
  useKeyboard()
  useChannelMoves()
  useCommand('palette', () => setOpen('palette'))
  useCommand('help', () => setOpen('help'))
  useCommand('preferences', () => setOpen('preferences'))
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
      {open === 'help' && <Shortcuts onClose={close} />}
      {open === 'preferences' && <Preferences onClose={close} />}
      {open === 'report' && <Report onClose={close} />}
      {open === 'channel' && <CreateChannel onClose={close} onCreated={go} />}
      {open === 'direct' && <CreateDirect onClose={close} onCreated={go} />}
    </>
  )
}
