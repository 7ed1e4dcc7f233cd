/** The longest message the server takes, in Unicode scalars. */
export const longest = 100_000

/** How many scalars before the limit are counted aloud. */
export const nearLimit = 5_000

/** scalars is the length of a text as the server counts it; quick where it can't be near the limit. */
export function scalars(text: string): number {
  if (text.length < longest - nearLimit) return text.length
  let n = 0
  for (const _ of text) n++
  return n
}
