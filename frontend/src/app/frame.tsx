import { Outlet, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { channelAt, texts, useHearth, useSelect } from '@/core'
import { ChannelList } from '@/features/channels'
import { Button, defaultWidths, Drawer, ErrorNote, layoutPanes, paneBounds, Splitter } from '@/ui'
import { FrameContext, useHasDetail } from './frame-context'
import { ListFooter } from './list-footer'
import { useSession } from './session'
import { SignedOut } from './signed-out'

/** Frame is what every page stands in: the channel list at the left, and how the panes share the width. */
export function Frame() {
  const { signedOut, retry, problem } = useSession()
  if (signedOut) return <SignedOut onRetry={retry} />
  return <Panes problem={problem} onRetry={retry} />
}

function Panes({ problem, onRetry }: { problem: string | undefined; onRetry: () => void }) {
  const hearth = useHearth()
  const { channel } = useParams({ strict: false })
  const current = useSelect((s) => (channel === undefined ? undefined : channelAt(s, channel)?.id))
  const wanted = useSelect((s) => s.preferences)
  const lost = useSelect((s) => s.connection === 'lost')
  const hasDetail = useHasDetail()
  const [drawer, setDrawer] = useState(false)
  const [width, frame] = useWidth()
  const layout = layoutPanes(width, { list: wanted.listWidth, detail: wanted.detailWidth }, hasDetail)
  return (
    <div className="flex h-full flex-col">
      <a href="#messages" className="skip absolute top-2 left-2 z-50 rounded-md bg-raised px-3 py-2 shadow-float">
        {texts.app.skipToMessages}
      </a>
      {lost && (
        <div role="status" className="animate-late bg-amber-ground px-4 py-1 text-center text-amber">
          {texts.app.lost}
        </div>
      )}
      <div ref={frame} className="flex min-h-0 flex-1">
        {layout.list > 0 ? (
          <div style={{ width: layout.list }} className="shrink-0">
            <ChannelList
              current={current}
              footer={<ListFooter />}
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
            <ChannelList current={current} footer={<ListFooter />} onGo={() => setDrawer(false)} />
          </Drawer>
        )}
        <div className="min-w-0 flex-1">
          <FrameContext value={{ layout, ...(layout.list > 0 ? {} : { openList: () => setDrawer(true) }) }}>
            {problem ? (
              <ErrorNote className="m-5" action={<Button size="sm" onClick={onRetry}>{texts.common.tryAgain}</Button>}>
                {problem}
              </ErrorNote>
            ) : (
              <Outlet />
            )}
          </FrameContext>
        </div>
      </div>
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
