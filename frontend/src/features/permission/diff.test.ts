import { describe, expect, it } from 'vitest'
import type { DiffLine } from '@/features/diff'
import { diffLines } from './diff'

const signs = { same: ' ', removed: '-', added: '+' } as const
const show = (line: DiffLine) => {
  if (line.kind === 'skip') return `~${line.count}`
  const at = line.kind === 'added' ? line.new : line.old
  return `${signs[line.kind]}${at} ${line.text}`
}
const diff = (a: string, b: string) => diffLines(a, b).lines.map(show)
const numbered = (n: number, change: (i: number) => string = String) => Array.from({ length: n }, (_, i) => change(i + 1)).join('\n')

describe('diffLines', () => {
  it.each<[string, string, string, string[]]>([
    ['a changed line', 'a\nb\nc', 'a\nx\nc', [' 1 a', '-2 b', '+2 x', ' 3 c']],
    ['a line that came', 'a\nc', 'a\nb\nc', [' 1 a', '+2 b', ' 2 c']],
    ['a line that went', 'a\nb\nc', 'a\nc', [' 1 a', '-2 b', ' 3 c']],
    ['a new text', '', 'a\nb\n', ['+1 a', '+2 b']],
    ['a text that is gone', 'a\n', '', ['-1 a']],
    ['nothing', 'a\nb', 'a\nb', ['~2']],
    ['a line that moved', 'a\nb\nc', 'b\nc\na', ['-1 a', ' 2 b', ' 3 c', '+3 a']],
    ['blank lines', 'a\n\nb', 'a\n\n\nb', [' 1 a', ' 2 ', '+3 ', ' 3 b']],
  ])('%s', (_, a, b, want) => expect(diff(a, b)).toEqual(want))

  it('leaves out what stays far from a change', () => {
    expect(diff(numbered(20), numbered(20, (i) => (i === 10 ? 'x' : `${i}`)))).toEqual([
      '~6', ' 7 7', ' 8 8', ' 9 9', '-10 10', '+10 x', ' 11 11', ' 12 12', ' 13 13', '~7',
    ])
  })

  it('gives back the new text when old lines are left out, whatever the texts', () => {
    let seed = 7
    const next = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31)
    for (let round = 0; round < 200; round++) {
      const text = () => Array.from({ length: next() % 12 }, () => 'abc'.charAt(next() % 3)).join('\n')
      const [a, b] = [text(), text()]
      const { lines } = diffLines(a, b)
      const skipped = lines.some((l) => l.kind === 'skip')
      const rebuilt = lines.flatMap((l) => (l.kind === 'same' || l.kind === 'added' ? [l.text] : []))
      if (!skipped) expect(rebuilt.join('\n')).toBe(b.replace(/\n$/, ''))
    }
  })

  it('does not compare what is too long', () => {
    const { lines, whole } = diffLines(numbered(1500), numbered(1500, (i) => `x${i}`))
    expect(whole).toBe(true)
    expect(lines).toHaveLength(3000)
  })
})
