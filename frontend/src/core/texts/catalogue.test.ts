import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLanguage, languages } from './catalogue'

describe('chooseLanguage', () => {
  it.each([
    ['system', ['ko-KR', 'en-US'], 'ko'], ['system', ['KO'], 'ko'], ['system', ['fr-CA', 'ko'], 'ko'], ['system', ['en-GB', 'ko'], 'en'],
    ['system', ['kok-IN'], 'en'], ['system', ['constructor', ''], 'en'], ['system', [], 'en'], ['en', ['ko'], 'en'], ['ko', ['en'], 'ko'],
  ] as const)('%s with %j', (chosen, system, want) => expect(chooseLanguage(chosen, system)).toBe(want))
})

describe('what is spoken', () => {
  beforeEach(() => vi.resetModules())

  it('is loaded before anything can take a text of it', async () => {
    await expect(import('./index')).rejects.toThrow('no language is loaded')
    await expect(import('@/core')).rejects.toThrow('no language is loaded')
  })

  it('is what every constant of every module is in', async () => {
    const { speak } = await import('./catalogue')
    await speak('ko')
    const core = await import('@/core')
    const now = new Date(2026, 0, 10, 12, 0, 0)
    const at = (day: number, hour: number, minute = 0) => new Date(2026, 0, day, hour, minute).toISOString()
    expect(core.locale).toBe('ko')
    expect(core.texts.common.cancel).toBe('취소')
    expect(core.formatRelative(at(10, 11, 55), now)).toBe('5분 전')
    expect(core.formatRelative(at(10, 0, 5), now)).toBe('00:05')
    expect(core.formatRelative(at(9, 23, 59), now)).toBe('어제 23:59')
    expect(core.formatDay(at(5, 1), now)).toBe('1월 5일 (월)')
    expect(core.formatFull(at(5, 1))).toMatch(/^2026년 1월 5일 월요일/)
    expect([0, 400, 41_000, 125_000, 4_800_000].map(core.formatDuration)).toEqual(['<0.1초', '0.4초', '41초', '2분 5초', '1시간 20분'])
    expect([core.formatCount(12_345), core.formatTokens(38_211), core.formatMoney(1234.5), core.formatMoney(0.0042)]).toEqual(['12,345', '38.2k', '$1,234.50', '$0.0042'])
    expect(['나', 'b', '가'].sort(core.compareNames)).toEqual(['가', '나', 'b'])
  })

  it.each(languages)('%s has a catalogue', async (language) => {
    const { speak, spoken } = await import('./catalogue')
    await speak(language)
    expect(spoken().locale).toBe(language)
  })
})
