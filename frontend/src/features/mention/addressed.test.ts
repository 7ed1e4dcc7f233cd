import { describe, expect, it } from 'vitest'
import { namedIn } from './addressed'

const handles = ['claude', 'claude-2', '분석가', '分析', 'محلل', 'विश्लेषक', 'codex']

describe('namedIn', () => {
  it.each<[string, string, string[]]>([
    ['plain', '@claude please look', ['claude']],
    ['at the end of a sentence', 'ask @claude.', ['claude']],
    ['possessive', "@claude's answer", ['claude']],
    ['case folds', '@Claude look', ['claude']],
    ['full-width at', '＠claude 봐줘', ['claude']],
    ['the longest handle wins', '@claude-2 look', ['claude-2']],
    ['a longer word is not it', '@claudette look', []],
    ['a digit goes on', '@claude3 look', []],
    ['Korean with a particle', '@분석가에게 물어봐', ['분석가']],
    ['a Latin handle with a Korean particle', '@claude가 봤어요', ['claude']],
    ['Korean before the at', '안녕@분석가', ['분석가']],
    ['Chinese runs on', '请@分析看看', ['分析']],
    ['Arabic', '@محلل انظر', ['محلل']],
    ['Hindi, with combining vowels', '@विश्लेषक देखो', ['विश्लेषक']],
    ['decomposed Korean', '@\u1107\u116e\u11ab\u1109\u1165\u11a8\u1100\u1161 봐요', ['분석가']],
    ['two, each once, in order', '@codex then @claude then @codex', ['codex', 'claude']],
    ['in a list', '- @claude\n- @codex', ['claude', 'codex']],
    ['an indented item of a list', '- a\n\n    - @claude', ['claude']],
    ['in a quote', '> @claude said', ['claude']],
    ['e-mail', 'mail me@claude or me@claude.com', []],
    ['e-mail in another script', '메일@분석가.한국 로', []],
    ['URL', 'https://example.org/@claude', []],
    ['an address in angle brackets', '<https://example.org/?q=(@claude)>', []],
    ['code span', 'run `@claude` now', []],
    ['code span of two ticks', 'run ``a ` @claude`` now', []],
    ['a code span over two lines', 'run `a\n@claude` now', []],
    ['fenced', '```\n@claude\n```', []],
    ['fenced with a blank line in it', '```\na\n\n@claude\n```\n@codex', ['codex']],
    ['fenced with tildes and a language', '~~~go\n// @claude\n~~~\nbut @codex', ['codex']],
    ['a fence never closed', '```\n@claude', []],
    ['a fence inside a longer one', '````\n```\n@claude\n```\n````\n@codex', ['codex']],
    ['indented code', 'text\n\n    @claude', []],
    ['an indented line of a paragraph', 'text\n    @claude', ['claude']],
    ['an unmatched backtick', 'it`s @claude', ['claude']],
    ['double at', '@@claude', []],
    ['a bare at', '@ claude', []],
    ['emoji before', '👋@claude', ['claude']],
  ])('%s', (_, body, want) => expect(namedIn(body, handles).handles).toEqual(want))

  it('says which names nobody has', () => {
    expect(namedIn('@nobody and @claude, `@Override`, me@x.org', handles)).toEqual({ handles: ['claude'], unknown: ['nobody'] })
  })
})
