import type { ReactNode } from 'react'
import { score } from './match'

/** Something the palette leads to. */
export interface Entry {
  id: string
  group: string
  text: string
  /** Beside it, softer; looked through too. */
  detail?: string
  icon?: ReactNode
  /** The name of keys that do the same. */
  keys?: string | undefined
  run: () => void
}

/** How many entries of a group are shown at most while nothing narrows them down. */
const most = 50

/** found are the entries that fit what was typed, the best first, their groups in the order of their best. */
export function found(entries: readonly Entry[], typed: string): Entry[] {
  if (typed.trim() === '') return entries.slice(0, 4 * most)
  const scored = entries
    .map((entry, order) => ({ entry, order, score: Math.max(score(typed, entry.text), entry.detail ? score(typed, entry.detail) * 0.7 : 0) }))
    .filter((s) => s.score > 0)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, most)
  const groups = new Map<string, Entry[]>()
  for (const { entry } of scored) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry])
  return [...groups.values()].flat()
}
