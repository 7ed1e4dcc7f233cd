import { describe, expect, it } from 'vitest'
import type { Workbench } from '@/api'
import { makeBench } from './made'
import { benchNodes } from './tree'

const outline = (benches: Workbench[], open = new Map<string, boolean>()) => benchNodes(benches, open).map((n) => '  '.repeat(n.level - 1) + (n.type === 'bench' ? n.bench.path : n.type === 'more' ? `more ${n.left}` : n.label))

describe('benchNodes', () => {
  it('has kinds, folders and files, the newest first', () => {
    expect(outline([makeBench(['artifacts/b/new.txt', 'artifacts/a.txt', 'artifacts/b/old.txt', 'scripts/x.sh'])])).toEqual([
      'scripts', '  x.sh', 'artifacts', '  b', '    new.txt', '    old.txt', '  a.txt', 'notes', 'spill', 'INDEX.md',
    ])
  })
  it('says where each node stands', () => {
    const [, first, second] = benchNodes([makeBench(['scripts/a', 'scripts/b'])], new Map())
    expect([first?.place, first?.of, second?.place, second?.of]).toEqual([1, 2, 2, 2])
  })
  it('names each workbench where there are several', () => {
    const other = makeBench([], { path: '/else/.flower', outside: true, exists: false })
    expect(outline([makeBench(['scripts/x']), other])).toEqual(['/ws/.flower', '  scripts', '    x', '  artifacts', '  notes', '  spill', '  INDEX.md', '/else/.flower'])
  })
  it('closes kinds with many files, and opens them when asked', () => {
    const bench = makeBench(Array.from({ length: 100 }, (_, i) => `spill/${i}`))
    expect(outline([bench])).toHaveLength(5)
    expect(outline([bench], new Map([['/ws/.flower\nspill', true]]))).toHaveLength(105)
  })
  it('says how many are left, and then not how many there are', () => {
    const bench = makeBench(['scripts/x'])
    const more = { ...bench, kinds: bench.kinds.map((k) => (k.kind === 'scripts' ? { ...k, entries: 41 } : k)) }
    expect(outline([more])).toContain('  more 40')
    expect(benchNodes([more], new Map()).find((n) => n.label === 'x')?.of).toBe(-1)
  })
  it('keeps entries apart whose paths are no UTF-8', () => {
    const bench = makeBench(['scripts/�', 'scripts/�'])
    bench.entries.forEach((e, i) => (e.path_bytes = `b${i}`))
    expect(new Set(benchNodes([bench], new Map()).map((n) => n.key)).size).toBe(7)
  })
  it('shows nothing of a workbench that can’t be looked at', () => expect(outline([makeBench([], { fault: 'It is a link.' })])).toEqual([]))
})
