import { describe, expect, it } from 'vitest'
import type { Agent, AgentState, Binding, Run } from '@/api'
import { initialState, type State } from '@/core'
import { makeRow, makeRun, time } from '@/test/make'
import type { Sent } from './kinds'
import { arrived, asksOf, newsOf, standingOf, teacherOf, toldBy } from './knowledge'

const agentOf = (state: Partial<AgentState> = {}, binding: Partial<Binding> = {}) =>
  ({ binding: { id: 'b', supervised: true, resident: true, ...binding }, state: { native: '', restoring: '', ...state } }) as Agent
const table = (...runs: Run[]): State['runs'] => Object.fromEntries(runs.map((run) => [run.id, run]))
const asked = (id: string, at: number, fields: Partial<Run> = {}) => makeRun(id, 'succeeded', { queued_at: time(at), started_at: time(at), native: 'n', ...fields })

it('asksOf counts what an agent was asked since Start fresh, newest first', () => {
  const runs = table(
    asked('1', 1), asked('2', 20), asked('3', 30), asked('4', 40, { cause: 'unasked' }), makeRun('5', 'queued', { queued_at: time(50) }), asked('6', 60, { binding_id: 'other' }),
  )
  expect(asksOf(runs, agentOf({}, { fresh_at: time(10) }).binding).map((run) => run.id)).toEqual(['3', '2'])
})

describe('standingOf', () => {
  it.each([
    ['living', agentOf({ native: 'n' }), []],
    ['gone', agentOf({ native: 'n', phase: 'evicted' }), [asked('1', 1)]],
    ['restoring', agentOf({ restoring: 'n' }), [asked('1', 1)]],
    ['gone', agentOf(), [asked('1', 1)]],
    ['fresh', agentOf({}, { fresh_at: time(9) }), []],
    ['never', agentOf(), []],
    ['each', agentOf({ native: 'n' }, { resident: false }), []],
  ] as const)('%s', (standing, agent, asks) => expect(standingOf(agent, asks).standing).toBe(standing))
})

it('teacherOf prefers the channel to its threads, and never goes by another session', () => {
  const thread = asked('3', 3, { thread_root_id: 't' })
  expect(teacherOf([thread, asked('2', 2), asked('1', 1)], 'n')?.id).toBe('2')
  expect(teacherOf([thread], 'n')?.id).toBe('3')
  expect(teacherOf([asked('1', 1)], 'other')).toBeUndefined()
  expect(teacherOf([asked('1', 1, { native: '' })], '')).toBeUndefined()
})

describe('toldBy', () => {
  const sent: Sent = {
    blocks: [], considered: [], watermark_before: { native: 'n', last_at: time(1), ids: ['a'] }, watermark_staged: { native: 'n', last_at: time(5), ids: ['a', 'b'] },
  }
  const told = (run: Run, of = sent) => [[...toldBy(run, of).ids], toldBy(run, of).upTo]
  it('takes what a turn told when it ended well, and its reply', () => expect(told(asked('1', 5, { reply_id: 'r' }))).toEqual([['a', 'b', 'r'], time(5)]))
  it('or when the session holds it all the same', () => {
    const failed = (held: boolean) => makeRun('1', 'failed', { native: 'n', failure: { code: 'api', message: '', held } })
    expect(arrived(failed(true))).toBe(true)
    expect(told(failed(true))).toEqual([['a', 'b'], time(5)])
    expect(told(failed(false))).toEqual([['a'], time(1)])
  })
  it('not while it goes', () => expect(told(makeRun('1', 'running', { native: 'n' }))).toEqual([['a'], time(1)]))
  it('and nothing of another session', () => expect(told(makeRun('1', 'running', { native: 'm' }))).toEqual([[], undefined]))
  it('knows that 200 ids may be more', () => {
    const ids = Array.from({ length: 200 }, (_, i) => `${i}`)
    expect(toldBy(asked('1', 5), { ...sent, watermark_staged: { native: 'n', ids } }).atLeast).toBe(true)
  })
})

it('newsOf counts what a session has still to be told', () => {
  const rows = [makeRow('1', 1), makeRow('2', 2), makeRow('3', 3), makeRow('4', 4, { binding_id: 'b' }), makeRow('5', 5)]
  const state = (more: boolean): State => ({
    ...initialState,
    rows: Object.fromEntries(rows.map((row) => [row.id, row])),
    places: { c: { channelId: 'c', ids: rows.map((row) => row.id), more, loaded: true } },
  })
  const told = { ids: new Set(['3']), upTo: time(1), atLeast: false }
  expect(newsOf(state(true), 'c', 'b', told)).toEqual({ count: 2, atLeast: false })
  expect(newsOf(state(true), 'c', 'b', { ...told, upTo: undefined })).toEqual({ count: 3, atLeast: true })
  expect(newsOf(initialState, 'c', 'b', told)).toEqual({ count: 0, atLeast: true })
})
