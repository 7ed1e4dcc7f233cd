import { describe, expect, it } from 'vitest'
import { parseSlash, slashAt } from './slash'

describe('parseSlash', () => {
  it.each([
    ['/fresh', { name: 'fresh', handle: '' }],
    [' /stop @claude ', { name: 'stop', handle: 'claude' }],
    ['/warm 분석가', { name: 'warm', handle: '분석가' }],
    ['/restore ＠codex', { name: 'restore', handle: 'codex' }],
    ['@claude /fresh', { name: 'fresh', handle: 'claude' }],
    ['＠분석가\n/stop ', { name: 'stop', handle: '분석가' }],
    ['@claude /fresh codex', undefined],
    ['@claude @codex /fresh', undefined],
    ['@claude/fresh', undefined],
    ['/freshen', undefined],
    ['/slow 2', undefined],
    ['/stop claude now', undefined],
    ['stop', undefined],
    ['a /stop', undefined],
  ])('%j', (text, want) => expect(parseSlash(text)).toEqual(want))
})

describe('slashAt', () => {
  it.each([
    ['/', 1, { part: 'name', before: '', query: '' }],
    ['/st', 3, { part: 'name', before: '', query: 'st' }],
    ['/plugin:요약', 10, { part: 'name', before: '', query: 'plugin:요약' }],
    ['@claude /co', 11, { part: 'name', before: '@claude ', query: 'co' }],
    ['＠분석가에게 @codex\n/', 15, { part: 'name', before: '＠분석가에게 @codex\n', query: '' }],
    ['@claude/co', 10, undefined],
    ['please /co', 10, undefined],
    ['//', 2, undefined],
    ['/usr/bi', 7, undefined],
    ['/stop cl', 8, { part: 'handle', name: 'stop', query: 'cl' }],
    ['/stop @cl', 9, undefined],
    ['/slow c', 7, undefined],
    ['/st and more', 3, undefined],
    ['text', 4, undefined],
  ])('%j at %i', (text, caret, want) => expect(slashAt(text, caret)).toEqual(want))
})
