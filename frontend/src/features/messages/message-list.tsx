import { useQuery } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { VList, type VListHandle } from 'virtua'
import {
  addressOf, formatDay, placeKey, problemOf, selectAgents, selectItems, texts, useHearth, useSelect, useSelector, type Item,
  type PlaceId,
} from '@/core'
import { RunEnded, RunLive } from '@/features/run'
import { Button, EmptyState, ErrorNote, Loading, Spinner } from '@/ui'
import { MessageRow } from './message-row'
import { PendingRow } from './pending-row'

export interface MessageListProps {
  place: PlaceId
  /** A row to show instead of the newest. */
  target?: string | undefined
}

/** How close to an end counts as being there, in pixels. */
const near = 48

/** How close to the top older rows are fetched, in pixels. */
const ahead = 1200

/**
 * MessageList is a place's messages, the newest below. Only what can be seen is in the page. Whoever is at the end stays there
 * while text streams; whoever has scrolled up is left in peace.
 */
export function MessageList({ place, target }: MessageListProps) {
  const hearth = useHearth()
  const key = placeKey(place)
  const held = useSelect((s) => s.places[key])
  const loading = useQuery({
    queryKey: ['rows', key],
    queryFn: async ({ signal }) => {
      await hearth.loadRows(place, signal)
      return true
    },
  })
  if (loading.isError && !held?.loaded) {
    return (
      <ErrorNote className="m-5" action={<Button size="sm" onClick={() => void loading.refetch()}>{texts.common.tryAgain}</Button>}>
        {problemOf(loading.error).message}
      </ErrorNote>
    )
  }
  if (!held?.loaded) return <Loading />
  return <Items key={key} place={place} target={target} />
}

function Items({ place, target }: MessageListProps) {
  const { channelId, threadRootId } = place
  const key = placeKey(place)
  const items = useSelector(selectPlaceItems, channelId, threadRootId)
  const agents = useSelector(selectAgents, channelId)
  const channel = useSelect((s) => s.channels[channelId])
  const more = useSelect((s) => s.places[key]?.more ?? false)
  const handles = useMemo(() => agents.map((a) => a.binding.handle), [agents])
  const address = channel ? addressOf(channel) : channelId

  const list = useRef<VListHandle>(null)
  const stick = useRef(target === undefined)
  const [away, setAway] = useState(false)
  const [seen, setSeen] = useState<string>()

  const toEnd = useCallback(() => {
    if (stick.current && items.length > 0) list.current?.scrollToIndex(items.length - 1, { align: 'end' })
  }, [items.length])
  useLayoutEffect(toEnd, [toEnd, items])

  // What the person just sent is looked at, wherever they were.
  const sent = items.findLast((item) => item.kind === 'pending')?.key
  useLayoutEffect(() => {
    if (!sent) return
    stick.current = true
    toEnd()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each post
  }, [sent])

  const shift = useGrewAtTop(items)
  const older = useOlder(place, more)
  const { marked, problem } = useTarget(place, target, items, list, stick)
  useReading(channelId, threadRootId, items, away)

  const onScroll = (offset: number) => {
    const { current } = list
    if (!current) return
    const end = offset >= current.scrollSize - current.viewportSize - near
    stick.current = end
    if (end !== !away) {
      setAway(!end)
      if (!end) setSeen(items.at(-1)?.key)
    }
    if (offset < ahead) older.load()
  }
  // A place that does not fill its room has nothing to scroll by.
  const onResize = () => {
    toEnd()
    const { current } = list
    if (current && current.scrollOffset < ahead) older.load()
  }

  if (items.length === 0) return <Nothing channelId={channelId} />
  const below = away && seen ? items.length - 1 - items.findIndex((item) => item.key === seen) : 0
  return (
    <div className="relative h-full min-h-0">
      {problem && <ErrorNote tone="amber" className="absolute inset-x-5 top-2 z-10">{problem}</ErrorNote>}
      <VList
        ref={list}
        data={items}
        shift={shift}
        bufferSize={400}
        onScroll={onScroll}
        onResize={onResize}
        // Scrolled by keyboard too.
        tabIndex={0}
        role="region"
        aria-label={texts.messages.list(channel?.name ?? '')}
        className="h-full pb-3 -outline-offset-2"
      >
        {(item, index) => (
          <div key={item.key}>
            {index === 0 && <Top more={more} channel={threadRootId ? undefined : channel?.name} problem={older.problem} onRetry={older.load} />}
            <OneItem item={item} handles={handles} channel={address} marked={item.kind === 'row' && item.row.id === marked} inThread={threadRootId !== undefined} />
          </div>
        )}
      </VList>
      {away && (
        <Button
          size="sm"
          icon={<ArrowDown size={12} aria-hidden />}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-float"
          onClick={() => {
            stick.current = true
            toEnd()
          }}
        >
          {below > 0 ? texts.messages.newBelow(below) : texts.messages.toNewest}
        </Button>
      )}
      <Announcer items={items} />
    </div>
  )
}

const selectPlaceItems = (channelId: string, threadRootId: string | undefined) => selectItems({ channelId, threadRootId })

function OneItem({ item, handles, channel, marked, inThread }: { item: Item; handles: readonly string[]; channel: string; marked: boolean; inThread: boolean }) {
  switch (item.kind) {
    case 'row':
      return (
        <>
          {item.day && <DayLine at={item.row.created_at} />}
          <MessageRow row={item.row} run={item.run} head={item.head} handles={handles} channel={channel} marked={marked} inThread={inThread} />
        </>
      )
    case 'pending':
      return <PendingRow post={item.post} head={item.head} handles={handles} />
    case 'live':
      return <RunLive run={item.run} handles={handles} />
    case 'ended':
      return <RunEnded run={item.run} channel={channel} />
  }
}

function DayLine({ at }: { at: string }) {
  return (
    <div className="column flex items-center gap-3 pt-4 pb-1 text-small text-soft">
      <span className="h-px flex-1 bg-line" />
      <time dateTime={at}>{formatDay(at, new Date())}</time>
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}

function Top({ more, channel, problem, onRetry }: { more: boolean; channel: string | undefined; problem: string | undefined; onRetry: () => void }) {
  if (problem) {
    return (
      <ErrorNote className="mx-5 mt-3" action={<Button size="sm" onClick={onRetry}>{texts.common.tryAgain}</Button>}>
        {problem}
      </ErrorNote>
    )
  }
  if (more) {
    return (
      <div className="grid h-10 place-items-center text-soft">
        <Spinner label={texts.messages.loadingOlder} />
      </div>
    )
  }
  return channel === undefined ? null : <p className="column pt-6 text-soft">{texts.messages.beginning(channel)}</p>
}

function Nothing({ channelId }: { channelId: string }) {
  const agents = useSelector(selectAgents, channelId)
  const first = agents[0]
  return (
    <div className="flex h-full flex-col justify-end pb-6">
      <EmptyState title={texts.messages.empty} hint={texts.messages.emptyHint(first?.binding.handle)}>
        {first?.binding.runtime === 'cli:standin:agent' && <p className="text-small text-soft">{texts.messages.standin}</p>}
      </EmptyState>
    </div>
  )
}

/** useOlder fetches the page before what is held, one at a time. */
function useOlder(place: PlaceId, more: boolean) {
  const hearth = useHearth()
  const { channelId, threadRootId } = place
  const going = useRef(false)
  const [problem, setProblem] = useState<string>()
  const load = useCallback(() => {
    if (going.current || !more) return
    going.current = true
    setProblem(undefined)
    hearth
      .loadOlder({ channelId, threadRootId })
      .catch((error: unknown) => setProblem(problemOf(error).message))
      .finally(() => (going.current = false))
  }, [hearth, more, channelId, threadRootId])
  return { load, problem }
}

/** useGrewAtTop says whether the list has only grown at its beginning since it was last drawn: then the view is kept from its end. */
function useGrewAtTop(items: readonly Item[]): boolean {
  const [before, setBefore] = useState(items)
  const [grew, setGrew] = useState(false)
  if (before !== items) {
    setBefore(items)
    setGrew(items.length > before.length && items[0]?.key !== before[0]?.key && items.at(-1)?.key === before.at(-1)?.key)
  }
  return grew
}

/** useTarget goes to a row that an address names, paging back to it where it has to, and marks it for a moment. */
function useTarget(place: PlaceId, target: string | undefined, items: readonly Item[], list: RefObject<VListHandle | null>, stick: RefObject<boolean>) {
  const hearth = useHearth()
  const [found, setFound] = useState<string>()
  const [marked, setMarked] = useState<string>()
  const search = useQuery({
    queryKey: ['target', placeKey(place), target],
    queryFn: ({ signal }) => hearth.loadBackTo(place, target ?? '', undefined, signal),
    enabled: target !== undefined,
    gcTime: 0,
  })
  const index = target === undefined ? -1 : items.findIndex((item) => item.kind === 'row' && item.row.id === target)
  useLayoutEffect(() => {
    if (target === undefined || index < 0 || found === target) return
    stick.current = false
    list.current?.scrollToIndex(index, { align: 'center' })
    setFound(target)
    setMarked(target)
  }, [target, index, found, list, stick])
  useEffect(() => {
    if (!marked) return
    const timer = setTimeout(() => setMarked(undefined), 2500)
    return () => clearTimeout(timer)
  }, [marked])
  const problem = search.isError ? problemOf(search.error).message : search.data === false ? texts.messages.tooFarBack : undefined
  return { marked, problem }
}

/** useReading notes that what is at the end is read, while somebody looks at it. */
function useReading(channelId: string, threadRootId: string | undefined, items: readonly Item[], away: boolean) {
  const hearth = useHearth()
  const unread = useSelect((s) => s.unread[channelId]?.count ?? 0)
  const newest = items.findLast((item) => item.kind === 'row')
  const row = newest?.kind === 'row' ? newest.row : undefined
  useEffect(() => {
    if (threadRootId || away || !row) return
    const read = () => {
      if (document.visibilityState !== 'visible' || !document.hasFocus()) return
      hearth.store.dispatch({ type: 'read', channelId, reading: { id: row.id, at: row.created_at } })
    }
    read()
    window.addEventListener('focus', read)
    document.addEventListener('visibilitychange', read)
    return () => {
      window.removeEventListener('focus', read)
      document.removeEventListener('visibilitychange', read)
    }
  }, [hearth, channelId, threadRootId, away, row, unread])
}

/** Announcer says to screen readers what arrives: whole messages, once, and nothing of text that is still being written. */
function Announcer({ items }: { items: readonly Item[] }) {
  const last = items.findLast((item) => item.kind === 'row')
  const [first] = useState(last?.key)
  const said = last && last.key !== first && last.row.handle !== '' ? `${last.row.handle}: ${last.row.body.slice(0, 500)}` : ''
  return (
    <div aria-live="polite" className="sr-only">
      {said}
    </div>
  )
}
