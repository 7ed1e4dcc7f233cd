import { Events, type EventsOptions } from './events'
import { lockOf, type Locks, type Port, type ToHub, type ToPage } from './hub'

/** What a SharedWorker does for us. */
export interface SharedHub {
  readonly port: Port<ToPage, ToHub>
  onerror: ((event: ErrorEvent) => void) | null
}

export interface SharedOptions extends EventsOptions {
  /** What the server knows this page by. */
  page: string
}

/** What SharedEvents works with; tests give their own. */
export interface SharedMeans {
  connect: () => SharedHub
  locks: Locks
  /** A stream of this page's own. */
  alone: (options: EventsOptions) => Pick<Events, 'close' | 'pause' | 'retry'>
}

/** How long the worker may take to say hello, in milliseconds, until the page opens a stream of its own. */
export const patience = 10_000

const browsers = (): SharedMeans => ({
  connect: () => new SharedWorker(new URL('./hub-worker.ts', import.meta.url), { type: 'module', name: 'hearth' }),
  locks: navigator.locks,
  alone: (options) => new Events(options),
})

/**
 * SharedEvents hears the stream that all pages of a browser share: a browser opens six connections to one server, and each stream
 * keeps one. The stream is a worker's, so that no page waits for another that is frozen or busy. Page and worker hold a lock each,
 * by which the other notices that it is gone. Where the worker does not begin, the page opens a stream of its own.
 */
export class SharedEvents {
  private last: string
  /** Ends what was begun to hear the hub; aborted: this page does not hear it. */
  private stay = new AbortController()
  private own: Pick<Events, 'close' | 'pause' | 'retry'> | undefined
  private closed = false
  private port: Port<ToPage, ToHub> | undefined

  constructor(
    private readonly options: SharedOptions,
    private readonly means: SharedMeans = browsers(),
  ) {
    this.last = options.after ?? ''
    this.join()
  }

  /** As Events.retry. */
  retry(): void {
    if (this.closed) return
    if (this.own) this.own.retry()
    else if (this.stay.signal.aborted) this.join()
    else this.port?.postMessage({ say: 'retry' })
  }

  /** As Events.pause: the stream goes on for other pages. One that is frozen would have everything kept for it. */
  pause(): void {
    this.own?.pause()
    this.stay.abort()
  }

  close(): void {
    this.closed = true
    this.stay.abort()
    this.own?.close()
  }

  private join(): void {
    const stay = new AbortController()
    const { signal } = stay
    this.stay = stay
    let hub: SharedHub
    try {
      hub = this.means.connect()
    } catch {
      this.alone() // it is there and not allowed: some browsers' private windows
      return
    }
    const { port } = hub
    this.port = port
    const timer = setTimeout(() => this.alone(), patience)
    hub.onerror = () => {
      if (!signal.aborted) this.alone() // it could not be loaded: a newer Hearth has another
    }
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      port.close()
    })
    port.onmessage = ({ data }) => {
      if (signal.aborted) return
      switch (data.say) {
        case 'hello':
          clearTimeout(timer)
          this.lock(lockOf(this.options.page), signal, () => {
            port.postMessage({ say: 'join', page: this.options.page, after: this.last })
            return new Promise((left) => signal.addEventListener('abort', () => left()))
          })
          // Free: its process has died, and the next worker goes on.
          this.lock(data.lock, signal, () => {
            this.pause()
            this.retry()
          })
          break
        case 'event': {
          // What begins elsewhere than this page is, lacks what happened between.
          const { event } = data
          const missed = event.event === 'ready' && this.last !== '' && this.last !== event.id
          this.last = event.id
          this.options.onEvent(missed ? { ...event, event: 'reset' } : event)
          break
        }
        case 'state':
          this.options.onState(data.state)
      }
    }
  }

  /** Waits for a lock for as long as this page stays. */
  private lock(name: string, signal: AbortSignal, granted: () => Promise<void> | void): void {
    this.means.locks
      .request(name, { signal }, async () => {
        if (!signal.aborted) await granted()
      })
      .catch(() => undefined) // it was left before the lock was free
  }

  private alone(): void {
    this.stay.abort()
    this.own = this.means.alone({ ...this.options, after: this.last })
  }
}

/** openEvents opens the stream of everything that happens: the one that this browser's pages share, where it can share one. */
export function openEvents(options: SharedOptions): Pick<Events, 'close' | 'pause' | 'retry'> {
  const shares = 'SharedWorker' in globalThis && 'locks' in navigator
  return shares ? new SharedEvents(options) : new Events(options)
}
