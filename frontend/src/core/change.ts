import type { AgentState, Binding, Channel, Permission, Person, Row, Run, RunDetail, Setup, StreamEvent } from '@/api'
import type { Connection, Pending, PlaceId, Preferences, Problem, Reading } from './state'

/** Where a page of rows stands. Each excludes the others. */
export interface Asked {
  before?: string | undefined
  after?: string | undefined
  around?: string | undefined
}

/** Change is everything that can happen to the state: what the stream tells, what was fetched, what the person does. */
export type Change =
  | { type: 'event'; event: StreamEvent }
  | { type: 'connection'; connection: Connection }
  // fetched
  | { type: 'channels.loaded'; channels: readonly Channel[] }
  | { type: 'channel.loaded'; channel: Channel }
  | { type: 'channel.gone'; channelId: string }
  | { type: 'setup.loaded'; setup: Setup }
  | { type: 'roster.loaded'; channelId: string; people: readonly Person[]; agents: readonly { binding: Binding; state: AgentState }[] }
  | { type: 'agent.loaded'; state: AgentState }
  | { type: 'binding.loaded'; binding: Binding }
  /** Before rows are fetched: from now on the place keeps what the stream brings. */
  | { type: 'rows.asked'; place: PlaceId }
  /** What was asked for: rows before one, after one or around one; none of them: the newest. `newer`: there are newer ones than these. */
  | ({ type: 'rows.loaded'; place: PlaceId; rows: readonly Row[]; more: boolean; newer?: boolean; root?: Row | undefined } & Asked)
  /** Keep only the newest rows of a place that nobody looks at. */
  | { type: 'rows.trimmed'; place: PlaceId; keep: number }
  /** Keep only so many rows of a place, the oldest or the newest ones: somebody scrolls away from the others. */
  | { type: 'rows.cut'; place: PlaceId; keep: number; at: 'start' | 'end' }
  | { type: 'row.changed'; row: Row }
  | { type: 'row.gone'; id: string }
  | { type: 'runs.found'; runs: readonly Run[] }
  | { type: 'runs.loaded'; channelId: string; before?: string | undefined; runs: readonly Run[]; more: boolean }
  | { type: 'run.changed'; run: Run }
  | { type: 'run.asked'; runId: string }
  | { type: 'run.loaded'; detail: RunDetail }
  | { type: 'permissions.loaded'; permissions: readonly Permission[] }
  | { type: 'permission.changed'; permission: Permission }
  // posting
  | { type: 'post.begun'; post: Pending }
  | { type: 'post.done'; id: string; row: Row; runs: readonly Run[] }
  | { type: 'post.failed'; id: string; problem: Problem }
  | { type: 'post.again'; id: string }
  | { type: 'post.dropped'; id: string }
  // reading and writing
  | { type: 'editing'; rowId: string }
  | { type: 'leaving'; rowId: string; leaving: boolean }
  | { type: 'thread.seen'; rootId: string }
  | { type: 'read'; channelId: string; reading: Reading }
  | { type: 'read.refused'; channelId: string }
  | { type: 'read.told'; rowId: string; channel: Channel }
  | { type: 'draft'; place: PlaceId; text: string }
  | { type: 'preferences'; preferences: Partial<Preferences> }
