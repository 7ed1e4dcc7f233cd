import { describe, expect, it } from 'vitest'
import { makeChannel, makeEvent, makePermission, makeRow, makeRun, time } from '@/test/make'
import { apply } from './apply'
import type { Change } from './change'
import { addressOf, channelAt, selectChannels } from './select'
import { initialState, type State } from './state'

const after = (changes: Change[], from: State = initialState) => changes.reduce(apply, from)
let seq = 0
const event = (...[type, data]: Parameters<typeof makeEvent> extends [number, ...infer A] ? A : never): Change => ({
  type: 'event', event: makeEvent(++seq, type, data as never),
})
const channels = (...ids: string[]): Change => ({ type: 'channels.loaded', channels: ids.map((id) => makeChannel(id)) })

describe('channels', () => {
  it('come, change and go with the stream', () => {
    let state = after([channels('a'), event('channel.created', makeChannel('b')), event('channel.updated', makeChannel('b', { name: 'c' }))])
    expect(selectChannels(state).shared.map((c) => c.name)).toEqual(['a', 'c'])
    state = after([event('channel.deleted', makeChannel('b'))], state)
    expect(Object.keys(state.channels)).toEqual(['a'])
  })

  it('take everything of theirs with them', () => {
    const full = after([
      channels('c', 'd'),
      { type: 'rows.loaded', place: { channelId: 'c' }, rows: [makeRow('r', 1)], more: false },
      { type: 'rows.loaded', place: { channelId: 'd' }, rows: [makeRow('s', 1, { channel_id: 'd' })], more: false },
      { type: 'runs.loaded', channelId: 'c', runs: [makeRun('x', 'running')], more: false },
      { type: 'permissions.loaded', permissions: [makePermission('p')] },
      { type: 'draft', place: { channelId: 'c' }, text: 'a' },
      { type: 'draft', place: { channelId: 'c', threadRootId: 'r' }, text: 'b' },
      { type: 'draft', place: { channelId: 'd' }, text: 'kept' },
    ])
    const state = after([channels('d')], full)
    expect(state).toMatchObject({ runs: {}, live: {}, permissions: {}, runPages: {}, drafts: { d: 'kept' } })
    expect(Object.keys(state.rows)).toEqual(['s'])
    expect(Object.keys(state.places)).toEqual(['d'])
  })

  it('are found by name and by id, and named so that they are found', () => {
    const state = after([{
      type: 'channels.loaded',
      channels: [makeChannel('1', { name: 'a b/c' }), makeChannel('2', { name: 'old', archived_at: time(1) }), makeChannel('3', { name: '..' })],
    }])
    for (const channel of Object.values(state.channels)) expect(channelAt(state, addressOf(channel))).toBe(channel)
    expect(channelAt(state, 'old')).toBeUndefined()
    expect(addressOf(state.channels['3'] ?? makeChannel('x'))).toBe('3')
  })
})

describe('what is unread', () => {
  const row = (n: number, fields = {}) => makeRow(`r${n}`, n, fields)
  const read = (n: number): Change => ({ type: 'read', channelId: 'c', reading: { id: `r${n}`, at: time(n) } })
  const counted = (rows: ReturnType<typeof row>[], more = false): Change => ({ type: 'unread.counted', channelId: 'c', rows, more })

  it('counts what others write, and not once more', () => {
    let state = after([event('row.created', row(1)), event('row.created', row(2, { kind: 'agent' }))])
    expect(state.unread.c?.count).toBe(2)
    state = after([read(2)], state)
    expect(state.unread.c).toBeUndefined()
    expect(after([event('row.created', row(2))], state).unread.c).toBeUndefined()
    expect(after([read(1), event('row.created', row(3))], state).unread.c?.count).toBe(1)
  })

  it('is nothing once the person writes', () => {
    expect(after([event('row.created', row(1)), event('row.created', row(2, { handle: '' }))]).unread.c).toBeUndefined()
  })

  it('is counted from where reading ended', () => {
    expect(after([read(1), counted([row(1), row(2), row(3, { handle: '' }), row(4)])]).unread.c).toEqual({ count: 2, atLeast: false })
    expect(after([read(1), counted([row(3), row(4)], true)]).unread.c).toEqual({ count: 2, atLeast: true })
    expect(after([read(4), counted([row(3), row(4)])]).unread.c).toBeUndefined()
  })

  it('begins with nothing where a channel was never read', () => {
    const state = after([counted([row(1), row(2)])])
    expect(state.unread.c).toBeUndefined()
    expect(state.reading.c).toEqual({ id: 'r2', at: time(2) })
  })
})

describe('the rest of the stream', () => {
  it('keeps an answer against a late question', () => {
    const state = after([event('permission.answered', makePermission('p', { state: 'allowed' })), event('permission.asked', makePermission('p'))])
    expect(state.permissions.p?.state).toBe('allowed')
  })

  it('adds who writes for the first time to the people', () => {
    const roster: Change = { type: 'roster.loaded', channelId: 'c', people: [{ handle: '', owner: true }], agents: [] }
    const state = after([roster, event('row.created', makeRow('r', 1)), event('row.created', makeRow('s', 2))])
    expect(state.people.c?.map((p) => p.handle)).toEqual(['', 'aiko'])
  })

  it('begins with ready wherever that is', () => {
    const state = after([{ type: 'event', event: makeEvent(40, 'ready', { epoch: 'e', seq: 40 }) }])
    expect(state.stream).toEqual({ epoch: 'e', seq: 40 })
    expect(state.generation).toBe(0)
  })
})
