import type { AgentState, Binding, Channel, Permission, Person, ProblemCode, Row, Run, Saving, Setup, Step } from '@/api'
import type { Keymap } from './keys'
import type { Language } from './texts/catalogue'

/** A place is where rows stand: a channel's top level (no threadRootId) or one of its threads. */
export interface PlaceId {
  channelId: string
  threadRootId?: string | undefined
}

/** placeKey is a place's name in tables. */
export const placeKey = (p: PlaceId): string => (p.threadRootId ? `${p.channelId}/${p.threadRootId}` : p.channelId)

/** What is held of a place: one unbroken stretch of rows. It ends with the newest, unless `newer` says otherwise. */
export interface Place extends PlaceId {
  /** Row ids, oldest first. */
  readonly ids: readonly string[]
  /** There are older rows on the server. */
  readonly more: boolean
  /** There are newer rows on the server: what the stream brings belongs behind a hole, and is not put in. */
  readonly newer?: boolean | undefined
  /** While there are newer ones: the newest row that is known of. */
  readonly newest?: string | undefined
  /** Counts how often the stretch was begun anew somewhere else. */
  readonly window?: number | undefined
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
 * that streams now, from its beginning and without a hole. The other fields say how it goes on (runs.ts).
 */
export interface Live {
  readonly text: string
  readonly steps: readonly Step[]
  /** What was kept out of the agent's context so far, in order. */
  readonly savings: readonly Saving[]
  /** Something was missed: fetch the run, then `run.loaded`. */
  readonly behind: boolean
  /** Pieces of this stretch that streamed behind a hole, each with its place in it. */
  readonly later: readonly Piece[]
  /** The number of the text step that ended the stretch before; -1: none. */
  readonly textStep: number
  /** What was fetched is of a later stretch than what streams: that is passed by until the stream gets there. */
  readonly ahead: boolean
}

/** A piece of text that streamed, and where in its stretch it stands, in UTF-16 code units. */
export interface Piece {
  readonly at: number
  readonly text: string
}

/** How far a channel was read, while the server has not heard of it yet. */
export interface Reading {
  /** The newest row that was read; its id and time. */
  readonly id: string
  readonly at: string
}

export interface Unread {
  readonly count: number
  /** There may be more: the server counts so far only. */
  readonly atLeast: boolean
}

/** `lost`: the stream broke and is tried again. `signed-out`: this browser has no session with this start of Hearth. */
export type Connection = 'connecting' | 'live' | 'lost' | 'signed-out'

export type Theme = 'system' | 'light' | 'dark'
export type Size = 'compact' | 'normal' | 'large'
/** `system`: the first of the system's languages that there is a catalogue of. */
export type LanguageChoice = 'system' | Language

/** What a person can be notified of. */
export type NoticeKind = 'reply' | 'permission' | 'failed'
export const noticeKinds: readonly NoticeKind[] = ['reply', 'permission', 'failed']

export interface Preferences {
  readonly theme: Theme
  /** Enter sends and Shift+Enter breaks the line; otherwise Enter breaks it and Ctrl or ⌘ with Enter sends. */
  readonly enterSends: boolean
  /** How large everything is. */
  readonly size: Size
  /** The page speaks it from its next start on. */
  readonly language: LanguageChoice
  /** The channel that was open last. */
  readonly lastChannel: string
  /** The folder whose channels are listed; empty: all. */
  readonly workspace: string
  /** The welcome was read and put away. */
  readonly welcomed: boolean
  /** The keys that the person chose. */
  readonly keys: Keymap
  /** The widths of the side panes, in pixels. */
  readonly listWidth: number
  readonly detailWidth: number
  /** What was looked for everywhere, the newest first. */
  readonly searches: readonly string[]
  /** What to be notified of while looking elsewhere. */
  readonly notify: readonly NoticeKind[]
  /** The ids of channels that nothing is notified of. */
  readonly muted: readonly string[]
  readonly notifyPaused: boolean
  /** The offer to be notified, where a browser has to be asked, was turned down. */
  readonly notifyDeclined: boolean
  /** The id of the agent that a quick mention went to last. */
  readonly mentioned: string
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
  /** The person's own row that is being edited; empty: none. */
  readonly editing: string
  /** By id: the person's rows that are deleted in a moment, unless Undo is pressed. */
  readonly leaving: Table<true>
  /** By root row id: how many rows came into a thread since it was last looked at. */
  readonly threadNews: Table<number>
  /** By channel id. */
  readonly reading: Table<Reading>
  readonly unread: Table<Unread>
  /** By channel id: counts up as something in its workbenches changes. '' counts what may have been missed of any. */
  readonly benchNews: Table<number>
  /** By place key. */
  readonly drafts: Table<string>
  /** What this Hearth found on its machine; undefined until asked. */
  readonly setup: Setup | undefined
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
  editing: '',
  leaving: {},
  threadNews: {},
  reading: {},
  unread: {},
  benchNews: {},
  drafts: {},
  setup: undefined,
  preferences: { theme: 'system', enterSends: true, size: 'normal', language: 'system', lastChannel: '', workspace: '', welcomed: false, keys: {}, listWidth: 232, detailWidth: 400, searches: [],
    notify: ['reply', 'permission', 'failed'], muted: [], notifyPaused: false, notifyDeclined: false, mentioned: '' },
}
