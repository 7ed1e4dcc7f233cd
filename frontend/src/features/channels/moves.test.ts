import { describe, expect, it } from 'vitest'
import { next } from './moves'

const list = ['a', 'b', 'c'].map((id) => ({ id }))

describe('next', () => {
  it.each([
    ['a', 1, 'b'],
    ['c', 1, 'a'],
    ['a', -1, 'c'],
    [undefined, 1, 'a'],
    [undefined, -1, 'c'],
  ] as const)('after %s by %i is %s', (from, by, to) => {
    expect(next(list, from, by)?.id).toBe(to)
  })
  it('passes by what does not fit, and is nothing where nothing else does', () => {
    expect(next(list, 'a', 1, (e) => e.id !== 'b')?.id).toBe('c')
    expect(next(list, 'a', 1, (e) => e.id === 'a')).toBeUndefined()
    expect(next(list.slice(0, 0), undefined, 1)).toBeUndefined()
  })
})
