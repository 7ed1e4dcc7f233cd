import type { Channel, Row } from '@/api'
import { channelGone, byTime } from './rows'
import type { Reading, State } from './state'
import { drop, put } from './table'
import { compareTimes } from './time'

/** channelsLoaded takes the whole list: what is not in it is gone. */
export function channelsLoaded(state: State, channels: readonly Channel[]): State {
  const here = new Set(channels.map((c) => c.id))
  let next = state
  for (const id of Object.keys(state.channels)) if (!here.has(id)) next = channelGone(next, id)
  return { ...next, channels: Object.fromEntries(channels.map((c) => [c.id, c])), channelsLoaded: true }
}

/** What a person has to read: everything that they did not write themselves. */
const forReading = (row: Row) => !(row.kind === 'user' && row.handle === '')

/** rowArrived counts a row of the stream as unread; the person's own row says that they have read the channel. */
export function rowArrived(state: State, row: Row): State {
  if (!forReading(row)) return read(state, row.channel_id, { id: row.id, at: row.created_at })
  const reading = state.reading[row.channel_id]
  if (reading && compareTimes(row.created_at, reading.at) <= 0) return state
  const held = state.unread[row.channel_id] ?? { count: 0, atLeast: false }
  return { ...state, unread: put(state.unread, row.channel_id, { ...held, count: held.count + 1 }) }
}

/** personSeen adds who writes for the first time to a roster that is held. */
export function personSeen(state: State, row: Row): State {
  const people = state.people[row.channel_id]
  if (row.kind !== 'user' || !people || people.some((p) => p.handle === row.handle)) return state
  return { ...state, people: put(state.people, row.channel_id, [...people, { handle: row.handle, owner: row.handle === '', joined_at: row.created_at }]) }
}

/** read notes that a channel was read up to a row; never backwards. */
export function read(state: State, channelId: string, reading: Reading): State {
  const held = state.reading[channelId]
  if (held && compareTimes(reading.at, held.at) < 0) return state
  const unread = drop(state.unread, channelId)
  if (held?.id === reading.id && unread === state.unread) return state
  return { ...state, reading: put(state.reading, channelId, reading), unread }
}

/**
 * unreadCounted counts from a channel's newest rows what came while the page was closed. A channel that was never read here
 * counts as read: a new browser does not begin with everything unread.
 */
export function unreadCounted(state: State, channelId: string, rows: readonly Row[], more: boolean): State {
  const newest = rows.toSorted(byTime).at(-1)
  const reading = state.reading[channelId]
  if (!newest) return state
  if (!reading) return read(state, channelId, { id: newest.id, at: newest.created_at })
  const later = rows.filter((r) => compareTimes(r.created_at, reading.at) > 0)
  const count = later.filter(forReading).length
  if (count === 0) return { ...state, unread: drop(state.unread, channelId) }
  return { ...state, unread: put(state.unread, channelId, { count, atLeast: more && later.length === rows.length }) }
}
