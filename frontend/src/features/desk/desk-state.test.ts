import { describe, expect, it } from 'vitest'
import { initialState, type State } from '@/core'
import { makeChannel } from '@/test/make'
import { deskState, most } from './desk-state'

const state = (unread: State['unread'], more: Partial<State> = {}): State => ({ ...initialState, unread, ...more })
const channels = Object.fromEntries([makeChannel('a', { name: 'general' }), makeChannel('b', { name: '백엔드' }), makeChannel('d', { name: 'claude', direct: true })].map((c) => [c.id, c]))

describe('deskState', () => {
  it('says that there is nothing to read', () => {
    const { unread, tip, menu } = deskState(state({ a: { count: 0, atLeast: false } }, { channels }))
    expect([unread, tip]).toEqual([0, 'Nothing to read'])
    expect(menu.map((m) => m.key)).toEqual(['open', 'mention', '', 'quit'])
  })

  it('names the channels with something to read, those with the most first, and leads there', () => {
    const { unread, tip, menu } = deskState(state({ a: { count: 1, atLeast: false }, b: { count: 2, atLeast: false }, d: { count: 100, atLeast: true } }, { channels }))
    expect([unread, tip]).toEqual([103, '103 unread messages'])
    expect(menu.slice(3, 6)).toEqual([
      { text: 'claude (99+)', key: '/c/claude' }, { text: '#백엔드 (2)', key: '/c/' + encodeURIComponent('백엔드') }, { text: '#general (1)', key: '/c/general' },
    ])
  })

  it('passes by what is muted, archived or gone', () => {
    const archived = makeChannel('z', { archived_at: '2026-01-01T00:00:00Z' })
    const all = { a: { count: 1, atLeast: false }, z: { count: 3, atLeast: false }, gone: { count: 3, atLeast: false } }
    const { unread } = deskState(state(all, { channels: { ...channels, z: archived }, preferences: { ...initialState.preferences, muted: ['a'] } }))
    expect(unread).toBe(0)
  })

  it('counts what there is no room for', () => {
    const many = Object.fromEntries(Array.from({ length: most + 3 }, (_, i) => [`c${i}`, makeChannel(`c${i}`, { name: `n${i}` })]))
    const { menu } = deskState(state(Object.fromEntries(Object.keys(many).map((id) => [id, { count: 1, atLeast: false }])), { channels: many }))
    expect(menu.find((m) => m.text === '3 more channels')?.key).toBe('')
    expect(menu.filter((m) => m.key.startsWith('/c/'))).toHaveLength(most)
  })
})
