import { eventTypes, type WireEvent } from './types'

/** An event with its place in the stream. */
export type StreamEvent = WireEvent & { epoch: string; seq: number }

/** What an EventSource does for us: all of it that is used. */
export interface Source {
  readonly readyState: number
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void
  close(): void
  onopen: ((event: Event) => void) | null
  onerror: ((event: Event) => void) | null
}

const CLOSED = 2

export interface EventsOptions {
  onEvent: (event: StreamEvent) => void
  /** `broken`: the stream is gone for now; it is tried again until `close`. */
  onState: (state: 'open' | 'broken') => void
  /** The id of the last event that was seen, to go on after. */
  after?: string
  open?: (url: string) => Source
  /** Milliseconds until the n-th try (from 0) after a stream that the browser gave up. */
  delay?: (n: number) => number
}

/** The wait doubles from half a second to ten seconds. */
export const backoff = (n: number) => Math.min(500 * 2 ** n, 10_000)

/** parseId takes `EPOCH-SEQ` apart; undefined when it is no such id. */
export function parseId(id: string): { epoch: string; seq: number } | undefined {
  const match = /^(\w+)-(\d+)$/.exec(id)
  const [, epoch, seq] = match ?? []
  return epoch !== undefined && seq !== undefined ? { epoch, seq: Number(seq) } : undefined
}

/**
 * Events reads the stream of everything that happens. A browser reconnects a broken stream by itself and says which event it
 * saw last; where it gives up (an answer that is no stream: the server restarted, or this browser is not signed in), a new
 * stream is opened after the last event seen.
 */
export class Events {
  private source: Source | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private tries = 0
  private last: string
  private closed = false

  constructor(private readonly options: EventsOptions) {
    this.last = options.after ?? ''
    this.connect()
  }

  /** Opens anew at once when the stream is broken: the machine woke up, or is online again. */
  retry(): void {
    if (this.closed || this.source) return
    this.tries = 0
    this.connect()
  }

  /**
   * Lets go of the connection until retry, which goes on after the last event seen. A browser opens only six to one server, and
   * keeps those of pages that were left for a while. Nothing is said of it: whoever pauses knows, and a page that is being frozen may
   * ask nothing any more.
   */
  pause(): void {
    if (this.closed) return
    clearTimeout(this.timer)
    this.source?.close()
    this.source = undefined
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    this.source?.close()
    this.source = undefined
  }

  private connect(): void {
    clearTimeout(this.timer)
    const open = this.options.open ?? ((url: string): Source => new EventSource(url))
    const source = open('/api/events' + (this.last ? '?after=' + encodeURIComponent(this.last) : ''))
    this.source = source
    source.onopen = () => {
      this.tries = 0
      this.options.onState('open')
    }
    source.onerror = () => {
      if (this.closed) return
      this.options.onState('broken')
      if (source.readyState !== CLOSED) return // the browser tries again by itself
      this.source = undefined
      this.timer = setTimeout(() => this.connect(), (this.options.delay ?? backoff)(this.tries++))
    }
    for (const type of eventTypes) source.addEventListener(type, (message) => this.take(type, message))
  }

  private take(event: WireEvent['event'], message: MessageEvent<string>): void {
    const at = parseId(message.lastEventId)
    if (this.closed || !at) return
    let data: unknown
    try {
      data = JSON.parse(message.data)
    } catch {
      return // no event of ours; the jump in seq has it fetched anew
    }
    this.last = message.lastEventId
    this.options.onEvent({ id: message.lastEventId, event, data, ...at } as StreamEvent)
  }
}
