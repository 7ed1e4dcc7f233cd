import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Binding, Row, Run, RunDetail } from '@/api'
import { compareTimes, hasEnded, useHearth, useSelect, type Hearth, type State } from '@/core'
import type { Block, Sent } from './kinds'

/** What is sent is known when a turn begins, and the rest when it has ended: then it is fetched. */
const stageOf = (run: Run | undefined) => (run === undefined ? '' : hasEnded(run) ? 'ended' : run.started_at ? 'going' : 'queued')

/** What is kept out of the context while a turn goes is looked up this often, in milliseconds. */
const lookAgain = 3000

async function fetchTurn(hearth: Hearth, id: string, signal: AbortSignal): Promise<RunDetail> {
  const detail = await hearth.api.run(id, { signal })
  hearth.store.dispatch({ type: 'run.loaded', detail })
  return detail
}

/** useTurn is a turn with what it was sent; fetched again as it begins and ends. Without an id nothing is fetched. */
export function useTurn(id: string | undefined): UseQueryResult<RunDetail> {
  const hearth = useHearth()
  const stage = useSelect((s) => stageOf(s.runs[id ?? '']))
  return useQuery({
    queryKey: ['turn', id ?? '', stage],
    queryFn: ({ signal }) => fetchTurn(hearth, id ?? '', signal),
    enabled: id !== undefined,
    refetchInterval: stage === 'going' ? lookAgain : false,
    placeholderData: (last) => (last?.run.id === id ? last : undefined),
    retry: false,
  })
}

/** How many turns one page has where an agent's are looked through, and how many pages are. */
const askedPage = 200
const mostPages = 3

/** useAsked fetches the turns of an agent since its last Start fresh into the store. `whole`: all of them are there. */
export function useAsked(binding: Binding | undefined): { whole: boolean } | undefined {
  const hearth = useHearth()
  const fresh = binding?.fresh_at
  const { data } = useQuery({
    queryKey: ['asked', binding?.id ?? '', fresh ?? ''],
    enabled: binding !== undefined,
    queryFn: async ({ signal }) => {
      if (!binding) return { whole: false }
      let before: string | undefined
      for (let i = 0; i < mostPages; i++) {
        const { runs, more } = await hearth.api.runs(binding.channel_id, { before, limit: askedPage, binding: binding.id, signal })
        hearth.store.dispatch({ type: 'runs.found', runs })
        const last = runs.at(-1)
        if (!more || !last || (fresh !== undefined && compareTimes(last.queued_at, fresh) < 0)) return { whole: true }
        before = last.id
      }
      return { whole: false }
    },
  })
  return data
}

/** startOf is the turn with which the process of a turn began, where it is held: itself, unless it was warm. */
export function startOf(state: State, run: Run): string | undefined {
  if (run.temperature !== 'warm') return run.temperature === '' ? undefined : run.id
  let start: Run | undefined
  for (const other of Object.values(state.runs)) {
    if (other.binding_id !== run.binding_id || other.native !== run.native || other.temperature === 'warm' || other.temperature === '') continue
    if (compareTimes(other.queued_at, run.queued_at) < 0 && (!start || compareTimes(other.queued_at, start.queued_at) > 0)) start = other
  }
  return start?.id
}

/** useFraming is the framing that the process of a turn was started with. */
export function useFraming(run: Run | undefined): Block | undefined {
  const start = useSelect((s) => (run ? startOf(s, run) : undefined))
  return useTurn(start).data?.sent?.blocks.find((block) => block.kind === 'framing')
}

/** How many turns that were sent nothing are passed over on the way back to one that was. */
const lookBack = 10

export interface TurnBefore {
  run: Run
  sent: Sent
  /** Between them the agent had a turn that nobody asked for: there is nothing to compare with in it. */
  passed: boolean
}

/**
 * useTurnBefore is the turn that one is compared with: the server says which, the same as for its cache. null: there is none.
 * One that was sent nothing is passed over.
 */
export function useTurnBefore(before: string): UseQueryResult<TurnBefore | null> {
  const hearth = useHearth()
  return useQuery({
    queryKey: ['turn-before', before],
    queryFn: async ({ signal }): Promise<TurnBefore | null> => {
      let id = before
      for (let passed = 0; id !== '' && passed < lookBack; passed++) {
        const { run, sent, before_run_id } = await fetchTurn(hearth, id, signal)
        if (sent) return { run, sent, passed: passed > 0 }
        id = before_run_id
      }
      return null
    },
  })
}

/** How many rows are fetched around those that were considered, which are 30 at most. */
const rowsAround = 80

/** useRows are rows by id: from the store, and what is not there from the server. Null: the row is gone. Undefined: not known yet. */
export function useRows(run: Run, ids: readonly string[]): (id: string) => Row | null | undefined {
  const hearth = useHearth()
  const held = useSelect((s) => s.rows)
  const missing = ids.some((id) => !(id in held))
  const { data } = useQuery({
    queryKey: ['turn-rows', run.id, ids.join(' ')],
    enabled: missing,
    queryFn: async ({ signal }) => {
      const found: Record<string, Row> = {}
      const wanted = ids.filter((id) => !(id in hearth.store.get().rows))
      const middle = wanted[Math.floor(wanted.length / 2)]
      if (middle !== undefined) {
        const place = { channelId: run.channel_id, threadRootId: run.thread_root_id || undefined }
        const page = await hearth.api.rows({ ...place, around: middle, limit: rowsAround }, { signal }).catch(() => undefined)
        for (const row of [...(page?.rows ?? []), ...(page?.root ? [page.root] : [])]) found[row.id] = row
      }
      await Promise.all(
        wanted.filter((id) => !(id in found)).map(async (id) => {
          const row = await hearth.api.row(id, { signal }).catch(() => undefined)
          if (row) found[id] = row
        }),
      )
      signal.throwIfAborted()
      return found
    },
  })
  return (id) => held[id] ?? data?.[id] ?? (data ? null : undefined)
}
