import type { AgentState, Binding, Channel, Permission, Person, Row, Run, RunDetail, StreamEvent } from '@/api'
import type { Connection, Pending, PlaceId, Preferences, Problem, Reading } from './state'

/** Change is everything that can happen to the state: what the stream tells, what was fetched, what the person does. */
export type Change =
  | { type: 'event'; event: StreamEvent }
  | { type: 'connection'; connection: Connection }
  // fetched
  | { type: 'channels.loaded'; channels: readonly Channel[] }
  | { type: 'channel.loaded'; channel: Channel }
  | { type: 'roster.loaded'; channelId: string; people: readonly Person[]; agents: readonly { binding: Binding; state: AgentState }[] }
  | { type: 'agent.loaded'; state: AgentState }
  | { type: 'binding.loaded'; binding: Binding }
  /** Before rows are fetched: from now on the place keeps what the stream brings. */
  | { type: 'rows.asked'; place: PlaceId }
  /** `before`: it was asked for rows before this one; undefined: for the newest. */
  | { type: 'rows.loaded'; place: PlaceId; before?: string | undefined; rows: readonly Row[]; more: boolean; root?: Row | undefined }
  /** Keep only the newest rows of a place that nobody looks at. */
  | { type: 'rows.trimmed'; place: PlaceId; keep: number }
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
  | { type: 'read'; channelId: string; reading: Reading }
  | { type: 'unread.counted'; channelId: string; rows: readonly Row[]; more: boolean }
  | { type: 'draft'; place: PlaceId; text: string }
  | { type: 'preferences'; preferences: Partial<Preferences> }
