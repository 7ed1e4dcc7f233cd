import { describe, expect, it } from 'vitest'
import { countHidden, reveal } from './hidden'

describe('reveal', () => {
  it.each<[string, string, string]>([
    ['a turned direction', 'rm \u202etxt.exe\u202c', 'rm [U+202E]txt.exe[U+202C]'],
    ['a space of no width', 'a\u200bb', 'a[U+200B]b'],
    ['a blank that is no space', 'a\u00a0b', 'a[U+00A0]b'],
    ['a filler', 'a\u3164b', 'a[U+3164]b'],
    ['a tag', 'a\u{e0041}b', 'a[U+E0041]b'],
    ['an escape', '\u001b[31mred', '[U+001B][31mred'],
    ['a carriage return', 'ls\rrm', 'ls[U+000D]rm'],
    ['a joiner between letters', 'a\u200db', 'a[U+200D]b'],
    ['a selector after a letter', 'a\ufe0fb', 'a[U+FE0F]b'],
    ['lines and tabs', 'a\n\tb', 'a\n\tb'],
    ['letters of every script', '분석 محلل विश्लेषक ไทย', '분석 محلل विश्लेषक ไทย'],
    ['an emoji of several', '👩‍💻 ❤️', '👩‍💻 ❤️'],
  ])('%s', (_, text, want) => {
    expect(reveal(text).map((s) => ('code' in s ? `[${s.code}]` : s.text)).join('')).toBe(want)
    expect(countHidden(text)).toBe((want.match(/\[U\+/g) ?? []).length)
  })
})
