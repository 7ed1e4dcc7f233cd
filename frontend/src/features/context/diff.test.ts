import { describe, expect, it } from 'vitest'
import { diffText, type Piece } from './diff'

const side = (pieces: readonly Piece[], other: Piece['kind']) => pieces.filter((p) => p.kind !== other).map((p) => p.text).join('')

describe('diffText', () => {
  it('marks words, not more', () => {
    expect(diffText('{"id":"a1","text":"why is it red?"}', '{"id":"b2","text":"why is it green?"}').pieces).toEqual([
      { kind: 'same', text: '{"id":"' }, { kind: 'removed', text: 'a1' }, { kind: 'added', text: 'b2' }, { kind: 'same', text: '","text":"why is it ' },
      { kind: 'removed', text: 'red' }, { kind: 'added', text: 'green' }, { kind: 'same', text: '?"}' },
    ])
  })
  it.each([
    ['', ''], ['', 'new'], ['old', ''], ['같은 말', '같은 다른 말'], ['🙂 a\r\n\tb', '🙃 a\n b'], ['x'.repeat(10), 'y'],
  ])('loses no byte: %j, %j', (before, after) => {
    const { pieces } = diffText(before, after)
    expect(side(pieces, 'added')).toBe(before)
    expect(side(pieces, 'removed')).toBe(after)
  })
  it('goes by lines where there are many words, and gives up where there are many lines', () => {
    const many = (word: string, n: number) => Array.from({ length: n }, (_, i) => `${word} ${i} of many words in a line\n`).join('')
    const byLine = diffText(many('a', 500) + 'end', many('b', 500) + 'end')
    expect(byLine.whole).toBe(false)
    expect(byLine.pieces.at(-1)).toEqual({ kind: 'same', text: 'end' })
    expect(diffText(many('a', 3000), many('b', 3000)).whole).toBe(true)
  })
})
