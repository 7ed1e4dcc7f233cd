import type { ReactNode } from 'react'
import { texts } from '@/core'
import { cx } from '@/ui'
import { cellOf, type Column } from './columns'

export interface DataTableProps<T> {
  /** What it is of. */
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
  /** The first cell of a row, where it is more than a text. */
  first?: (row: T, text: string) => ReactNode
  chosen?: string | undefined
}

/** DataTable is figures as a table, numbers at the right. Where it is too wide it scrolls by itself, by keyboard too. */
export function DataTable<T>({ label, columns, rows, keyOf, first, chosen }: DataTableProps<T>) {
  // A column of numbers is set as one, whatever it shows of them.
  const numbers = columns.map((c) => rows.length > 0 && rows.every((row) => typeof c.of(row) !== 'string'))
  return (
    <div role="region" aria-label={texts.cache.tableOf(label)} tabIndex={0} className="overflow-x-auto rounded-md border border-line -outline-offset-2">
      <table className="w-full border-collapse text-small">
        <thead>
          <tr className="border-b border-edge bg-side">
            {columns.map((c, i) => (
              <th key={c.key} scope="col" className={cx('px-2 py-1 font-medium whitespace-nowrap', numbers[i] ? 'text-end' : 'text-start')}>{c.title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row)
            return (
              <tr key={key} className={cx('border-b border-line last:border-0', key === chosen && 'bg-chosen')}>
                {columns.map((c, i) => {
                  const text = cellOf(c, row)
                  const shown = i === 0 && first ? first(row, text) : text
                  const look = cx('px-2 py-1 whitespace-nowrap', numbers[i] ? 'text-end' : 'text-start')
                  return i === 0 ? <th key={c.key} scope="row" className={cx(look, 'font-normal')} dir="auto">{shown}</th> : <td key={c.key} className={look} dir="auto">{shown}</td>
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
