import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoff, Events, parseId, type Source, type StreamEvent } from './events'

class FakeSource implements Source {
  static all: FakeSource[] = []
  readyState = 1
  onopen: ((event: Event) => void) | null = null
  onerror: ((event: Event) => void) | null = null
  readonly listeners = new Map<string, (event: MessageEvent<string>) => void>()
  closed = false
  constructor(readonly url: string) {
    FakeSource.all.push(this)
  }
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void) {
    this.listeners.set(type, listener)
  }
  close() {
    this.closed = true
  }
  send(type: string, lastEventId: string, data: string) {
    this.listeners.get(type)?.(new MessageEvent(type, { lastEventId, data }))
  }
  fail(readyState: number) {
    this.readyState = readyState
    this.onerror?.(new Event('error'))
  }
}

let seen: StreamEvent[]
let states: string[]
const start = () =>
  new Events({ onEvent: (e) => seen.push(e), onState: (s) => states.push(s), open: (url) => new FakeSource(url) })
const source = (n: number) => FakeSource.all[n] ?? expect.fail(`there is no source ${n}`)

beforeEach(() => {
  vi.useFakeTimers()
  FakeSource.all = []
  seen = []
  states = []
})
afterEach(() => void vi.useRealTimers())

describe('parseId', () => {
  it.each([
    ['00ff-12', { epoch: '00ff', seq: 12 }],
    ['', undefined],
    ['12', undefined],
    ['a-b', undefined],
    ['a-1-2', undefined],
  ])('%s', (id, want) => expect(parseId(id)).toEqual(want))
})

describe('Events', () => {
  it('hands events on with their place', () => {
    start()
    source(0).send('run.delta', 'ab-7', '{"run_id":"r","text":"hi"}')
    expect(seen).toEqual([{ id: 'ab-7', epoch: 'ab', seq: 7, event: 'run.delta', data: { run_id: 'r', text: 'hi' } }])
  })

  it('lets the browser reconnect by itself', () => {
    start()
    source(0).fail(0)
    vi.advanceTimersByTime(60_000)
    expect(states).toEqual(['broken'])
    expect(FakeSource.all).toHaveLength(1)
  })

  it('opens a new stream after the last event where the browser gave up', () => {
    start()
    source(0).send('row.created', 'ab-7', '{}')
    source(0).fail(2)
    vi.advanceTimersByTime(backoff(0))
    expect(source(1).url).toBe('/api/events?after=ab-7')
    source(1).fail(2)
    vi.advanceTimersByTime(backoff(1) - 1)
    expect(FakeSource.all).toHaveLength(2)
    vi.advanceTimersByTime(1)
    expect(FakeSource.all).toHaveLength(3)
  })

  it('tries at once when told to', () => {
    const events = start()
    source(0).fail(2)
    events.retry()
    expect(FakeSource.all).toHaveLength(2)
    vi.advanceTimersByTime(60_000)
    expect(FakeSource.all).toHaveLength(2)
  })

  it('lets go of the connection, and goes on where it was', () => {
    const events = start()
    source(0).send('row.created', 'ab-7', '{}')
    events.pause()
    expect(source(0).closed).toBe(true)
    expect(states).toEqual([])
    vi.advanceTimersByTime(60_000)
    expect(FakeSource.all).toHaveLength(1)
    events.retry()
    expect(source(1).url).toBe('/api/events?after=ab-7')
    events.close()
    events.pause()
    events.retry()
    expect(FakeSource.all).toHaveLength(2)
  })

  it('begins after an event that was seen elsewhere', () => {
    new Events({ onEvent: (e) => seen.push(e), onState: (s) => states.push(s), after: 'ab-7', open: (url) => new FakeSource(url) })
    expect(source(0).url).toBe('/api/events?after=ab-7')
  })

  it('is silent once closed', () => {
    const events = start()
    events.close()
    source(0).send('row.created', 'ab-8', '{}')
    source(0).fail(2)
    vi.advanceTimersByTime(60_000)
    expect(seen).toEqual([])
    expect(FakeSource.all).toHaveLength(1)
    expect(source(0).closed).toBe(true)
  })

  it('passes by what is no JSON and goes on', () => {
    start()
    source(0).send('row.created', 'ab-1', '{')
    source(0).send('row.created', 'ab-2', '{}')
    expect(seen.map((e) => e.seq)).toEqual([2])
  })
})
