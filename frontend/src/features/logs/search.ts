/** The levels, least first. */
export const levels = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof levels)[number]

/** What the address of the log says: which lines. Left out: all. */
export interface LogSearch {
  level?: Level
  text?: string
}

/** The longest text that can be looked for. */
export const longestText = 200

/** logSearch takes from an address what it may say. */
export function logSearch(search: Record<string, unknown>): LogSearch {
  const level = levels.find((l) => l === search.level && l !== 'debug')
  // The router reads what looks like a number or a word of JSON as one.
  const text = ['string', 'number', 'boolean'].includes(typeof search.text) ? String(search.text) : ''
  return { ...(level ? { level } : {}), ...(text ? { text: Array.from(text).slice(0, longestText).join('') } : {}) }
}
