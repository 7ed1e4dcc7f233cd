import { fold } from '@/core'

/**
 * score says how well a text fits what was typed: 0 not at all; above that, the whole before the beginning, the beginning of a word,
 * any place, and letters strewn in order. Several words fit where each of them does.
 */
export function score(typed: string, text: string): number {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return 1
  const folded = fold(text)
  let sum = 0
  for (const word of words) {
    const one = scoreWord(word, folded)
    if (one === 0) return 0
    sum += one
  }
  // Of texts that fit alike, the shorter one says it more exactly.
  return sum / words.length - Math.min(folded.length, 200) / 1000
}

function scoreWord(word: string, text: string): number {
  if (text === word) return 10
  const at = text.indexOf(word)
  if (at === 0) return 8
  if (at > 0) return begins(text, at) || begins(text, text.indexOf(word, at + 1)) ? 6 : 4
  return strewn(word, text)
}

const begins = (text: string, at: number) => at > 0 && /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '')

/** strewn: the letters of a word in their order, few gaps before many. One letter strewn means nothing. */
function strewn(word: string, text: string): number {
  if (word.length < 2) return 0
  let at = -1
  let gaps = 0
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1)
    if (next < 0) return 0
    if (at >= 0 && next > at + 1 && !begins(text, next)) gaps++
    at = next
  }
  return gaps > 2 ? 0 : 3 - gaps
}
