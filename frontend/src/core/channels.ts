import type { Channel, Row } from '@/api'
import { channelGone } from './rows'
import type { Reading, State } from './state'
import { drop, put } from './table'
import { compareTimes } from './time'

/** How far the server counts what is unread. */
export const unreadLimit = 100

/** channelsLoaded takes the whole list: what is not in it is gone. */
export function channelsLoaded(state: State, channels: readonly Channel[]): State {
  const here = new Set(channels.map((c) => c.id))
  let next = state
  for (const id of Object.keys(state.channels)) if (!here.has(id)) next = channelGone(next, id)
  for (const channel of channels) next = channelChanged(next, channel)
  return next.channelsLoaded ? next : { ...next, channelsLoaded: true }
}

/**
 * channelChanged takes a channel as the server has it. While the server has not heard yet how far this page has read it, what it
 * says of that is old.
 */
export function channelChanged(state: State, channel: Channel): State {
  const reading = state.reading[channel.id]
  const told = reading === undefined || reading.id === channel.read_row_id
  const next: State = { ...state, channels: put(state.channels, channel.id, channel), reading: told ? drop(state.reading, channel.id) : state.reading }
  return told ? withUnread(next, channel.id, channel.unread) : next
}

function withUnread(state: State, channelId: string, count: number): State {
  if ((state.unread[channelId]?.count ?? 0) === count) return state
  const unread = count > 0 ? put(state.unread, channelId, { count, atLeast: count >= unreadLimit }) : drop(state.unread, channelId)
  return { ...state, unread }
}

/** What a person has to read: everything that they did not write themselves. */
const forReading = (row: Row) => !(row.kind === 'user' && row.handle === '')

/** rowArrived counts a row of the stream as unread. One that the channel's own count has already is not counted again. */
export function rowArrived(state: State, row: Row): State {
  const channel = state.channels[row.channel_id]
  if (!channel || (channel.newest_at && compareTimes(row.created_at, channel.newest_at) <= 0)) return state
  const next = { ...state, channels: put(state.channels, channel.id, { ...channel, newest_row_id: row.id, newest_at: row.created_at }) }
  if (!forReading(row)) return next
  return withUnread(next, channel.id, Math.min(unreadLimit, (state.unread[channel.id]?.count ?? 0) + 1))
}

/** personSeen adds who writes for the first time to a roster that is held. */
export function personSeen(state: State, row: Row): State {
  const people = state.people[row.channel_id]
  if (row.kind !== 'user' || !people || people.some((p) => p.handle === row.handle)) return state
  return { ...state, people: put(state.people, row.channel_id, [...people, { handle: row.handle, owner: row.handle === '', joined_at: row.created_at }]) }
}

/**
 * read notes that the end of a channel was seen, of which the list's newest row is `seen`; the server is told of it (hearth.ts).
 * Replies in threads have no end of their own to be seen at: the mark moves to the channel's newest row of all.
 */
export function read(state: State, channelId: string, seen: Reading): State {
  const channel = state.channels[channelId]
  if (!channel) return state
  const reading =
    channel.newest_at && compareTimes(channel.newest_at, seen.at) > 0 ? { id: channel.newest_row_id, at: channel.newest_at } : seen
  const next = withUnread(state, channelId, 0)
  if (reading.id === (state.reading[channelId]?.id ?? channel.read_row_id)) return next
  return { ...next, reading: put(state.reading, channelId, reading) }
}

/** readTold: the server has heard how far a channel was read. */
export function readTold(state: State, rowId: string, channel: Channel): State {
  const reading = state.reading[channel.id]
  return channelChanged(reading?.id === rowId ? { ...state, reading: drop(state.reading, channel.id) } : state, channel)
}
