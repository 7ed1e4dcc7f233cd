import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Run } from '@/api'
import { compareTimes, useHearth, useSelect, type Hearth, type State } from '@/core'
import type { Asked } from './question'

/** How many turns one page of the column has. */
const turnsPage = 40

/** Around a page's middle so many rows are fetched, in which its turns were asked. */
const rowsAround = 120

/** The end of a page of turns, the oldest of it; and what was asked in it, by the row's id, as far as that was not held. */
interface Page {
  questions: Readonly<Record<string, Asked>>
  oldest: { id: string; at: string } | undefined
  more: boolean
}

/**
 * useTurns are the turns of a channel, or of one agent in it, newest first: pages as they are asked for, and what begins
 * meanwhile. Undefined until the first page is there.
 */
export function useTurns(channelId: string, bindingId: string | undefined) {
  const hearth = useHearth()
  const pages = useInfiniteQuery({
    queryKey: ['turns', channelId, bindingId ?? ''],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const { runs, more } = await hearth.api.runs(channelId, { before: pageParam || undefined, limit: turnsPage, binding: bindingId, signal })
      hearth.store.dispatch({ type: 'runs.found', runs })
      const last = runs.at(-1)
      return { questions: await questionsOf(hearth, channelId, runs, signal), oldest: last && { id: last.id, at: last.queued_at }, more }
    },
    getNextPageParam: (page) => (page.more ? page.oldest?.id : undefined),
  })
  const loaded = pages.data !== undefined
  const oldest = pages.data?.pages.findLast((page) => page.oldest)?.oldest
  const select = useMemo(() => selectTurns(channelId, bindingId, oldest?.at), [channelId, bindingId, oldest?.at])
  const turns = useSelect(select)
  return { turns: loaded ? turns : undefined, pages }
}

export type TurnPages = ReturnType<typeof useTurns>['pages']

/** questionsOf fetches the messages that turns answer, those of the channel itself, where they are not held. Without them a turn says how it came about. */
async function questionsOf(hearth: Hearth, channelId: string, runs: readonly Run[], signal: AbortSignal): Promise<Record<string, Asked>> {
  const held = hearth.store.get().rows
  const missing = runs.filter((run) => run.row_id !== '' && run.thread_root_id === '' && !(run.row_id in held))
  const around = missing[Math.floor(missing.length / 2)]?.row_id
  if (around === undefined) return {}
  const page = await hearth.api.rows({ channelId, around, limit: rowsAround }, { signal }).catch(() => undefined)
  signal.throwIfAborted()
  return Object.fromEntries((page?.rows ?? []).map(({ id, body, edited_at, deleted_at }) => [id, { body: body.slice(0, 200), edited_at, deleted_at }]))
}

/** selectTurns makes a selector of the turns since a moment, newest first; without one, of all that are held. */
function selectTurns(channelId: string, bindingId: string | undefined, since: string | undefined): (state: State) => readonly Run[] {
  let last: State['runs'] | undefined
  let out: readonly Run[] = []
  return (state) => {
    if (state.runs === last) return out
    last = state.runs
    out = Object.values(state.runs)
      .filter((run) => run.channel_id === channelId && (bindingId === undefined || run.binding_id === bindingId) && (since === undefined || compareTimes(run.queued_at, since) >= 0))
      .sort((a, b) => compareTimes(b.queued_at, a.queued_at) || (a.id < b.id ? 1 : -1))
    return out
  }
}
