/** Ends are how many things two lists have in common at their beginnings, and at their ends behind that. */
export interface Ends {
  head: number
  tail: number
}

/** endsOf looks for what two lists have in common at both ends: most of a text that was changed a little. */
export function endsOf(a: readonly string[], b: readonly string[]): Ends {
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return { head, tail }
}

/** Step is one thing of a comparison, on the way from an old list to a new one. */
export type Step = 'same' | 'removed' | 'added'

/**
 * stepsOf is the way from one list to another along their longest common subsequence. It takes as much room as one is long times the
 * other: who calls it bounds that.
 */
export function stepsOf(a: readonly string[], b: readonly string[]): Step[] {
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const out: Step[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const step = i < a.length && a[i] === b[j] ? 'same' : j === b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)) ? 'removed' : 'added'
    out.push(step)
    if (step !== 'added') i++
    if (step !== 'removed') j++
  }
  return out
}
