import { describe, expect, it } from 'vitest'
import { visible } from '@/core'
import { spansOf } from './ansi'
import { parseTable, separatorOf } from './csv'
import { formatOf, languageOf } from './format'
import { jsonNodes } from './json'
import { places } from './marked'

const esc = '\x1b'

describe('spansOf', () => {
  it('colours as a terminal does, with names of ours', () => {
    expect(spansOf(`a ${esc}[31mred${esc}[0m b`, '')).toEqual([
      { text: 'a ', className: undefined, style: undefined },
      { text: 'red', className: undefined, style: { color: 'var(--ansi-red)' } },
      { text: ' b', className: undefined, style: undefined },
    ])
    expect(spansOf('on', `${esc}[1;92m`)[0]).toEqual({ text: 'on', className: 'font-semibold', style: { color: 'var(--ansi-green)' } })
    expect(spansOf(`${esc}[38;5;196mx`, '')[0]?.style?.color).toBe('color-mix(in oklab, rgb(255 0 0) 45%, var(--text))')
    expect(spansOf(`${esc}[48;2;1;2;3mx`, '')[0]?.style).toEqual({ backgroundColor: 'color-mix(in oklab, rgb(1 2 3) 22%, var(--ground))' })
  })
  it('shows nothing of what else a terminal does, and makes no markup', () => {
    const text = `${esc}]0;title\x07${esc}[2K${esc}[1A${esc}]8;;http://x${esc}\\<b onclick=x>${esc}]8;;${esc}\\${esc}(B`
    expect(spansOf(text, '').map((span) => span.text).join('')).toBe('<b onclick=x>')
  })
  it('takes no colour that is none', () => expect(spansOf(`${esc}[38;2;999;0;0mx`, '').map((s) => s.style?.color ?? '')).toEqual(['']))
})

describe('parseTable', () => {
  it.each([
    ['a,b\n1,2\n', [['a', 'b'], ['1', '2']]],
    ['a,"b, ""c""\nd"\r\n1,', [['a', 'b, "c"\nd'], ['1', '']]],
    ['\ufeffx', [['x']]],
    ['"never closed, x\n', [['never closed, x\n']]],
    ['', []],
  ])('%j', (text, rows) => expect(parseTable(text, ',')).toEqual(rows))
  it('knows what separates', () => {
    expect(separatorOf('a;b;c,d', 'x.csv')).toBe(';')
    expect(separatorOf('a,b', 'x.tsv')).toBe('\t')
  })
})

describe('formatOf', () => {
  const piece = (path: string, text: string, more = {}) => ({ path, text, image: '', binary: false, size: text.length, next_offset: text.length, ...more })
  it.each([
    [piece('a/x.md', '#'), 'markdown'],
    [piece('a/x.MD', '#', { binary: true }), 'binary'],
    [piece('a/x.txt', 'x', { image: 'image/png' }), 'image'],
    [piece('a/x.csv', 'x'), 'table'],
    [piece('a/x.txt', `${esc}[1mx`), 'terminal'],
    [piece('a/x.py', 'x'), 'code'],
    [piece('a/x.log', 'x'), 'plain'],
    [piece('a/x.patch', 'x'), 'diff'],
    [piece('a/x', ''), 'empty'],
  ])('%# %j', (of, format) => expect(formatOf(of)).toBe(format))
  it('knows a program by who runs it', () => expect(languageOf({ path: 'scripts/deploy', text: '#!/usr/bin/env python3\n' })).toBe('python'))
})

describe('jsonNodes', () => {
  it('opens what is on top, and what somebody opened', () => {
    const value = { a: 1, 'b/c': { d: [null, 'x'] } }
    expect(jsonNodes(value, new Map([['/b~1c/d', true]])).map((n) => `${n.level} ${n.name} ${n.shown}`)).toEqual([
      '1 root 2 fields', '2 a 1', '2 b/c 1 field', '3 d 2 items', '4 0 null', '4 1 "x"',
    ])
    expect(jsonNodes(value, new Map([['', false]]))).toHaveLength(1)
  })
})

describe('visible', () => {
  it('hides nothing, and leaves joiners alone', () => expect(visible('a\u202eb\x07\tক\u200d')).toBe('a⟨202E⟩b␇\tক\u200d'))
})

describe('places', () => {
  it('are found whatever the case', () => expect(places('Error: error', 'ERROR')).toEqual([[0, 5], [7, 12]]))
  it('are none where the cases have different lengths', () => expect(places('İ x', 'x')).toEqual([]))
})
