import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Menu as MenuIcon, Search, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Channel } from '@/api'
import { addressOf, selectAgents, texts, useCommand, useHearth, useSelector, useShortKeys } from '@/core'
import { ArchivedNote, ChannelMenu, RenameField } from '@/features/channels'
import { Composer } from '@/features/composer'
import { MessageList } from '@/features/messages'
import { PermissionStack } from '@/features/permission'
import { QueueStrip } from '@/features/queue'
import { SearchBar } from '@/features/search'
import { Welcome } from '@/features/welcome'
import { IconButton, Tooltip } from '@/ui'
import { useFrame, useHasDetail } from './frame-context'

/** Chat is a channel's messages, with what is known of it above and what can be done below. */
export function Chat({ channel }: { channel: Channel }) {
  const { row, go } = useShown(channel)
  const agents = useSelector(selectAgents, channel.id)
  const [searches, setSearches] = useState(0)
  const [searching, setSearching] = useState(false)
  useCommand('search.here', () => {
    // Asked for again from its own field, the browser's own search opens.
    if (document.activeElement?.closest('[role="search"]')) return false
    setSearching(true)
    setSearches((n) => n + 1)
    return true
  })
  const first = agents[0]
  const placeholder = channel.direct && first ? texts.composer.placeholderDirect(first.binding.handle) : texts.composer.placeholder(channel.name)
  return (
    <>
      <Header channel={channel} />
      {searching && <SearchBar channel={channel} asked={searches} onGo={go} onClose={() => setSearching(false)} />}
      {!searching && <Welcome channel={channel} />}
      <div id="messages" tabIndex={-1} className="min-h-0 flex-1 outline-none">
        <MessageList place={{ channelId: channel.id }} target={row} />
      </div>
      {/* Where there is little height, what agents ask gives way and scrolls: the composer is never pushed out of the window. */}
      <div className="column flex min-h-0 flex-col gap-2 pb-4">
        <PermissionStack channelId={channel.id} />
        <QueueStrip channelId={channel.id} />
        {channel.archived_at ? (
          <ArchivedNote channel={channel} />
        ) : (
          <Composer place={{ channelId: channel.id }} where={channel.name} placeholder={placeholder} focus />
        )}
      </div>
    </>
  )
}

/** useShown is the message that the address lets the chat show, and what leads to another one. What is open beside the chat stays open. */
function useShown(channel: Channel): { row: string | undefined; go: (row: string) => void } {
  const { row: named } = useParams({ strict: false })
  const { at } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { layout } = useFrame()
  const beside = useHasDetail() && layout.chat
  const row = named ?? at
  const last = useRef<string>(undefined)
  const go = (next: string) => {
    // From one to the next there is no step: Back leads to where this began.
    const replace = row !== undefined && row === last.current
    last.current = next
    if (beside) void navigate({ to: '.', search: (now) => ({ ...now, at: next }), hash: true, replace })
    else void navigate({ to: '/c/$channel/m/$row', params: { channel: addressOf(channel), row: next }, replace })
  }
  return { row, go }
}

function Header({ channel }: { channel: Channel }) {
  const hearth = useHearth()
  const keysOf = useShortKeys()
  const { openList } = useFrame()
  const [renaming, setRenaming] = useState(false)
  return (
    <header className="flex h-11 shrink-0 items-center gap-0.5 border-b border-line pr-2 pl-5">
      {openList && (
        <IconButton label={texts.app.showChannels} onClick={openList} className="-ml-3">
          <MenuIcon size={16} aria-hidden />
        </IconButton>
      )}
      {renaming ? (
        <h1 className="flex max-w-96 min-w-0 flex-1 text-title font-semibold">
          <RenameField channel={channel} onDone={() => setRenaming(false)} />
        </h1>
      ) : (
        <h1
          className="max-w-[60%] min-w-0 truncate text-title font-semibold"
          dir="auto"
          title={channel.name}
          onDoubleClick={() => setRenaming(true)}
        >
          {channel.direct ? channel.name : texts.channels.heading(channel.name)}
        </h1>
      )}
      <p className="min-w-0 flex-1 truncate px-3 text-soft" dir="auto" title={channel.topic}>
        {channel.topic}
      </p>
      <IconButton label={texts.search.title} keys={keysOf('search.here')} onClick={() => hearth.commands.run('search.here')}>
        <Search size={16} aria-hidden />
      </IconButton>
      <Tooltip content={texts.channels.roster} keys={keysOf('detail.roster')}>
        <Link
          to="/c/$channel/roster"
          params={{ channel: addressOf(channel) }}
          aria-label={texts.channels.roster}
          className="grid size-8 shrink-0 place-items-center rounded-md text-soft hover:bg-hover hover:text-text"
        >
          <Users size={16} aria-hidden />
        </Link>
      </Tooltip>
      <ChannelMenu channel={channel} main onRename={() => setRenaming(true)} />
    </header>
  )
}
