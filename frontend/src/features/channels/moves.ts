import type { Channel } from '@/api'
import { addressOf, channelAt, selectChannels, selectListed, useCommand, useHearth } from '@/core'
import { useNavigate, useParams } from '@tanstack/react-router'

/** next is the entry after the current one in a direction, around the end; undefined when there is no other. */
export function next<T extends { id: string }>(list: readonly T[], current: string | undefined, by: 1 | -1, fits: (entry: T) => boolean = () => true): T | undefined {
  const at = list.findIndex((entry) => entry.id === current)
  for (let n = 1; n <= list.length; n++) {
    const start = at < 0 ? (by > 0 ? -1 : 0) : at
    const entry = list[(((start + by * n) % list.length) + list.length) % list.length]
    if (entry && entry.id !== current && fits(entry)) return entry
  }
  return undefined
}

/** useChannelMoves goes from channel to channel by key: in the list as it is shown, or to what is unread anywhere. */
export function useChannelMoves(): void {
  const hearth = useHearth()
  const navigate = useNavigate()
  const { channel: address } = useParams({ strict: false })
  const go = (by: 1 | -1, unread: boolean) => {
    const state = hearth.store.get()
    const { shared, direct } = unread ? selectChannels(state) : selectListed(state)
    const current = address === undefined ? undefined : channelAt(state, address)?.id
    const fits = (c: Channel) => !unread || (state.unread[c.id]?.count ?? 0) > 0
    const to = next([...shared, ...direct], current, by, fits)
    if (to) void navigate({ to: '/c/$channel', params: { channel: addressOf(to) } })
  }
  useCommand('channel.previous', () => go(-1, false))
  useCommand('channel.next', () => go(1, false))
  useCommand('channel.previousUnread', () => go(-1, true))
  useCommand('channel.nextUnread', () => go(1, true))
}
