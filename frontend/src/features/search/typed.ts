/** A part of what was typed: a word, or a filter such as in:backend. */
export interface Token {
  /** Where it begins and ends in the text. */
  begin: number
  end: number
  /** The filter's name; empty: it is a word. */
  filter: string
  value: string
}

/** The filters that the server knows, in the order in which they are offered. */
export const filters = ['in', 'from', 'before', 'after', 'on', 'is'] as const
export type Filter = (typeof filters)[number]

const token = /(in|from|before|after|on|is):(?=\s|$)|(?:(in|from|before|after|on|is):)?(?:"([^"]*)"?|“([^”]*)”?|(\S+))/giu

/** tokensOf takes a text apart as the server does (backend/search), as far as completions and the workbench need it. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(token)].map((match) => {
    const [whole, lone, filter, quoted, curly, bare] = match
    return { begin: match.index, end: match.index + whole.length, filter: (filter ?? lone ?? '').toLowerCase(), value: quoted ?? curly ?? bare ?? '' }
  })
}

/** wordsOf is what was typed without its filters. */
export const wordsOf = (text: string): string =>
  tokensOf(text)
    .filter((t) => t.filter === '')
    .map((t) => t.value)
    .join(' ')
    .trim()

/** asIs is a query for a text as it stands, of which no part is a filter. What stands between quotation marks is looked for each by itself. */
export const asIs = (text: string): string =>
  text.split('"').map((part) => part.trim()).filter(Boolean).map((part) => `"${part}"`).join(' ')

/** typing is the filter that is being written at the end of a text. */
export function typing(text: string): Token | undefined {
  const last = tokensOf(text).at(-1)
  return last && last.filter !== '' && last.end === text.length ? last : undefined
}

/** completed is a text in which the last token has become a whole filter, ready for the next word. */
export function completed(text: string, last: Token, value: string): string {
  const written = /[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value
  return `${text.slice(0, last.begin)}${last.filter}:${written} `
}

/** withFilter begins a filter at the end of a text. */
export const withFilter = (text: string, filter: string): string => `${text}${text === '' || /\s$/.test(text) ? '' : ' '}${filter}:`

/** How many searches are remembered. */
const remembered = 8

/** remember puts a search before those that were made before. */
export const remember = (searches: readonly string[], text: string): string[] =>
  text.trim() === '' ? [...searches] : [text.trim(), ...searches.filter((s) => s !== text.trim())].slice(0, remembered)

/** parts takes a snippet apart at its ranges, which count characters. */
export function parts(snippet: string, ranges: readonly { begin: number; end: number }[]): { text: string; found: boolean }[] {
  const characters = Array.from(snippet)
  const out: { text: string; found: boolean }[] = []
  let at = 0
  const add = (to: number, found: boolean) => {
    if (to > at) out.push({ text: characters.slice(at, to).join(''), found })
    at = Math.max(at, to)
  }
  for (const { begin, end } of ranges) {
    add(begin, false)
    add(end, true)
  }
  add(characters.length, false)
  return out
}
