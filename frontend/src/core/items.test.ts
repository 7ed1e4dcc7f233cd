import { describe, expect, it } from 'vitest'
import { makeRow, makeRun, time } from '@/test/make'
import { itemsOf, nextRuns, selectItems, type Item } from './items'
import { initialState, type State } from './state'
import type { Row, Run } from '@/api'

const place = { channelId: 'c' }
function stateOf(rows: Row[], runs: Run[] = [], more: Partial<State> = {}): State {
  return {
    ...initialState,
    rows: Object.fromEntries(rows.map((r) => [r.id, r])),
    places: { c: { channelId: 'c', ids: rows.filter((r) => r.thread_root_id === '').map((r) => r.id), more: false, loaded: true } },
    runs: Object.fromEntries(runs.map((r) => [r.id, r])),
    ...more,
  }
}
const keys = (items: readonly Item[]) => items.map((item) => item.key)
const reply = (id: string, at: number, run: string, fields: Partial<Row> = {}) => makeRow(id, at, { kind: 'agent', handle: 'claude', run_id: run, ...fields })

describe('itemsOf', () => {
  it('groups what one person writes within minutes, and begins days', () => {
    const rows = [makeRow('1', 0), makeRow('2', 60), makeRow('3', 120, { handle: '' }), makeRow('4', 130), makeRow('5', 1000), makeRow('6', 5 * 86_400)]
    const items = itemsOf(stateOf(rows), place)
    expect(items.map((i) => i.kind === 'row' && i.head)).toEqual([true, false, true, true, true, true])
    expect(items.map((i) => i.kind === 'row' && i.day)).toEqual([true, false, false, false, false, true])
  })

  it('keeps the key from a run to its reply', () => {
    const asking = makeRow('1', 0)
    const before = itemsOf(stateOf([asking], [makeRun('x', 'running')]), place)
    const between = itemsOf(stateOf([asking, reply('2', 5, 'x')], [makeRun('x', 'running')]), place)
    const after = itemsOf(stateOf([asking, reply('2', 5, 'x')], [makeRun('x', 'succeeded', { reply_id: '2' })]), place)
    expect(keys(before)).toEqual(['1', 'run:x'])
    expect(keys(between)).toEqual(keys(before))
    expect(keys(after)).toEqual(keys(before))
    expect(after[1]).toMatchObject({ kind: 'row', run: { state: 'succeeded' } })
  })

  it('gives no key twice', () => {
    const items = itemsOf(stateOf([reply('1', 0, 'x', { note: 'interim' }), reply('2', 5, 'x'), reply('3', 6, 'x')], [makeRun('x', 'succeeded')]), place)
    expect(keys(items)).toEqual(['1', 'run:x', '3'])
  })

  it('keeps the key from a post to its row', () => {
    const pending = { p: { channelId: 'c', id: 'p', body: 'hi', at: time(9) } }
    expect(keys(itemsOf(stateOf([makeRow('1', 0)], [], { pending }), place))).toEqual(['1', 'p'])
    const mine = makeRow('2', 9, { handle: '' })
    expect(keys(itemsOf(stateOf([makeRow('1', 0), mine], [], { posted: { 2: 'p' } }), place))).toEqual(['1', 'p'])
  })

  it('hides a post whose row is there', () => {
    const pending = { p: { channelId: 'c', id: 'p', body: 'hi', at: time(9), rowId: '2' } }
    const items = itemsOf(stateOf([makeRow('2', 9, { handle: '' })], [], { pending, posted: { 2: 'p' } }), place)
    expect(keys(items)).toEqual(['p'])
    expect(items[0]?.kind).toBe('row')
  })

  it('says under the row that asked how a run without a reply ended, until it is retried', () => {
    const rows = [makeRow('r1', 0), makeRow('r2', 9)]
    const failed = makeRun('x', 'failed')
    expect(keys(itemsOf(stateOf(rows, [failed]), place))).toEqual(['r1', 'run:x', 'r2'])
    expect(keys(itemsOf(stateOf(rows, [failed, makeRun('y', 'running', { retry_of: 'x' })]), place))).toEqual(['r1', 'r2', 'run:y'])
    expect(keys(itemsOf(stateOf(rows, [failed, makeRun('y', 'stopped', { retry_of: 'x' })]), place))).toEqual(['r1', 'run:y', 'r2'])
  })

  it('shows a thread under its root, and no run of another place', () => {
    const root = makeRow('r1', 0)
    const answer = makeRow('r2', 5, { thread_root_id: 'r1' })
    const state = stateOf([root, answer], [makeRun('x', 'running'), makeRun('y', 'running', { thread_root_id: 'r1', binding_id: 'b2' })], {})
    const places = { ...state.places, 'c/r1': { channelId: 'c', threadRootId: 'r1', ids: ['r2'], more: false, loaded: true } }
    expect(keys(itemsOf({ ...state, places }, { channelId: 'c', threadRootId: 'r1' }))).toEqual(['r1', 'r2', 'run:y'])
    expect(keys(itemsOf({ ...state, places }, place))).toEqual(['r1', 'run:x'])
  })

  it('shows of each agent only what it is at or takes next', () => {
    const runs = [
      makeRun('q1', 'queued', { queued_at: time(1) }), makeRun('x', 'running', { queued_at: time(0) }),
      makeRun('o2', 'queued', { binding_id: 'b2', queued_at: time(3) }), makeRun('o1', 'queued', { binding_id: 'b2', queued_at: time(2) }),
      makeRun('done', 'succeeded', { binding_id: 'b3' }),
    ]
    expect(nextRuns(stateOf([], runs), 'c')).toEqual(new Set(['x', 'o1']))
    expect(nextRuns(stateOf([], runs), 'other')).toEqual(new Set())
  })
})

describe('selectItems', () => {
  it('gives the same list until something in it changes', () => {
    const select = selectItems(place)
    const state = stateOf([makeRow('1', 0)])
    const first = select(state)
    expect(select({ ...state, connection: 'lost', live: {} })).toBe(first)
    expect(select({ ...state, rows: { ...state.rows } })).not.toBe(first)
  })
})
