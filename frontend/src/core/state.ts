import type { AgentState, Binding, Channel, Permission, Person, ProblemCode, Row, Run, Step } from '@/api'

/** A place is where rows stand: a channel's top level (no threadRootId) or one of its threads. */
export interface PlaceId {
  channelId: string
  threadRootId?: string | undefined
}

/** placeKey is a place's name in tables. */
export const placeKey = (p: PlaceId): string => (p.threadRootId ? `${p.channelId}/${p.threadRootId}` : p.channelId)

/** What is held of a place: one unbroken stretch of rows that ends with the newest. */
export interface Place extends PlaceId {
  /** Row ids, oldest first. */
  readonly ids: readonly string[]
  /** There are older rows on the server. */
  readonly more: boolean
  /** A page has come; until then only rows that arrived meanwhile are here. */
  readonly loaded: boolean
  /** After a reset: the newest row from before it. Between it and what comes now, rows may be missing. */
  readonly sureUpTo?: string | undefined
}

/** A post that the server has not confirmed yet. */
export interface Pending extends PlaceId {
  /** Ours; the row gets another. */
  readonly id: string
  readonly body: string
  /** ISO time, by this machine's clock. */
  readonly at: string
  /** Why it did not go out; undefined while it is on its way. */
  readonly problem?: Problem | undefined
  /** The server's row, where the stream brought it before the answer did. */
  readonly rowId?: string | undefined
}

/** A problem as the state keeps it. */
export interface Problem {
  readonly code: ProblemCode
  readonly message: string
}

/**
 * Live is what a run that is going has done so far. A turn says stretches of text between its steps; `text` is the stretch
 * that streams now. The other fields put together what was fetched and what streamed meanwhile (runs.ts).
 */
export interface Live {
  readonly text: string
  readonly steps: readonly Step[]
  /** Something was missed: fetch the run, then `run.loaded`. */
  readonly behind: boolean
  /** The fetched text of this stretch; undefined when nothing was fetched in it. */
  readonly base?: string | undefined
  /** What streamed since the fetch was begun, as long as that is not joined. */
  readonly since: string
  /** `base` and `since` were joined for good: what streams now is simply appended. */
  readonly joined: boolean
  /** The number of the text step that ended the stretch before; -1: none. */
  readonly textStep: number
}

/** How far a channel was read, and how much is new since. */
export interface Reading {
  /** The newest row that was read; its id and time. */
  readonly id: string
  readonly at: string
}

export interface Unread {
  readonly count: number
  /** There may be more than were counted. */
  readonly atLeast: boolean
}

/** `lost`: the stream broke and is tried again. `signed-out`: this browser has no session with this start of Hearth. */
export type Connection = 'connecting' | 'live' | 'lost' | 'signed-out'

export type Theme = 'system' | 'light' | 'dark'

export interface Preferences {
  readonly theme: Theme
  /** Enter sends and Shift+Enter breaks the line; otherwise Enter breaks it and Ctrl or ⌘ with Enter sends. */
  readonly enterSends: boolean
  /** The channel that was open last. */
  readonly lastChannel: string
  /** The widths of the side panes, in pixels. */
  readonly listWidth: number
  readonly detailWidth: number
}

type Table<T> = Readonly<Record<string, T>>

/** Everything the page knows. Rows, runs and the rest stand once, by id; order is kept beside them. Never changed in place. */
export interface State {
  readonly connection: Connection
  /** The place in the stream of events; undefined before the first. */
  readonly stream: { readonly epoch: string; readonly seq: number } | undefined
  /** How often all that is shown had to be fetched anew. */
  readonly generation: number
  readonly channels: Table<Channel>
  readonly channelsLoaded: boolean
  readonly bindings: Table<Binding>
  /** By binding id. */
  readonly agents: Table<AgentState>
  /** By channel id. */
  readonly people: Table<readonly Person[]>
  readonly rows: Table<Row>
  /** By place key. */
  readonly places: Table<Place>
  /** By their own id, in the order of posting. */
  readonly pending: Table<Pending>
  /** Row id to the id of the pending post it was: what is shown keeps its identity. */
  readonly posted: Table<string>
  readonly runs: Table<Run>
  /** By channel id: whether there are older runs on the server, and the oldest that is held without a hole. */
  readonly runPages: Table<{ readonly more: boolean; readonly oldest: string }>
  /** By run id. */
  readonly live: Table<Live>
  readonly permissions: Table<Permission>
  /** By channel id. */
  readonly reading: Table<Reading>
  readonly unread: Table<Unread>
  /** By place key. */
  readonly drafts: Table<string>
  readonly preferences: Preferences
}

export const initialState: State = {
  connection: 'connecting',
  stream: undefined,
  generation: 0,
  channels: {},
  channelsLoaded: false,
  bindings: {},
  agents: {},
  people: {},
  rows: {},
  places: {},
  pending: {},
  posted: {},
  runs: {},
  runPages: {},
  live: {},
  permissions: {},
  reading: {},
  unread: {},
  drafts: {},
  preferences: { theme: 'system', enterSends: true, lastChannel: '', listWidth: 232, detailWidth: 400 },
}
