import { fold } from '@/core'

/** found are the things one of whose texts has every word that was typed. */
export function found<T>(typed: string, things: readonly T[], textsOf: (thing: T) => readonly string[]): T[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  return things.filter((thing) => {
    const text = textsOf(thing).map(fold).join('\n')
    return words.every((word) => text.includes(word))
  })
}
