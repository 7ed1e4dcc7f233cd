import { expect, it } from 'vitest'
import { nearest } from './nearest'

const list = (text: string) => text.split('').map((key) => ({ key }))

it.each([
  ['abcd', 'abcd', 'b', 1], ['abcd', 'acd', 'b', 1], ['abcd', 'ad', 'b', 1], ['abcd', 'abc', 'd', 2], ['abcd', 'ab', 'd', 1], ['abcd', '', 'b', -1],
  // What came meanwhile is no neighbour, and what was never there has none.
  ['abc', 'abxy', 'c', 1], ['abc', 'abc', 'z', -1],
])('from %s to %s, %s is at %d', (was, is, key, at) => expect(nearest(list(was), list(is), key)).toBe(at))
