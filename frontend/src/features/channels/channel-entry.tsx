import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Channel } from '@/api'
import { addressOf, glanceOf, selectAgents, selectAsking, selectBusy, texts, useHearth, useSelect, useSelector } from '@/core'
import { cx, Dot } from '@/ui'
import { ChannelMenu } from './channel-menu'
import { RenameField } from './rename-field'

export interface ChannelEntryProps {
  channel: Channel
  current: boolean
  onGo: (() => void) | undefined
}

/** ChannelEntry is a channel's line in the list. The second button opens its menu, a double press renames it. */
export function ChannelEntry({ channel, current, onGo }: ChannelEntryProps) {
  const unread = useSelect((s) => s.unread[channel.id])
  const working = useSelect((s) => selectBusy(s).has(channel.id))
  const asks = useSelect((s) => selectAsking(s).has(channel.id))
  const [renaming, setRenaming] = useState(false)
  const [menu, setMenu] = useState(false)
  const some = unread !== undefined && unread.count > 0
  if (renaming) {
    return (
      <li className="flex h-7 items-center gap-2 pr-1 pl-2">
        <Mark channel={channel} />
        <RenameField channel={channel} onDone={() => setRenaming(false)} />
      </li>
    )
  }
  return (
    <li className="group relative">
      <Link
        to="/c/$channel"
        params={{ channel: addressOf(channel) }}
        onClick={onGo}
        onDoubleClick={(event) => {
          event.preventDefault()
          setRenaming(true)
        }}
        onContextMenu={(event) => {
          event.preventDefault()
          setMenu(true)
        }}
        aria-current={current ? 'page' : undefined}
        className={cx(
          'flex h-7 items-center gap-2 rounded-md pr-2 pl-2 transition-colors group-hover:bg-hover aria-[current]:bg-chosen',
          some ? 'font-semibold text-text' : current ? 'text-text' : 'text-soft hover:text-text',
        )}
      >
        <Mark channel={channel} />
        <span className="min-w-0 flex-1 truncate" dir="auto" title={channel.topic || undefined}>
          {channel.name}
        </span>
        <span className={cx('flex items-center gap-2', menu ? 'invisible' : 'group-focus-within:group-has-[button:focus-visible]:invisible group-hover:invisible')}>
          {asks ? <Dot tone="asks" label={texts.channels.asks} /> : working && <Dot tone="busy" label={texts.channels.working} />}
          {some && (
            <span
              role="img"
              aria-label={texts.channels.unread(unread.count, unread.atLeast)}
              className="keep-colour min-w-5 rounded-full bg-accent px-1.5 text-center text-small font-semibold text-on-accent"
            >
              {texts.channels.unreadShort(unread.count, unread.atLeast)}
            </span>
          )}
        </span>
      </Link>
      <ChannelMenu
        channel={channel}
        size="sm"
        open={menu}
        onOpenChange={setMenu}
        onRename={() => setRenaming(true)}
        className={cx('absolute top-0.5 right-0.5', !menu && 'opacity-0 group-hover:opacity-100 focus-visible:opacity-100')}
      />
    </li>
  )
}

function Mark({ channel }: { channel: Channel }) {
  return channel.direct ? <Agent channelId={channel.id} /> : <span aria-hidden className="w-2 text-center text-soft">#</span>
}

/** Agent is how the agent of a direct line is. */
function Agent({ channelId }: { channelId: string }) {
  const hearth = useHearth()
  useQuery({
    queryKey: ['roster', channelId],
    queryFn: async ({ signal }) => {
      await hearth.loadRoster(channelId, signal)
      return true
    },
  })
  const agent = useSelector(selectAgents, channelId)[0]
  if (!agent) return <Dot tone="off" />
  return <Dot tone={glanceOf(agent.state)} label={texts.channels.state(agent.binding.handle, texts.roster.phase[agent.state.phase])} />
}
