/**
 * What is written of a foreign text as a sign of its own: control characters, and those that turn the direction of writing.
 * Joiners, which many scripts are written with, stay; tabs do too.
 */
const unseen = /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|(?!\t)\p{Cc}/gu

/** visible is a line of a foreign text with everything in it made visible: control characters by their pictures, others by their code. */
export function visible(text: string): string {
  return text.replace(unseen, (char) => {
    const code = char.codePointAt(0) ?? 0
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    if (code === 0x7f) return '\u2421'
    return `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
