import { describe, expect, it } from 'vitest'
import type { Change, ChangeMove, DiffHunk } from '@/api'
import { leftOf, linesOf, plainEnds, standingOf } from './changes'

const line = (kind: 'same' | 'added' | 'removed', text: string, more: { cut?: number; unended?: boolean } = {}) => ({ kind, text, cut: 0, unended: false, ...more })
const change = (more: Partial<Change>): Change => ({
  n: 0, path: '/w/a', shown: 'a', outside: false, made: false, form: 'text', added: 1, removed: 1, mixed: false, standing: 'left', fault: '',
  undone: false, later: [], hunks: [], left: 0, kept: true, ...more,
})

describe('linesOf', () => {
  it('numbers the lines of either text and counts what is skipped', () => {
    const hunks: DiffHunk[] = [
      { old: 3, new: 3, lines: [line('same', 'c'), line('removed', 'd'), line('added', 'D'), line('added', 'E')] },
      { old: 9, new: 10, lines: [line('same', 'i', { unended: true })] },
    ]
    expect(linesOf(hunks)).toEqual([
      { kind: 'skip', count: 2 },
      { kind: 'same', old: 3, new: 3, text: 'c' },
      { kind: 'removed', old: 4, text: 'd' },
      { kind: 'added', new: 4, text: 'D' },
      { kind: 'added', new: 5, text: 'E' },
      { kind: 'skip', count: 4 },
      { kind: 'same', old: 9, new: 10, text: 'i', note: 'no line break at the end' },
    ])
  })
  it('begins a new file at its first line', () => {
    expect(linesOf([{ old: 0, new: 1, lines: [line('added', 'x', { cut: 5 })] }])).toEqual([{ kind: 'added', new: 1, text: 'x', note: '… 5 more characters' }])
  })
})

describe('plainEnds', () => {
  const of = (...lines: ReturnType<typeof line>[]): DiffHunk[] => [{ old: 1, new: 1, lines }]
  it('says nothing of carriage returns that every line has', () => {
    expect(plainEnds(of(line('same', 'a\r'), line('added', 'b', { unended: true })))).toEqual(of(line('same', 'a'), line('added', 'b', { unended: true })))
  })
  it('shows those that some lines have', () => {
    const mixed = of(line('removed', 'a\r'), line('added', 'a'))
    expect(plainEnds(mixed)).toBe(mixed)
  })
})

describe('standingOf', () => {
  it('says who changed a file since, and nothing where all is as it should be', () => {
    expect(standingOf(change({}))).toBe('')
    expect(standingOf(change({ undone: true, standing: 'before' }))).toBe('')
    expect(standingOf(change({ standing: 'changed' }))).toBe('changed since')
    expect(standingOf(change({ standing: 'changed', later: [{ run_id: 'r', handle: 'codex' }] }))).toBe('changed since by @codex')
    expect(standingOf(change({ undone: true, standing: 'gone' }))).toBe('not there any more')
  })
})

describe('leftOf', () => {
  const left = (reason: ChangeMove['reason'], fault = ''): ChangeMove => ({
    n: 1, shown: 'a', deed: 'leave', reason, fault, hash: '', can_overwrite: false, later: [], lost_added: 0, lost_removed: 0, lost: [], lost_left: 0,
  })
  it.each([
    [left('done'), []],
    [left('gone'), ['a is not there any more.']],
    [left('fault', 'can’t be read'), ['a can’t be read.']],
    [left('changed'), ['a was changed in the same moment and stays as it is.']],
    [{ ...left('gone'), n: 2 }, []],
    [{ ...left(''), deed: 'restore' as const }, []],
  ])('%j', (file, said) => expect(leftOf([file], new Set([1]))).toEqual(said))
})
