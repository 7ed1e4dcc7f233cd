import type { Row, Run } from '@/api'
import type { Asked } from './change'
import { placeKey, type Pending, type Place, type PlaceId, type State } from './state'
import { drop, keep, mapValues, put, putAll } from './table'
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
  const place = placeOf(row)
  const held = state.places[placeKey(place)]
  const known = row.id in state.rows || held?.newest === row.id
  let next = state
  if (held && !known) {
    const places = held.newer
      ? put(state.places, placeKey(place), { ...held, newest: later(held.newest, row.id) })
      : put(state.places, placeKey(place), { ...held, ids: insert(next, held.ids, row) })
    next = { ...next, rows: held.newer ? next.rows : put(next.rows, row.id, row), places }
  }
  if (!known && place.threadRootId) {
    const root = next.rows[place.threadRootId]
    if (root) next = { ...next, rows: put(next.rows, root.id, { ...root, thread_size: root.thread_size + 1 }) }
  }
  return matchPending(next, row)
}

/** Ids sort as the rows were written. */
const later = (a: string | undefined, b: string): string => (a !== undefined && a > b ? a : b)

/** rowChanged takes in a row that was edited. Events know nothing of its thread. */
export function rowChanged(state: State, row: Row): State {
  const held = state.rows[row.id]
  if (!held) return state
  return { ...state, rows: put(state.rows, row.id, { ...row, thread_size: Math.max(held.thread_size, row.thread_size) }) }
}

/** rowGone lets go of a row that was taken back, and of the runs it caused. */
export function rowGone(state: State, id: string): State {
  const row = state.rows[id]
  const runs = keep(state.runs, (run) => run.row_id !== id)
  let next: State = { ...state, runs, live: keep(state.live, (_, runId) => runId in runs || !(runId in state.runs)), editing: state.editing === id ? '' : state.editing }
  if (!row) return next
  const root = row.thread_root_id ? next.rows[row.thread_root_id] : undefined
  if (root) next = { ...next, rows: put(next.rows, root.id, { ...root, thread_size: Math.max(0, root.thread_size - 1) }) }
  return {
    ...next,
    rows: drop(next.rows, id),
    posted: drop(next.posted, id),
    places: mapValues(next.places, (p) => (p.ids.includes(id) ? { ...p, ids: p.ids.filter((i) => i !== id) } : p)),
  }
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

export interface Page extends Asked {
  place: PlaceId
  rows: readonly Row[]
  more: boolean
  newer?: boolean
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
  if (page.after !== undefined) {
    if (held.ids.at(-1) !== page.after) return state
    return with_({ ...held, ids: merge(all, page.rows, held.ids), ...endOf(page, held, page.rows.at(-1)?.id ?? page.after), sureUpTo: undefined })
  }
  if (page.around !== undefined) {
    const last = page.rows.at(-1)
    // Nothing is missing behind a page that reaches the end: what streamed since goes on there.
    const since = page.newer || !last ? [] : held.ids.filter((id) => all[id] !== undefined && byTime(all[id], last) > 0)
    const ids = [...page.rows.map((r) => r.id), ...since]
    return with_({ ...held, ids, more: page.more, loaded: true, ...endOf(page, held, ids.at(-1) ?? ''), window: (held.window ?? 0) + 1, sureUpTo: undefined })
  }
  const oldest = page.rows[0]
  const sureUpTo = held.sureUpTo ?? (held.newer ? (held.ids.at(-1) ?? '-') : undefined)
  const sure = sureUpTo ? state.rows[sureUpTo] : undefined
  const joins = !page.more || oldest === undefined || !sureUpTo || (sure !== undefined && byTime(oldest, sure) <= 0)
  const atEnd = { loaded: true, newer: false, newest: undefined, sureUpTo: undefined }
  if (joins) {
    const ids = merge(all, page.rows, held.ids)
    // What is held reaches further back than this page: whether there is more before it is known already.
    const further = held.loaded && oldest !== undefined && ids[0] !== oldest.id
    return with_({ ...held, ids, more: further ? held.more : page.more, ...atEnd })
  }
  // Rows are missing between what was held and this page: it begins anew here.
  const since = held.ids.filter((id) => {
    const row = all[id]
    return row !== undefined && byTime(row, oldest) >= 0
  })
  return with_({ ...held, ids: merge(all, page.rows, since), more: page.more, ...atEnd, window: (held.window ?? 0) + 1 })
}

/** endOf says whether there are newer rows than a page's last: it was said with the page, or one came while it was on its way. */
function endOf(page: Page, held: Place, last: string): Pick<Place, 'newer' | 'newest'> {
  const newest = held.newer ? held.newest : page.newer ? held.ids.at(-1) : undefined
  const newer = page.newer === true || (newest !== undefined && newest > last)
  return { newer, newest: newer ? newest : undefined }
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
  if (!held?.loaded) return state
  // Somewhere in the middle: the next look begins at the end again.
  if (held.newer) return { ...without(state, held.ids), places: drop(state.places, key) }
  return rowsCut(state, place, count, 'start')
}

/** rowsCut lets go of the rows at one end of a place, but for so many at the other. */
export function rowsCut(state: State, place: PlaceId, count: number, at: 'start' | 'end'): State {
  const key = placeKey(place)
  const held = state.places[key]
  if (!held?.loaded || held.ids.length <= count) return state
  const next =
    at === 'start'
      ? { ...held, ids: held.ids.slice(-count), more: true }
      : { ...held, ids: held.ids.slice(0, count), newer: true, newest: held.newer ? held.newest : held.ids.at(-1) }
  const gone = at === 'start' ? held.ids.slice(0, -count) : held.ids.slice(count)
  return { ...without(state, gone), places: put(state.places, key, next) }
}

/** without lets go of rows. The root of a thread that is held stays. */
function without(state: State, ids: readonly string[]): State {
  const roots = new Set(Object.values(state.places).map((p) => p.threadRootId))
  const gone = new Set(ids.filter((id) => !roots.has(id)))
  return { ...state, rows: keep(state.rows, (_, id) => !gone.has(id)), posted: keep(state.posted, (_, id) => !gone.has(id)) }
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
