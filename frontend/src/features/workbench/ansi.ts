import Anser from 'anser'
import type { CSSProperties } from 'react'

/** A stretch of a row that looks the same. */
export interface Span {
  text: string
  className?: string | undefined
  style?: CSSProperties | undefined
}

/** What a terminal does besides colours: titles and links, moving about, character sets. None of it is shown. */
 
const other = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b\[[0-?]*[ -/]*[@-ln-~]|\x1b[()*+][0-9A-Za-z]|\x1b[ -/]*[0-9=>A-Z\\^-~]/g

/** hasColours says whether a text was written for a terminal. */
 
export const hasColours = (text: string): boolean => /\x1b\[[\d;:]*m/.test(text)

/**
 * spansOf are the stretches of a row as a terminal would colour it. Nothing of it becomes markup: texts stay texts, colours are
 * names of ours or three numbers.
 */
export function spansOf(text: string, carry: string): Span[] {
  if (!text.includes('\x1b') && carry === '') return [{ text }]
  const spans: Span[] = []
  for (const part of Anser.ansiToJson(carry + text.replace(other, ''), { json: true, use_classes: true, remove_empty: true })) {
    const fg = colourOf(part.fg, part.fg_truecolor)
    const bg = colourOf(part.bg, part.bg_truecolor)
    const has = (name: Anser.DecorationName) => part.decorations.includes(name)
    const reverse = has('reverse')
    const classes = [
      has('bold') && 'font-semibold',
      has('italic') && 'italic',
      has('underline') && 'underline',
      has('strikethrough') && 'line-through',
      has('dim') && 'text-soft',
      reverse && fg === undefined && 'bg-chosen',
    ].filter(Boolean)
    // On a ground of its own a colour is the text's: pairs that nobody can read are common in logs.
    const ground = reverse ? fg : bg
    const ink = ground === undefined && !reverse ? fg : undefined
    spans.push({
      text: part.content,
      className: classes.length > 0 ? classes.join(' ') : undefined,
      style: ink ?? ground ? { ...(ink ? { color: inked(ink) } : {}), ...(ground ? { backgroundColor: grounded(ground) } : {}) } : undefined,
    })
  }
  return spans
}

/** Colours of a log are brought near the text or the ground, so that they can be read in both themes. */
const inked = (colour: string) => (colour.startsWith('var') ? colour : `color-mix(in oklab, ${colour} 45%, var(--text))`)
const grounded = (colour: string) => `color-mix(in oklab, ${colour} 22%, var(--ground))`

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/** colourOf is one of our colours (workbench.css), or rgb() of three numbers; undefined: none, or none that is known. */
function colourOf(name: string | null, numbers: string | null): string | undefined {
  if (!name) return undefined
  if (name === 'ansi-truecolor') return rgb(numbers ?? '')
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1]
  if (palette !== undefined) return paletteColour(Number(palette))
  const [, bright, plain] = /^ansi-(bright-)?(\w+)$/.exec(name) ?? []
  const known = names.find((n) => n === plain)
  return known && `var(--ansi-${bright && known === 'black' ? 'grey' : known})`
}

function rgb(numbers: string): string | undefined {
  const parts = numbers.split(',').map((n) => Number(n))
  return parts.length === 3 && parts.every((n) => Number.isInteger(n) && n >= 0 && n <= 255) ? `rgb(${parts.join(' ')})` : undefined
}

/** paletteColour is one of the 256 colours of terminals: 16 with names, a cube of 6 × 6 × 6, 24 greys. */
function paletteColour(n: number): string | undefined {
  if (n < 16) return `var(--ansi-${n === 8 ? 'grey' : (names[n % 8] ?? 'black')})`
  if (n >= 256) return undefined
  if (n >= 232) return rgb(Array(3).fill(8 + (n - 232) * 10).join(','))
  const step = (level: number) => (level === 0 ? 0 : 55 + level * 40)
  return rgb([Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map(step).join(','))
}
