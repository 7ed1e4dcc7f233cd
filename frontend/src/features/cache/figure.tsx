import { useState, type ReactNode } from 'react'
import { texts } from '@/core'
import { Segmented } from '@/ui'
import { csvOf, type Column } from './columns'
import { DataTable, type DataTableProps } from './data-table'
import { ExportMenu } from './export-menu'

export interface FigureProps<T> extends Pick<DataTableProps<T>, 'keyOf' | 'first' | 'chosen'> {
  title: string
  hint?: ReactNode
  columns: readonly Column<T>[]
  rows: readonly T[]
  /** What its files are called. */
  name: readonly string[]
  json: () => unknown
  /** What else its line has, such as pages. */
  controls?: ReactNode
  /** The chart. The table behind it has the same figures. */
  children: ReactNode
}

/** Figure is a chart with the table behind it, and both to take away. */
export function Figure<T>({ title, hint, columns, rows, name, json, controls, keyOf, first, chosen, children }: FigureProps<T>) {
  const [view, setView] = useState<'chart' | 'table'>('chart')
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 flex-1 text-title font-semibold break-words" dir="auto">{title}</h3>
        {controls}
        <div className="flex items-center gap-1">
          <Segmented
            label={texts.cache.shown(title)}
            value={view}
            onChange={setView}
            options={[{ value: 'chart', text: texts.cache.chart }, { value: 'table', text: texts.cache.table }]}
          />
          <ExportMenu title={title} export={{ name, csv: () => csvOf(columns, rows), json }} />
        </div>
      </div>
      {view === 'chart' ? children : <DataTable label={title} columns={columns} rows={rows} keyOf={keyOf} first={first} chosen={chosen} />}
      {hint && <p className="text-small text-soft">{hint}</p>}
    </section>
  )
}
