import { describe, expect, it } from 'vitest'
import type { Row } from '@/api'
import { makeEvent, makeRow, makeRun, time } from '@/test/make'
import { apply } from './apply'
import type { Change } from './change'
import { initialState, type State } from './state'
import { compareTimes } from './time'

const after = (changes: Change[], from: State = initialState) => changes.reduce(apply, from)
const place = { channelId: 'c' }
const ids = (state: State, key = 'c') => state.places[key]?.ids
const page = (rows: Row[], more = false, before?: string): Change => ({ type: 'rows.loaded', place, before, rows, more })
const created = (seq: number, row: Row): Change => ({ type: 'event', event: makeEvent(seq, 'row.created', row) })
const ready = (seq: number): Change => ({ type: 'event', event: makeEvent(seq, 'ready', { epoch: 'e', seq, stream: 's' }) })
const reset = (seq: number, epoch = 'e'): Change => ({ type: 'event', event: makeEvent(seq, 'reset', { epoch, seq, stream: 's' }, epoch) })
const row = (n: number, fields: Partial<Row> = {}) => makeRow(`r${n}`, n, fields)
const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => row(from + i))
const named = (from: number, to: number) => rows(from, to).map((r) => r.id)

describe('compareTimes', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.1Z', -1],
    ['2026-01-02T03:04:05.12Z', '2026-01-02T03:04:05.1Z', 1],
    ['2026-01-02T03:04:05.100001Z', '2026-01-02T03:04:05.100002Z', -1],
    ['2026-01-02T03:04:05.10Z', '2026-01-02T03:04:05.1Z', 0],
    ['2026-01-02T03:04:06Z', '2026-01-02T03:04:05.999999Z', 1],
  ])('%s and %s', (a, b, want) => {
    expect(compareTimes(a, b)).toBe(want)
    expect(compareTimes(b, a)).toBe(want === 0 ? 0 : -want)
  })
})

describe('rows of the stream', () => {
  it('keeps what comes while the page is fetched', () => {
    const state = after([ready(0), { type: 'rows.asked', place }, created(1, row(3)), page(rows(1, 2))])
    expect(ids(state)).toEqual(['r1', 'r2', 'r3'])
    expect(state.places.c?.loaded).toBe(true)
  })

  it('keeps nothing of a place that nobody opened', () => {
    const state = after([ready(0), created(1, row(1))])
    expect(state.rows).toEqual({})
  })

  it('puts rows in the order of their times, whatever the order they come in', () => {
    const state = after([ready(0), page([row(1)]), created(1, row(4)), created(2, row(2)), created(3, row(3))])
    expect(ids(state)).toEqual(named(1, 4))
  })

  it('passes by duplicates: the same object comes back', () => {
    const state = after([ready(0), page(rows(1, 2)), created(1, row(3))])
    expect(apply(state, created(1, row(3)))).toBe(state)
    expect(apply(state, created(0, row(9)))).toBe(state)
    expect(ids(apply(state, created(2, row(3))))).toEqual(named(1, 3))
  })

  it('counts a reply at its root, once', () => {
    const thread = { channelId: 'c', threadRootId: 'r1' }
    const reply = row(5, { thread_root_id: 'r1' })
    let state = after([ready(0), page([row(1)]), created(1, reply)])
    expect(state.rows.r1?.thread_size).toBe(1)
    state = after([{ type: 'rows.loaded', place: thread, rows: [reply], more: false, root: row(1, { thread_size: 1 }) }, created(2, reply)], state)
    expect(state.rows.r1?.thread_size).toBe(1)
    expect(ids(state, 'c/r1')).toEqual(['r5'])
  })
})

describe('pages', () => {
  it('goes back page by page', () => {
    const state = after([page(rows(5, 6), true), page(rows(3, 4), true, 'r5'), page(rows(1, 2), false, 'r3')])
    expect(ids(state)).toEqual(named(1, 6))
    expect(state.places.c?.more).toBe(false)
  })

  it('passes by a page that no longer joins', () => {
    const state = after([page(rows(5, 6), true), page(rows(3, 4), true, 'r5')])
    expect(apply(state, page(rows(3, 4), true, 'r5'))).toBe(state)
  })

  it('knows that there is more where it reaches further back than the newest page', () => {
    const state = after([page(rows(5, 6), true), page(rows(1, 4), false, 'r5'), page(rows(5, 6), true)])
    expect(ids(state)).toEqual(named(1, 6))
    expect(state.places.c?.more).toBe(false)
  })

  it('joins a page after a reset that overlaps', () => {
    const state = after([ready(9), page(rows(1, 3)), reset(50), page(rows(3, 5), true)])
    expect(ids(state)).toEqual(named(1, 5))
    expect(state.places.c?.more).toBe(false)
  })

  it('begins anew after a reset that left a hole, and keeps what came since', () => {
    const state = after([ready(9), page(rows(1, 3)), reset(50), created(51, row(9)), page(rows(7, 8), true)])
    expect(ids(state)).toEqual(['r7', 'r8', 'r9'])
    expect(state.places.c?.more).toBe(true)
    expect(state.generation).toBe(1)
  })

  it('is not taken in by a row of the stream that the page has too', () => {
    const state = after([ready(9), page(rows(1, 3)), reset(50), created(51, row(8)), page(rows(7, 8), true)])
    expect(ids(state)).toEqual(['r7', 'r8'])
  })

  it('remembers through two resets which row was sure', () => {
    const state = after([ready(9), page(rows(1, 3)), reset(50), created(51, row(9)), reset(80, 'f'), page(rows(9, 10), true)])
    expect(ids(state)).toEqual(['r9', 'r10'])
  })

  it('lets go of old rows and gets them again', () => {
    let state = after([page(rows(1, 6)), { type: 'rows.trimmed', place, keep: 2 }])
    expect(ids(state)).toEqual(['r5', 'r6'])
    expect(Object.keys(state.rows)).toHaveLength(2)
    state = after([page(rows(1, 4), false, 'r5')], state)
    expect(ids(state)).toEqual(named(1, 6))
  })

  it('holds an empty channel', () => {
    const state = after([page([])])
    expect(state.places.c).toMatchObject({ ids: [], more: false, loaded: true })
  })
})

describe('a stretch that does not end with the newest', () => {
  const around = (of: Row[], more = true, newer = true): Change => ({ type: 'rows.loaded', place, around: 'r20', rows: of, more, newer })
  const next = (of: Row[], after_: string, newer: boolean): Change => ({ type: 'rows.loaded', place, after: after_, rows: of, more: true, newer })
  const open = after([ready(0), { type: 'rows.asked', place }, around(rows(19, 21))])

  it('takes in nothing of the stream, for that belongs behind a hole', () => {
    const state = after([created(1, row(90))], open)
    expect(ids(state)).toEqual(named(19, 21))
    expect(state.places.c).toMatchObject({ newer: true, newest: 'r90' })
    expect(state.rows.r90).toBeUndefined()
    expect(apply(state, created(1, row(90)))).toBe(state)
  })

  it('goes on to the newest, where the stream takes over', () => {
    let state = after([next(rows(22, 23), 'r21', true), next(rows(24, 25), 'r23', false), created(1, row(26))], open)
    expect(ids(state)).toEqual(named(19, 26))
    expect(state.places.c?.newer).toBe(false)
    // A page that was asked for before is passed by.
    expect(apply(state, next(rows(22, 23), 'r21', true))).toBe(state)
    // One came while the last page was on its way: that page did not have it.
    state = after([created(1, row(26)), next(rows(22, 25), 'r21', false)], open)
    expect(state.places.c).toMatchObject({ newer: true, newest: 'r26' })
    state = after([next([row(26)], 'r25', false)], state)
    expect(ids(state)).toEqual(named(19, 26))
    expect(state.places.c).toMatchObject({ newer: false, newest: undefined })
  })

  it('ends with the newest where its page did, and what streamed meanwhile', () => {
    const state = after([ready(0), { type: 'rows.asked', place }, created(1, row(22)), around(rows(19, 21), true, false), created(2, row(23))])
    expect(ids(state)).toEqual(named(19, 23))
  })

  it('begins anew at the newest', () => {
    const state = after([page(rows(98, 99), true)], open)
    expect(ids(state)).toEqual(['r98', 'r99'])
    expect(state.places.c).toMatchObject({ newer: false, more: true, window: 2 })
  })

  it('is cut at the end that nobody looks at, and goes on there', () => {
    let state = after([page(rows(1, 8)), { type: 'rows.cut', place, keep: 5, at: 'end' }, created(1, row(9))], after([ready(0)]))
    expect(ids(state)).toEqual(named(1, 5))
    expect(Object.keys(state.rows)).toHaveLength(5)
    state = after([next(rows(6, 8), 'r5', false)], state)
    expect(state.places.c?.newer).toBe(true)
    state = after([next([row(9)], 'r8', false), { type: 'rows.cut', place, keep: 5, at: 'start' }], state)
    expect(ids(state)).toEqual(named(5, 9))
    expect(state.places.c).toMatchObject({ newer: false, more: true })
  })

  it('is let go of when it is left, so that the next look begins at the end', () => {
    const state = after([{ type: 'rows.trimmed', place, keep: 2 }], open)
    expect(state.places).toEqual({})
    expect(state.rows).toEqual({})
  })
})

describe('a row that is changed', () => {
  const event = (seq: number, type: 'row.updated' | 'row.deleted', r: Row): Change => ({ type: 'event', event: makeEvent(seq, type, r) })
  const open = after([ready(0), page([row(1, { thread_size: 1 }), row(2)]), { type: 'rows.loaded', place: { channelId: 'c', threadRootId: 'r1' }, rows: [row(3, { thread_root_id: 'r1' })], more: false }])

  it('keeps its place, and the thread that events know nothing of', () => {
    const state = after([event(1, 'row.updated', row(1, { body: 'new', edited_at: time(9) })), event(2, 'row.updated', row(7))], open)
    expect(state.rows.r1).toMatchObject({ body: 'new', thread_size: 1, edited_at: time(9) })
    expect(ids(state)).toEqual(['r1', 'r2'])
    expect(state.rows.r7).toBeUndefined()
  })

  it('goes, with the runs it caused', () => {
    const run = (id: string, row_id: string): Change => ({ type: 'run.changed', run: makeRun(id, 'queued', { row_id }) })
    const state = after([run('x', 'r2'), run('y', 'r1'), { type: 'editing', rowId: 'r2' }, event(1, 'row.deleted', row(2)), event(2, 'row.deleted', row(3, { thread_root_id: 'r1' }))], open)
    expect(ids(state)).toEqual(['r1'])
    expect(ids(state, 'c/r1')).toEqual([])
    expect(state.rows.r1?.thread_size).toBe(0)
    expect(Object.keys(state.runs)).toEqual(['y'])
    expect(state.editing).toBe('')
  })
})

describe('posting', () => {
  const post = (id: string, body = 'hello') => ({ type: 'post.begun', post: { channelId: 'c', id, body, at: time(9) } }) as Change
  const mine = (n: number, body = 'hello') => row(n, { handle: '', body })
  const done = (id: string, r: Row): Change => ({ type: 'post.done', id, row: r, runs: [] })
  const failed = (id: string): Change => ({ type: 'post.failed', id, problem: { code: 'offline', message: 'No.' } })
  const open = after([ready(0), page([row(1)])])

  it('becomes the row of the answer', () => {
    const state = after([post('p'), done('p', mine(2)), created(1, mine(2))], open)
    expect(ids(state)).toEqual(['r1', 'r2'])
    expect(state.pending).toEqual({})
    expect(state.posted.r2).toBe('p')
  })

  it('is not shown twice when the stream is quicker', () => {
    let state = after([post('p', ' hello\r\n'), created(1, mine(2))], open)
    expect(state.pending.p?.rowId).toBe('r2')
    state = after([done('p', mine(2))], state)
    expect(state.pending).toEqual({})
    expect(ids(state)).toEqual(['r1', 'r2'])
  })

  it('sorts out two of the same text', () => {
    const state = after([post('p'), post('q'), created(1, mine(2)), created(2, mine(3)), done('q', mine(2)), done('p', mine(3))], open)
    expect(state.pending).toEqual({})
    expect(ids(state)).toEqual(named(1, 3))
    expect(new Set([state.posted.r2, state.posted.r3])).toEqual(new Set(['p', 'q']))
  })

  it('stays with its problem when it fails, and can go again or be dropped', () => {
    let state = after([post('p'), failed('p')], open)
    expect(state.pending.p?.problem?.message).toBe('No.')
    state = after([{ type: 'post.again', id: 'p' }], state)
    expect(state.pending.p?.problem).toBeUndefined()
    expect(after([{ type: 'post.dropped', id: 'p' }], state).pending).toEqual({})
  })

  it('is done when only its answer was lost, whichever comes first', () => {
    expect(after([post('p'), created(1, mine(2)), failed('p')], open).pending).toEqual({})
    expect(after([post('p'), failed('p'), created(1, mine(2))], open).pending).toEqual({})
  })

  it('takes nobody else’s row for its own', () => {
    const state = after([post('p'), created(1, row(2, { body: 'hello' }))], open)
    expect(state.pending.p?.rowId).toBeUndefined()
  })
})
