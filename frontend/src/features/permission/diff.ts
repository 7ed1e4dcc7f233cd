import { endsOf, stepsOf } from '@/core'
import type { DiffLine } from '@/features/diff'

/** How many lines that stay are shown around a change. */
const around = 3

/** Longer than this (lines of one times lines of the other) is not compared line by line. */
const mostCells = 2_000_000

/** linesOf are the lines of a text; a line feed at its end begins no other. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  return text.replace(/\n$/, '').split('\n')
}

/** diffLines compares two texts line by line, by their longest common subsequence. `whole`: it was too long, all old, then all new. */
export function diffLines(before: string, after: string): { lines: DiffLine[]; whole: boolean } {
  const a = linesOf(before)
  const b = linesOf(after)
  const { head, tail } = endsOf(a, b)
  const middleA = a.slice(head, a.length - tail)
  const middleB = b.slice(head, b.length - tail)
  const whole = middleA.length * middleB.length > mostCells
  const kept = whole ? [] : commonOf(middleA, middleB)

  const out: DiffLine[] = []
  const same = (i: number, j: number) => out.push({ kind: 'same', old: i + 1, new: j + 1, text: a[i] ?? '' })
  for (let i = 0; i < head; i++) same(i, i)
  let i = head
  let j = head
  for (const [keptA, keptB] of [...kept, [middleA.length, middleB.length] as const]) {
    for (; i < head + keptA; i++) out.push({ kind: 'removed', old: i + 1, text: a[i] ?? '' })
    for (; j < head + keptB; j++) out.push({ kind: 'added', new: j + 1, text: b[j] ?? '' })
    if (keptA < middleA.length) same(i++, j++)
  }
  for (; i < a.length; i++, j++) same(i, j)
  return { lines: folded(out), whole }
}

/** commonOf are the places of the longest common subsequence of two lists of lines. */
function commonOf(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = []
  let i = 0
  let j = 0
  for (const step of stepsOf(a, b)) {
    if (step === 'same') out.push([i, j])
    if (step !== 'added') i++
    if (step !== 'removed') j++
  }
  return out
}

/** folded leaves out lines that stay and are far from any change. */
function folded(lines: readonly DiffLine[]): DiffLine[] {
  const near = lines.map(() => false)
  lines.forEach((line, at) => {
    if (line.kind === 'same') return
    for (let i = Math.max(0, at - around); i <= Math.min(lines.length - 1, at + around); i++) near[i] = true
  })
  const out: DiffLine[] = []
  lines.forEach((line, at) => {
    if (near[at]) return void out.push(line)
    const last = out.at(-1)
    if (last?.kind === 'skip') out[out.length - 1] = { kind: 'skip', count: last.count + 1 }
    else out.push({ kind: 'skip', count: 1 })
  })
  return out
}
