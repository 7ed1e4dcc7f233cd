import type { Events, EventsOptions, StreamEvent } from './events'

/** What a page says to the hub. `after`: the id of the last event that it saw; empty: none. */
export type ToHub = { say: 'join'; page: string; after: string } | { say: 'retry' }

/** What the hub says to a page. `hello` is the first: the hub holds that lock for as long as it lives. */
export type ToPage = { say: 'hello'; lock: string } | { say: 'event'; event: StreamEvent } | { say: 'state'; state: 'open' | 'broken' }

/** One end of what a page and the hub talk by. */
export type Port<In, Out> = Pick<MessagePort, 'close'> & { onmessage: ((message: MessageEvent<In>) => void) | null; postMessage: (message: Out) => void }

/** What is used of the browser's locks: whoever holds one and dies lets go of it, which nothing else tells for sure. */
export type Locks = { request: (name: string, options: { signal?: AbortSignal }, granted: () => Promise<void>) => Promise<void> }

/** The lock that a page holds for as long as it hears the hub. */
export const lockOf = (page: string) => 'hearth/page/' + page

export interface HubOptions {
  locks: Locks
  open: (options: EventsOptions) => Pick<Events, 'close' | 'retry'>
  /** Tells the server that a page is gone, whose stream goes on. */
  gone: (page: string) => Promise<unknown>
}

/**
 * Hub owns the stream of events that all pages of a browser hear, and lives in a worker that they share. It keeps no events: a page
 * that comes is told where the stream is, and knows by that whether it missed something.
 */
export class Hub {
  private readonly lock = 'hearth/hub/' + crypto.randomUUID()
  private readonly alive: Promise<void>
  private readonly pages = new Map<string, Port<ToHub, ToPage>>()
  private events: Pick<Events, 'close' | 'retry'> | undefined
  /** Where the stream is; undefined before it has begun. */
  private at: Extract<StreamEvent, { event: 'ready' }> | undefined
  private broken = false

  constructor(private readonly options: HubOptions) {
    this.alive = new Promise((held) => {
      void options.locks.request(this.lock, {}, () => {
        held()
        return new Promise(() => undefined)
      })
    })
  }

  connect(port: Port<ToHub, ToPage>): void {
    port.onmessage = ({ data }) => {
      if (data.say === 'join') this.join(port, data.page, data.after)
      else this.events?.retry()
    }
    void this.alive.then(() => port.postMessage({ say: 'hello', lock: this.lock }))
  }

  private join(port: Port<ToHub, ToPage>, page: string, after: string): void {
    this.pages.set(page, port)
    // The lock is kept while the server is told, so that a page that comes back at once comes after that.
    void this.options.locks.request(lockOf(page), {}, () => this.leave(page))
    if (!this.events) {
      this.events = this.options.open({ after, onEvent: (event) => this.pass(event), onState: (state) => this.turn(state) })
      return
    }
    if (this.at) port.postMessage({ say: 'event', event: this.at })
    if (!this.broken) return
    port.postMessage({ say: 'state', state: 'broken' })
    this.events.retry() // this browser may just have signed in
  }

  private async leave(page: string): Promise<void> {
    this.pages.get(page)?.close()
    this.pages.delete(page)
    if (this.pages.size > 0) {
      await this.options.gone(page).catch(() => undefined) // a server that is not there knows of no page
      return
    }
    this.events?.close()
    this.events = this.at = undefined
    this.broken = false
  }

  private pass(event: StreamEvent): void {
    const { id, epoch, seq } = event
    const begun = event.event === 'ready' || event.event === 'reset' ? event : this.at
    if (begun) this.at = { id, epoch, seq, event: 'ready', data: { ...begun.data, epoch, seq } }
    this.tell({ say: 'event', event })
  }

  private turn(state: 'open' | 'broken'): void {
    this.broken = state === 'broken'
    this.tell({ say: 'state', state })
  }

  private tell(message: ToPage): void {
    for (const port of this.pages.values()) port.postMessage(message)
  }
}
