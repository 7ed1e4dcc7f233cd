/** One column of a figure's table, which is also one of its CSV. */
export interface Column<T> {
  /** Its name in the CSV, as the API calls it. */
  key: string
  title: string
  /** What the CSV has; undefined is nothing. */
  of: (row: T) => string | number | undefined
  /** What the table shows, where that is something else. */
  show?: (row: T) => string
}

/** cellOf is what a table shows of a row. */
export const cellOf = <T>(column: Column<T>, row: T): string => column.show?.(row) ?? String(column.of(row) ?? '')

/** Spreadsheets run what begins like this. */
const formula = /^[=+\-@\t\r]/

function field(value: string | number | undefined): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  const text = value ?? ''
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** csvOf is rows as CSV (RFC 4180): numbers as they are, texts that no spreadsheet takes for a formula. */
export function csvOf<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const lines = [columns.map((c) => field(c.key)), ...rows.map((row) => columns.map((c) => field(c.of(row))))]
  return lines.map((cells) => cells.join(',') + '\r\n').join('')
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const longestName = 80

/** fileName is what a download is called: letters and digits of any script, and dashes. */
export function fileName(parts: readonly string[], type: string): string {
  const words = parts.map((part) => part.replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-').replace(/^-+|-+$/g, '')).filter(Boolean)
  return Array.from(letters.segment(words.join('-') || 'hearth'), (s) => s.segment).slice(0, longestName).join('') + '.' + type
}
