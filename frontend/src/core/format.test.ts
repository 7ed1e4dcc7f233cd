import { describe, expect, it } from 'vitest'
import { formatDuration, formatMoney, formatRelative, formatShare, formatTokens, formatDay } from './format'
import { pluralIn } from './texts/plural'
import { ticksOf } from './when'

const plain = (text: string) => text.replaceAll('\u202f', ' ')

describe('figures', () => {
  it.each([[0, '0'], [99, '99'], [100, '0.1k'], [940, '0.9k'], [38_211, '38.2k'], [999_949, '999.9k'], [999_950, '1.0M'], [1_250_000, '1.3M']])('%i tokens', (n, want) =>
    expect(formatTokens(n)).toBe(want),
  )
  it.each([[0, '0.0 %'], [0.9402, '94.0 %'], [0.99996, '99.9 %'], [1, '100.0 %']])('%d of all', (n, want) => expect(plain(formatShare(n))).toBe(want))
  it.each([[0, '<0.1 s'], [400, '0.4 s'], [949, '0.9 s'], [950, '1 s'], [41_000, '41 s'], [60_000, '1 min'], [125_000, '2 min 5 s'], [4_800_000, '1 h 20 min'], [7_200_000, '2 h']])(
    '%i ms',
    (ms, want) => expect(plain(formatDuration(ms))).toBe(want),
  )
  it.each([[0, '$0'], [0.03, '$0.03'], [1.234, '$1.23'], [0.0042, '$0.0042'], [0.00042, '$0.00042'], [0.005, '$0.005']])('%d dollars', (usd, want) => expect(formatMoney(usd)).toBe(want))
})

describe('times', () => {
  const now = new Date(2026, 0, 10, 12, 0, 0)
  const at = (year: number, month: number, day: number, hour = 0, minute = 0) => new Date(year, month, day, hour, minute).toISOString()
  it('are near, then on the clock, then on a day', () => {
    expect(formatRelative(new Date(now.getTime() - 10_000).toISOString(), now)).toBe('now')
    expect(formatRelative(new Date(now.getTime() - 300_000).toISOString(), now)).toMatch(/^5 min/)
    expect(formatRelative(at(2026, 0, 10, 9, 5), now)).toBe('09:05')
    expect(formatRelative(at(2026, 0, 9, 23, 59), now)).toBe('Yesterday, 23:59')
    expect(formatDay(at(2026, 0, 10), now)).toBe('Today')
    expect(formatDay(at(2025, 11, 31), now)).toContain('2025')
  })
})

describe('ticksOf', () => {
  const at = (day: number, hour: number) => new Date(2026, 0, day, hour, 5).toISOString()
  it('are the clock within a day, and the day otherwise', () => {
    expect(ticksOf([at(9, 23), at(10, 1)])).toEqual(['23:05', '01:05'])
    expect(ticksOf([at(9, 1), at(10, 1)])).toEqual([expect.stringMatching(/9/), expect.stringMatching(/10/)])
    expect(ticksOf([])).toEqual([])
  })
})

describe('pluralIn', () => {
  it('knows the forms of a language', () => {
    const forms = { one: '# wiersz', few: '# wiersze', many: '# wierszy', other: '# wiersza' }
    const polish = pluralIn('pl')
    expect([1, 2, 5, 22].map((n) => polish(n, forms))).toEqual(['1 wiersz', '2 wiersze', '5 wierszy', '22 wiersze'])
    expect(pluralIn('en')(1, { other: '# rows' })).toBe('1 rows')
  })
})
