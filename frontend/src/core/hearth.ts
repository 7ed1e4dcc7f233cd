import { openEvents, ProblemError, type Api, type Events, type FreshUndone, type Row, type SharedOptions, type StartedFresh, type StreamEvent } from '@/api'
import { Commands } from './commands'
import { placeKey, type Pending, type PlaceId, type Problem, type State } from './state'
import type { Store } from './store'
import { compareTimes } from './time'

/** problemOf is any error as the state keeps it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return { code: error.code, message: error.message }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) }
}

export interface HearthOptions {
  api: Api
  store: Store
  /** How the stream is opened, when it is not the one that this browser's pages share. */
  events?: (options: SharedOptions) => Pick<Events, 'close' | 'pause' | 'retry'>
  newId?: () => string
  now?: () => Date
}

/** How many rows one page has. */
export const pageSize = 60

/** How many runs one page has. */
const runsPage = 100

/**
 * Hearth is what the page does: it follows the stream, fetches into the store, and posts. It knows nothing of React. Every
 * method that fetches puts what it got into the store before it returns, and throws a ProblemError otherwise.
 */
export class Hearth {
  readonly api: Api
  readonly store: Store
  /** Who does which command at the moment. */
  readonly commands = new Commands()
  private readonly events: (options: SharedOptions) => Pick<Events, 'close' | 'pause' | 'retry'>
  private readonly newId: () => string
  private readonly now: () => Date
  private readonly following = new Set<string>()
  /** What the server knows this page by. */
  readonly page: string = crypto.randomUUID()
  private readonly retryAfter = 5000 // milliseconds

  constructor(options: HearthOptions) {
    this.api = options.api
    this.store = options.store
    this.events = options.events ?? openEvents
    this.newId = options.newId ?? (() => 'local-' + crypto.randomUUID())
    this.now = options.now ?? (() => new Date())
  }

  /** start follows the stream until stop is called. */
  start(): { stop: () => void; pause: () => void; retry: () => void } {
    const events = this.events({
      page: this.page,
      onEvent: (event) => {
        const before = this.store.get()
        this.store.dispatch({ type: 'event', event })
        for (const heard of this.listeners) heard(event, before)
        if (event.event === 'ready' || event.event === 'reset') this.connection('live')
      },
      onState: (state) => {
        if (state === 'broken') void this.lookAfter()
      },
    })
    const stop = this.store.subscribe(() => {
      this.catchUp()
      this.tellRead()
    })
    return {
      stop: () => {
        stop()
        events.close()
      },
      pause: () => {
        events.pause()
        // A page that says what it shows after it has left would count as open again.
        this.connection('lost')
      },
      retry: () => events.retry(),
    }
  }

  private readonly listeners = new Set<(event: StreamEvent, before: State) => void>()
  /** listen hears of each event of the stream, when it is in the state; `before` is the state before it. */
  listen(heard: (event: StreamEvent, before: State) => void): () => void {
    this.listeners.add(heard)
    return () => void this.listeners.delete(heard)
  }

  /** lookAfter finds out why the stream broke: a browser does not say. */
  private async lookAfter(): Promise<void> {
    const before = this.connections
    let found: 'lost' | 'signed-out' = 'lost'
    try {
      await this.api.permissions({ open: true })
    } catch (error) {
      if (problemOf(error).code === 'unauthorized') found = 'signed-out'
    }
    // It may have come back while we asked.
    if (before === this.connections) this.connection(found)
  }

  private connections = 0
  private connection(connection: 'live' | 'lost' | 'signed-out'): void {
    this.connections++
    this.store.dispatch({ type: 'connection', connection })
  }

  /** catchUp fetches the runs whose text was missed; each once at a time, again when more was missed meanwhile. */
  private catchUp(): void {
    for (const [id, live] of Object.entries(this.store.get().live)) {
      if (live.behind && !this.following.has(id)) void this.follow(id)
    }
  }

  private async follow(runId: string): Promise<void> {
    this.following.add(runId)
    this.store.dispatch({ type: 'run.asked', runId })
    try {
      this.store.dispatch({ type: 'run.loaded', detail: await this.api.run(runId) })
    } catch {
      // The stream goes on, the run's end brings the whole reply, and a reset asks again.
    } finally {
      this.following.delete(runId)
    }
    this.catchUp()
  }

  /** tellRead tells the server how far channels were read, one telling a channel at a time. */
  private tellRead(): void {
    const { reading, connection } = this.store.get()
    if (connection !== 'live') return
    for (const [id, { id: rowId }] of Object.entries(reading)) {
      if (!this.telling.has(id)) void this.tell(id, rowId)
    }
  }

  private readonly telling = new Set<string>()
  private async tell(channelId: string, rowId: string): Promise<void> {
    this.telling.add(channelId)
    try {
      const channel = await this.api.readChannel(channelId, rowId)
      this.telling.delete(channelId)
      this.store.dispatch({ type: 'read.told', rowId, channel })
    } catch (error) {
      // What was refused (the row is gone) would be refused again.
      if (problemOf(error).code !== 'offline') this.store.dispatch({ type: 'read.refused', channelId })
      // Otherwise it is told again when the stream is back, or when more is read.
      await new Promise((resolve) => setTimeout(resolve, this.retryAfter))
      this.telling.delete(channelId)
    }
  }

  // Fetching

  async loadChannels(signal?: AbortSignal): Promise<void> {
    this.store.dispatch({ type: 'channels.loaded', channels: await this.api.channels({ archived: true, signal }) })
  }

  async loadPermissions(signal?: AbortSignal): Promise<void> {
    this.store.dispatch({ type: 'permissions.loaded', permissions: await this.api.permissions({ open: true, signal }) })
  }

  async loadSetup(signal?: AbortSignal): Promise<void> {
    this.store.dispatch({ type: 'setup.loaded', setup: await this.api.setup({ signal }) })
  }

  async loadRoster(channelId: string, signal?: AbortSignal): Promise<void> {
    this.store.dispatch({ type: 'roster.loaded', channelId, ...(await this.api.roster(channelId, { signal })) })
  }

  /**
   * openPlace fetches what a place is opened with: the rows around `target` when it is not held; otherwise around the first that
   * is unread; otherwise the newest. False when the target is not to be found: then it opens as without one.
   */
  async openPlace(place: PlaceId, target?: string, signal?: AbortSignal): Promise<boolean> {
    const { places, channels, unread } = this.store.get()
    const held = places[placeKey(place)]
    if (target !== undefined) {
      if (held?.loaded && (held.ids.includes(target) || place.threadRootId === target)) return true
      if (await this.loadAround(place, target, signal)) return true
    }
    const mark = place.threadRootId ? '' : (channels[place.channelId]?.read_row_id ?? '')
    // Somewhere in the middle already: whoever is there is left in peace.
    if (held?.loaded && held.newer) return target === undefined
    const behind = held?.loaded && !held.sureUpTo && (held.ids[0] ?? '') <= mark
    if (mark !== '' && unread[place.channelId] && !behind && (await this.loadAround(place, mark, signal))) return target === undefined
    await this.loadRows(place, signal)
    return target === undefined
  }

  /** openAround fetches the rows around one instead of what is held. False when there is no such row. */
  openAround(place: PlaceId, row: string): Promise<boolean> {
    return this.loadAround(place, row)
  }

  /** loadRows fetches the newest rows of a place, and the runs they came of. */
  async loadRows(place: PlaceId, signal?: AbortSignal): Promise<void> {
    this.store.dispatch({ type: 'rows.asked', place })
    const [page, runs] = await Promise.all([
      this.api.rows({ ...place, limit: pageSize }, { signal }),
      this.api.runs(place.channelId, { limit: runsPage, signal }),
    ])
    this.store.dispatch({ type: 'runs.loaded', channelId: place.channelId, ...runs })
    this.store.dispatch({ type: 'rows.loaded', place, ...page })
  }

  /** loadAround fetches the rows around one, which need not stand in this place itself. False when there is no such row, or it is of another place. */
  private async loadAround(place: PlaceId, around: string, signal?: AbortSignal): Promise<boolean> {
    this.store.dispatch({ type: 'rows.asked', place })
    try {
      const [page, runs] = await Promise.all([
        this.api.rows({ ...place, around, limit: pageSize }, { signal }),
        this.api.runs(place.channelId, { limit: runsPage, signal }),
      ])
      this.store.dispatch({ type: 'runs.loaded', channelId: place.channelId, ...runs })
      await this.loadRunsOf(place.channelId, page.rows, signal)
      this.store.dispatch({ type: 'rows.loaded', place, around, ...page })
      return true
    } catch (error) {
      if (error instanceof ProblemError && error.status >= 400 && error.status < 500 && error.code !== 'unauthorized') return false
      throw error
    }
  }

  /** loadOlder fetches the page before what is held; does nothing where that is all. */
  async loadOlder(place: PlaceId, limit = pageSize, signal?: AbortSignal): Promise<void> {
    const held = this.store.get().places[placeKey(place)]
    const before = held?.ids[0]
    if (!held?.loaded || !held.more || before === undefined) return
    const page = await this.api.rows({ ...place, before, limit }, { signal })
    await this.loadRunsOf(place.channelId, page.rows, signal)
    this.store.dispatch({ type: 'rows.loaded', place, before, ...page })
  }

  /** loadNewer fetches the page after what is held; does nothing where that ends with the newest. */
  async loadNewer(place: PlaceId, limit = pageSize, signal?: AbortSignal): Promise<void> {
    const held = this.store.get().places[placeKey(place)]
    const after = held?.ids.at(-1)
    if (!held?.loaded || !held.newer || after === undefined) return
    const page = await this.api.rows({ ...place, after, limit }, { signal })
    await this.loadRunsOf(place.channelId, page.rows, signal)
    this.store.dispatch({ type: 'rows.loaded', place, after, ...page })
  }

  /**
   * loadRunsOf fetches the runs of these rows' time, so that each reply finds its figures and each question what became of it.
   * Pages of runs follow one another from the newest on; where rows are far from there, the page before the newest reply's run is
   * asked for instead. At most a few pages: figures are not worth more.
   */
  private async loadRunsOf(channelId: string, rows: readonly Row[], signal?: AbortSignal): Promise<void> {
    const oldest = rows[0]?.created_at
    for (let pages = 0; oldest !== undefined && pages < 4; pages++) {
      const { runPages, runs } = this.store.get()
      const held = runPages[channelId]
      const last = held && runs[held.oldest]
      if (!held?.more || !last || compareTimes(last.queued_at, oldest) < 0) return
      if (pages === 0) {
        const page = await this.api.runs(channelId, { before: last.id, limit: runsPage, signal })
        this.store.dispatch({ type: 'runs.loaded', channelId, before: last.id, ...page })
        continue
      }
      const missing = rows.findLast((row) => row.run_id !== '' && !(row.run_id in runs))?.run_id
      if (missing === undefined) return
      const [{ run }, page] = await Promise.all([this.api.run(missing, { signal }), this.api.runs(channelId, { before: missing, limit: runsPage, signal })])
      this.store.dispatch({ type: 'runs.found', runs: [run, ...page.runs] })
    }
  }

  // Posting

  /** post shows a message at once and sends it; what goes wrong is kept with it. */
  async post(place: PlaceId, body: string): Promise<void> {
    const post: Pending = { ...place, id: this.newId(), body, at: this.now().toISOString() }
    this.store.dispatch({ type: 'post.begun', post })
    await this.send(post)
  }

  async postAgain(id: string): Promise<void> {
    const post = this.store.get().pending[id]
    if (!post) return
    this.store.dispatch({ type: 'post.again', id })
    await this.send(post)
  }

  private async send(post: Pending): Promise<void> {
    try {
      const { row, runs } = await this.api.post(post.channelId, post.body, post.threadRootId)
      this.store.dispatch({ type: 'post.done', id: post.id, row, runs })
    } catch (error) {
      this.store.dispatch({ type: 'post.failed', id: post.id, problem: problemOf(error) })
    }
  }

  // Acting. What comes of it is put in from the answer; the stream tells everybody else.

  /** editRow changes the person's own row, and says whether agents had been told it. */
  async editRow(id: string, body: string): Promise<boolean> {
    const { row, runs, told } = await this.api.editRow(id, body)
    this.store.dispatch({ type: 'row.changed', row })
    this.store.dispatch({ type: 'runs.found', runs })
    return told
  }

  /** deleteRow takes the person's own row away with what it asked for, and says whether it is gone altogether. */
  async deleteRow(id: string): Promise<boolean> {
    const { row, removed } = await this.api.deleteRow(id)
    this.store.dispatch(removed ? { type: 'row.gone', id } : { type: 'row.changed', row })
    return removed
  }

  async stopRun(id: string): Promise<void> {
    this.store.dispatch({ type: 'run.changed', run: await this.api.stopRun(id) })
  }

  async retryRun(id: string): Promise<void> {
    this.store.dispatch({ type: 'run.changed', run: await this.api.retryRun(id) })
  }

  /** startFresh starts an agent fresh, at once, and tells what it had. */
  async startFresh(bindingId: string): Promise<StartedFresh> {
    const begun = await this.api.startFresh(bindingId)
    this.store.dispatch({ type: 'binding.loaded', binding: begun.binding })
    return begun
  }

  async undoFresh(bindingId: string): Promise<FreshUndone> {
    const back = await this.api.undoFresh(bindingId)
    this.store.dispatch({ type: 'binding.loaded', binding: back.binding })
    return back
  }

  async answer(permissionId: string, verdict: Parameters<Api['answerPermission']>[1]): Promise<void> {
    this.store.dispatch({ type: 'permission.changed', permission: await this.api.answerPermission(permissionId, verdict) })
  }
}
