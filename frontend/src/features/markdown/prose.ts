import type { Nodes, Parent, PhrasingContent, Root } from 'mdast'

/** What may stand before an @ that begins a mention: no part of an address. */
const mention = /(?<![A-Za-z0-9._%+\-/@])[@＠]([\p{L}\p{M}\p{N}_-]+)/gu

/** splitMentions cuts a text at the handles it names. The longest handle that fits wins; scripts without spaces may follow it. */
export function splitMentions(text: string, handles: readonly string[]): { text: string; handle?: string }[] {
  const out: { text: string; handle?: string }[] = []
  let from = 0
  for (const match of text.matchAll(mention)) {
    const word = (match[1] ?? '').normalize('NFC').toLowerCase()
    const fits = handles.filter((h) => word.startsWith(h.toLowerCase()) && endsWord(word.slice(h.length)))
    const handle = fits.sort((a, b) => b.length - a.length)[0]
    if (handle === undefined) continue
    if (match.index > from) out.push({ text: text.slice(from, match.index) })
    out.push({ text: '@' + handle, handle })
    from = match.index + 1 + handle.length
  }
  if (from < text.length) out.push({ text: text.slice(from) })
  return out
}

const endsWord = (rest: string) =>
  rest === '' ||
  /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Bopomofo}]/u.test(rest)

/**
 * remarkProse makes of what was parsed what a chat shows: handles of the channel are marked, line breaks that were typed are
 * seen, and HTML is the text that it is.
 */
export function remarkProse(handles: readonly string[]) {
  return () => (root: Root) => walk(root, handles)
}

/** Nodes that hold text and not blocks. */
const holdsPhrases: ReadonlySet<string> = new Set(['paragraph', 'heading', 'emphasis', 'strong', 'delete', 'link', 'tableCell'])

function walk(node: Nodes, handles: readonly string[]): void {
  if (!('children' in node)) return
  const parent = node as Parent
  const phrases = holdsPhrases.has(parent.type)
  parent.children = parent.children.flatMap((child): Parent['children'] => {
    if (child.type === 'html') {
      const text = phrasesOf(child.value, [])
      return phrases ? text : [{ type: 'paragraph', children: text }]
    }
    if (child.type === 'text') return phrasesOf(child.value, parent.type === 'link' ? [] : handles)
    walk(child, handles)
    return [child]
  })
}

function phrasesOf(text: string, handles: readonly string[]): PhrasingContent[] {
  return splitMentions(text, handles).flatMap((part): PhrasingContent[] => {
    if (part.handle !== undefined) {
      return [{ type: 'strong', data: { hProperties: { className: ['mention'] } }, children: [{ type: 'text', value: part.text }] }]
    }
    return part.text.split('\n').flatMap((line, i): PhrasingContent[] => {
      const value: PhrasingContent = { type: 'text', value: line }
      return i === 0 ? [value] : [{ type: 'break' }, value]
    })
  })
}
