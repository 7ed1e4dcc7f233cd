/** A text longer than this is folded, and then this much of it is shown; in characters. */
export const foldAbove = 12_000
export const foldTo = 3_000

/** folded is the beginning of a text that is too long to be shown at once, cut at the end of a line where one is near; undefined when it is not. */
export function folded(text: string): string | undefined {
  if (text.length <= foldAbove) return undefined
  const line = text.lastIndexOf('\n', foldTo)
  const cut = text.slice(0, line > foldTo / 2 ? line : foldTo)
  // Not in the middle of a character that takes two units.
  return cut.replace(/[\uD800-\uDBFF]$/, '').trimEnd()
}
