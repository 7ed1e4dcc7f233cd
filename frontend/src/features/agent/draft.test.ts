import { describe, expect, it } from 'vitest'
import type { Binding } from '@/api'
import { check, draftOf, toChange, toNew } from './draft'

const binding: Binding = {
  id: 'b', handle: 'claude', channel_id: 'c', runtime: 'cli:claude:agent', model: 'opus', permission_mode: '', supervised: true, resident: true,
  base_url: '', has_token: false, brief_every_turn: false, created_at: '2026-01-01T00:00:00Z',
}

describe('check', () => {
  it.each(['', ' ', 'a b', '-a', '_a', 'a.b', 'a\u202eb', '가'.repeat(41)])('refuses the name %j', (handle) =>
    expect(check({ ...draftOf(), handle }, [])).toHaveProperty('handle'),
  )
  it.each(['claude', '분석가', 'विश्लेषक', 'محلل', 'a-b_c', '3d', '@claude', '가'.repeat(40)])('takes the name %j', (handle) =>
    expect(check({ ...draftOf(), handle }, [])).toEqual({}),
  )
  it('refuses a name that is taken, whatever its case', () => expect(check({ ...draftOf(), handle: 'Claude' }, ['claude'])).toHaveProperty('handle'))
  it.each([['localhost:11434', false], ['ftp://x', false], ['http://', false], ['http://localhost:11434', true], ['https://api.example.org/v1', true]])('reads the address %s', (baseUrl, right) =>
    expect('baseUrl' in check({ ...draftOf(), handle: 'a', elsewhere: true, model: 'm', baseUrl }, [])).toBe(!right),
  )
  it('wants a model for another API', () => expect(check({ ...draftOf(), handle: 'a', elsewhere: true, baseUrl: 'http://x' }, [])).toEqual({ model: expect.any(String) as string }))
})

describe('toNew', () => {
  it('leaves out another API that is not used', () => {
    const made = toNew({ ...draftOf(), handle: ' @claude ', baseUrl: 'http://x', token: 't' })
    expect(made).toMatchObject({ handle: 'claude', runtime: 'cli:claude:agent', resident: true, supervised: true })
    expect(made).not.toHaveProperty('base_url')
    expect(made).not.toHaveProperty('token')
  })
})

describe('toChange', () => {
  const elsewhere: Binding = { ...binding, base_url: 'http://x', has_token: true }
  it('is nothing where nothing is different', () => expect(toChange(draftOf(binding), binding)).toBeUndefined())
  it('has what is different only', () => expect(toChange({ ...draftOf(binding), model: 'sonnet' }, binding)).toEqual({ model: 'sonnet' }))
  it('keeps a token that nobody touched', () => expect(toChange({ ...draftOf(elsewhere), model: 'x' }, elsewhere)).toEqual({ model: 'x' }))
  it('forgets a token when told to', () => expect(toChange({ ...draftOf(elsewhere), forgetToken: true }, elsewhere)).toEqual({ token: '' }))
  it('forgets it with the address it was for', () => expect(toChange({ ...draftOf(elsewhere), elsewhere: false }, elsewhere)).toEqual({ base_url: '', token: '' }))
})
