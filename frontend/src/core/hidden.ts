/** A stretch of text: as it is, or one character that nobody can see, by its code. */
export type Stretch = { text: string } | { code: string }

/**
 * What shows nothing, or changes how what is around it shows: control and format characters (among them those that turn the
 * direction of writing), blanks that are no space, fillers, variation selectors. Line feed and tab are what they look like.
 */
const unseen =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Co}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f]|(?![\n\t])\p{Cc}|(?! )\p{Zs}|[\ud800-\udfff]/gu

/** Joiners and selectors inside an emoji are part of it. */
const inEmoji = (text: string, at: number, char: string): boolean =>
  (char === '\ufe0f' || char === '\u200d') && /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\ufe0f#*0-9])$/u.test(text.slice(Math.max(0, at - 2), at)) &&
  (char === '\ufe0f' || /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3)))

/** reveal cuts a text at the characters that nobody can see. */
export function reveal(text: string): Stretch[] {
  const out: Stretch[] = []
  let from = 0
  for (const { 0: char, index } of text.matchAll(unseen)) {
    if (inEmoji(text, index, char)) continue
    if (index > from) out.push({ text: text.slice(from, index) })
    out.push({ code: 'U+' + (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0') })
    from = index + char.length
  }
  if (from < text.length) out.push({ text: text.slice(from) })
  return out
}

/** countHidden is how many of them a text has. */
export const countHidden = (text: string): number => reveal(text).filter((s) => 'code' in s).length

/** plain is a text in which nothing hides, for where there is nothing but text: the codes stand in brackets. */
export const plain = (text: string): string => reveal(text).map((s) => ('code' in s ? `[${s.code}]` : s.text)).join('')
