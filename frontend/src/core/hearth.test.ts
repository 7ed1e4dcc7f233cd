import { describe, expect, it, vi } from 'vitest'
import { Api, type EventsOptions, type StreamEvent } from '@/api'
import { makeChannel, makeDetail, makeEvent, makeRow, makeRun, time } from '@/test/make'
import { Hearth } from './hearth'
import { loadSaved, save } from './saved'
import { createStore, type Store } from './store'

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
      return { close: () => undefined, pause: () => undefined, retry: () => undefined }
    },
  })
  const { pause } = hearth.start()
  const send = (event: StreamEvent) => stream?.onEvent(event)
  return { hearth, store, asked, send, pause, broken: () => stream?.onState('broken') }
}
const ready = makeEvent(0, 'ready', { epoch: 'e', seq: 0, stream: 's' })
const rowsOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => makeRow(`r${String(from + i).padStart(3, '0')}`, from + i))

describe('the stream', () => {
  it('has a run fetched that was missed, and joins what streams meanwhile', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { store, asked, send } = start({ 'GET /api/runs/x': () => new Promise((resolve) => (answer = resolve)) })
    send(ready)
    store.dispatch({ type: 'runs.loaded', channelId: 'c', runs: [makeRun('x', 'running')], more: false })
    await vi.waitFor(() => expect(asked).toEqual(['GET /api/runs/x']))
    send(makeEvent(1, 'run.delta', { run_id: 'x', at: 3, text: 'lo wor' }))
    answer(makeDetail(makeRun('x', 'running'), 'Hello'))
    await vi.waitFor(() => expect(store.get().live.x?.text).toBe('Hello wor'))
    send(makeEvent(2, 'run.delta', { run_id: 'x', at: 9, text: 'ld' }))
    expect(store.get().live.x?.text).toBe('Hello world')
    // A jump: what was dropped is fetched.
    send(makeEvent(9, 'run.delta', { run_id: 'x', at: 24, text: '?' }))
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
    send(makeEvent(7, 'run.delta', { run_id: 'x', at: 0, text: 'a' }))
    send(makeEvent(17, 'run.delta', { run_id: 'x', at: 3, text: 'b' }))
    expect(asked).toHaveLength(1)
    answer(makeDetail(makeRun('x', 'running'), 'a-'))
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

describe('a page that is left', () => {
  it('is not live until it hears the stream again, and asks nothing', () => {
    const { store, asked, send, pause } = start({})
    send(ready)
    pause()
    expect(store.get().connection).toBe('lost')
    expect(asked).toEqual([])
    send(ready)
    expect(store.get().connection).toBe('live')
  })
})

describe('fetching', () => {
  const all = rowsOf(1, 500)
  const server: Record<string, Handler> = {
    'GET /api/channels/c/messages': (url) => {
      const at = (name: string) => all.findIndex((r) => r.id === url.searchParams.get(name))
      const limit = Number(url.searchParams.get('limit'))
      if (url.searchParams.has('around') && at('around') < 0) return new Response(JSON.stringify({ code: 'invalid', detail: 'There is no such row.' }), { status: 400 })
      const from = at('after') >= 0 ? at('after') + 1 : at('around') >= 0 ? Math.max(0, at('around') - limit / 2) : Math.max(0, (at('before') >= 0 ? at('before') : all.length) - limit)
      const to = at('before') >= 0 ? at('before') : Math.min(all.length, from + limit)
      return { rows: all.slice(from, to), has_before: from > 0, has_after: to < all.length }
    },
    'GET /api/channels/c/runs': () => ({ runs: [], more: false }),
  }

  const c = { channelId: 'c' }
  const ends = (store: Store) => [store.get().places.c?.ids[0], store.get().places.c?.ids.at(-1)]

  it('opens around a row that an address names, and goes on to both sides', async () => {
    const { hearth, store } = start(server)
    expect(await hearth.openPlace(c, 'r250')).toBe(true)
    expect(ends(store)).toEqual(['r220', 'r279'])
    expect(store.get().places.c).toMatchObject({ more: true, newer: true })
    await Promise.all([hearth.loadOlder(c), hearth.loadNewer(c)])
    expect(ends(store)).toEqual(['r160', 'r339'])
    for (let i = 0; i < 3; i++) await hearth.loadNewer(c)
    expect(store.get().places.c).toMatchObject({ newer: false })
    expect(ends(store)).toEqual(['r160', 'r500'])
  })

  it('opens at the newest where that row is not to be found, and says so', async () => {
    const { hearth, store } = start(server)
    expect(await hearth.openPlace(c, 'nowhere')).toBe(false)
    expect(ends(store)).toEqual(['r441', 'r500'])
    expect(store.get().places.c).toMatchObject({ more: true, newer: false })
  })

  it('opens around what was read last where more is unread, and at the newest where nothing is', async () => {
    const { hearth, store } = start(server)
    store.dispatch({ type: 'channels.loaded', channels: [makeChannel('c', { unread: 100, read_row_id: 'r300' })] })
    await hearth.openPlace(c)
    expect(ends(store)).toEqual(['r270', 'r329'])
    // Whoever is there already is left in peace.
    await hearth.openPlace(c)
    expect(ends(store)).toEqual(['r270', 'r329'])
    const other = start(server)
    other.store.dispatch({ type: 'channels.loaded', channels: [makeChannel('c', { read_row_id: 'r500' })] })
    await other.hearth.openPlace(c)
    expect(ends(other.store)).toEqual(['r441', 'r500'])
  })

  it('fetches the runs of rows that are far from the newest', async () => {
    const reply = makeRow('r250', 250, { kind: 'agent', run_id: 'x250', binding_id: 'b' })
    const run = (n: number) => makeRun(`x${n}`, 'succeeded', { queued_at: time(n) })
    const { hearth, store, asked } = start({
      ...server,
      'GET /api/channels/c/messages': () => ({ rows: [reply], has_before: true, has_after: true }),
      'GET /api/channels/c/runs': (url) => ({ runs: [run({ x250: 249, x400: 350 }[url.searchParams.get('before') ?? ''] ?? 400)], more: true }),
      'GET /api/runs/x250': () => makeDetail(run(250)),
    })
    await hearth.openPlace(c, 'r250')
    expect(Object.keys(store.get().runs).sort()).toEqual(['x249', 'x250', 'x350', 'x400'])
    expect(store.get().runPages.c).toEqual({ more: true, oldest: 'x350' })
    expect(asked).toHaveLength(5)
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

describe('reading', () => {
  it('is told to the server, once, and the newest only', async () => {
    let answer: (() => void) | undefined
    const told: unknown[] = []
    const { store, send } = start({
      'PUT /api/channels/c/read': async (_, request) => {
        const { row_id } = (await request.json()) as { row_id: string }
        told.push(row_id)
        await new Promise<void>((resolve) => (answer = resolve))
        return makeChannel('c', { read_row_id: row_id, newest_row_id: row_id })
      },
    })
    store.dispatch({ type: 'channels.loaded', channels: [makeChannel('c', { unread: 2 })] })
    const read = (n: number) => store.dispatch({ type: 'read', channelId: 'c', reading: { id: `r${n}`, at: time(n) } })
    read(1)
    expect(told).toEqual([])
    send(makeEvent(0, 'ready', { epoch: 'e', seq: 0, stream: 's' }))
    await vi.waitFor(() => expect(told).toEqual(['r1']))
    read(2)
    read(3)
    answer?.()
    await vi.waitFor(() => expect(told).toEqual(['r1', 'r3']))
    answer?.()
    await vi.waitFor(() => expect(store.get().reading).toEqual({}))
    expect(store.get().channels.c?.read_row_id).toBe('r3')
  })

  it('that is refused is not told again', async () => {
    const { store, send, asked } = start({
      'PUT /api/channels/c/read': () => new Response(JSON.stringify({ code: 'not_found', detail: 'There is no such row.' }), { status: 404 }),
    })
    send(makeEvent(0, 'ready', { epoch: 'e', seq: 0, stream: 's' }))
    store.dispatch({ type: 'channels.loaded', channels: [makeChannel('c')] })
    store.dispatch({ type: 'read', channelId: 'c', reading: { id: 'r1', at: time(1) } })
    await vi.waitFor(() => expect(store.get().reading).toEqual({}))
    expect(asked).toEqual(['PUT /api/channels/c/read'])
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
    store.dispatch({ type: 'preferences', preferences: { theme: 'dark', enterSends: false, size: 'large', language: 'ko', welcomed: true } })
    now()
    expect(loadSaved(storage)).toMatchObject({
      drafts: { c: 'half a thought' }, preferences: { theme: 'dark', enterSends: false, size: 'large', language: 'ko', welcomed: true },
    })
  })

  it.each(['{', 'null', '[1]', '{"c":5}', '"x"'])('is nothing when it reads %s', (text) => {
    const saved = loadSaved(memory({ 'hearth.drafts': text, 'hearth.preferences': text }))
    expect(saved).toMatchObject({ drafts: {}, preferences: { theme: 'system', enterSends: true } })
  })

  it.each(['"xx"', '"constructor"', '5', 'null'])('speaks as the system when the language reads %s', (language) =>
    expect(loadSaved(memory({ 'hearth.preferences': `{"language":${language}}` })).preferences.language).toBe('system'),
  )

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
    event(makeEvent(1, 'run.delta', { run_id: 'x', at: 0, text: 'a' }))
    event(makeEvent(2, 'run.delta', { run_id: 'x', at: 1, text: 'b' }))
    expect([told, frames.length]).toEqual([1, 1])
    frames[0]?.()
    expect(told).toBe(2)
    event(makeEvent(3, 'run.delta', { run_id: 'x', at: 2, text: 'c' }))
    store.dispatch({ type: 'connection', connection: 'live' })
    expect(told).toBe(3)
    frames[1]?.()
    expect(told).toBe(3)
  })
})
