import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Strategies } from '@/api'
import { compareTimes, useHearth, useSelect, type State } from '@/core'

/** How many turns one page has: as many as have room in a narrow chart, and as much as is ever drawn at once. */
export const turnsPage = 50

/** selectEnded makes a selector of when a run of a channel last ended, as far as runs are held. */
function selectEnded(channelId: string): (state: State) => string {
  let last: State['runs'] | undefined
  let ended = ''
  return ({ runs }) => {
    if (runs === last) return ended
    last = runs
    for (const run of Object.values(runs)) {
      if (run.channel_id === channelId && run.ended_at && (ended === '' || compareTimes(run.ended_at, ended) > 0)) ended = run.ended_at
    }
    return ended
  }
}

/** useNews fetches what is shown anew when a run of the channel has ended. */
function useNews(channelId: string): void {
  const queries = useQueryClient()
  const ended = useSelect(useMemo(() => selectEnded(channelId), [channelId]))
  const seen = useRef(ended)
  useEffect(() => {
    if (ended === seen.current) return
    seen.current = ended
    void queries.invalidateQueries({ queryKey: ['cache', channelId] })
  }, [ended, queries, channelId])
}

/** useCache is the newest page of a channel's turns, with sums of some days and what comes next. bindingId '' is all agents. */
export function useCache(channelId: string, bindingId: string, days: number) {
  const { api } = useHearth()
  useNews(channelId)
  return useQuery({
    queryKey: ['cache', channelId, bindingId, 'newest', days],
    // Seen again it is looked at again: what ended while nobody looked may not have been told.
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.cache(channelId, { limit: turnsPage, days, ...(bindingId ? { binding: bindingId } : {}) }, { signal }),
  })
}

/** usePage is a page of turns before one of them; '' is none. What ended is not changed any more. */
export function usePage(channelId: string, bindingId: string, before: string) {
  const { api } = useHearth()
  return useQuery({
    queryKey: ['cache', channelId, bindingId, 'before', before],
    enabled: before !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.cache(channelId, { limit: turnsPage, before, days: 1, ...(bindingId ? { binding: bindingId } : {}) }, { signal }),
  })
}

/** useComparison lets the channel be played again when it is asked to. What is asked anew, cancelled or left is given up. */
export function useComparison(channelId: string) {
  const { api } = useHearth()
  const going = useRef<AbortController>(undefined)
  const [since, setSince] = useState(0)
  const { mutate, reset, ...state } = useMutation<Strategies, Error, string>({
    mutationFn: (binding) => {
      going.current?.abort()
      going.current = new AbortController()
      return api.strategies(channelId, { binding }, { signal: going.current.signal })
    },
  })
  const compare = useCallback((binding: string) => {
    setSince(Date.now())
    mutate(binding)
  }, [mutate])
  const cancel = useCallback(() => {
    going.current?.abort()
    reset()
  }, [reset])
  useEffect(() => () => going.current?.abort(), [])
  return { ...state, since, compare, cancel }
}
