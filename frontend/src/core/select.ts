import type { Agent, Channel, Permission, Row, Run } from '@/api'
import { compareNames } from './format'
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
    open.sort((a, b) => compareNames(a.name, b.name))
    return { shared: open.filter((c) => !c.direct), direct: open.filter((c) => c.direct) }
  },
)

/** A folder that channels work in. */
export interface Workspace {
  /** Absolute. */
  path: string
  /** The shortest end of the path that no other folder has. */
  name: string
  channels: readonly Channel[]
}

/** The folders that channels which are not archived work in, by name. */
export const selectWorkspaces = memo(
  (s) => [s.channels],
  (channels): readonly Workspace[] => {
    const byPath = new Map<string, Channel[]>()
    for (const c of Object.values(channels)) {
      if (!c.archived_at) byPath.set(c.workspace, [...(byPath.get(c.workspace) ?? []), c])
    }
    const paths = [...byPath.keys()]
    return paths
      .map((path) => ({ path, name: shortName(path, paths), channels: byPath.get(path) ?? [] }))
      .sort((a, b) => compareNames(a.name, b.name))
  },
)

function shortName(path: string, all: readonly string[]): string {
  const parts = path.split('/').filter(Boolean)
  for (let n = 1; n < parts.length; n++) {
    const end = parts.slice(-n).join('/')
    if (!all.some((other) => other !== path && ('/' + other).endsWith('/' + end))) return end
  }
  return parts.join('/') || path
}

/** The channels that the list shows: those of the chosen folder, or all. */
export const selectListed = memo(
  (s) => [selectChannels(s), selectWorkspaces(s), s.preferences.workspace] as const,
  ({ shared, direct }, workspaces, chosen) => {
    if (!workspaces.some((w) => w.path === chosen)) return { shared, direct }
    const here = (c: Channel) => c.workspace === chosen
    return { shared: shared.filter(here), direct: direct.filter(here) }
  },
)

/** How many rows are unread in all channels that are not archived. */
export const selectUnread = memo(
  (s) => [s.channels, s.unread],
  (channels, unread) => {
    let count = 0
    for (const [id, { count: n }] of Object.entries(unread)) if (channels[id] && !channels[id].archived_at) count += n
    return count
  },
)

/** The channels with something to read that nobody has muted, those with the most first. */
export const selectToRead = memo(
  (s) => [s.channels, s.unread, s.preferences.muted] as const,
  (channels, unread, muted): readonly Channel[] =>
    Object.values(channels)
      .filter((c) => !c.archived_at && !muted.includes(c.id) && (unread[c.id]?.count ?? 0) > 0)
      .sort((a, b) => (unread[b.id]?.count ?? 0) - (unread[a.id]?.count ?? 0) || compareNames(a.name, b.name)),
)

/** Channels in which a turn is going or waits for its place. */
export const selectBusy = memo(
  (s) => [s.runs],
  (runs): ReadonlySet<string> => new Set(Object.values(runs).filter((r) => !hasEnded(r)).map((r) => r.channel_id)),
)

/** Channels in which an agent waits for an answer. */
export const selectAsking = memo(
  (s) => [s.permissions],
  (permissions): ReadonlySet<string> => new Set(Object.values(permissions).filter((p) => p.state === 'open').map((p) => p.channel_id)),
)

export const selectArchived = memo(
  (s) => [s.channels],
  (channels) => Object.values(channels).filter((c) => c.archived_at).sort((a, b) => compareNames(a.name, b.name)),
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

/** nameOf is what a channel is called in a sentence. */
export const nameOf = (channel: Channel): string => (channel.direct ? channel.name : '#' + channel.name)

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
      return out.sort((a, b) => compareNames(a.binding.handle, b.binding.handle))
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

/** canEdit says whether a row is the person's own, and can be changed or deleted. */
export const canEdit = (state: State, row: Row): boolean =>
  row.kind === 'user' && row.handle === '' && row.note === '' && !row.deleted_at && !state.leaving[row.id] && !state.channels[row.channel_id]?.archived_at

/**
 * mayBeTold says whether agents may have been told a row, as far as the page knows: one has begun to answer it, or was at
 * something in the channel since. The server knows better, and says so.
 */
export function mayBeTold(state: State, row: Row): boolean {
  return Object.values(state.runs).some(
    (run) => run.channel_id === row.channel_id && run.started_at !== undefined && (run.row_id === row.id || compareTimes(run.started_at, row.created_at) > 0),
  )
}
