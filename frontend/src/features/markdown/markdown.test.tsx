import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { TooltipProvider } from '@/ui'
import { splitBlocks } from './blocks'
import { languageOf } from './highlight'
import { Markdown, outside } from './markdown'
import { splitMentions } from './prose'

const show = (text: string, handles: string[] = [], live = false) =>
  render(
    <TooltipProvider>
      <Markdown text={text} handles={handles} live={live} />
    </TooltipProvider>,
  ).container

describe('Markdown', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'before <iframe src="https://example.com"></iframe> after',
    '<style>*{display:none}</style>',
    '<a href="javascript:alert(1)">x</a>',
    '<form action=/api><input name=a></form>',
  ])('shows %s as the text it is', (html) => {
    const at = show(html)
    expect(at.querySelector('script,img,iframe,style,form,input,a,[onerror]')).toBeNull()
    expect(at.textContent).toBe(html)
  })

  it.each(['[x](javascript:alert(1))', '[x](data:text/html,a)', '[x](/api/channels)', '[x](//evil.example)', '[x](file:///etc/passwd)', '[x](vbscript:a)'])(
    'makes no link of %s',
    (text) => expect(show(text).querySelector('a')).toBeNull(),
  )

  it('opens links outside', () => {
    show('[x](https://example.com/a)')
    expect(screen.getByRole('link')).toHaveAttribute('href', 'https://example.com/a')
    expect(screen.getByRole('link')).toHaveAttribute('target', '_blank')
    expect(screen.getByRole('link')).toHaveAttribute('rel', expect.stringContaining('noopener'))
  })

  it('fetches no picture', () => {
    const at = show('![a cat](https://example.com/cat.png)')
    expect(at.querySelector('img')).toBeNull()
    expect(screen.getByRole('link', { name: 'Picture: a cat' })).toHaveAttribute('href', 'https://example.com/cat.png')
  })

  it('keeps line breaks that were typed', () => expect(show('one\ntwo').querySelectorAll('br')).toHaveLength(1))

  it('shows code as a block, whatever its language', () => {
    const at = show('```nonsense\na <b>\n```\n\n    indented\n\n`inline`')
    expect(Array.from(at.querySelectorAll('pre'), (pre) => pre.textContent)).toEqual(['a <b>', 'indented'])
    expect(at.querySelector('p code')).toHaveTextContent('inline')
  })

  it('shows tables and task lists', () => {
    const at = show('| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done')
    expect(at.querySelectorAll('td')).toHaveLength(2)
    expect(at.querySelector('input')).toBeDisabled()
  })

  it('marks the handles of the channel, not in code', () => {
    const at = show('@claude and @nobody, `@claude`', ['claude'])
    expect(Array.from(at.querySelectorAll('.mention'), (m) => m.textContent)).toEqual(['@claude'])
  })

  it('is the same while it is written as when it is done', () => {
    const text = '# A\n\none\ntwo\n\n```go\nx\n\ny\n```\n\nthree'
    const shape = (at: Element) => Array.from(at.querySelectorAll('h1, p, pre'), (e) => `${e.tagName} ${e.textContent}`)
    expect(shape(show(text, [], true))).toEqual(['H1 A', 'P one\ntwo', 'PRE x\n\ny', 'P three'])
    expect(shape(show(text, [], true))).toEqual(shape(show(text)))
  })
})

describe('outside', () => {
  it.each([
    ['https://a', 'https://a'], ['HTTP://a', 'HTTP://a'], [' mailto:a@b ', 'mailto:a@b'], ['java\nscript:a', ''], ['#x', ''], ['ftp://a', ''],
  ])('%j', (url, want) => expect(outside(url)).toBe(want))
})

describe('splitMentions', () => {
  const handles = ['claude', 'claude-2', '분석가']
  it.each([
    ['ask @claude now', ['claude']],
    ['@CLAUDE-2!', ['claude-2']],
    ['＠claude', ['claude']],
    ['@분석가에게 물어봐', ['분석가']],
    ['me@claude.com', []],
    ['@claudette', []],
    ['@@claude', []],
    ['x @claude, @claude', ['claude', 'claude']],
  ])('%s', (text, want) => {
    const parts = splitMentions(text, handles)
    expect(parts.flatMap((p) => p.handle ?? [])).toEqual(want)
    expect(parts.map((p) => p.text).join('').toLowerCase()).toBe(text.replace('＠', '@').toLowerCase())
  })
})

describe('splitBlocks', () => {
  it.each<[string, string[]]>([
    ['a', ['a']],
    ['a\n\nb', ['a', 'b']],
    ['a\n\n\nb', ['a', 'b']],
    ['- a\n\n- b\n\nc', ['- a\n\n- b', 'c']],
    ['1. a\n\n   more\n\n2. b', ['1. a\n\n   more\n\n2. b']],
    ['```\na\n\nb\n```\n\nc', ['```\na\n\nb\n```', 'c']],
    ['```\na\n\nb', ['```\na\n\nb']],
    ['````\n```\n\nx\n````\n\ny', ['````\n```\n\nx\n````', 'y']],
    ['~~~\n```\n\nx', ['~~~\n```\n\nx']],
    ['', ['']],
  ])('%j', (text, want) => expect(splitBlocks(text)).toEqual(want))
})

describe('languageOf', () => {
  it.each([
    ['TS', 'typescript'], ['c++', 'cpp'], ['go', 'go'], ['constructor', undefined], ['', undefined],
  ])('%s', (word, want) => expect(languageOf(word)).toBe(want))
})
