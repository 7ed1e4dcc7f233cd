import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { Menu as MenuIcon, Users } from 'lucide-react'
import { useEffect } from 'react'
import type { Channel } from '@/api'
import { addressOf, channelAt, problemOf, selectAgents, selectOpenPermissions, texts, useHearth, useSelect, useSelector } from '@/core'
import { ChannelMenu } from '@/features/channels'
import { Composer } from '@/features/composer'
import { MessageList } from '@/features/messages'
import { PermissionCard } from '@/features/permission'
import { QueueStrip } from '@/features/queue'
import { Button, cx, defaultWidths, EmptyState, IconButton, Loading, paneBounds, Splitter, Tooltip, useToast } from '@/ui'
import { useFrame, useHasDetail } from './frame-context'

/** ChannelPage is a channel: its chat, and at the right what the address names besides. */
export function ChannelPage() {
  const { channel: address = '' } = useParams({ strict: false })
  const channel = useSelect((s) => channelAt(s, address))
  const loaded = useSelect((s) => s.channelsLoaded)
  if (!loaded) return <Loading />
  if (!channel) {
    return (
      <div className="grid h-full place-items-center">
        <EmptyState title={texts.channels.choose} hint={texts.channels.notFound(address)}>
          <Link to="/" className="rounded-sm text-accent underline underline-offset-2">
            {texts.app.backToChannels}
          </Link>
        </EmptyState>
      </div>
    )
  }
  return <Open key={channel.id} channel={channel} />
}

/** How many rows of a channel are kept when it is left. */
const keptRows = 120

function Open({ channel }: { channel: Channel }) {
  const hearth = useHearth()
  const { layout } = useFrame()
  const hasDetail = useHasDetail()
  useQuery({
    queryKey: ['roster', channel.id],
    queryFn: async ({ signal }) => {
      await hearth.loadRoster(channel.id, signal)
      return true
    },
  })
  useEffect(() => {
    document.title = `#${channel.name} · ${texts.app.name}`
    hearth.store.dispatch({ type: 'preferences', preferences: { lastChannel: channel.id } })
  }, [hearth, channel.id, channel.name])
  useEffect(
    () => () => hearth.store.dispatch({ type: 'rows.trimmed', place: { channelId: channel.id }, keep: keptRows }),
    [hearth, channel.id],
  )
  return (
    <div className="flex h-full min-h-0">
      <main aria-label={texts.app.chat} className={cx('flex min-w-0 flex-1 flex-col', !layout.chat && 'hidden')}>
        <Header channel={channel} />
        <Chat channel={channel} />
      </main>
      {hasDetail && (
        <aside
          aria-label={texts.app.detail}
          style={layout.chat ? { width: layout.detail } : undefined}
          className={cx('flex min-w-0', layout.chat ? 'shrink-0' : 'flex-1')}
        >
          {layout.chat && (
            <Splitter
              label={texts.app.resizeDetail}
              value={layout.detail}
              {...paneBounds.detail}
              pane="right"
              onChange={(detailWidth) => hearth.store.dispatch({ type: 'preferences', preferences: { detailWidth } })}
              onReset={() => hearth.store.dispatch({ type: 'preferences', preferences: { detailWidth: defaultWidths.detail } })}
            />
          )}
          <div className="min-w-0 flex-1">
            <Outlet />
          </div>
        </aside>
      )}
    </div>
  )
}

function Header({ channel }: { channel: Channel }) {
  const { openList } = useFrame()
  return (
    <header className="flex h-11 shrink-0 items-center gap-1 border-b border-line pr-2 pl-5">
      {openList && (
        <IconButton label={texts.app.showChannels} onClick={openList} className="-ml-3">
          <MenuIcon size={16} aria-hidden />
        </IconButton>
      )}
      <h1 className="max-w-[60%] shrink-0 truncate text-title font-semibold" dir="auto">
        {channel.direct ? channel.name : texts.channels.heading(channel.name)}
      </h1>
      <p className="min-w-0 flex-1 truncate pl-2 text-soft" dir="auto" title={channel.topic}>
        {channel.topic}
      </p>
      <Tooltip content={texts.channels.roster}>
        <Link
          to="/c/$channel/roster"
          params={{ channel: addressOf(channel) }}
          aria-label={texts.channels.roster}
          className="grid size-8 shrink-0 place-items-center rounded-md text-soft hover:bg-hover hover:text-text"
        >
          <Users size={16} aria-hidden />
        </Link>
      </Tooltip>
      <ChannelMenu channel={channel} />
    </header>
  )
}

function Chat({ channel }: { channel: Channel }) {
  const { row } = useParams({ strict: false })
  const permissions = useSelector(selectOpenPermissions, channel.id)
  const agents = useSelector(selectAgents, channel.id)
  const first = agents[0]
  const placeholder = channel.direct && first ? texts.composer.placeholderDirect(first.binding.handle) : texts.composer.placeholder(channel.name)
  return (
    <>
      <div id="messages" tabIndex={-1} className="min-h-0 flex-1 outline-none">
        <MessageList place={{ channelId: channel.id }} target={row} />
      </div>
      <div className="column flex flex-col gap-2 pb-4">
        {permissions.map((permission) => (
          <PermissionCard key={permission.id} permission={permission} />
        ))}
        <QueueStrip channelId={channel.id} />
        {channel.archived_at ? (
          <Archived channel={channel} />
        ) : (
          <Composer place={{ channelId: channel.id }} where={channel.name} placeholder={placeholder} focus />
        )}
      </div>
    </>
  )
}

function Archived({ channel }: { channel: Channel }) {
  const hearth = useHearth()
  const toast = useToast()
  const navigate = useNavigate()
  const back = async () => {
    try {
      const open = await hearth.api.unarchiveChannel(channel.id)
      hearth.store.dispatch({ type: 'channel.loaded', channel: open })
      await navigate({ to: '/c/$channel', params: { channel: addressOf(open) } })
    } catch (error) {
      toast({ message: problemOf(error).message, tone: 'error' })
    }
  }
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line px-3 py-2 text-soft">
      <p className="flex-1">{texts.channels.archived}</p>
      <Button size="sm" onClick={() => void back()}>
        {texts.channels.unarchive}
      </Button>
    </div>
  )
}
