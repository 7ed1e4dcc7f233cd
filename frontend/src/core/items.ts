import type { Row, Run } from '@/api'
import { hasEnded } from './runs'
import { placeKey, type Pending, type PlaceId, type State } from './state'
import { compareTimes } from './time'

/** Item is one thing in the list of a place. Its key stays the same from a post to its row, and from a run to its reply. */
export type Item =
  /** `run`: the run that this row answers for. `head`: it begins a group, so it says who wrote it. `day`: it is the first of its day. */
  | { kind: 'row'; key: string; row: Row; run: Run | undefined; head: boolean; day: boolean }
  | { kind: 'pending'; key: string; post: Pending; head: boolean }
  /** A run that is going, or the next of its agent. */
  | { kind: 'live'; key: string; run: Run }
  /** A run that ended without a reply: it failed or was stopped. */
  | { kind: 'ended'; key: string; run: Run }

/** Rows of one person closer than this are one group, in milliseconds. */
const groupWithin = 5 * 60_000

type Inputs = [State['places'][string] | undefined, State['rows'], State['pending'], State['posted'], State['runs']]

/** selectItems makes a selector of a place's items that gives the same list until something in it changes. */
export function selectItems(place: PlaceId): (state: State) => readonly Item[] {
  const key = placeKey(place)
  let inputs: Inputs | undefined
  let items: readonly Item[] = []
  return (state) => {
    const now: Inputs = [state.places[key], state.rows, state.pending, state.posted, state.runs]
    if (!inputs || now.some((input, i) => input !== inputs?.[i])) {
      inputs = now
      items = itemsOf(state, place)
    }
    return items
  }
}

export function itemsOf(state: State, place: PlaceId): Item[] {
  const held = state.places[placeKey(place)]
  if (!held) return []
  const root = place.threadRootId ? state.rows[place.threadRootId] : undefined
  const rows = held.ids.map((id) => state.rows[id]).filter((row) => row !== undefined)
  const runs = Object.values(state.runs).filter(
    (run) => run.channel_id === place.channelId && run.thread_root_id === (place.threadRootId ?? ''),
  )
  const answered = new Set(rows.filter(isReply).map((row) => row.run_id))
  const without = endedByRow(runs, answered)

  const items: Item[] = []
  const used = new Set<string>()
  let lastDay: string | undefined
  const add = (row: Row) => {
    const day = dayOf(row.created_at) !== lastDay
    lastDay = dayOf(row.created_at)
    const run = isReply(row) ? state.runs[row.run_id] : undefined
    const key = keyOf(state, row, used)
    used.add(key)
    items.push({ kind: 'row', key, row, run, head: day || row.note === 'declined' || row.note === 'unasked' || row.note === 'undone' || row.note === 'command' || !continues(items.at(-1), row), day })
    for (const ended of without.get(row.id) ?? []) items.push({ kind: 'ended', key: 'run:' + ended.id, run: ended })
  }
  if (root) add(root)
  for (const row of rows) add(row)
  for (const post of Object.values(state.pending)) {
    if (post.rowId || placeKey(post) !== placeKey(place)) continue
    items.push({ kind: 'pending', key: post.id, post, head: !continues(items.at(-1), { kind: 'user', handle: '', created_at: post.at }) })
  }
  const next = nextRuns(state, place.channelId)
  const going = runs.filter((run) => next.has(run.id) && !answered.has(run.id))
  going.sort((a, b) => order(a) - order(b) || compareTimes(a.queued_at, b.queued_at))
  for (const run of going) items.push({ kind: 'live', key: 'run:' + run.id, run })
  return items
}

/** What runs stands before what waits, so that it keeps its place when its turn comes. */
const order = (run: Run) => (run.state === 'running' ? 0 : run.state === 'waiting' ? 1 : 2)

/** isReply says whether a row is the answer of its run and not a word on the way. */
export const isReply = (row: Row): boolean => row.run_id !== '' && row.note !== 'interim'

function keyOf(state: State, row: Row, used: Set<string>): string {
  const run = 'run:' + row.run_id
  if (isReply(row) && !used.has(run)) return run
  return state.posted[row.id] ?? row.id
}

/** endedByRow finds the runs that have nothing to show but their end, by the row that asked. One that was retried is told by the retry. */
function endedByRow(runs: readonly Run[], answered: ReadonlySet<string>): Map<string, Run[]> {
  const retried = new Set(runs.map((run) => run.retry_of).filter((id) => id !== ''))
  const out = new Map<string, Run[]>()
  for (const run of runs) {
    if ((run.state !== 'failed' && run.state !== 'stopped') || run.reply_id !== '' || answered.has(run.id) || retried.has(run.id)) continue
    out.set(run.row_id, [...(out.get(run.row_id) ?? []), run])
  }
  for (const list of out.values()) list.sort((a, b) => compareTimes(a.queued_at, b.queued_at))
  return out
}

/** continues says whether what is written now stands in one group with what was written before: the same author, soon after. */
function continues(previous: Item | undefined, now: Pick<Row, 'kind' | 'handle' | 'created_at'>): boolean {
  const soon = (at: string) => Date.parse(now.created_at) - Date.parse(at) < groupWithin
  if (previous?.kind === 'pending') return now.kind === 'user' && now.handle === '' && soon(previous.post.at)
  return previous?.kind === 'row' && previous.row.kind === now.kind && previous.row.handle === now.handle && soon(previous.row.created_at)
}

/** dayOf is the day of a time where the person is. */
function dayOf(time: string): string {
  return new Date(time).toDateString()
}

/** nextRuns are the runs of a channel that are going, and of each agent that is at nothing the one it takes next. The rest is queued. */
export function nextRuns(state: State, channelId: string): ReadonlySet<string> {
  const byBinding = new Map<string, Run>()
  for (const run of Object.values(state.runs)) {
    if (run.channel_id !== channelId || hasEnded(run)) continue
    const held = byBinding.get(run.binding_id)
    if (!held || order(run) < order(held) || (order(run) === order(held) && compareTimes(run.queued_at, held.queued_at) < 0)) {
      byBinding.set(run.binding_id, run)
    }
  }
  return new Set(Array.from(byBinding.values(), (run) => run.id))
}
