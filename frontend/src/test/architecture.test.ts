import { describe, expect, it } from 'vitest'

const files = import.meta.glob<string>('../features/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })

/** Which features each feature imports. The linter holds the layers; that features form no circle is held here. */
const edges = new Map<string, Set<string>>()
for (const [path, source] of Object.entries(files)) {
  const from = /features\/([^/]+)\//.exec(path)?.[1] ?? ''
  const to = edges.get(from) ?? new Set()
  for (const match of source.matchAll(/from '@\/features\/([^'/]+)'/g)) if (match[1]) to.add(match[1])
  edges.set(from, to)
}

/** circle finds a way from a feature back to itself. */
function circle(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>()
  const visit = (at: string, way: string[]): string[] | undefined => {
    if (way.includes(at)) return [...way.slice(way.indexOf(at)), at]
    if (done.has(at)) return undefined
    for (const next of graph.get(at) ?? []) {
      const found = visit(next, [...way, at])
      if (found) return found
    }
    done.add(at)
    return undefined
  }
  for (const at of graph.keys()) {
    const found = visit(at, [])
    if (found) return found
  }
  return undefined
}

describe('features', () => {
  it('are all looked at', () => expect(edges.get('messages')).toContain('markdown'))
  it('form no circle', () => expect(circle(edges)).toBeUndefined())
  it('would be caught if they did', () => {
    const graph = new Map([['a', new Set(['b'])], ['b', new Set(['c'])], ['c', new Set(['b'])]])
    expect(circle(graph)).toEqual(['b', 'c', 'b'])
  })
})
