import { describe, expect, it } from 'vitest'
import { score } from './match'

describe('score', () => {
  it.each([
    ['back', 'backend'],
    ['BACK', 'Backend'],
    ['end', 'backend'],
    ['bkd', 'backend'],
    ['cafe', 'Café'],
    ['new ch', 'New channel'],
    ['ch new', 'New channel'],
    ['nc', 'New channel'],
    ['한국', '한국어 채널'],
    ['하', '한국어'], // on the way to 한
    ['ㅎ', '한국어'],
    ['각', '가구'], // on the way to 가구
    ['한국', '한국어'],
    ['हिन्दी', 'हिन्दी चैनल'],
    ['عرب', 'العربية'],
    ['', 'anything'],
  ])('finds %s in %s', (typed, text) => expect(score(typed, text)).toBeGreaterThan(0))

  it.each([
    ['x', 'backend'],
    ['dnek', 'backend'],
    ['한국말', '한국어'],
    ['back zzz', 'backend'],
    ['settings', 'Switch between light and dark things'],
  ])('does not find %s in %s', (typed, text) => expect(score(typed, text)).toBe(0))

  it('puts what fits better first', () => {
    const texts = ['feedback', 'my-back', 'backend', 'back', 'bar tack', 'back office of the whole company']
    const sorted = texts.filter((t) => score('back', t) > 0).sort((a, b) => score('back', b) - score('back', a))
    expect(sorted).toEqual(['back', 'backend', 'back office of the whole company', 'my-back', 'feedback', 'bar tack'])
  })
})
