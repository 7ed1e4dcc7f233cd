import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Search, Telescope, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Channel } from '@/api'
import { formatCount, problemOf, texts, useCommand, useHearth, useShortKeys } from '@/core'
import { Button, IconButton, Spinner, useSettled } from '@/ui'
import { useHighlight } from './highlight'
import { asIs } from './typed'

export interface SearchBarProps {
  channel: Channel
  /** Counts up whenever it is asked for again: the field takes the focus then. */
  asked: number
  /** Lets the chat show a message. */
  onGo: (row: string) => void
  onClose: () => void
}

/** How many pages are asked for before the person is asked whether to go on, and how many messages a page has. */
const pagesAtOnce = 5
const pageRows = 200
/** How long a text stands before it is looked for, in milliseconds. */
const settled = 120

/** SearchBar finds text in a channel's messages, newest first, as it stands: it has no filters. What stands in threads is found everywhere. */
export default function SearchBar({ channel, asked, onGo, onClose }: SearchBarProps) {
  const hearth = useHearth()
  const keys = useShortKeys()('search.everywhere')
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const sought = useSettled(asIs(typed), settled)
  const [chosen, setChosen] = useState<string>()
  const [limit, setLimit] = useState(pagesAtOnce)

  const pages = useInfiniteQuery({
    queryKey: ['search', channel.id, sought],
    queryFn: ({ pageParam, signal }) =>
      hearth.api.search({ q: sought, channel: channel.id, archived: true, limit: pageRows, ...(pageParam ? { next: pageParam } : {}) }, { signal }),
    enabled: sought !== '',
    initialPageParam: '',
    getNextPageParam: (page) => page.next || undefined,
    staleTime: 0,
    gcTime: 0,
  })
  const { data, fetchNextPage, hasNextPage, isFetching, isError } = pages
  const count = data?.pages.length ?? 0
  useEffect(() => {
    if (sought && count > 0 && hasNextPage && !isFetching && !isError && count < limit) void fetchNextPage()
  }, [sought, hasNextPage, isFetching, isError, count, limit, fetchNextPage])

  const matches = useMemo(() => (data?.pages ?? []).flatMap((page) => page.matches.filter((row) => row.thread_root_id === '')), [data])
  const at = matches.findIndex((row) => row.id === chosen)
  useHighlight(typed.trim())

  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [asked])

  const go = (index: number) => {
    const row = matches[(index + matches.length) % matches.length]
    if (!row) return
    setChosen(row.id)
    onGo(row.id)
  }
  const first = matches[0]?.id
  useEffect(() => {
    if (first && !matches.some((row) => row.id === chosen)) go(0)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- when what was typed finds something else
  }, [first, sought])

  useCommand('close', onClose)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      const newer = event.key === 'ArrowDown' || (event.key === 'Enter' && event.shiftKey)
      if (matches.length > 0) go(at < 0 ? 0 : at + (newer ? -1 : 1))
    }
  }
  const further = sought !== '' && hasNextPage && count >= limit && !isFetching
  return (
    <div role="search" aria-label={texts.search.title} className="shrink-0 border-b border-line bg-side">
      <div className="column flex flex-wrap items-center gap-x-2 gap-y-1 py-1.5">
        <div className="flex h-8 min-w-40 flex-1 items-center gap-2 rounded-md border border-edge bg-ground px-2 focus-within:border-accent">
          <Search size={14} aria-hidden className="shrink-0 text-soft" />
          <input
            ref={field}
            value={typed}
            dir="auto"
            spellCheck={false}
            autoComplete="off"
            aria-label={texts.search.title}
            placeholder={texts.search.placeholder}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKeyDown}
            className="min-w-0 flex-1 bg-transparent outline-none"
          />
          <span role="status" className="text-small whitespace-nowrap text-soft">
            {sought && (matches.length > 0 ? texts.search.count(at + 1, matches.length) : isFetching ? '' : texts.search.none)}
          </span>
        </div>
        <IconButton label={texts.search.previous} disabled={matches.length < 2} onClick={() => go(at + 1)}>
          <ChevronUp size={16} aria-hidden />
        </IconButton>
        <IconButton label={texts.search.next} disabled={matches.length < 2} onClick={() => go(at - 1)}>
          <ChevronDown size={16} aria-hidden />
        </IconButton>
        <IconButton label={texts.search.everywhere} keys={keys} onClick={() => hearth.commands.run('search.everywhere', typed)}>
          <Telescope size={16} aria-hidden />
        </IconButton>
        <IconButton label={texts.search.close} onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      {sought && (
        <div className="column flex min-h-7 items-center gap-3 pb-1.5 text-small text-soft">
          {isError ? (
            <>
              <span className="text-red">{problemOf(pages.error).message}</span>
              <Button size="sm" onClick={() => void fetchNextPage()}>{texts.common.tryAgain}</Button>
            </>
          ) : isFetching ? (
            <>
              <Spinner /> {texts.search.looking}
            </>
          ) : (
            <span>{hasNextPage ? texts.search.scope(formatCount(matches.length)) : texts.search.whole}</span>
          )}
          {further && <Button size="sm" onClick={() => setLimit(count + pagesAtOnce)}>{texts.search.further}</Button>}
        </div>
      )}
    </div>
  )
}
