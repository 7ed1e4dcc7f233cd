import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { addressOf, selectAgents, selectItems, texts, useCommand, useHearth, useSelect, useSelector, type Item, type PlaceId } from '@/core'
import { Button } from '@/ui'
import { Announcer } from './announcer'
import { Edge, NewLine, Nothing } from './lines'
import { OneItem } from './one-item'
import { useKeys } from './use-keys'
import { usePages } from './use-pages'
import { firstNew, useNewMark, useReading } from './use-reading'
import { useStick } from './use-stick'

export interface StretchProps {
  place: PlaceId
  target: string | undefined
  /** It begins at the end, whatever is new. */
  toEnd: RefObject<boolean>
  mark: RefObject<string | undefined>
}

/** How close to an end more rows are fetched, in pixels. */
const ahead = 1500

/** What stays visible above the row that the list opens at, in pixels. */
const above = 72

/**
 * Stretch shows the unbroken stretch of rows that is held of a place. Whoever is at its end stays there while text streams;
 * whoever has scrolled up is left in peace, whatever grows above or below.
 */
export function Stretch({ place, target, toEnd, mark }: StretchProps) {
  const hearth = useHearth()
  const { channelId, threadRootId } = place
  const items = useSelector(selectPlaceItems, channelId, threadRootId)
  const agents = useSelector(selectAgents, channelId)
  const channel = useSelect((s) => s.channels[channelId])
  const unread = useSelect((s) => (threadRootId ? undefined : s.unread[channelId]))
  const handles = useMemo(() => agents.map((a) => a.binding.handle), [agents])
  const address = channel ? addressOf(channel) : channelId

  const list = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const pages = usePages(place)
  const { more, newer } = pages
  const since = useNewMark(place, items, mark)
  const line = firstNew(items, since, more)

  const view = useStick(scroller, items.length > 0)
  const { up, goToEnd } = view
  const [seen, setSeen] = useState<string>()
  useEffect(() => {
    if (up) setSeen(items.at(-1)?.key)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what was last when the end was left
  }, [up])
  const away = up || newer
  pages.away.current = away

  const marked = useOpening({ items, target, line: toEnd.current ? undefined : line?.index, list, leave: view.leave, goToEnd })
  useLayoutEffect(goToEnd, [goToEnd, items])
  const shift = useShift(items)

  const jump = () => {
    view.stay()
    toEnd.current = true
    // By the virtual list too: it would go back to what it was scrolled to before, as sizes become known.
    const end = () => list.current?.scrollTo(list.current.scrollSize)
    if (newer) void hearth.loadRows({ channelId, threadRootId }).then(end, () => undefined)
    else {
      end()
      goToEnd()
    }
  }
  useCommand(
    'go.unread',
    () => {
      if (threadRootId !== undefined || since === undefined) return false
      toEnd.current = false
      if (line) {
        view.leave()
        list.current?.scrollToIndex(line.index, { align: 'start', offset: -above })
      } else void hearth.openAround({ channelId }, since).catch(() => undefined)
      return true
    },
    threadRootId === undefined && since !== undefined,
  )
  // What the person just sent is looked at, wherever they were.
  const sent = items.findLast((item) => item.kind === 'pending')?.key
  useEffect(() => {
    if (sent) jump()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each post
  }, [sent])

  useReading(place, items, away, scroller)
  const keys = useKeys({ items, list, scroller, channel: address, inThread: threadRootId !== undefined })

  const fetchAt = (offset: number) => {
    const { current } = list
    if (!current || current.viewportSize === 0) return
    if (offset < ahead) pages.loadOlder()
    if (current.scrollSize - offset - current.viewportSize < ahead) pages.loadNewer()
  }
  const onScroll = (offset: number) => {
    const { current } = list
    if (!current) return
    view.scrolled()
    fetchAt(offset)
  }
  // A place that does not fill its room has nothing to scroll by.
  const onResize = () => {
    if (list.current) fetchAt(list.current.scrollOffset)
  }

  if (items.length === 0) return <Nothing channelId={channelId} />
  const below = unread?.count ?? (up && seen ? Math.max(0, items.length - 1 - items.findIndex((item) => item.key === seen)) : 0)
  return (
    <div className="relative h-full min-h-0">
      <div
        ref={scroller}
        // Scrolled by keyboard too.
        tabIndex={0}
        role="region"
        aria-label={threadRootId ? texts.thread.list : texts.messages.list(channel?.name ?? '')}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        className="flex h-full flex-col overflow-y-auto pb-3 [overflow-anchor:none] -outline-offset-2"
      >
        <div className="flex-1" />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={items}
          shift={shift}
          bufferSize={400}
          as="ol"
          item="li"
          onScroll={onScroll}
          onResize={onResize}
          {...(keys.keep < 0 ? {} : { keepMounted: [keys.keep] })}
        >
          {(item, index) => (
            <div key={item.key}>
              {index === 0 && <Edge more={more} label={texts.messages.loadingOlder} problem={pages.olderProblem} onRetry={pages.loadOlder} />}
              {index === 0 && !more && !threadRootId && <p className="column pt-6 text-soft">{texts.messages.beginning(channel?.name ?? '')}</p>}
              {item.key === line?.key && <NewLine since={line.since} />}
              <OneItem
                item={item}
                handles={handles}
                channel={address}
                marked={item.kind === 'row' && item.row.id === marked}
                chosen={item.key === keys.chosen}
                inThread={threadRootId !== undefined}
              />
              {index === 0 && threadRootId && <Replies rootId={threadRootId} />}
              {index === items.length - 1 && newer && <Edge more label={texts.messages.loadingNewer} problem={pages.newerProblem} onRetry={pages.loadNewer} />}
            </div>
          )}
        </Virtualizer>
      </div>
      {away && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button size="sm" icon={<ArrowDown size={12} aria-hidden />} className="pointer-events-auto shadow-float" onClick={jump}>
            {below > 0 ? texts.messages.newBelow(below, unread?.atLeast ?? false) : texts.messages.toNewest}
          </Button>
        </div>
      )}
      <Announcer items={items} />
    </div>
  )
}

const selectPlaceItems = (channelId: string, threadRootId: string | undefined) => selectItems({ channelId, threadRootId })

/** Replies stands between the root of a thread and what answers it. */
function Replies({ rootId }: { rootId: string }) {
  const size = useSelect((s) => s.rows[rootId]?.thread_size ?? 0)
  return (
    <div className="column flex items-center gap-3 pt-2 pb-1 text-small text-soft">
      {size > 0 ? texts.thread.replies(size) : texts.thread.noReplies}
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}

/**
 * useShift says whether the list has only changed at its beginning since it was last drawn, where rows came or went: then the view
 * is kept from its end.
 */
function useShift(items: readonly Item[]): boolean {
  const [before, setBefore] = useState(items)
  const [shift, setShift] = useState(false)
  if (before !== items) {
    setBefore(items)
    setShift(items.length !== before.length && items[0]?.key !== before[0]?.key && items.at(-1)?.key === before.at(-1)?.key)
  }
  return shift
}

interface Opening {
  items: readonly Item[]
  target: string | undefined
  /** The first item that is new. */
  line: number | undefined
  list: RefObject<VirtualizerHandle | null>
  /** The view does not belong at the end any more. */
  leave: () => void
  goToEnd: () => void
}

/** useOpening goes to where the list opens, and later to each row that the address names. It gives the row that is marked for a moment. */
function useOpening({ items, target, line, list, leave, goToEnd }: Opening): string | undefined {
  const [marked, setMarked] = useState<string>()
  const gone = useRef<string>(undefined)
  const index = target === undefined ? -1 : items.findIndex((item) => item.kind === 'row' && item.row.id === target)
  useLayoutEffect(() => {
    // One that is left can be gone to again.
    if (target === undefined) gone.current = undefined
    if (target === undefined || index < 0 || gone.current === target) return
    gone.current = target
    leave()
    list.current?.scrollToIndex(index, { align: 'center' })
    setMarked(target)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each target
  }, [target, index])
  useLayoutEffect(() => {
    if (index >= 0) return
    if (line === undefined) {
      goToEnd()
      return
    }
    leave()
    list.current?.scrollToIndex(line, { align: 'start', offset: -above })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it opens
  }, [])
  useEffect(() => {
    if (!marked) return
    const timer = setTimeout(() => setMarked(undefined), 2500)
    return () => clearTimeout(timer)
  }, [marked])
  return marked
}
