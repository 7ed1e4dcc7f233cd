/** How many agents one message can address; the server refuses more. */
export const maxRecipients = 3

/** Who a message names: the handles it addresses, each once and in order, and names after an @ that nobody has. */
export interface Named {
  handles: readonly string[]
  unknown: readonly string[]
}

/** What may stand before an @ that begins a mention: no part of an address. */
const mention = /(?<![A-Za-z0-9._%+\-/@])[@＠]([\p{L}\p{M}\p{Nd}_-]+)/gu

/** Scripts that write particles, or whole sentences, without spaces. */
const unspaced =
  /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Bopomofo}]/u

/**
 * namedIn reads who a message names, by the rules the server goes by: anywhere but in code, addresses and URLs; compared folded;
 * the longest handle that fits wins. The server's own word is what counts: this says beforehand what it will most likely be.
 */
export function namedIn(body: string, handles: readonly string[]): Named {
  if (!/[@＠]/.test(body)) return { handles: [], unknown: [] }
  const found = new Set<string>()
  const unknown = new Set<string>()
  const text = withoutCode(body)
  for (const match of text.matchAll(mention)) {
    const word = (match[1] ?? '').normalize('NFC')
    const lower = word.toLowerCase()
    const before = text[match.index - 1] ?? ' '
    const after = text.slice(match.index + match[0].length)
    const isDomain = /[\p{L}\p{N}]/u.test(before) && /^[.。]\p{L}/u.test(after)
    const fits = handles.filter((h) => {
      const rest = word.slice(h.length)
      return lower.startsWith(h.toLowerCase()) && ((rest === '' && !isDomain) || (!/^\p{M}/u.test(rest) && unspaced.test(rest)))
    })
    const handle = fits.sort((a, b) => b.length - a.length)[0]
    if (handle !== undefined) found.add(handle)
    else if (!isDomain) unknown.add(word)
  }
  return { handles: [...found], unknown: [...unknown] }
}

const fence = /^(?: {0,3}>[ \t]?)* {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]/

/** withoutCode takes code out of a Markdown text: fences, indented blocks, spans, and addresses in angle brackets. */
function withoutCode(body: string): string {
  const out: string[] = []
  let closing: RegExp | undefined
  let inList = false
  let blank = true // the line before was empty, or code
  for (const line of body.split(/\r\n?|\n/)) {
    if (closing) {
      if (closing.test(line)) closing = undefined
      continue
    }
    const opening = fence.exec(line)?.[1]
    if (opening) {
      closing = new RegExp(`^(?: {0,3}>[ \\t]?)*\\s*${opening.charAt(0)}{${opening.length},}\\s*$`)
      out.push('')
      continue
    }
    if (listItem.test(line)) inList = true
    else if (line.trim() !== '' && !/^\s/.test(line)) inList = false
    if (blank && !inList && /^(?: {4}|\t)/.test(line)) continue
    blank = line.trim() === ''
    out.push(line)
  }
  return out.join('\n').split(/\n[ \t]*\n/).map(withoutSpans).join('\n\n')
}

/** withoutSpans takes code spans out of a paragraph: a run of backticks to the next run of the same length. */
function withoutSpans(paragraph: string): string {
  let out = ''
  let at = 0
  for (const ticks of paragraph.matchAll(/`+/g)) {
    if (ticks.index < at) continue
    const begin = ticks.index + ticks[0].length
    const end = Array.from(paragraph.slice(begin).matchAll(/`+/g)).find((t) => t[0].length === ticks[0].length)
    if (!end) continue
    out += paragraph.slice(at, ticks.index) + ' '
    at = begin + end.index + end[0].length
  }
  return (out + paragraph.slice(at)).replace(/<[a-z][a-z0-9+.-]+:[^\s<>]*>/gi, ' ')
}
