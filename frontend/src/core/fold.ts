/**
 * fold makes texts comparable in any script: without case and Latin accents, and Hangul as its letters, so that a syllable that is
 * still being typed (하 on the way to 한, 갉 before 가ㄹ…) matches already.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    // A final consonant may be the first of the syllable that comes next.
    .replace(/[\u11a8-\u11c2]/g, (final) => finals[final.charCodeAt(0) - 0x11a8] ?? final)
}

/** The leading consonants that stand for the final ones, in Unicode's order; a cluster is its two. */
const finals = 'ᄀ ᄁ ᄀᄉ ᄂ ᄂᄌ ᄂᄒ ᄃ ᄅ ᄅᄀ ᄅᄆ ᄅᄇ ᄅᄉ ᄅᄐ ᄅᄑ ᄅᄒ ᄆ ᄇ ᄇᄉ ᄉ ᄊ ᄋ ᄌ ᄎ ᄏ ᄐ ᄑ ᄒ'.split(' ')
