import { useNavigate, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Channel } from '@/api'
import { addressOf, glanceOf, hasEnded, selectAgents, selectChannels, texts, useSelect, useSelector } from '@/core'
import { cx, Dot, EmptyState, IconButton, Button } from '@/ui'
import { CreateChannel } from './create-channel'

export interface ChannelListProps {
  /** The id of the channel that is open. */
  current: string | undefined
  /** Told when the person went to a channel; a list that covers the chat closes then. */
  onGo?: () => void
  footer?: ReactNode
  /** What stands at its edge: the splitter that sets its width. */
  edge?: ReactNode
}

/** ChannelList leads to the channels and the direct lines, with what is unread and who is at work. */
export function ChannelList({ current, onGo, footer, edge }: ChannelListProps) {
  const { shared, direct } = useSelect(selectChannels)
  const loaded = useSelect((s) => s.channelsLoaded)
  const [creating, setCreating] = useState(false)
  const navigate = useNavigate()
  return (
    <nav aria-label={texts.app.channels} className="flex h-full min-h-0 bg-side">
      <div className="flex min-w-0 flex-1 flex-col">
      <div className="flex h-11 shrink-0 items-center gap-2 pr-2 pl-4">
        <span className="flex-1 truncate font-semibold">{texts.app.name}</span>
        <IconButton label={texts.channels.create} onClick={() => setCreating(true)}>
          <Plus size={16} aria-hidden />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        {loaded && shared.length + direct.length === 0 && (
          <EmptyState title={texts.channels.empty} hint={texts.channels.emptyHint}>
            <Button onClick={() => setCreating(true)}>{texts.channels.create}</Button>
          </EmptyState>
        )}
        <Group title={texts.channels.shared} channels={shared} current={current} onGo={onGo} />
        <Group title={texts.channels.direct} channels={direct} current={current} onGo={onGo} />
      </div>
      {footer}
      </div>
      {edge}
      <CreateChannel
        open={creating}
        onOpenChange={setCreating}
        onCreated={(channel) => {
          onGo?.()
          void navigate({ to: '/c/$channel', params: { channel: addressOf(channel) } })
        }}
      />
    </nav>
  )
}

function Group({ title, channels, current, onGo }: { title: string; channels: readonly Channel[]; current: string | undefined; onGo: (() => void) | undefined }) {
  if (channels.length === 0) return null
  return (
    <section aria-label={title} className="mt-2 first:mt-0">
      <h2 className="px-2 py-1 text-small font-medium text-soft">{title}</h2>
      <ul className="flex flex-col gap-px">
        {channels.map((channel) => (
          <Entry key={channel.id} channel={channel} current={channel.id === current} onGo={onGo} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ channel, current, onGo }: { channel: Channel; current: boolean; onGo: (() => void) | undefined }) {
  const unread = useSelect((s) => s.unread[channel.id])
  const working = useSelect((s) => Object.values(s.runs).some((r) => r.channel_id === channel.id && !hasEnded(r)))
  const asks = useSelect((s) => Object.values(s.permissions).some((p) => p.channel_id === channel.id && p.state === 'open'))
  const some = unread !== undefined && unread.count > 0 && !current
  return (
    <li>
      <Link
        to="/c/$channel"
        params={{ channel: addressOf(channel) }}
        onClick={onGo}
        aria-current={current ? 'page' : undefined}
        className={cx(
          'flex h-7 items-center gap-2 rounded-md px-2 transition-colors hover:bg-hover aria-[current]:bg-chosen',
          some ? 'font-semibold text-text' : current ? 'text-text' : 'text-soft hover:text-text',
        )}
      >
        {channel.direct ? <DirectDot channelId={channel.id} /> : <span aria-hidden className="w-2 text-center text-soft">#</span>}
        <span className="min-w-0 flex-1 truncate" dir="auto">{channel.name}</span>
        {asks ? <Dot tone="asks" label={texts.channels.asks} /> : working && <Dot tone="busy" label={texts.channels.working} />}
        {some && (
          <span aria-label={texts.channels.unread(unread.count, unread.atLeast)} role="img" className="min-w-5 rounded-full bg-accent px-1.5 text-center text-small font-semibold text-on-accent">
            {texts.channels.unreadShort(unread.count, unread.atLeast)}
          </span>
        )}
      </Link>
    </li>
  )
}

function DirectDot({ channelId }: { channelId: string }) {
  const agent = useSelector(selectAgents, channelId)[0]
  return <Dot tone={agent ? glanceOf(agent.state) : 'off'} />
}
