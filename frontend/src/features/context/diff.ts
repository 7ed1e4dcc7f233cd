import { endsOf, stepsOf } from '@/core'

/** A stretch of a comparison: text that stays, that came, or that went. */
export interface Piece {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Longer than this (pieces of one times pieces of the other) is not compared by this measure. */
const mostCells = 1_500_000

/**
 * diffText compares two texts word by word, or line by line where they are long. `whole`: too long for either, so it is all of the
 * old, then all of the new.
 */
export function diffText(before: string, after: string): { pieces: Piece[]; whole: boolean } {
  for (const split of [words, lines]) {
    const pieces = compare(split(before), split(after))
    if (pieces) return { pieces, whole: false }
  }
  return { pieces: joined([{ kind: 'removed', text: before }, { kind: 'added', text: after }]), whole: true }
}

/** Words with the space and the signs between them, each a piece of its own. */
const words = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

function compare(a: readonly string[], b: readonly string[]): Piece[] | undefined {
  const { head, tail } = endsOf(a, b)
  const midA = a.slice(head, a.length - tail)
  const midB = b.slice(head, b.length - tail)
  if (midA.length * midB.length > mostCells) return undefined
  const same = (from: number, to: number): Piece => ({ kind: 'same', text: a.slice(from, to).join('') })
  return joined([same(0, head), ...middle(midA, midB), same(a.length - tail, a.length)])
}

/** middle is the way from one list to the other, with the texts. */
function middle(a: readonly string[], b: readonly string[]): Piece[] {
  let i = 0
  let j = 0
  return stepsOf(a, b).map((kind) => {
    const text = kind === 'added' ? b[j] : a[i]
    if (kind !== 'added') i++
    if (kind !== 'removed') j++
    return { kind, text: text ?? '' }
  })
}

function joined(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = []
  for (const piece of pieces) {
    const last = out.at(-1)
    if (piece.text === '') continue
    if (last?.kind === piece.kind) out[out.length - 1] = { kind: piece.kind, text: last.text + piece.text }
    else out.push(piece)
  }
  return out
}
