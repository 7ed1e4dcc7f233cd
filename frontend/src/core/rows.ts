import type { Row, Run } from '@/api'
import { placeKey, type Pending, type Place, type PlaceId, type State } from './state'
import { drop, mapValues, put, putAll } from './table'
import { compareTimes } from './time'

/** placeOf is where a row stands. */
export const placeOf = (row: Row): PlaceId => ({ channelId: row.channel_id, threadRootId: row.thread_root_id || undefined })

/** byTime orders rows as they were written; the id decides between rows of one moment. */
export function byTime(a: Row, b: Row): number {
  return compareTimes(a.created_at, b.created_at) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** rowsAsked makes the place, so that rows which the stream brings before the page are kept. */
export function rowsAsked(state: State, place: PlaceId): State {
  const key = placeKey(place)
  if (state.places[key]) return state
  return { ...state, places: put(state.places, key, { ...place, ids: [], more: false, loaded: false }) }
}

/** rowCreated takes in a row that the stream or an answer brought. One that is known changes nothing. */
export function rowCreated(state: State, row: Row): State {
  const known = row.id in state.rows
  const place = placeOf(row)
  const held = state.places[placeKey(place)]
  let next = state
  if (held && !known) {
    next = {
      ...next,
      rows: put(next.rows, row.id, row),
      places: put(next.places, placeKey(place), { ...held, ids: insert(next, held.ids, row) }),
    }
  }
  if (!known && place.threadRootId) {
    const root = next.rows[place.threadRootId]
    if (root) next = { ...next, rows: put(next.rows, root.id, { ...root, thread_size: root.thread_size + 1 }) }
  }
  return matchPending(next, row)
}

/** insert puts an id where its time belongs, nearly always at the end. */
function insert(state: State, ids: readonly string[], row: Row): readonly string[] {
  let at = ids.length
  while (at > 0) {
    const before = state.rows[ids[at - 1] ?? '']
    if (!before || byTime(before, row) <= 0) break
    at--
  }
  return [...ids.slice(0, at), row.id, ...ids.slice(at)]
}

/** matchPending finds the post that a row of the stream is, so that it is not shown twice until the answer comes. */
function matchPending(state: State, row: Row): State {
  if (row.kind !== 'user' || row.handle !== '' || row.id in state.posted) return state
  const place = placeKey(placeOf(row))
  const match = Object.values(state.pending).find(
    (p) => !p.rowId && placeKey(p) === place && sameBody(p.body, row.body),
  )
  if (!match) return state
  return settle(state, match, row)
}

/** The server normalises line ends and trims what is around a text. */
const clean = (body: string) => body.replace(/\r\n?/g, '\n').normalize('NFC').trim()
const sameBody = (a: string, b: string) => clean(a) === clean(b)

function settle(state: State, post: Pending, row: Row): State {
  return {
    ...state,
    // One whose answer failed although the row is there has nothing left to wait for.
    pending: post.problem ? drop(state.pending, post.id) : put(state.pending, post.id, { ...post, rowId: row.id }),
    posted: put(state.posted, row.id, post.id),
  }
}

export function postBegun(state: State, post: Pending): State {
  return { ...state, pending: put(state.pending, post.id, post) }
}

/** postDone takes the answer to a post. The stream may have brought the row already, or another row with the same text. */
export function postDone(state: State, id: string, row: Row): State {
  const post = state.pending[id]
  let next: State = { ...state, pending: drop(state.pending, id) }
  if (post && post.rowId !== row.id) {
    const stolen = next.posted[row.id]
    let posted = put(next.posted, row.id, id)
    // Two posts with the same text: the stream's rows were given out in the wrong order. They change places.
    if (post.rowId) posted = stolen ? put(posted, post.rowId, stolen) : drop(posted, post.rowId)
    const other = stolen ? next.pending[stolen] : undefined
    const pending = other ? put(next.pending, other.id, { ...other, rowId: post.rowId }) : next.pending
    next = { ...next, posted, pending }
  }
  return rowCreated(next, row)
}

export function postFailed(state: State, id: string, problem: Pending['problem']): State {
  const post = state.pending[id]
  if (!post) return state
  // The answer was lost, but the row is there.
  if (post.rowId) return { ...state, pending: drop(state.pending, id) }
  return { ...state, pending: put(state.pending, id, { ...post, problem }) }
}

export function postAgain(state: State, id: string): State {
  const post = state.pending[id]
  if (!post?.problem) return state
  return { ...state, pending: put(state.pending, id, { ...post, problem: undefined }) }
}

export interface Page {
  place: PlaceId
  before?: string | undefined
  rows: readonly Row[]
  more: boolean
  root?: Row | undefined
}

/** rowsLoaded joins a page with what is held, so that no place ever has a hole. */
export function rowsLoaded(state: State, page: Page): State {
  const key = placeKey(page.place)
  const held: Place = state.places[key] ?? { ...page.place, ids: [], more: false, loaded: false }
  const all = putAll(state.rows, page.root ? [...page.rows, page.root] : page.rows, (r) => r.id)
  const with_ = (place: Place): State => ({ ...state, rows: all, places: put(state.places, key, place) })
  if (page.before !== undefined) {
    // A page that was asked for before the place was cut or fetched anew joins nothing any more.
    if (held.ids[0] !== page.before) return state
    return with_({ ...held, ids: merge(all, page.rows, held.ids), more: page.more })
  }
  const oldest = page.rows[0]
  const sure = held.sureUpTo ? state.rows[held.sureUpTo] : undefined
  const joins = !page.more || oldest === undefined || !held.sureUpTo || (sure !== undefined && byTime(oldest, sure) <= 0)
  if (joins) {
    const ids = merge(all, page.rows, held.ids)
    // What is held reaches further back than this page: whether there is more before it is known already.
    const further = held.loaded && oldest !== undefined && ids[0] !== oldest.id
    return with_({ ...held, ids, more: further ? held.more : page.more, loaded: true, sureUpTo: undefined })
  }
  // Rows are missing between what was held and this page: it begins anew here.
  const since = held.ids.filter((id) => {
    const row = all[id]
    return row !== undefined && byTime(row, oldest) >= 0
  })
  return with_({ ...held, ids: merge(all, page.rows, since), more: page.more, loaded: true, sureUpTo: undefined })
}

function merge(rows: State['rows'], page: readonly Row[], ids: readonly string[]): readonly string[] {
  const here = new Set(ids)
  const fresh = page.filter((r) => !here.has(r.id))
  if (fresh.length === 0) return ids
  const at = (id: string | undefined) => (id === undefined ? undefined : rows[id])
  const first = at(ids[0])
  const last = at(ids.at(-1))
  const lead = fresh[0]
  const tail = fresh.at(-1)
  // An older page goes before, a newer one after; only what lies between has to be sorted.
  if (first && tail && byTime(tail, first) < 0) return [...fresh.map((r) => r.id), ...ids]
  if (last && lead && byTime(last, lead) < 0) return [...ids, ...fresh.map((r) => r.id)]
  const known = ids.map(at).filter((r): r is Row => r !== undefined)
  return [...known, ...fresh].sort(byTime).map((r) => r.id)
}

/** rowsTrimmed lets go of old rows of a place that nobody looks at; they are fetched again when wanted. */
export function rowsTrimmed(state: State, place: PlaceId, count: number): State {
  const key = placeKey(place)
  const held = state.places[key]
  if (!held?.loaded || held.ids.length <= count) return state
  const gone = new Set(held.ids.slice(0, -count))
  const rows = Object.fromEntries(Object.entries(state.rows).filter(([id]) => !gone.has(id)))
  return { ...state, rows, places: put(state.places, key, { ...held, ids: held.ids.slice(-count), more: true }) }
}

/** placesReset notes that rows may be missing from now on. Places that were never fetched are let go. */
export function placesReset(state: State): State {
  const places = Object.fromEntries(Object.entries(state.places).filter(([, p]) => p.loaded))
  return {
    ...state,
    places: mapValues(places, (p) => ({ ...p, sureUpTo: p.sureUpTo ?? p.ids.at(-1) ?? '-' })),
  }
}

/** channelGone lets go of everything of a channel. */
export function channelGone(state: State, channelId: string): State {
  const others = <T>(table: Readonly<Record<string, T>>, of: (value: T) => string) =>
    Object.fromEntries(Object.entries(table).filter(([, value]) => of(value) !== channelId))
  const bindings = others(state.bindings, (b) => b.channel_id)
  const runs = others<Run>(state.runs, (r) => r.channel_id)
  return {
    ...state,
    channels: drop(state.channels, channelId),
    bindings,
    agents: Object.fromEntries(Object.entries(state.agents).filter(([id]) => !(id in state.bindings) || id in bindings)),
    people: drop(state.people, channelId),
    rows: others(state.rows, (r) => r.channel_id),
    places: others(state.places, (p) => p.channelId),
    pending: others(state.pending, (p) => p.channelId),
    runs,
    runPages: drop(state.runPages, channelId),
    live: Object.fromEntries(Object.entries(state.live).filter(([id]) => !(id in state.runs) || id in runs)),
    permissions: others(state.permissions, (p) => p.channel_id),
    reading: drop(state.reading, channelId),
    unread: drop(state.unread, channelId),
    drafts: Object.fromEntries(
      Object.entries(state.drafts).filter(([key]) => key !== channelId && !key.startsWith(channelId + '/')),
    ),
  }
}
