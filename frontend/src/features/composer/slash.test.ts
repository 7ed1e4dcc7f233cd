import { describe, expect, it } from 'vitest'
import { parseSlash, slashAt } from './slash'

describe('parseSlash', () => {
  it.each([
    ['/fresh', { name: 'fresh', handle: '' }],
    [' /stop @claude ', { name: 'stop', handle: 'claude' }],
    ['/warm 분석가', { name: 'warm', handle: '분석가' }],
    ['/restore ＠codex', { name: 'restore', handle: 'codex' }],
    ['/freshen', undefined],
    ['/slow 2', undefined],
    ['/stop claude now', undefined],
    ['stop', undefined],
    ['a /stop', undefined],
  ])('%j', (text, want) => expect(parseSlash(text)).toEqual(want))
})

describe('slashAt', () => {
  it.each([
    ['/', 1, { part: 'name', query: '' }],
    ['/st', 3, { part: 'name', query: 'st' }],
    ['/stop cl', 8, { part: 'handle', name: 'stop', query: 'cl' }],
    ['/stop @cl', 9, undefined],
    ['/slow c', 7, undefined],
    ['/st and more', 3, undefined],
    ['text', 4, undefined],
  ])('%j at %i', (text, caret, want) => expect(slashAt(text, caret)).toEqual(want))
})
