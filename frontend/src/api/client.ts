import createClient, { type Client } from 'openapi-fetch'
import { ProblemError, toProblem, type ProblemTexts } from './problem'
import type { operations, paths } from './schema'
import { upload, type StoredFile, type UploadOptions } from './upload'
import type {
  Agent, AgentDetail, AgentState, Binding, BindingChange, Cache, Change, Channel, ChannelChange, ClientCommands, Forecast, FreshUndone, LogPage,
  NewBinding, NewChannel, NewDirectLine, PageState, Permission, Person, Report, Row, Rule, Run, RunDetail, SearchMatch, Session, Setup, StartedFresh, Strategies, Undone, UndoOrder,
  Verdict, Version, Workbench, WorkbenchDeleted, WorkbenchMatch, WorkbenchOrigin, WorkbenchPiece, WorkbenchRefused,
  WorkbenchSettings,
} from './types'

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined
}

/** Where rows stand: a channel's top level, or one of its threads. */
export interface RowsQuery {
  channelId: string
  threadRootId?: string | undefined
  /** Only rows before this one, or after it, or those around it. Each excludes the others. */
  before?: string | undefined
  after?: string | undefined
  around?: string | undefined
  /** Those of this time and later. */
  since?: string | undefined
  /** 1 to 200. */
  limit?: number
}

export interface RowsPage {
  rows: Row[]
  /** There are older ones. */
  more: boolean
  /** There are newer ones. */
  newer: boolean
  root?: Row | undefined
}

type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>
export type SearchQuery = Query<'search'>
export type LogQuery = Query<'read-logs'>
export type WorkbenchQuery = Query<'get-workbench'>
export type WorkbenchPieceQuery = Query<'read-workbench-file'>
export type CacheQuery = Query<'get-cache'>
export type StrategiesQuery = Query<'compare-strategies'>
export type WorkbenchOriginQuery = Query<'get-workbench-origin'>

/** A file of a workbench, by its path or, where that can only come near it, by its path's bytes. */
export type WorkbenchFileName = { path: string } | { path_bytes: string }

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/**
 * Api is Hearth's HTTP API, typed by what the server says of itself (schema.d.ts). Every call either gives what was asked
 * for or throws a ProblemError. Bodies are JSON text, never a Blob or a FormData: one of those crashes the window.
 */
export class Api {
  private readonly client: Client<paths>

  constructor(
    private readonly texts: ProblemTexts,
    options: { baseUrl?: string; fetch?: (request: Request) => Promise<Response> } = {},
  ) {
    this.client = createClient<paths>({
      baseUrl: options.baseUrl ?? globalThis.location.origin,
      ...(options.fetch ? { fetch: options.fetch } : {}),
    })
  }

  private async take<T>(call: Promise<Answer<T>>): Promise<T> {
    let answer: Answer<T>
    try {
      answer = await call
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
      const problem = new ProblemError('offline', this.texts.offline, 0)
      problem.cause = cause
      throw problem
    }
    if (!answer.response.ok) throw toProblem(answer.error, answer.response.status, this.texts)
    return answer.data as T
  }

  async health(o: CallOptions = {}): Promise<{ version: string }> {
    return this.take(this.client.GET('/api/health', { signal: o.signal }))
  }

  /** Says what this page shows, while its stream of events is open. */
  async tellPage(id: string, body: PageState): Promise<void> {
    await this.take(this.client.PUT('/api/pages/{id}', { params: { path: { id } }, body }))
  }

  /** Whether this page, of all that are open, is to notify of something. */
  async mayNotify(id: string, body: { channel_id: string; notice: string }): Promise<boolean> {
    return (await this.take(this.client.POST('/api/pages/{id}/notices', { params: { path: { id } }, body }))).show
  }

  setup(o: CallOptions = {}): Promise<Setup> {
    return this.take(this.client.GET('/api/setup', { signal: o.signal }))
  }

  // Logs

  logs(query: LogQuery, o: CallOptions = {}): Promise<LogPage> {
    return this.take(this.client.GET('/api/logs', { params: { query }, signal: o.signal }))
  }
  makeReport(o: CallOptions = {}): Promise<Report> {
    return this.take(this.client.POST('/api/reports', { signal: o.signal }))
  }

  // Channels

  async channels(o: CallOptions & { archived?: boolean } = {}): Promise<Channel[]> {
    const query = o.archived ? { archived: true } : {}
    return (await this.take(this.client.GET('/api/channels', { params: { query }, signal: o.signal }))).channels
  }
  createChannel(body: NewChannel): Promise<Channel> {
    return this.take(this.client.POST('/api/channels', { body }))
  }
  updateChannel(id: string, body: ChannelChange): Promise<Channel> {
    return this.take(this.client.PATCH('/api/channels/{id}', { params: { path: { id } }, body }))
  }
  archiveChannel(id: string): Promise<Channel> {
    return this.take(this.client.POST('/api/channels/{id}/archive', { params: { path: { id } } }))
  }
  unarchiveChannel(id: string): Promise<Channel> {
    return this.take(this.client.POST('/api/channels/{id}/unarchive', { params: { path: { id } } }))
  }
  deleteChannel(id: string): Promise<{ rows: number }> {
    return this.take(this.client.DELETE('/api/channels/{id}', { params: { path: { id } } }))
  }
  /** The mark of what was read only moves forward. */
  readChannel(id: string, rowId: string): Promise<Channel> {
    return this.take(this.client.PUT('/api/channels/{id}/read', { params: { path: { id } }, body: { row_id: rowId } }))
  }
  openDirectLine(body: NewDirectLine): Promise<{ channel: Channel; binding: Binding }> {
    return this.take(this.client.POST('/api/direct', { body }))
  }

  // Rows

  async rows({ channelId, threadRootId, before, after, around, since, limit }: RowsQuery, o: CallOptions = {}): Promise<RowsPage> {
    const query = {
      ...(threadRootId ? { thread_root_id: threadRootId } : {}),
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
      ...(around ? { around } : {}),
      ...(since ? { since } : {}),
      ...(limit ? { limit } : {}),
    }
    const page = await this.take(this.client.GET('/api/channels/{id}/messages', { params: { path: { id: channelId }, query }, signal: o.signal }))
    return { rows: page.rows, more: page.has_before, newer: page.has_after, root: page.root }
  }
  row(id: string, o: CallOptions = {}): Promise<Row> {
    return this.take(this.client.GET('/api/messages/{id}', { params: { path: { id } }, signal: o.signal }))
  }
  post(channelId: string, body: string, threadRootId?: string): Promise<{ row: Row; runs: Run[] }> {
    return this.take(
      this.client.POST('/api/channels/{id}/messages', {
        params: { path: { id: channelId } },
        body: { body, ...(threadRootId ? { thread_root_id: threadRootId } : {}) },
      }),
    )
  }
  editRow(id: string, body: string): Promise<{ row: Row; runs: Run[]; told: boolean }> {
    return this.take(this.client.PATCH('/api/messages/{id}', { params: { path: { id } }, body: { body } }))
  }
  deleteRow(id: string): Promise<{ row: Row; removed: boolean; told: boolean }> {
    // It may be the last thing the page asks for: keepalive lets it outlive the page.
    return this.take(this.client.DELETE('/api/messages/{id}', { params: { path: { id } }, keepalive: true }))
  }
  /** versions are what a row said before it was edited, newest first. */
  async versions(id: string, o?: CallOptions): Promise<Version[]> {
    return (await this.take(this.client.GET('/api/messages/{id}/versions', { params: { path: { id } }, ...o }))).versions
  }

  /** search finds rows in all channels; `next` of one answer asks for the page after it. */
  search(query: SearchQuery, o: CallOptions = {}): Promise<{ matches: SearchMatch[]; next: string; faults: string[] }> {
    return this.take(this.client.GET('/api/search', { params: { query }, signal: o.signal }))
  }

  // Files

  /** uploadFile keeps a file in the channel's folder, 25 MB at most. */
  uploadFile(channelId: string, name: string, bytes: ArrayBuffer, o: UploadOptions = {}): Promise<StoredFile> {
    return upload(`/api/channels/${encodeURIComponent(channelId)}/files?name=${encodeURIComponent(name)}`, bytes, this.texts, o)
  }

  // Workbenches

  /** workbenches are those of a channel with their newest entries, or one page of one kind of one of them. */
  async workbenches(channelId: string, query: WorkbenchQuery = {}, o: CallOptions = {}): Promise<Workbench[]> {
    return (await this.take(this.client.GET('/api/channels/{id}/workbench', { params: { path: { id: channelId }, query }, signal: o.signal }))).workbenches
  }
  workbenchPiece(channelId: string, query: WorkbenchPieceQuery, o: CallOptions = {}): Promise<WorkbenchPiece> {
    return this.take(this.client.GET('/api/channels/{id}/workbench/file', { params: { path: { id: channelId }, query }, signal: o.signal }))
  }
  findInWorkbench(channelId: string, q: string, limit: number, o: CallOptions = {}): Promise<{ matches: WorkbenchMatch[]; more: boolean }> {
    return this.take(this.client.GET('/api/channels/{id}/workbench/find', { params: { path: { id: channelId }, query: { q, limit } }, signal: o.signal }))
  }
  /** workbenchOrigin is what wrote a file last; undefined when no run says so. */
  async workbenchOrigin(channelId: string, query: WorkbenchOriginQuery, o: CallOptions = {}): Promise<WorkbenchOrigin | undefined> {
    return (await this.take(this.client.GET('/api/channels/{id}/workbench/origin', { params: { path: { id: channelId }, query }, signal: o.signal }))).origin
  }
  /** openInWorkbench opens a file on the machine that Hearth runs on. */
  async openInWorkbench(channelId: string, file: WorkbenchFileName & { bench: string }, where: 'editor' | 'folder'): Promise<void> {
    await this.take(this.client.POST('/api/channels/{id}/workbench/open', { params: { path: { id: channelId } }, body: { ...file, in: where } }))
  }
  deleteInWorkbench(channelId: string, bench: string, files: WorkbenchFileName[]): Promise<{ deleted: WorkbenchDeleted[]; refused: WorkbenchRefused[] }> {
    return this.take(this.client.POST('/api/channels/{id}/workbench/delete', { params: { path: { id: channelId } }, body: { bench, files } }))
  }
  async deletedInWorkbench(channelId: string, o: CallOptions = {}): Promise<WorkbenchDeleted[]> {
    return (await this.take(this.client.GET('/api/channels/{id}/workbench/deleted', { params: { path: { id: channelId } }, signal: o.signal }))).deleted
  }
  /** restoreInWorkbench restores a deleted file; `as`: under another path. */
  restoreInWorkbench(channelId: string, file: WorkbenchFileName & { bench: string; deleted: string; as?: string }): Promise<{ path: string; path_bytes: string; shown: string }> {
    return this.take(this.client.POST('/api/channels/{id}/workbench/restore', { params: { path: { id: channelId } }, body: file }))
  }
  workbenchSettings(o: CallOptions = {}): Promise<WorkbenchSettings> {
    return this.take(this.client.GET('/api/workbench/settings', { signal: o.signal }))
  }
  changeWorkbenchSettings(body: Partial<WorkbenchSettings>): Promise<WorkbenchSettings> {
    return this.take(this.client.PATCH('/api/workbench/settings', { body }))
  }

  // Agents

  roster(channelId: string, o: CallOptions = {}): Promise<{ people: Person[]; agents: Agent[] }> {
    return this.take(this.client.GET('/api/channels/{id}/roster', { params: { path: { id: channelId } }, signal: o.signal }))
  }
  createBinding(channelId: string, body: NewBinding): Promise<Binding> {
    return this.take(this.client.POST('/api/channels/{id}/bindings', { params: { path: { id: channelId } }, body }))
  }
  updateBinding(id: string, body: BindingChange): Promise<Binding> {
    return this.take(this.client.PATCH('/api/bindings/{id}', { params: { path: { id } }, body }))
  }
  async deleteBinding(id: string): Promise<void> {
    await this.take(this.client.DELETE('/api/bindings/{id}', { params: { path: { id } } }))
  }
  startFresh(id: string): Promise<StartedFresh> {
    return this.take(this.client.POST('/api/bindings/{id}/fresh', { params: { path: { id } } }))
  }
  /** undoFresh takes Start fresh back; refused once the agent was asked something. */
  undoFresh(id: string): Promise<FreshUndone> {
    return this.take(this.client.POST('/api/bindings/{id}/fresh/undo', { params: { path: { id } } }))
  }
  restoreSession(id: string): Promise<Session> {
    return this.take(this.client.POST('/api/bindings/{id}/restore', { params: { path: { id } } }))
  }
  stopAgent(id: string): Promise<{ stopped: boolean }> {
    return this.take(this.client.POST('/api/bindings/{id}/stop', { params: { path: { id } } }))
  }
  /** agentDetail is one agent, looked at closely. It asks the agent's process. */
  agentDetail(bindingId: string, o: CallOptions = {}): Promise<AgentDetail> {
    return this.take(this.client.GET('/api/bindings/{id}/detail', { params: { path: { id: bindingId } }, signal: o.signal }))
  }
  /** commands are what an agent's client can be told to do by itself. */
  commands(bindingId: string, o: CallOptions = {}): Promise<ClientCommands> {
    return this.take(this.client.GET('/api/bindings/{id}/commands', { params: { path: { id: bindingId } }, signal: o.signal }))
  }
  /** forecasts are what is to be expected of the agents of a channel that have had a turn. */
  async forecasts(channelId: string, o: CallOptions = {}): Promise<Forecast[]> {
    const query = { limit: 1, days: 1 }
    return (await this.take(this.client.GET('/api/channels/{id}/cache', { params: { path: { id: channelId }, query }, signal: o.signal }))).forecasts
  }
  async rules(bindingId: string, o: CallOptions = {}): Promise<Rule[]> {
    return (await this.take(this.client.GET('/api/bindings/{id}/rules', { params: { path: { id: bindingId } }, signal: o.signal }))).rules
  }
  async removeRule(bindingId: string, rule: string): Promise<void> {
    await this.take(this.client.DELETE('/api/bindings/{id}/rules/{rule}', { params: { path: { id: bindingId, rule } } }))
  }
  warmAgent(id: string): Promise<AgentState> {
    return this.take(this.client.POST('/api/bindings/{id}/warm', { params: { path: { id } } }))
  }

  // Runs

  runs(channelId: string, o: CallOptions & { before?: string | undefined; limit?: number; binding?: string | undefined } = {}): Promise<{ runs: Run[]; more: boolean }> {
    const query = { ...(o.before ? { before: o.before } : {}), ...(o.limit ? { limit: o.limit } : {}), ...(o.binding ? { binding: o.binding } : {}) }
    return this.take(this.client.GET('/api/channels/{id}/runs', { params: { path: { id: channelId }, query }, signal: o.signal }))
  }
  run(id: string, o: CallOptions = {}): Promise<RunDetail> {
    return this.take(this.client.GET('/api/runs/{id}', { params: { path: { id } }, signal: o.signal }))
  }
  stopRun(id: string): Promise<Run> {
    return this.take(this.client.POST('/api/runs/{id}/stop', { params: { path: { id } } }))
  }
  retryRun(id: string): Promise<Run> {
    return this.take(this.client.POST('/api/runs/{id}/retry', { params: { path: { id } } }))
  }

  /** changes are the files that a run changed, line by line. */
  async changes(runId: string, o: CallOptions = {}): Promise<Change[]> {
    return (await this.take(this.client.GET('/api/runs/{id}/changes', { params: { path: { id: runId } }, signal: o.signal }))).changes
  }
  undoChanges(runId: string, order: UndoOrder): Promise<Undone> {
    return this.take(this.client.POST('/api/runs/{id}/changes/undo', { params: { path: { id: runId } }, body: order }))
  }
  async openChange(runId: string, n: number): Promise<void> {
    await this.take(this.client.POST('/api/runs/{id}/changes/{n}/open', { params: { path: { id: runId, n } } }))
  }

  /** cache is a page of a channel's turns with what they used; the sums and estimates beside it are of the whole channel. */
  cache(channelId: string, query: CacheQuery = {}, o: CallOptions = {}): Promise<Cache> {
    return this.take(this.client.GET('/api/channels/{id}/cache', { params: { path: { id: channelId }, query }, signal: o.signal }))
  }
  /** strategies lets the server play a channel again, which takes seconds. Ending the call ends it. */
  strategies(channelId: string, query: StrategiesQuery, o: CallOptions = {}): Promise<Strategies> {
    return this.take(this.client.GET('/api/channels/{id}/strategies', { params: { path: { id: channelId }, query }, signal: o.signal }))
  }

  // Permissions

  async permissions(o: CallOptions & { open?: boolean; channelId?: string } = {}): Promise<Permission[]> {
    const query = { ...(o.open === undefined ? {} : { open: o.open }), ...(o.channelId ? { channel: o.channelId } : {}) }
    return (await this.take(this.client.GET('/api/permissions', { params: { query }, signal: o.signal }))).permissions
  }
  answerPermission(id: string, body: Verdict): Promise<Permission> {
    return this.take(this.client.POST('/api/permissions/{id}', { params: { path: { id } }, body }))
  }
}
