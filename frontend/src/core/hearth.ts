import { Events, ProblemError, type Api, type EventsOptions } from '@/api'
import { placeKey, type Pending, type PlaceId, type Problem } from './state'
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
  /** How the stream is opened; tests give their own. */
  events?: (options: EventsOptions) => Pick<Events, 'close' | 'retry'>
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
  private readonly events: (options: EventsOptions) => Pick<Events, 'close' | 'retry'>
  private readonly newId: () => string
  private readonly now: () => Date
  private readonly following = new Set<string>()

  constructor(options: HearthOptions) {
    this.api = options.api
    this.store = options.store
    this.events = options.events ?? ((o) => new Events(o))
    this.newId = options.newId ?? (() => 'local-' + crypto.randomUUID())
    this.now = options.now ?? (() => new Date())
  }

  /** start follows the stream until stop is called. */
  start(): { stop: () => void; retry: () => void } {
    const events = this.events({
      onEvent: (event) => {
        this.store.dispatch({ type: 'event', event })
        if (event.event === 'ready' || event.event === 'reset') this.connection('live')
      },
      onState: (state) => {
        if (state === 'broken') void this.lookAfter()
      },
    })
    const stop = this.store.subscribe(() => this.catchUp())
    return {
      stop: () => {
        stop()
        events.close()
      },
      retry: () => events.retry(),
    }
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

  // Fetching

  async loadChannels(signal?: AbortSignal): Promise<void> {
    this.store.dispatch({ type: 'channels.loaded', channels: await this.api.channels({ archived: true, signal }) })
  }

  async loadPermissions(signal?: AbortSignal): Promise<void> {
    this.store.dispatch({ type: 'permissions.loaded', permissions: await this.api.permissions({ open: true, signal }) })
  }

  async loadRoster(channelId: string, signal?: AbortSignal): Promise<void> {
    this.store.dispatch({ type: 'roster.loaded', channelId, ...(await this.api.roster(channelId, { signal })) })
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

  /** loadOlder fetches the page before what is held; does nothing where that is all. */
  async loadOlder(place: PlaceId, limit = pageSize, signal?: AbortSignal): Promise<void> {
    const held = this.store.get().places[placeKey(place)]
    const before = held?.ids[0]
    if (!held?.loaded || !held.more || before === undefined) return
    const page = await this.api.rows({ ...place, before, limit }, { signal })
    const oldest = page.rows[0]?.created_at
    if (oldest) await this.loadRunsBackTo(place.channelId, oldest, signal)
    this.store.dispatch({ type: 'rows.loaded', place, before, ...page })
  }

  /** Runs are paged beside the rows, so that each reply finds its figures. */
  private async loadRunsBackTo(channelId: string, time: string, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const { runPages, runs } = this.store.get()
      const held = runPages[channelId]
      const oldest = held && runs[held.oldest]
      if (!held?.more || !oldest || compareTimes(oldest.queued_at, time) < 0) return
      const page = await this.api.runs(channelId, { before: oldest.id, limit: runsPage, signal })
      this.store.dispatch({ type: 'runs.loaded', channelId, before: oldest.id, ...page })
      if (page.runs.length === 0) return
    }
  }

  /**
   * loadBackTo pages back until a row is held. False when it is not in that place, or further back than `pages` long pages
   * (the server pages backwards only).
   */
  async loadBackTo(place: PlaceId, rowId: string, pages = 50, signal?: AbortSignal): Promise<boolean> {
    for (let i = 0; i < pages; i++) {
      const held = this.store.get().places[placeKey(place)]
      if (!held) return false
      if (held.ids.includes(rowId)) return true
      if (!held.more) return false
      await this.loadOlder(place, 200, signal)
    }
    return false
  }

  /** countUnread looks at the newest rows of channels for what came while the page was closed, a few at a time. */
  async countUnread(channelIds: readonly string[], signal?: AbortSignal): Promise<void> {
    const queue = [...channelIds]
    const work = async () => {
      for (let id = queue.shift(); id !== undefined && !signal?.aborted; id = queue.shift()) {
        const page = await this.api.rows({ channelId: id, limit: 50 }, { signal })
        this.store.dispatch({ type: 'unread.counted', channelId: id, rows: page.rows, more: page.more })
      }
    }
    await Promise.all([work(), work(), work()])
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

  async stopRun(id: string): Promise<void> {
    this.store.dispatch({ type: 'run.changed', run: await this.api.stopRun(id) })
  }

  async retryRun(id: string): Promise<void> {
    this.store.dispatch({ type: 'run.changed', run: await this.api.retryRun(id) })
  }

  async startFresh(bindingId: string): Promise<void> {
    this.store.dispatch({ type: 'binding.loaded', binding: await this.api.startFresh(bindingId) })
  }

  async answer(permissionId: string, verdict: Parameters<Api['answerPermission']>[1]): Promise<void> {
    this.store.dispatch({ type: 'permission.changed', permission: await this.api.answerPermission(permissionId, verdict) })
  }
}
