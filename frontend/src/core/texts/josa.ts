/** The particles that follow a word: the form after a final consonant, then the form after a vowel. */
export type Particle = '이/가' | '을/를' | '은/는' | '과/와' | '으로/로' | '이라는/라는'

/** What a word ends with as it is spoken: a vowel, ㄹ (which 으로 treats as a vowel), or any other consonant. */
type End = 'vowel' | 'l' | 'consonant'

/** 영 일 이 삼 사 오 육 칠 팔 구 */
const digits: readonly End[] = ['consonant', 'l', 'vowel', 'consonant', 'vowel', 'vowel', 'consonant', 'l', 'l', 'vowel']

/**
 * josa writes a word and the particle that fits it: josa('서울', '으로/로') is 서울로. It goes by the last letter or digit, so
 * that quotes and brackets may stand around the word. Where nobody can know how the word is spoken, both forms are written, as
 * Korean does: 이(가).
 */
export function josa(word: string, particle: Particle): string {
  const [closed = '', open = ''] = particle.split('/')
  const end = endOf(word)
  if (end === undefined) return word + (closed.startsWith('으') || closed.startsWith('이라') ? `(${closed.charAt(0)})${open}` : `${closed}(${open})`)
  return word + (end === 'vowel' || (end === 'l' && particle === '으로/로') ? open : closed)
}

function endOf(word: string): End | undefined {
  const last = /[\p{L}\p{N}\p{M}](?=[^\p{L}\p{N}\p{M}]*$)/u.exec(word.normalize('NFC'))
  if (!last) return undefined
  const code = last[0].charCodeAt(0)
  if (code >= 0xac00 && code <= 0xd7a3) {
    const final = (code - 0xac00) % 28
    return final === 0 ? 'vowel' : final === 8 ? 'l' : 'consonant'
  }
  if (/[0-9]/.test(last[0])) return digits[Number(last[0])]
  const latin = /[A-Za-z]+$/.exec(word.slice(0, last.index + 1))?.[0]
  return latin === undefined ? undefined : endOfLatin(latin)
}

/** How an English word ends when a Korean speaks it: short stops close the syllable (bot, 봇), others get a vowel (agent, 에이전트). */
function endOfLatin(word: string): End {
  // Spelled letter by letter: 엘, 알, 엠, 엔; all others end in a vowel.
  if (word.length === 1 || (word.length <= 4 && word === word.toUpperCase())) return /[lr]$/i.test(word) ? 'l' : /[mn]$/i.test(word) ? 'consonant' : 'vowel'
  const lower = word.toLowerCase()
  if (/(l|[^aeiou]le|[aeiou]le)$/.test(lower)) return 'l'
  if (/([mn]|ng|[aeiou][mn]e|[aeiou]ck|pp)$/.test(lower)) return 'consonant'
  if (/(^|[^aeiou])[aeiou][bcpkt]$/.test(lower)) return 'consonant'
  return 'vowel'
}
