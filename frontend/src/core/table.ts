/** Operations on tables and ordered lists that leave the old ones as they are. */
type Table<T> = Readonly<Record<string, T>>

export function put<T>(table: Table<T>, id: string, value: T): Table<T> {
  return table[id] === value ? table : { ...table, [id]: value }
}

export function drop<T>(table: Table<T>, id: string): Table<T> {
  if (!(id in table)) return table
  const { [id]: _, ...rest } = table
  return rest
}

export function keep<T>(table: Table<T>, wanted: (value: T, id: string) => boolean): Table<T> {
  const entries = Object.entries(table)
  const kept = entries.filter(([id, value]) => wanted(value, id))
  return kept.length === entries.length ? table : Object.fromEntries(kept)
}

export function putAll<T>(table: Table<T>, values: readonly T[], idOf: (value: T) => string): Table<T> {
  if (values.length === 0) return table
  const out: Record<string, T> = { ...table }
  for (const value of values) out[idOf(value)] = value
  return out
}

/** mapValues is the table with each value changed; the same table when none was. */
export function mapValues<T>(table: Table<T>, change: (value: T) => T): Table<T> {
  let out: Record<string, T> | undefined
  for (const [id, value] of Object.entries(table)) {
    const next = change(value)
    if (next !== value) (out ??= { ...table })[id] = next
  }
  return out ?? table
}
