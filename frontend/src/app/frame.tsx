import { Outlet, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { channelAt, hearthWindow, nameOf, selectUnread, texts, useHearth, useSelect } from '@/core'
import { ChannelList, railWidth, useHasRail, WorkspaceRail } from '@/features/channels'
import { Desk } from '@/features/desk'
import { NoticeOffer, Notices } from '@/features/notices'
import { Button, defaultWidths, Drawer, EmptyState, ErrorNote, layoutPanes, paneBounds, Splitter, type PaneLayout } from '@/ui'
import { FrameContext, useHasDetail, useWide } from './frame-context'
import { ListActions } from './list-actions'
import { Overlays } from './overlays'
import { useSession } from './session'
import { SignedOut } from './signed-out'

/** Frame is what every page stands in: the folders and channels at the left, and how the panes share the width. */
export function Frame() {
  const { signedOut, retry, problem } = useSession()
  const { channel } = useParams({ strict: false })
  const current = useSelect((s) => (channel === undefined ? undefined : channelAt(s, channel)))
  const unread = useSelect(selectUnread)
  useEffect(() => {
    document.title = texts.app.title(current ? nameOf(current) : '', unread)
  }, [current, unread])
  if (signedOut) return <SignedOut onRetry={retry} />
  return (
    <>
      <Panes current={current?.id} problem={problem} onRetry={retry} />
      <Overlays channelId={current?.id} />
      <Notices channelId={current?.id} />
      {hearthWindow() && <Desk />}
    </>
  )
}

function Panes({ current, problem, onRetry }: { current: string | undefined; problem: string | undefined; onRetry: () => void }) {
  const hearth = useHearth()
  const wanted = useSelect((s) => s.preferences)
  const hasDetail = useHasDetail()
  const wide = useWide() && hasDetail
  const hasRail = useHasRail()
  const [drawer, setDrawer] = useState(false)
  const [width, frame] = useWidth()
  const widths = { list: wanted.listWidth, detail: wanted.detailWidth }
  // The rail goes first, then the list, then the chat beside the detail.
  const share = (room: number): PaneLayout => {
    const panes = layoutPanes(room, widths, hasDetail && !wide)
    return wide ? { list: panes.list, chat: false, detail: room - panes.list } : panes
  }
  const withRail = share(width - railWidth)
  const rail = hasRail && withRail.list > 0
  const layout = rail ? withRail : share(width)
  const closeDrawer = () => setDrawer(false)
  return (
    <div className="flex h-full flex-col">
      {layout.chat && (
        <a href="#messages" className="skip absolute top-2 left-2 z-50 rounded-md bg-raised px-3 py-2 shadow-float">
          {texts.app.skipToMessages}
        </a>
      )}
      <Lost onRetry={onRetry} />
      <NoticeOffer />
      <div ref={frame} className="flex min-h-0 flex-1">
        {rail && <WorkspaceRail />}
        {layout.list > 0 ? (
          <div style={{ width: layout.list }} className="flex shrink-0">
            <ChannelList
              current={current}
              actions={<ListActions />}
              edge={
                <Splitter
                  label={texts.app.resizeChannels}
                  value={layout.list}
                  {...paneBounds.list}
                  pane="left"
                  onChange={(listWidth) => hearth.store.dispatch({ type: 'preferences', preferences: { listWidth } })}
                  onReset={() => hearth.store.dispatch({ type: 'preferences', preferences: { listWidth: defaultWidths.list } })}
                />
              }
            />
          </div>
        ) : (
          <Drawer open={drawer} onOpenChange={setDrawer} title={texts.app.channels}>
            <div className="flex h-full">
              {hasRail && <WorkspaceRail />}
              <ChannelList current={current} onGo={closeDrawer} actions={<ListActions onGo={closeDrawer} />} />
            </div>
          </Drawer>
        )}
        <div className="min-w-0 flex-1" data-no-chat={layout.chat ? undefined : ''}>
          <FrameContext value={{ layout, ...(layout.list > 0 ? {} : { openList: () => setDrawer(true) }) }}>
            <Content problem={problem} onRetry={onRetry} />
          </FrameContext>
        </div>
      </div>
    </div>
  )
}

function Content({ problem, onRetry }: { problem: string | undefined; onRetry: () => void }) {
  const loaded = useSelect((s) => s.channelsLoaded)
  const silent = useSelect((s) => s.connection === 'lost' && s.stream === undefined)
  const retry = (
    <Button size="sm" onClick={onRetry}>
      {texts.common.tryAgain}
    </Button>
  )
  if (!loaded && silent) {
    return (
      <main id="messages" className="grid h-full place-items-center">
        <EmptyState page title={texts.app.silent} hint={texts.app.silentHint}>
          {retry}
        </EmptyState>
      </main>
    )
  }
  if (problem && !loaded) {
    return (
      <main id="messages">
        <h1 className="sr-only">{texts.app.name}</h1>
        <ErrorNote className="m-5" action={retry}>
          {problem}
        </ErrorNote>
      </main>
    )
  }
  return <Outlet />
}

/** Lost says that the connection is gone. It waits a moment with that: most breaks are shorter. */
function Lost({ onRetry }: { onRetry: () => void }) {
  const lost = useSelect((s) => s.connection === 'lost')
  const begun = useSelect((s) => s.channelsLoaded)
  if (!lost || !begun) return null
  return (
    <div role="status" className="flex animate-late flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-amber-ground px-4 py-1 text-amber">
      <span>{texts.app.lost}</span>
      <Button size="sm" onClick={onRetry}>
        {texts.app.tryNow}
      </Button>
    </div>
  )
}

/** useWidth is the width of an element in pixels, as it changes. */
function useWidth(): [number, RefObject<HTMLDivElement | null>] {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(() => window.innerWidth)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [width, element]
}
