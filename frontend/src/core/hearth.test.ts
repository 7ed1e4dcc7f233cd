import { describe, expect, it, vi } from 'vitest'
import { Api, type EventsOptions, type StreamEvent } from '@/api'
import { makeDetail, makeEvent, makeRow, makeRun, time } from '@/test/make'
import { Hearth } from './hearth'
import { loadSaved, save } from './saved'
import { createStore } from './store'

type Handler = (url: URL, request: Request) => unknown

/** A Hearth on a server of the test's, with a stream that the test feeds. */
function start(handlers: Record<string, Handler>) {
  const store = createStore({}, (callback) => callback())
  const asked: string[] = []
  const api = new Api(
    { offline: 'Not reached.', unreadable: (s) => `Status ${s}.` },
    {
      baseUrl: 'http://127.0.0.1',
      fetch: async (request) => {
        const url = new URL(request.url)
        asked.push(`${request.method} ${url.pathname}${url.search}`)
        const answer = await handlers[`${request.method} ${url.pathname}`]?.(url, request)
        if (answer instanceof Response) return answer
        if (answer === undefined) throw new TypeError('refused')
        return new Response(JSON.stringify(answer), { status: 200, headers: { 'Content-Type': 'application/json' } })
      },
    },
  )
  let stream: EventsOptions | undefined
  let n = 0
  const hearth = new Hearth({
    api, store, newId: () => `local-${n++}`, now: () => new Date(time(0)),
    events: (options) => {
      stream = options
      return { close: () => undefined, retry: () => undefined }
    },
  })
  hearth.start()
  const send = (event: StreamEvent) => stream?.onEvent(event)
  return { hearth, store, asked, send, broken: () => stream?.onState('broken') }
}
const ready = makeEvent(0, 'ready', { epoch: 'e', seq: 0 })
const rowsOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => makeRow(`r${String(from + i).padStart(3, '0')}`, from + i))

describe('the stream', () => {
  it('has a run fetched that was missed, and joins what streams meanwhile', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { store, asked, send } = start({ 'GET /api/runs/x': () => new Promise((resolve) => (answer = resolve)) })
    send(ready)
    store.dispatch({ type: 'runs.loaded', channelId: 'c', runs: [makeRun('x', 'running')], more: false })
    await vi.waitFor(() => expect(asked).toEqual(['GET /api/runs/x']))
    send(makeEvent(1, 'run.delta', { run_id: 'x', text: 'lo wor' }))
    answer(makeDetail(makeRun('x', 'running'), 'Hello'))
    await vi.waitFor(() => expect(store.get().live.x?.text).toBe('Hello wor'))
    send(makeEvent(2, 'run.delta', { run_id: 'x', text: 'ld' }))
    expect(store.get().live.x?.text).toBe('Hello world')
    // A jump: what was dropped is fetched.
    send(makeEvent(9, 'run.delta', { run_id: 'x', text: '?' }))
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    answer(makeDetail(makeRun('x', 'running'), 'Hello world, all is well?'))
    await vi.waitFor(() => expect(store.get().live.x?.text).toBe('Hello world, all is well?'))
  })

  it('asks once at a time, and again when more was missed meanwhile', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { store, asked, send } = start({ 'GET /api/runs/x': () => new Promise((resolve) => (answer = resolve)) })
    send(ready)
    store.dispatch({ type: 'runs.loaded', channelId: 'c', runs: [makeRun('x', 'running')], more: false })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    send(makeEvent(7, 'run.delta', { run_id: 'x', text: 'a' }))
    send(makeEvent(17, 'run.delta', { run_id: 'x', text: 'b' }))
    expect(asked).toHaveLength(1)
    answer(makeDetail(makeRun('x', 'running'), '-a-b'))
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    answer(makeDetail(makeRun('x', 'succeeded')))
    await vi.waitFor(() => expect(store.get().live).toEqual({}))
  })

  it.each([
    [401, 'signed-out'],
    [500, 'lost'],
    [200, 'lost'],
  ])('that breaks with status %i means %s', async (status, want) => {
    const { store, broken } = start({ 'GET /api/permissions': () => new Response('{"permissions":[]}', { status }) })
    broken()
    await vi.waitFor(() => expect(store.get().connection).toBe(want))
  })

  it('that is back before the reason is known is live', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { store, asked, send, broken } = start({ 'GET /api/permissions': () => new Promise((resolve) => (answer = resolve)) })
    broken()
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    send(ready)
    answer(new Response('', { status: 401 }))
    await new Promise((resolve) => setTimeout(resolve))
    expect(store.get().connection).toBe('live')
  })
})

describe('fetching', () => {
  const all = rowsOf(1, 500)
  const server: Record<string, Handler> = {
    'GET /api/channels/c/messages': (url) => {
      const before = url.searchParams.get('before')
      const limit = Number(url.searchParams.get('limit'))
      const end = before ? all.findIndex((r) => r.id === before) : all.length
      return { rows: all.slice(Math.max(0, end - limit), end), more: end > limit }
    },
    'GET /api/channels/c/runs': () => ({ runs: [], more: false }),
  }

  it('pages back until it has a row', async () => {
    const { hearth, store } = start(server)
    await hearth.loadRows({ channelId: 'c' })
    expect(await hearth.loadBackTo({ channelId: 'c' }, 'r100')).toBe(true)
    expect(store.get().places.c?.ids).toHaveLength(460)
    expect(await hearth.loadBackTo({ channelId: 'c' }, 'nowhere')).toBe(false)
    expect(store.get().places.c).toMatchObject({ more: false, ids: all.map((r) => r.id) })
  })

  it('says why it could not', async () => {
    const { hearth } = start({})
    await expect(hearth.loadChannels()).rejects.toMatchObject({ code: 'offline', message: 'Not reached.' })
  })

  it('takes the runs along that the rows came of', async () => {
    const runs = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => makeRun(`x${String(from - i).padStart(3, '0')}`, 'succeeded', { queued_at: time(from - i) }))
    const { hearth, store, asked } = start({
      ...server,
      'GET /api/channels/c/runs': (url) => (url.searchParams.get('before') ? { runs: runs(439, 340), more: true } : { runs: runs(500, 440), more: true }),
    })
    await hearth.loadRows({ channelId: 'c' })
    await hearth.loadOlder({ channelId: 'c' })
    expect(asked.filter((a) => a.includes('/runs'))).toEqual(['GET /api/channels/c/runs?limit=100', 'GET /api/channels/c/runs?before=x440&limit=100'])
    expect(store.get().runPages.c).toEqual({ more: true, oldest: 'x340' })
  })
})

describe('posting', () => {
  it('keeps what did not go out, and sends it again', async () => {
    let up = false
    const row = makeRow('r', 1, { handle: '', body: 'hi' })
    const { hearth, store } = start({ 'POST /api/channels/c/messages': () => (up ? { row, runs: [makeRun('x', 'queued')] } : undefined) })
    store.dispatch({ type: 'rows.loaded', place: { channelId: 'c' }, rows: [], more: false })
    await hearth.post({ channelId: 'c' }, 'hi')
    expect(store.get().pending['local-0']?.problem).toEqual({ code: 'offline', message: 'Not reached.' })
    up = true
    await hearth.postAgain('local-0')
    expect(store.get()).toMatchObject({ pending: {}, places: { c: { ids: ['r'] } }, runs: { x: { state: 'queued' } } })
  })
})

describe('what is saved', () => {
  const memory = (values: Record<string, string> = {}) => ({
    values, getItem: (key: string) => values[key] ?? null, setItem: (key: string, value: string) => void (values[key] = value),
  })

  it('comes back', () => {
    const storage = memory()
    const store = createStore()
    const { now } = save(store, storage)
    store.dispatch({ type: 'draft', place: { channelId: 'c' }, text: 'half a thought' })
    store.dispatch({ type: 'read', channelId: 'c', reading: { id: 'r', at: time(1) } })
    store.dispatch({ type: 'preferences', preferences: { theme: 'dark', enterSends: false } })
    now()
    expect(loadSaved(storage)).toMatchObject({
      drafts: { c: 'half a thought' }, reading: { c: { id: 'r', at: time(1) } }, preferences: { theme: 'dark', enterSends: false },
    })
  })

  it.each(['{', 'null', '[1]', '{"c":5}', '"x"'])('is nothing when it reads %s', (text) => {
    const saved = loadSaved(memory({ 'hearth.drafts': text, 'hearth.reading': text, 'hearth.preferences': text }))
    expect(saved).toMatchObject({ drafts: {}, reading: {}, preferences: { theme: 'system', enterSends: true } })
  })

  it('does without a place to save to', () => {
    vi.useFakeTimers()
    const store = createStore()
    save(store, { getItem: () => null, setItem: () => { throw new DOMException('full', 'QuotaExceededError') } })
    store.dispatch({ type: 'draft', place: { channelId: 'c' }, text: 'x' })
    expect(() => vi.runAllTimers()).not.toThrow()
    vi.useRealTimers()
  })
})

describe('the store', () => {
  it('tells of streamed text once a frame, and of all else at once', () => {
    const frames: (() => void)[] = []
    const store = createStore({}, (callback) => frames.push(callback))
    let told = 0
    store.subscribe(() => told++)
    const event = (e: StreamEvent) => store.dispatch({ type: 'event', event: e })
    event(ready)
    expect(told).toBe(1)
    event(makeEvent(1, 'run.delta', { run_id: 'x', text: 'a' }))
    event(makeEvent(2, 'run.delta', { run_id: 'x', text: 'b' }))
    expect([told, frames.length]).toEqual([1, 1])
    frames[0]?.()
    expect(told).toBe(2)
    event(makeEvent(3, 'run.delta', { run_id: 'x', text: 'c' }))
    store.dispatch({ type: 'connection', connection: 'live' })
    expect(told).toBe(3)
    frames[1]?.()
    expect(told).toBe(3)
  })
})
