import { memo } from 'react'
import { formatCount, texts } from '@/core'
import { cx } from '@/ui'
import { spansOf, type Span } from './ansi'
import type { FileRow } from './file-rows'
import { Marked } from './marked'

/** How a text is coloured: not at all, as a terminal does, as a change of files, as a program (lines of coloured words). */
export type Look = { kind: 'plain' } | { kind: 'terminal' } | { kind: 'diff' } | { kind: 'code'; lines: readonly (readonly { content: string; color?: string | undefined }[])[] }

export interface RowProps {
  row: FileRow
  look: Look
  wrap: boolean
  sought: string
  /** How wide the largest number of a line is. */
  digits: number
  /** Somebody was led here. */
  aimed: boolean
}

/** Row is one row of a text, with the number of its line. */
export const Row = memo(function Row({ row, look, wrap, sought, digits, aimed }: RowProps) {
  const change = look.kind === 'diff' ? changeOf(row.text) : undefined
  return (
    <div
      className={cx(
        'flex min-h-4.5',
        wrap ? 'w-full' : 'w-max min-w-full',
        aimed && 'bg-amber-ground',
        !aimed && change === 'added' && 'bg-green-ground text-green',
        !aimed && change === 'removed' && 'bg-red-ground text-red',
        change === 'place' && 'text-soft',
      )}
    >
      <span
        aria-hidden
        style={{ minWidth: `${digits + Math.floor((digits - 1) / 3)}ch` }}
        className={cx('sticky start-0 ms-2 me-3 shrink-0 text-end text-soft select-none', !aimed && !change && 'bg-ground')}
      >
        {row.line !== undefined && formatCount(row.line)}
      </span>
      {change && change !== 'place' && <span className="sr-only">{texts.workbench[change]}: </span>}
      <span className={cx('pe-3 [unicode-bidi:plaintext]', wrap ? 'min-w-0 flex-1 [overflow-wrap:anywhere] whitespace-pre-wrap' : 'whitespace-pre')}>
        {spansFor(row, look).map((span, i) => (
          <span key={i} className={span.className} style={span.style}>
            <Marked text={span.text} sought={sought} />
          </span>
        ))}
        {row.text === '' && '\n'}
      </span>
    </div>
  )
})

function spansFor(row: FileRow, look: Look): Span[] {
  if (look.kind === 'terminal') return spansOf(row.text, row.carry)
  const words = look.kind === 'code' && row.line !== undefined ? look.lines[row.line - 1] : undefined
  // A line that is shown in several rows, or was changed meanwhile, is not that which was coloured.
  if (words?.map((word) => word.content).join('') !== row.text) return [{ text: row.text }]
  return words.map((word) => ({ text: word.content, style: word.color ? { color: word.color } : undefined }))
}

function changeOf(text: string): 'added' | 'removed' | 'place' | undefined {
  if (/^(\+\+\+ |--- |@@|diff |index )/.test(text)) return 'place'
  return text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : undefined
}
