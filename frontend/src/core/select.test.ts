import { describe, expect, it } from 'vitest'
import { makeChannel, time } from '@/test/make'
import { selectArchived, selectListed, selectUnread, selectWorkspaces } from './select'
import { initialState, type State } from './state'

const state = (workspace = ''): State => ({
  ...initialState,
  channels: Object.fromEntries(
    [
      makeChannel('1', { workspace: '/home/aiko/api' }),
      makeChannel('2', { workspace: '/home/aiko/old/api' }),
      makeChannel('3', { workspace: '/home/aiko/web' }),
      makeChannel('4', { workspace: '/home/aiko/web', direct: true }),
      makeChannel('5', { workspace: '/gone', archived_at: time(1) }),
    ].map((c) => [c.id, c]),
  ),
  unread: { 1: { count: 2, atLeast: false }, 3: { count: 1, atLeast: false }, 5: { count: 9, atLeast: false } },
  preferences: { ...initialState.preferences, workspace },
})

describe('folders', () => {
  it('are those of channels that are not archived, under names that tell them apart', () => {
    expect(selectWorkspaces(state()).map((w) => [w.name, w.channels.map((c) => c.id)])).toEqual([
      ['aiko/api', ['1']],
      ['old/api', ['2']],
      ['web', ['3', '4']],
    ])
  })
  it('narrow the list down to theirs', () => {
    const ids = (s: State) => [...selectListed(s).shared, ...selectListed(s).direct].map((c) => c.id)
    expect(ids(state('/home/aiko/web'))).toEqual(['3', '4'])
    expect(ids(state())).toEqual(['1', '2', '3', '4'])
    // One that no channel has any more is as if none were chosen.
    expect(ids(state('/gone'))).toEqual(['1', '2', '3', '4'])
  })
})

it('what is archived is listed apart, and nothing of it is unread', () => {
  expect(selectArchived(state()).map((c) => c.id)).toEqual(['5'])
  expect(selectUnread(state())).toBe(3)
})
