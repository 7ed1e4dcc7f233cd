import { describe, expect, it } from 'vitest'
import { complete, matching, typingAt } from './completion'

describe('typingAt', () => {
  it.each<[string, { start: number; query: string } | undefined]>([
    ['@', { start: 0, query: '' }],
    ['ask @cl', { start: 4, query: 'cl' }],
    ['(＠분', { start: 1, query: '분' }],
    ['me@cl', undefined],
    ['https://x/@cl', undefined],
    ['@claude ', undefined],
    ['', undefined],
  ])('%j', (text, want) => expect(typingAt(text, text.length)).toEqual(want))

  it('looks at what is before the caret', () => expect(typingAt('@cl and more', 3)).toEqual({ start: 0, query: 'cl' }))
})

describe('complete', () => {
  it.each([
    ['@cl', 3, '@claude ', 8],
    ['@cl and', 3, '@claude and', 8],
    ['a ＠c', 4, 'a @claude ', 10],
  ])('%j at %i', (text, caret, want, at) => {
    const typing = typingAt(text, caret) ?? expect.fail('nothing is being typed')
    expect(complete(text, caret, typing, 'claude')).toEqual({ text: want, caret: at })
  })
})

describe('matching', () => {
  it('puts what begins with it first', () => {
    const all = ['my-claude', 'Claude', 'codex']
    expect(matching(all, (h) => h, 'cl')).toEqual(['Claude', 'my-claude'])
    expect(matching(all, (h) => h, '')).toEqual(all)
  })
})
