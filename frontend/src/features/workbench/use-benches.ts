import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Workbench } from '@/api'
import { useHearth, useSelect } from '@/core'
import { entryKey, type Kind } from './tree'

/** How many entries of each kind are fetched at first, and how many a page has later. */
const atFirst = 200
const page = 1000

/** What changes is fetched anew so often at most, in milliseconds: agents write many files at once. */
const every = 600

/** useNews fetches what is shown of a channel's workbenches anew as something in them changes. */
export function useNews(channelId: string): void {
  const queries = useQueryClient()
  const news = useSelect((s) => (s.benchNews[channelId] ?? 0) + (s.benchNews[''] ?? 0))
  const seen = useRef(news)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (news === seen.current) return
    seen.current = news
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void queries.invalidateQueries({ queryKey: ['workbench', channelId] })
    }, every)
  }, [news, queries, channelId])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [channelId],
  )
}

interface Page {
  bench: string
  kind: Kind
  offset: number
}

/** useBenches are a channel's workbenches with as many of their entries as were asked for. */
export function useBenches(channelId: string) {
  const { api } = useHearth()
  const [pages, setPages] = useState<readonly Page[]>([])
  const overview = useQuery({
    queryKey: ['workbench', channelId, 'overview'],
    // Seen again it is looked at again: what changed while nobody looked was not told.
    staleTime: 0,
    queryFn: ({ signal }) => api.workbenches(channelId, { limit: atFirst }, { signal }),
  })
  const further = useQueries({
    queries: pages.map((p) => ({
      queryKey: ['workbench', channelId, 'page', p.bench, p.kind, p.offset],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await api.workbenches(channelId, { ...p, limit: page }, { signal }))[0]?.entries ?? [],
    })),
    combine: combined,
  })
  const benches = useMemo(() => overview.data?.map((bench): Workbench => withPages(bench, pages, further)), [overview.data, pages, further])
  const more = (bench: string, kind: Kind) => {
    // One page after the other: what is on its way, or failed, is not passed by.
    if (pages.some((p, i) => p.bench === bench && p.kind === kind && further[i] === undefined)) return
    const offset = atFirst + pages.filter((p) => p.bench === bench && p.kind === kind).length * page
    const total = overview.data?.find((b) => b.path === bench)?.kinds.find((k) => k.kind === kind)?.entries ?? 0
    if (offset < total) setPages([...pages, { bench, kind, offset }])
  }
  return { benches, overview, more }
}

const combined = (results: { data?: Workbench['entries'] | undefined }[]) => results.map((result) => result.data)

/** withPages adds further pages to what came at first. While files come and go, pages overlap: each file is there once. */
function withPages(bench: Workbench, pages: readonly Page[], further: readonly (Workbench['entries'] | undefined)[]): Workbench {
  const of = pages.flatMap((p, i) => (p.bench === bench.path ? (further[i] ?? []) : []))
  if (of.length === 0) return bench
  const entries = new Map(bench.entries.map((entry) => [entryKey(entry), entry]))
  for (const entry of of) if (!entries.has(entryKey(entry))) entries.set(entryKey(entry), entry)
  return { ...bench, entries: [...entries.values()] }
}
