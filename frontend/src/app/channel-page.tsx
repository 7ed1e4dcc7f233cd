import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, Outlet, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Channel } from '@/api'
import { addressOf, channelAt, nameOf, selectArchived, texts, useHearth, useSelect } from '@/core'
import { cx, defaultWidths, EmptyState, paneBounds, Skeleton, Splitter } from '@/ui'
import { ChannelCommands } from './channel-commands'
import { Chat } from './chat'
import { useFrame, useHasDetail } from './frame-context'
import { Nothing } from './home'

/** ChannelPage is a channel: its chat, and at the right what the address names besides. */
export function ChannelPage() {
  const { channel: address = '' } = useParams({ strict: false })
  const channel = useSelect((s) => channelAt(s, address))
  const loaded = useSelect((s) => s.channelsLoaded)
  const archived = useSelect((s) => selectArchived(s).find((c) => c.name === address))
  if (!loaded) {
    return (
      <main id="messages" tabIndex={-1} className="flex h-full flex-col justify-end outline-none">
        <div className="column pb-24">
          <Skeleton lines={7} />
        </div>
      </main>
    )
  }
  if (!channel) {
    return (
      <Nothing>
        <EmptyState page title={archived ? texts.channels.isArchived(nameOf(archived)) : texts.channels.notFound(address)} hint={archived ? texts.channels.isArchivedHint : texts.channels.notFoundHint}>
          {archived && (
            <Link to="/c/$channel" params={{ channel: addressOf(archived) }} className="rounded-sm text-accent underline underline-offset-2">
              {texts.channels.openArchived}
            </Link>
          )}
          <Link to="/" className="rounded-sm text-accent underline underline-offset-2">
            {texts.app.backToChannels}
          </Link>
        </EmptyState>
      </Nothing>
    )
  }
  // By its name where it was named by its id, so that the address says what is shown.
  if (address !== addressOf(channel)) return <NamedAddress channel={channel} />
  return <Open key={channel.id} channel={channel} />
}

/** NamedAddress goes to the same view under the channel's name. */
function NamedAddress({ channel }: { channel: Channel }) {
  const { channel: _, ...rest } = useParams({ strict: false })
  const path = location.pathname.split('/').slice(3).join('/')
  const to = Object.keys(rest).length + path.length > 0 ? `/c/${encodeURIComponent(addressOf(channel))}/${path}` : undefined
  return to ? <Navigate to={to} replace /> : <Navigate to="/c/$channel" params={{ channel: addressOf(channel) }} replace />
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
    const { workspace } = hearth.store.get().preferences
    // The list shows the folder of what is open.
    const elsewhere = workspace !== '' && workspace !== channel.workspace
    hearth.store.dispatch({ type: 'preferences', preferences: { lastChannel: channel.id, ...(elsewhere ? { workspace: channel.workspace } : {}) } })
  }, [hearth, channel.id, channel.workspace])
  useEffect(
    () => () => hearth.store.dispatch({ type: 'rows.trimmed', place: { channelId: channel.id }, keep: keptRows }),
    [hearth, channel.id],
  )
  return (
    <div className="flex h-full min-h-0">
      <ChannelCommands channel={channel} />
      <main aria-label={texts.app.chat} className={cx('flex min-w-0 flex-1 flex-col', !layout.chat && 'hidden')}>
        <Chat channel={channel} />
      </main>
      {hasDetail && (
        <div
          // Where it covers the chat it is what the page is about.
          role={layout.chat ? 'complementary' : 'main'}
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
        </div>
      )}
    </div>
  )
}
