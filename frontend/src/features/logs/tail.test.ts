import { describe, expect, it } from 'vitest'
import type { LogLine } from '@/api'
import { back, grown, most, textOf, type Held } from './tail'
import { logSearch } from './search'

const line = (n: number): LogLine => ({ id: `l${n}`, at: '2026-01-02T03:04:05Z', level: 'info', message: `m${n}`, attributes: [] })
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => line(from + i))
const ids = (held: Held) => [held.lines[0]?.id, held.lines.at(-1)?.id, held.lines.length]

describe('what is held of the log', () => {
  const held: Held = { lines: lines(100, 200), next: 'n1', more: true }

  it('grows at its end, and stays the same object while nothing comes', () => {
    const next = grown(held, { lines: lines(200, 202), next: 'n2', more: false, reset: false })
    expect(ids(next)).toEqual(['l100', 'l201', 102])
    expect(next).toMatchObject({ next: 'n2', more: true })
    expect(grown(next, { lines: [], next: 'n2', more: false, reset: false })).toBe(next)
    // Lines were written that do not fit.
    expect(grown(next, { lines: [], next: 'n3', more: false, reset: false })).toMatchObject({ next: 'n3' })
  })
  it('is bounded: the oldest go, and can be fetched again only as far as there is room', () => {
    const full = grown({ ...held, more: false }, { lines: lines(200, 200 + most), next: 'n2', more: false, reset: false })
    expect(ids(full)).toEqual([`l200`, `l${199 + most}`, most])
    expect(full.more).toBe(true)
    expect(back(full, { lines: lines(0, 100), next: '', more: false, reset: false }).lines).toHaveLength(most)
  })
  it('grows at its beginning', () => {
    const all = back(held, { lines: lines(0, 100), next: '', more: false, reset: false })
    expect(ids(all)).toEqual(['l0', 'l199', 200])
    expect(all.more).toBe(false)
    expect(back(held, { lines: lines(900, 910), next: '', more: true, reset: true })).toEqual({ ...held, more: false })
  })
  it('says where lines are missing, until that is out of sight', () => {
    const gap = grown(held, { lines: lines(500, 510), next: 'n9', more: true, reset: true })
    expect(gap.gap).toBe('l500')
    const later = grown(gap, { lines: lines(510, 511), next: 'n10', more: false, reset: false })
    expect(later.gap).toBe('l500')
    expect(grown(later, { lines: lines(511, 511 + most), next: 'n11', more: false, reset: false }).gap).toBeUndefined()
  })
})

describe('a line that is copied', () => {
  it('stands on one line, whatever is in it', () => {
    const copied = textOf({ ...line(1), level: 'warn', attributes: [{ key: 'n', value: '1' }, { key: 'error', value: 'a "b"' }, { key: 'none', value: '' }] })
    expect(copied).toBe('2026-01-02T03:04:05Z WARN  m1 n=1 error="a \\"b\\"" none=""')
    const { at: _, ...foreign } = line(2)
    expect(textOf(foreign)).toBe('INFO  m2')
  })
})

describe('the address of the log', () => {
  it('says what it may, and nothing else', () => {
    expect(logSearch({ level: 'warn', text: '한', other: 1 })).toEqual({ level: 'warn', text: '한' })
    expect(logSearch({ level: 'loud', text: {} })).toEqual({})
    expect(logSearch({ level: 'debug', text: 529 })).toEqual({ text: '529' })
    expect(Array.from(logSearch({ text: '😀'.repeat(300) }).text ?? '')).toHaveLength(200)
  })
})
