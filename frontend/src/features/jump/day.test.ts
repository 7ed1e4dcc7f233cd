import { expect, it } from 'vitest'
import { writtenDay } from '@/core'
import { dayOf, daysBefore } from './day'

it.each([
  ['2026-11-01', '2026-11-01'], ['2026/1/2', '2026-01-02'], [' 2026.3.04 ', '2026-03-04'], ['20261130', '2026-11-30'], ['2024-02-29', '2024-02-29'], ['2026년11월1일', '2026-11-01'],
])('%s is %s', (text, day) => {
  const at = dayOf(text)
  expect(at && writtenDay(at)).toBe(day)
})

it.each(['', 'x', '2026', '2026-13-01', '2026-02-29', '2026-00-10', '2026-11-31', '99999-01-01', '2026-1-1-1', '\u202e2026-01-01'])('%s is none', (text) => expect(dayOf(text)).toBeUndefined())

it('counts days back over months', () => expect(writtenDay(daysBefore(new Date(2026, 2, 3, 15), 7))).toBe('2026-02-24'))
