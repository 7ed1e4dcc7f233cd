import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPage } from '@/test/page'
import { TooltipProvider } from '@/ui'
import { splitBlocks } from './blocks'
import { languageOf } from './highlight'
import { foldAbove, folded, foldTo } from './fold'
import { Markdown } from './markdown'
import { MessageBody } from './message-body'
import { fileOf, outside } from './outside'
import { fit } from './picture'
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

  it('has the window open them where there is one', async () => {
    const openExternal = vi.fn()
    Object.assign(window, { hearth: { openExternal } })
    show('[x](https://example.com/a)')
    await userEvent.click(screen.getByRole('link'))
    expect(openExternal).toHaveBeenCalledExactlyOnceWith('https://example.com/a')
    Reflect.deleteProperty(window, 'hearth')
  })

  it('fetches no picture from elsewhere', () => {
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

describe('pictures', () => {
  const body = (text: string) => renderPage(<MessageBody id="r1" text={text} channelId="c 1" handles={[]} />)

  it('come from the channel’s folder by way of the server, and can be enlarged', async () => {
    const { container } = await body('![a cat](.flower/artifacts/a%20cat.png)')
    const picture = container.querySelector('img')
    expect(picture).toHaveAttribute('src', '/api/channels/c%201/file?path=.flower%2Fartifacts%2Fa%20cat.png')
    expect(picture).toHaveAttribute('loading', 'lazy')
    const enlarge = screen.getByRole('button', { name: 'Enlarge: a cat' })
    expect(enlarge).toHaveStyle({ width: '320px' })
    Object.defineProperties(picture, { naturalWidth: { value: 960 }, naturalHeight: { value: 320 } })
    fireEvent.load(picture as Element)
    expect(enlarge).toHaveStyle({ width: '480px', aspectRatio: '480 / 160' })
    await userEvent.click(enlarge)
    expect(screen.getByRole('dialog', { name: 'a cat' })).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('that are missing are said to be', async () => {
    const { container } = await body('![](/tmp/gone.png)')
    fireEvent.error(container.querySelector('img') as Element)
    expect(container).toHaveTextContent('The picture /tmp/gone.png can’t be shown.'.replace('’', "'"))
    expect(container.querySelector('img')).toBeNull()
  })

  it.each(['javascript:alert(1)', 'data:image/svg+xml,<svg/>', '//evil.example/a.png', 'blob:a', 'HTTP://evil.example/a.png', 'http://127.0.0.1/api/channels'])(
    'are not made of %s',
    async (src) => {
      const { container } = await body(`![x](<${src}>)`)
      expect(container.querySelector('img')).toBeNull()
    },
  )
})

describe('fileOf', () => {
  it.each([
    ['a/b.png', 'a/b.png'], ['/a/b.png', '/a/b.png'], ['file:///a/b%20c.png', '/a/b c.png'], ['./100%.png', './100%.png'], ['가.png', '가.png'],
    ['//host/a', undefined], ['file://host/a', undefined], ['c:/a', undefined], ['#a', undefined], ['', undefined], ['a%00b', undefined],
  ])('%j', (src, want) => expect(fileOf(src)).toBe(want))
})

describe('fit', () => {
  it.each([
    [{ width: 100, height: 50 }, { width: 100, height: 50 }],
    [{ width: 960, height: 960 }, { width: 320, height: 320 }],
    [{ width: 4800, height: 48 }, { width: 480, height: 24 }],
  ])('%j', (size, want) => expect(fit(size, { width: 480, height: 320 })).toEqual(want))
})

describe('a huge text', () => {
  it('is folded, and opens', async () => {
    const text = 'word '.repeat(18_000).trim()
    const { container } = await renderPage(<MessageBody id="huge" text={text} channelId="c" handles={[]} />)
    expect(container.textContent.length).toBeLessThan(foldTo + 100)
    await userEvent.click(screen.getByRole('button', { name: 'Show all 89,999 characters' }))
    expect(container.querySelector('.markdown')?.textContent).toBe(text)
    await userEvent.click(screen.getByRole('button', { name: 'Show less' }))
    expect(container.textContent.length).toBeLessThan(foldTo + 100)
  })

  it('is cut at the end of a line, and never inside a character', () => {
    expect(folded('x'.repeat(foldAbove))).toBeUndefined()
    expect(folded(`${'x'.repeat(2000)}\n${'y'.repeat(foldAbove)}`)).toBe('x'.repeat(2000))
    expect(folded('x'.repeat(foldTo - 1) + '🙂'.repeat(foldAbove))).toBe('x'.repeat(foldTo - 1))
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
