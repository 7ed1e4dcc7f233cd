/**
 * What is written of a foreign text as a sign of its own: control characters, and those that turn the direction of writing.
 * Joiners, which many scripts are written with, stay; tabs do too.
 */
const unseen = /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|(?!\t)\p{Cc}/gu

/** What has no width, or shows nothing: in names, two would look like one. */
const widthless = /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\u{e0100}-\u{e01ef}]/u
const selector = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u
/** Characters that no joiner belongs behind. */
const apart = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hebrew}\p{Script=Thai}\p{N}\p{P}\p{Z}\p{Cf}]/u

/** takes says whether a character is written with a joiner or a variation selector behind it, as in Persian and Hindi words and in emoji. */
function takes(before: string, char: string): boolean {
  if (before === '') return false
  if (selector.test(char)) return /[\d#*]/.test(before) || (before > '\u007f' && !widthless.test(before))
  if (char !== '\u200c' && char !== '\u200d') return false
  return selector.test(before) || !apart.test(before)
}

/** visibleName is a name or a description, in which what has no width is made visible, too. */
export function visibleName(text: string): string {
  let before = ''
  const shown = Array.from(text, (char) => {
    if (widthless.test(char) && !takes(before, char)) return code(char)
    before = char
    return char
  })
  return visible(shown.join(''))
}

const code = (char: string) => `⟨${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

/** visible is a line of a foreign text with everything in it made visible: control characters by their pictures, others by their code. */
export function visible(text: string): string {
  return text.replace(unseen, (char) => {
    const point = char.codePointAt(0) ?? 0
    if (point < 0x20) return String.fromCharCode(0x2400 + point)
    if (point === 0x7f) return '\u2421'
    return code(char)
  })
}
