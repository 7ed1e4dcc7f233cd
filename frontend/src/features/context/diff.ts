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
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const midA = a.slice(head, a.length - tail)
  const midB = b.slice(head, b.length - tail)
  if (midA.length * midB.length > mostCells) return undefined
  const same = (from: number, to: number): Piece => ({ kind: 'same', text: a.slice(from, to).join('') })
  return joined([same(0, head), ...middle(midA, midB), same(a.length - tail, a.length)])
}

/** middle walks along the longest common subsequence of two lists. */
function middle(a: readonly string[], b: readonly string[]): Piece[] {
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const out: Piece[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const old = a[i]
    const fresh = b[j]
    if (old !== undefined && old === fresh) {
      out.push({ kind: 'same', text: old })
      i++
      j++
    } else if (fresh === undefined || (old !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      out.push({ kind: 'removed', text: old ?? '' })
      i++
    } else {
      out.push({ kind: 'added', text: fresh })
      j++
    }
  }
  return out
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
