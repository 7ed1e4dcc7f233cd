import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Channel, SearchMatch, WorkbenchMatch } from '@/api'
import { fold, selectChannels, useHearth, useSelect } from '@/core'
import { useSettled } from '@/ui'
import { tokensOf, wordsOf } from './typed'

/** How many messages one page has, and how many pages that are empty so far are passed by before the person is asked. */
const pageRows = 50
const emptyPages = 5

/** How many places of one workbench are shown, and into how many workbenches is looked. */
export const benchMatches = 8
const benches = 4

/**
 * useEverywhere is what is found of a text in all channels, while it is typed: the request of a text that is not typed any more is
 * given up, and its answer is never shown. Until the next answer is there the one before stays.
 */
export function useEverywhere(typed: string, archived: boolean) {
  const { api } = useHearth()
  const text = useSettled(typed.trim(), 120)
  const query = useInfiniteQuery({
    queryKey: ['everywhere', text, archived],
    queryFn: ({ pageParam, signal }) => api.search({ q: text, limit: pageRows, ...(archived ? { archived } : {}), ...(pageParam ? { next: pageParam } : {}) }, { signal }),
    enabled: text !== '',
    initialPageParam: '',
    getNextPageParam: (page) => page.next || undefined,
    placeholderData: text === '' ? undefined : keepPreviousData,
    staleTime: 0,
    gcTime: 10_000,
    retry: false,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query
  const pages = text === '' ? [] : (data?.pages ?? [])
  const matches = pages.flatMap((page) => page.matches)
  // A page that looked through much and found nothing is not the end.
  const goOn = matches.length === 0 && hasNextPage && !isFetching && !isError && pages.length < emptyPages
  useEffect(() => {
    if (goOn) void fetchNextPage()
  }, [goOn, fetchNextPage])
  return { ...query, text, matches, faults: pages[0]?.faults ?? [], looking: typed.trim() !== text || isFetching, hasNextPage: text !== '' && hasNextPage }
}

export interface ChannelMatches {
  channelId: string
  channel: string
  matches: readonly SearchMatch[]
}

/** byChannel are matches channel by channel, that of the newest first. */
export function byChannel(matches: readonly SearchMatch[]): ChannelMatches[] {
  const groups = new Map<string, SearchMatch[]>()
  for (const match of matches) groups.set(match.channel_id, [...(groups.get(match.channel_id) ?? []), match])
  return [...groups].map(([channelId, all]) => ({ channelId, channel: all[0]?.channel ?? '', matches: all }))
}

export interface BenchMatches {
  channel: Channel
  matches: readonly WorkbenchMatch[]
  more: boolean
}

/**
 * useWorkbenches is what is found in workbenches: in those of the channels that the text names, otherwise in that of the open
 * channel and a few others, one a folder. Filters by author or time mean nothing there, and then it is not looked.
 */
export function useWorkbenches(typed: string, current: string | undefined): { found: BenchMatches[]; looking: boolean } {
  const { api } = useHearth()
  const { shared, direct } = useSelect(selectChannels)
  const text = useSettled(typed.trim(), 350)
  const words = wordsOf(text)
  const tokens = tokensOf(text).filter((t) => t.filter !== '' && t.value !== '')
  const named = tokens.filter((t) => t.filter === 'in').map((t) => fold(t.value.replace(/^[#＃]/, '')))
  const able = words.length > 1 && tokens.every((t) => t.filter === 'in')
  const all = [...shared, ...direct].filter((c) => named.length === 0 || named.includes(fold(c.name)))
  all.sort((a, b) => Number(b.id === current) - Number(a.id === current))
  const folders = new Set<string>()
  const channels = all.filter((c) => !folders.has(c.workspace) && folders.add(c.workspace)).slice(0, benches)
  const results = useQueries({
    queries: channels.map((channel) => ({
      queryKey: ['everywhere', 'workbench', channel.id, words],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.findInWorkbench(channel.id, words, benchMatches, { signal }),
      enabled: able,
      gcTime: 10_000,
      // A workspace that is not there any more is told where workbenches are shown.
      retry: false,
    })),
  })
  const found = channels.flatMap((channel, i): BenchMatches[] => {
    const data = able ? results[i]?.data : undefined
    return data && data.matches.length > 0 ? [{ channel, ...data }] : []
  })
  return { found, looking: able && results.some((r) => r.isFetching) }
}
