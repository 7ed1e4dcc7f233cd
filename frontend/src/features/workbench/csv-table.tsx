import { useMemo, useRef } from 'react'
import { Virtualizer } from 'virtua'
import { formatCount, texts, visible } from '@/core'
import { cx } from '@/ui'
import { parseTable, separatorOf } from './csv'
import { Marked } from './marked'

/** A table shows so many columns at most, and of a cell so many characters. */
const mostColumns = 100
const longestCell = 300
/** Columns are as wide as what stands in the first rows, within these bounds; in characters. */
const looked = 200
const narrowest = 4
const widest = 40

const number = /^\s*[-+]?(\d[\d,.' ]*|\.\d+)([eE][-+]?\d+)?\s*%?\s*$/

/** CsvTable is a text of cells as a table: the first row names the columns and stays in sight. */
export function CsvTable({ text, name, sought }: { text: string; name: string; sought: string }) {
  const scroller = useRef<HTMLDivElement>(null)
  const table = useMemo(() => {
    const rows = parseTable(text, separatorOf(text, name))
    const all = rows.reduce((most, row) => Math.max(most, row.length), 0)
    const columns = Math.min(all, mostColumns)
    const sample = rows.slice(0, looked)
    const widths = Array.from({ length: columns }, (_, i) => Math.min(widest, Math.max(narrowest, ...sample.map((row) => (row[i] ?? '').length))) + 3)
    // Whether a column is of numbers is seen below its name.
    const numbers = widths.map((_, i) => sample.length > 1 && sample.slice(1).every((row) => (row[i] ?? '') === '' || number.test(row[i] ?? '')))
    return { head: rows[0] ?? [], rows: rows.slice(1), all, columns, widths, numbers }
  }, [text, name])
  const grid = { gridTemplateColumns: `4rem ${table.widths.map((ch) => `${ch}ch`).join(' ')}` }
  const cell = (value: string) => (value.length > longestCell ? value.slice(0, longestCell) + '…' : value)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={texts.workbench.table(name)}
        className="min-h-0 flex-1 overflow-auto text-[0.8125rem] leading-5 -outline-offset-2 [overflow-anchor:none]"
      >
        <div role="table" aria-label={texts.workbench.table(name)} aria-rowcount={table.rows.length + 1} aria-colcount={table.columns} className="w-max min-w-full">
          <div role="row" aria-rowindex={1} style={grid} className="sticky top-0 z-10 grid border-b border-edge bg-side font-semibold">
            <span aria-hidden />
            {table.widths.map((_, i) => (
              <span key={i} role="columnheader" className={cx('truncate px-2 py-1', table.numbers[i] && 'text-end')} dir="auto" title={cell(table.head[i] ?? '')}>
                {visible(cell(table.head[i] ?? '')) || <span className="sr-only">{texts.workbench.columnName(formatCount(i + 1))}</span>}
              </span>
            ))}
          </div>
          <Virtualizer scrollRef={scroller} data={table.rows} startMargin={29} bufferSize={200}>
            {(row, index) => (
              <div key={index} role="row" aria-rowindex={index + 2} style={grid} className="grid border-b border-line hover:bg-hover">
                <span aria-hidden className="py-0.5 pe-2 text-end text-small leading-5 text-soft select-none">{formatCount(index + 2)}</span>
                {table.widths.map((_, i) => (
                  <span key={i} role="cell" className={cx('truncate px-2 py-0.5', table.numbers[i] && 'text-end')} dir="auto" title={(row[i] ?? '').length > widest ? cell(row[i] ?? '') : undefined}>
                    <Marked text={cell(row[i] ?? '')} sought={sought} />
                  </span>
                ))}
              </div>
            )}
          </Virtualizer>
        </div>
      </div>
      <p className="flex min-h-8 items-center gap-2 border-t border-line px-3 text-small text-soft">
        {texts.workbench.rows(table.rows.length)} · {texts.workbench.columns(table.columns)}
        {table.all > table.columns && ` ${texts.workbench.columnsCut(table.all - table.columns)}`}
      </p>
    </div>
  )
}
