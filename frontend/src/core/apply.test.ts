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
  const channel = (unread: number, newest = 0, fields = {}) =>
    makeChannel('c', { unread, ...(newest ? { newest_row_id: `r${newest}`, newest_at: time(newest) } : {}), ...fields })
  const loaded = (unread: number, newest = 0, fields = {}): Change => ({ type: 'channels.loaded', channels: [channel(unread, newest, fields)] })

  it('is what the server counted, and what others write since, each once', () => {
    let state = after([loaded(3, 5), event('row.created', row(4)), event('row.created', row(6)), event('row.created', row(7, { kind: 'agent' }))])
    expect(state.unread.c).toEqual({ count: 5, atLeast: false })
    expect(state.channels.c?.newest_row_id).toBe('r7')
    state = after([event('row.created', row(7, { kind: 'agent' })), event('row.created', row(8, { handle: '' }))], state)
    expect(state.unread.c?.count).toBe(5)
  })

  it('goes no further than the server counts', () => {
    expect(after([loaded(99), event('row.created', row(1)), event('row.created', row(2))]).unread.c).toEqual({ count: 100, atLeast: true })
  })

  it('is nothing once the end was seen, whatever the server says until it has heard of it', () => {
    let state = after([loaded(1, 2), read(2)])
    expect(state.unread.c).toBeUndefined()
    expect(state.reading.c?.id).toBe('r2')
    state = after([event('channel.updated', channel(1, 2, { name: 'renamed' }))], state)
    expect(state.unread.c).toBeUndefined()
    expect(state.channels.c?.name).toBe('renamed')
    state = after([{ type: 'read.told', rowId: 'r2', channel: channel(0, 2, { read_row_id: 'r2' }) }], state)
    expect(state.reading.c).toBeUndefined()
    expect(after([read(2)], state)).toBe(state)
    expect(after([event('row.created', row(3))], state).unread.c?.count).toBe(1)
  })

  it('marks replies in threads with the end of the channel', () => {
    expect(after([loaded(0), event('row.created', row(1)), event('row.created', row(2, { thread_root_id: 'r1' })), read(1)]).reading.c?.id).toBe('r2')
  })

  it('is read further while the server is told', () => {
    const state = after([loaded(0), event('row.created', row(1)), read(1), event('row.created', row(2)), read(2), { type: 'read.told', rowId: 'r1', channel: channel(1, 2, { read_row_id: 'r1' }) }])
    expect(state.unread.c).toBeUndefined()
    expect(state.reading.c?.id).toBe('r2')
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
    const state = after([{ type: 'event', event: makeEvent(40, 'ready', { epoch: 'e', seq: 40, stream: 's' }) }])
    expect(state.stream).toEqual({ epoch: 'e', seq: 40 })
    expect(state.generation).toBe(0)
  })
})
