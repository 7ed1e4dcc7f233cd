import type { Agent, Channel, Permission, Run } from '@/api'
import { nextRuns } from './items'
import { hasEnded } from './runs'
import type { State } from './state'
import { compareTimes } from './time'

/** memo makes a selector that computes anew only when one of its inputs is another object. */
function memo<const I extends readonly unknown[], O>(inputs: (state: State) => I, compute: (...inputs: I) => O): (state: State) => O {
  let last: I | undefined
  let out: O | undefined
  return (state) => {
    const now = inputs(state)
    if (!last || now.some((value, i) => value !== last?.[i])) {
      last = now
      out = compute(...now)
    }
    return out as O
  }
}

/** The channels that are not archived, by name; direct lines apart. */
export const selectChannels = memo(
  (s) => [s.channels],
  (channels) => {
    const open = Object.values(channels).filter((c) => !c.archived_at)
    open.sort((a, b) => a.name.localeCompare(b.name))
    return { shared: open.filter((c) => !c.direct), direct: open.filter((c) => c.direct) }
  },
)

export const selectArchived = memo(
  (s) => [s.channels],
  (channels) => Object.values(channels).filter((c) => c.archived_at).sort((a, b) => a.name.localeCompare(b.name)),
)

/** channelAt finds the channel that an address names: by its name among those that are not archived, or by its id. */
export function channelAt(state: State, address: string): Channel | undefined {
  const byId = state.channels[address]
  if (byId) return byId
  return Object.values(state.channels).find((c) => !c.archived_at && c.name === address)
}

/**
 * addressOf is how a channel is named in an address: its name, or its id where the name is that of another, of none any more,
 * or would not survive as a part of a path.
 */
export function addressOf(channel: Channel): string {
  return channel.archived_at || /^\.{1,2}$/.test(channel.name) ? channel.id : channel.name
}

/** selectAgents makes a selector of a channel's agents, by handle. */
export function selectAgents(channelId: string): (state: State) => readonly Agent[] {
  return memo(
    (s) => [s.bindings, s.agents],
    (bindings, agents) => {
      const out: Agent[] = []
      for (const binding of Object.values(bindings)) {
        const state = agents[binding.id]
        if (binding.channel_id === channelId && state) out.push({ binding, state })
      }
      return out.sort((a, b) => a.binding.handle.localeCompare(b.binding.handle))
    },
  )
}

/** selectOpen makes a selector of a channel's open permission questions, oldest first. */
export function selectOpenPermissions(channelId: string): (state: State) => readonly Permission[] {
  return memo(
    (s) => [s.permissions],
    (permissions) =>
      Object.values(permissions)
        .filter((p) => p.channel_id === channelId && p.state === 'open')
        .sort((a, b) => compareTimes(a.asked_at, b.asked_at)),
  )
}

/** selectQueue makes a selector of a channel's runs that wait until their agent has done another, in the order they were queued. */
export function selectQueue(channelId: string): (state: State) => readonly Run[] {
  let last: State['runs'] | undefined
  let out: readonly Run[] = []
  return (state) => {
    if (state.runs !== last) {
      last = state.runs
      const next = nextRuns(state, channelId)
      out = Object.values(state.runs)
        .filter((r) => r.channel_id === channelId && !hasEnded(r) && !next.has(r.id))
        .sort((a, b) => compareTimes(a.queued_at, b.queued_at))
    }
    return out
  }
}

/** The handle of an agent; of one that is gone, what its rows say. */
export const handleOf = (state: State, bindingId: string): string | undefined => state.bindings[bindingId]?.handle
