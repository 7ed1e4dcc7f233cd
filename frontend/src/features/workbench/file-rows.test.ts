import { describe, expect, it } from 'vitest'
import { longestRow, rowsOf, type Piece } from './file-rows'

/** Cuts a text of one-byte characters into pieces. */
const pieces = (text: string, ...at: number[]): Piece[] =>
  [...at, text.length].map((end, i) => {
    const offset = i === 0 ? 0 : (at[i - 1] ?? 0)
    return { offset, next_offset: end, text: text.slice(offset, end) }
  })
const shown = (all: Piece[]) => rowsOf(all, 1, false).map((row) => [row.line, row.text])

describe('rowsOf', () => {
  it.each([
    ['lines', pieces('a\nb\r\n\nc'), [[1, 'a'], [2, 'b'], [3, ''], [4, 'c']]],
    ['a line end at the end', pieces('a\n'), [[1, 'a']]],
    ['nothing', pieces(''), []],
    ['a line over several pieces', pieces('abc\ndef\n', 1, 2, 5), [[1, 'abc'], [2, 'def']]],
    ['a carriage return inside', pieces('10%\r20%\nx'), [[1, '10%'], [undefined, '20%'], [2, 'x']]],
  ])('%s', (_, all, rows) => expect(shown(all)).toEqual(rows))

  it('gives the same rows however a text is cut, but for the keys of what is cut at the ends', () => {
    const text = 'first\nsecond\nthird\n'
    const whole = rowsOf(pieces(text), 1, false)
    for (let i = 1; i < text.length; i++) expect(rowsOf(pieces(text, i), 1, false).map((r) => [r.line, r.text, r.at])).toEqual(whole.map((r) => [r.line, r.text, r.at]))
  })
  it('keeps the keys of rows as pieces come before them', () => {
    const [first, second] = pieces('one\ntwo\nthree\nfour\n', 6)
    if (!first || !second) throw new Error('two pieces')
    const keys = rowsOf([first, second], 1, false).map((r) => r.key)
    // The first row of the later piece is the end of a line: that one becomes another.
    expect(rowsOf([second], undefined, false).map((r) => r.key).slice(1)).toEqual(keys.slice(2))
  })
  it('cuts lines that are too long, and no character in two', () => {
    const line = 'x'.repeat(longestRow - 1) + '😀' + 'y'.repeat(longestRow)
    const rows = shown([{ offset: 0, next_offset: 9, text: line }])
    expect(rows.map(([, text]) => text).join('')).toBe(line)
    expect(rows[0]?.[1]).toBe('x'.repeat(longestRow - 1))
    expect(rows.map(([n]) => n)).toEqual([1, undefined, undefined])
  })
  it('carries colours on until they end', () => {
    expect(rowsOf(pieces('\x1b[31mred\nstill\x1b[1m\nboth\x1b[0m\nnone'), 1, true).map((r) => r.carry)).toEqual(['', '\x1b[31m', '\x1b[31m\x1b[1m', ''])
  })
  it('does not number what nobody counted', () => expect(rowsOf(pieces('a\nb'), undefined, false).map((row) => row.line)).toEqual([undefined, undefined]))
})
