import type { StreamEvent } from '@/api'
import type { Change } from './change'
import { channelChanged, channelsLoaded, personSeen, read, readTold, rowArrived } from './channels'
import { channelGone, placesReset, postAgain, postBegun, postDone, postFailed, rowChanged, rowCreated, rowGone, rowsAsked, rowsCut, rowsLoaded, rowsTrimmed } from './rows'
import { missedSome, runAsked, runChanged, runDelta, runLoaded, runsFound, runSaving, runsLoaded, runStep } from './runs'
import { placeKey, type State } from './state'
import { drop, put, putAll } from './table'
import type { Permission, Row, Saving } from '@/api'

/**
 * apply is the whole of the state's changes: the same state and change always give the same result, the old state stays as it
 * was, and what changes nothing gives the same object.
 */
export function apply(state: State, change: Change): State {
  switch (change.type) {
    case 'event':
      return inOrder(state, change.event)
    case 'connection':
      return state.connection === change.connection ? state : { ...state, connection: change.connection }
    case 'channels.loaded':
      return channelsLoaded(state, change.channels)
    case 'channel.loaded':
      return channelChanged(state, change.channel)
    case 'channel.gone':
      return channelGone(state, change.channelId)
    case 'setup.loaded':
      return { ...state, setup: change.setup }
    case 'roster.loaded':
      return rosterLoaded(state, change)
    case 'agent.loaded':
      return { ...state, agents: put(state.agents, change.state.binding_id, change.state) }
    case 'binding.loaded':
      return { ...state, bindings: put(state.bindings, change.binding.id, change.binding) }
    case 'rows.asked':
      return rowsAsked(state, change.place)
    case 'rows.loaded':
      return rowsLoaded(state, change)
    case 'rows.trimmed':
      return rowsTrimmed(state, change.place, change.keep)
    case 'rows.cut':
      return rowsCut(state, change.place, change.keep, change.at)
    case 'row.changed':
      return rowChanged(state, change.row)
    case 'row.gone':
      return rowGone(state, change.id)
    case 'leaving':
      return { ...state, leaving: change.leaving ? put(state.leaving, change.rowId, true) : drop(state.leaving, change.rowId) }
    case 'editing':
      return state.editing === change.rowId ? state : { ...state, editing: change.rowId }
    case 'thread.seen':
      return { ...state, threadNews: drop(state.threadNews, change.rootId) }
    case 'runs.found':
      return runsFound(state, change.runs)
    case 'runs.loaded':
      return runsLoaded(state, change.channelId, change.runs, change.more, change.before)
    case 'run.changed':
      return runChanged(state, change.run, 'fetch')
    case 'run.asked':
      return runAsked(state, change.runId)
    case 'run.loaded':
      return runLoaded(state, change.detail)
    case 'permissions.loaded':
      return change.permissions.reduce(permissionChanged, state)
    case 'permission.changed':
      return permissionChanged(state, change.permission)
    case 'post.begun':
      return postBegun(state, change.post)
    case 'post.done':
      return change.runs.reduce((s, run) => runChanged(s, run, 'fetch'), rowArrived(postDone(state, change.id, change.row), change.row))
    case 'post.failed':
      return postFailed(state, change.id, change.problem)
    case 'post.again':
      return postAgain(state, change.id)
    case 'post.dropped':
      return { ...state, pending: drop(state.pending, change.id) }
    case 'read':
      return read(state, change.channelId, change.reading)
    case 'read.refused':
      return { ...state, reading: drop(state.reading, change.channelId) }
    case 'read.told':
      return readTold(state, change.rowId, change.channel)
    case 'draft': {
      const key = placeKey(change.place)
      return { ...state, drafts: change.text === '' ? drop(state.drafts, key) : put(state.drafts, key, change.text) }
    }
    case 'preferences':
      return { ...state, preferences: { ...state.preferences, ...change.preferences } }
  }
}

/** inOrder passes by what was seen already and notes what was missed. */
function inOrder(state: State, event: StreamEvent): State {
  const stream = { epoch: event.epoch, seq: event.seq }
  if (event.event === 'ready') return { ...state, stream }
  if (event.event === 'reset') {
    return { ...missedSome(placesReset(state)), stream, generation: state.generation + 1 }
  }
  const here = state.stream
  if (here?.epoch === event.epoch) {
    if (event.seq <= here.seq) return state
    if (event.seq > here.seq + 1) state = benchChanged(missedSome(state), '')
  }
  return happened({ ...state, stream }, event)
}

function happened(state: State, event: StreamEvent): State {
  switch (event.event) {
    case 'ready':
    case 'reset':
    case 'spend.warned':
      return state
    case 'channel.created':
    case 'channel.updated':
      return channelChanged(state, event.data)
    case 'channel.deleted':
      return channelGone(state, event.data.id)
    case 'binding.created':
    case 'binding.updated':
      return { ...state, bindings: put(state.bindings, event.data.id, event.data) }
    case 'binding.deleted':
      return { ...state, bindings: drop(state.bindings, event.data.id), agents: drop(state.agents, event.data.id) }
    case 'row.created':
      // An answer may have brought the row before the stream does.
      return event.data.id in state.rows
        ? rowCreated(state, event.data)
        : threadGrew(rowArrived(personSeen(rowCreated(state, event.data), event.data), event.data), event.data)
    case 'row.updated':
      return rowChanged(state, event.data)
    case 'row.deleted':
      return rowGone(state, event.data.id)
    case 'run.updated':
      return runChanged(state, event.data, 'stream')
    case 'run.delta':
      return runDelta(state, event.data.run_id, event.data.text, event.data.at)
    case 'run.step':
      return runStep(state, event.data.run_id, event.data.step)
    case 'run.saving':
      return saved(state, event.data.run_id, event.data.saving)
    case 'workbench.changed':
      return benchChanged(state, event.data.channel_id)
    case 'permission.asked':
    case 'permission.answered':
      return permissionChanged(state, event.data)
    case 'agent.state':
      return { ...state, agents: put(state.agents, event.data.binding_id, event.data) }
  }
}

/** threadGrew counts what others write in threads, until somebody looks. */
function threadGrew(state: State, row: Row): State {
  if (!row.thread_root_id || (row.kind === 'user' && row.handle === '')) return state
  return { ...state, threadNews: put(state.threadNews, row.thread_root_id, (state.threadNews[row.thread_root_id] ?? 0) + 1) }
}

const benchChanged = (state: State, channelId: string): State => ({ ...state, benchNews: put(state.benchNews, channelId, (state.benchNews[channelId] ?? 0) + 1) })

/** saved takes in a saving; what was spilled is a new file in the workbench. */
function saved(state: State, runId: string, saving: Saving): State {
  const next = runSaving(state, runId, saving)
  return saving.path === '' ? next : benchChanged(next, next.runs[runId]?.channel_id ?? '')
}

/** permissionChanged: an answer is final, so a late question changes nothing. */
function permissionChanged(state: State, permission: Permission): State {
  const held = state.permissions[permission.id]
  if (held && held.state !== 'open' && permission.state === 'open') return state
  return { ...state, permissions: put(state.permissions, permission.id, permission) }
}

function rosterLoaded(state: State, change: Extract<Change, { type: 'roster.loaded' }>): State {
  const others = Object.fromEntries(Object.entries(state.bindings).filter(([, b]) => b.channel_id !== change.channelId))
  return {
    ...state,
    people: put(state.people, change.channelId, change.people),
    bindings: putAll(others, change.agents.map((a) => a.binding), (b) => b.id),
    agents: putAll(state.agents, change.agents.map((a) => a.state), (s) => s.binding_id),
  }
}
