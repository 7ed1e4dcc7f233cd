import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventsOptions, StreamEvent } from './events'
import { Hub, type Locks } from './hub'
import { patience, SharedEvents, type SharedHub } from './shared'

/** Locks as a browser has them, of pages and workers that die. */
class FakeLocks {
  private readonly queues = new Map<string, { owner: object; begin: () => void }[]>()
  /** What one page or worker sees of them. */
  of(owner: object): Locks {
    return {
      request: (name, { signal }, granted) =>
        new Promise<void>((resolve, reject) => {
          const queue = this.queues.get(name) ?? []
          this.queues.set(name, queue)
          const entry = { owner, begin: () => void granted().then(() => this.take(name, entry)).then(resolve) }
          signal?.addEventListener('abort', () => {
            if (queue[0] === entry) return // it is held
            this.take(name, entry)
            reject(new DOMException('', 'AbortError'))
          })
          queue.push(entry)
          if (queue[0] === entry) void Promise.resolve().then(entry.begin)
        }),
    }
  }
  private take(name: string, entry: object) {
    const queue = this.queues.get(name) ?? []
    const first = queue[0] === entry
    const at = queue.findIndex((e) => e === entry)
    if (at >= 0) queue.splice(at, 1)
    if (first) void Promise.resolve().then(() => queue[0]?.begin())
  }
  /** Its process is gone, and says nothing. */
  kill(owner: object) {
    for (const [name, queue] of this.queues) for (const entry of queue.filter((e) => e.owner === owner)) this.take(name, entry)
  }
  get waiting() {
    return [...this.queues.values()].reduce((n, queue) => n + queue.length, 0)
  }
}

interface Stream {
  options: EventsOptions
  closed: boolean
  retried: number
}

let locks: FakeLocks
let streams: Stream[]
let gone: string[]
let worker: Hub | undefined
let told: Promise<unknown>
const stream = (n = streams.length - 1) => streams[n] ?? expect.fail(`there is no stream ${n}`)
const open = (options: EventsOptions) => {
  const one: Stream = { options, closed: false, retried: 0 }
  streams.push(one)
  return { close: () => { one.closed = true }, pause: () => undefined, retry: () => { one.retried++ } }
}
const send = (seq: number, event: string, data: object = {}) =>
  stream().options.onEvent({ id: `ab-${seq}`, epoch: 'ab', seq, event, data: { ...data, ...(event === 'ready' || event === 'reset' ? { epoch: 'ab', seq, stream: 's1' } : {}) } } as StreamEvent)

/** The worker that a browser keeps for all pages; it is begun by the first. */
function connect(): SharedHub {
  const hub = (worker ??= new Hub({ locks: locks.of((lastWorker = {})), open, gone: (page) => (gone.push(page), told) }))
  // As one structured clone each way, in order, a while later.
  const ends = [0, 1].map(() => ({ onmessage: null as ((m: MessageEvent) => void) | null, closed: false }))
  const port = (here: 0 | 1) => {
    const [mine, other] = here ? [ends[1], ends[0]] : [ends[0], ends[1]]
    return {
      get onmessage() { return mine?.onmessage ?? null },
      set onmessage(to) { if (mine) mine.onmessage = to },
      close: () => { for (const end of ends) end.closed = true },
      postMessage: (data: unknown) => {
        const copy: unknown = structuredClone(data)
        void Promise.resolve().then(() => { if (!other?.closed && hub === worker) other?.onmessage?.(new MessageEvent('message', { data: copy })) })
      },
    }
  }
  hub.connect(port(1))
  return { port: port(0), onerror: null }
}
let lastWorker: object

function page(name: string, how: { connect?: () => SharedHub } = {}) {
  const self = {}
  const heard: string[] = []
  const events = new SharedEvents(
    { page: name, onEvent: (e) => heard.push(`${e.event} ${e.seq}`), onState: (s) => heard.push(s) },
    { connect: how.connect ?? connect, locks: locks.of(self), alone: open },
  )
  return { heard: () => heard.splice(0), events, crash: () => locks.kill(self) }
}
const settle = () => vi.advanceTimersByTimeAsync(1)

beforeEach(() => {
  vi.useFakeTimers()
  locks = new FakeLocks()
  streams = []
  gone = []
  worker = undefined
  told = Promise.resolve()
})
afterEach(() => void vi.useRealTimers())

describe('SharedEvents', () => {
  it('hears with all pages one stream, in order', async () => {
    const a = page('a')
    await settle()
    send(7, 'ready')
    send(8, 'row.created')
    const b = page('b')
    await settle()
    send(9, 'row.created')
    send(10, 'run.delta')
    await settle()
    expect(a.heard()).toEqual(['ready 7', 'row.created 8', 'row.created 9', 'run.delta 10'])
    expect(b.heard()).toEqual(['ready 8', 'row.created 9', 'run.delta 10'])
    expect(streams).toHaveLength(1)
    stream().options.onState('broken')
    const c = page('c')
    await settle()
    // A page that came while it was broken knows, and has it tried at once.
    expect([a.heard(), b.heard(), c.heard()]).toEqual([['broken'], ['broken'], ['ready 10', 'broken']])
    expect(stream().retried).toBe(1)
    a.events.retry()
    await settle()
    expect(stream().retried).toBe(2)
    send(10, 'ready')
    await settle()
    expect([a.heard(), b.heard(), c.heard()]).toEqual([['ready 10'], ['ready 10'], ['ready 10']])
  })

  it('tells every page that events were missed, when they were', async () => {
    const [a, b] = [page('a'), page('b')]
    await settle()
    send(7, 'ready')
    send(9, 'reset')
    await settle()
    expect([a.heard(), b.heard()]).toEqual([['ready 7', 'reset 9'], ['ready 7', 'reset 9']])
    const c = page('c')
    await settle()
    expect(c.heard()).toEqual(['ready 9'])
  })

  it('goes on where it was after it was kept, and fetches anew only what it missed', async () => {
    const [a, b] = [page('a'), page('b')]
    await settle()
    send(7, 'ready')
    await settle()
    b.heard()
    b.events.pause()
    await settle()
    b.events.retry()
    await settle()
    expect(b.heard()).toEqual(['ready 7'])
    b.events.pause()
    await settle()
    send(8, 'row.created')
    await settle()
    expect(b.heard()).toEqual([])
    b.events.retry()
    await settle()
    expect(b.heard()).toEqual(['reset 8'])
    expect(gone).toEqual(['b', 'b'])
    // All are away: nobody reads it, and whoever comes back has it continued.
    a.events.pause()
    b.events.pause()
    await settle()
    expect(stream().closed).toBe(true)
    expect(gone).toHaveLength(3)
    a.events.retry()
    await settle()
    expect(streams).toHaveLength(2)
    expect(stream().options.after).toBe('ab-8')
  })

  it('a page that left without a word is forgotten, also when it was the first', async () => {
    const [a, b] = [page('a'), page('b')]
    await settle()
    send(7, 'ready')
    a.crash()
    await settle()
    expect(gone).toEqual(['a'])
    a.heard()
    b.heard()
    send(8, 'row.created')
    await settle()
    expect([a.heard(), b.heard()]).toEqual([[], ['row.created 8']])
    b.crash()
    await settle()
    expect(stream().closed).toBe(true)
    expect(locks.waiting).toBe(1) // the worker's own
  })

  it('comes back only after the server knows that it was gone', async () => {
    const [, b] = [page('a'), page('b')]
    await settle()
    send(7, 'ready')
    await settle()
    let answer: (value: unknown) => void = () => undefined
    told = new Promise((resolve) => (answer = resolve))
    b.events.pause()
    b.events.retry()
    await settle()
    expect(b.heard()).toEqual(['ready 7'])
    answer(undefined)
    await settle()
    expect(b.heard()).toEqual(['ready 7'])
  })

  it('goes on with another worker when the first has died', async () => {
    const [a, b] = [page('a'), page('b')]
    await settle()
    send(7, 'ready')
    await settle()
    a.heard()
    b.heard()
    worker = undefined
    locks.kill(lastWorker)
    await settle()
    expect(streams).toHaveLength(2)
    expect(stream().options.after).toBe('ab-7')
    send(7, 'ready')
    send(8, 'row.created')
    await settle()
    expect([a.heard(), b.heard()]).toEqual([['ready 7', 'row.created 8'], ['ready 7', 'row.created 8']])
  })

  it.each<[string, () => SharedHub]>([
    ['is not allowed', () => { throw new DOMException('', 'SecurityError') }],
    ['says nothing', () => ({ port: { onmessage: null, postMessage: () => undefined, close: () => undefined }, onerror: null })],
    ['can’t be loaded', () => {
      const hub: SharedHub = { port: { onmessage: null, postMessage: () => undefined, close: () => undefined }, onerror: null }
      setTimeout(() => hub.onerror?.(new ErrorEvent('error')))
      return hub
    }],
  ])('opens a stream of its own where the worker %s', async (_, connect) => {
    const a = page('a', { connect })
    await vi.advanceTimersByTimeAsync(patience)
    expect(streams).toHaveLength(1)
    send(7, 'ready')
    expect(a.heard()).toEqual(['ready 7'])
    a.events.retry()
    expect(stream().retried).toBe(1)
    a.events.close()
    expect(stream().closed).toBe(true)
    await vi.advanceTimersByTimeAsync(patience)
    expect(streams).toHaveLength(1)
  })

  it('is silent once closed', async () => {
    const [a, b] = [page('a'), page('b')]
    await settle()
    send(7, 'ready')
    await settle()
    a.heard()
    a.events.close()
    send(8, 'row.created')
    a.events.retry()
    a.events.pause()
    await settle()
    expect(a.heard()).toEqual([])
    expect(b.heard()).toEqual(['ready 7', 'row.created 8'])
    expect(streams).toHaveLength(1)
  })
})
