import { describe, expect, it } from 'vitest'
import { asIs, completed, parts, remember, tokensOf, typing, withFilter, wordsOf } from './typed'

describe('tokensOf', () => {
  it('takes words and filters apart', () => {
    expect(tokensOf('retry in:#backend "two words" from:"a b" 검색 http://x').map((t) => [t.filter, t.value])).toEqual([
      ['', 'retry'], ['in', '#backend'], ['', 'two words'], ['from', 'a b'], ['', '검색'], ['', 'http://x'],
    ])
  })
  it('knows filters that are still written', () => {
    expect(tokensOf('IN:').map((t) => [t.filter, t.value])).toEqual([['in', '']])
    expect(tokensOf('in: x').map((t) => [t.filter, t.value])).toEqual([['in', ''], ['', 'x']])
    expect(tokensOf('in:"two wo').map((t) => [t.filter, t.value])).toEqual([['in', 'two wo']])
  })
  it.each(['', '"', '""', ':', 'in', '\u0000\u202e', '“'.repeat(500), '"'.repeat(1001)])('takes %s', (text) => expect(() => tokensOf(text)).not.toThrow())
})

describe('typing', () => {
  it('is the filter at the end', () => {
    expect(typing('x in:ba')).toMatchObject({ filter: 'in', value: 'ba', begin: 2 })
    expect(typing('x in:ba ')).toBeUndefined()
    expect(typing('x')).toBeUndefined()
    expect(typing('from:')).toMatchObject({ filter: 'from', value: '' })
  })
  it('is completed', () => {
    const text = 'x in:ba'
    const last = typing(text)
    expect(last && completed(text, last, 'backend')).toBe('x in:backend ')
    expect(last && completed(text, last, 'two "words"')).toBe('x in:"two words" ')
    expect(withFilter('x', 'from')).toBe('x from:')
    expect(withFilter('', 'in')).toBe('in:')
  })
})

it('wordsOf leaves filters out', () => expect(wordsOf('in:a two "three four" is:thread')).toBe('two three four'))

it.each([['in:x  two words', '"in:x  two words"'], ['say "from:me" to', '"say" "from:me" "to"'], [' " ', ''], ['', '']])('asIs of %j has no filter', (text, query) => {
  expect(asIs(text)).toBe(query)
  expect(tokensOf(query).every((t) => t.filter === '')).toBe(true)
})

it('remember keeps the newest, each once', () => {
  expect(remember(['a', 'b'], ' b ')).toEqual(['b', 'a'])
  expect(remember(['a'], '  ')).toEqual(['a'])
  expect(remember('12345678'.split(''), '9')).toEqual('91234567'.split(''))
})

it('parts counts characters, not units', () => {
  expect(parts('🎉🎉 검색 x', [{ begin: 3, end: 5 }])).toEqual([{ text: '🎉🎉 ', found: false }, { text: '검색', found: true }, { text: ' x', found: false }])
  expect(parts('ab', [{ begin: 0, end: 2 }])).toEqual([{ text: 'ab', found: true }])
  expect(parts('', [])).toEqual([])
})
