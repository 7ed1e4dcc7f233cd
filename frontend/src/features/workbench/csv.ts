/** separatorOf is what stands between the cells of a table: what its first line has most of. */
export function separatorOf(text: string, name: string): string {
  if (/\.(tsv|tab)$/i.test(name)) return '\t'
  const line = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  const count = (sign: string) => line.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** parseTable reads CSV as RFC 4180 says, and what is near it: quotes, doubled quotes, line breaks inside of quotes. */
export function parseTable(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const body = text.replace(/^\ufeff/, '')
  while (at < body.length) {
    let cell = ''
    if (body[at] === '"') {
      // A quote that is never closed ends with the text.
      for (at++; at < body.length; ) {
        const end = body.indexOf('"', at)
        cell += body.slice(at, end < 0 ? body.length : end)
        at = end < 0 ? body.length : end + 1
        if (body[at] !== '"') break
        cell += '"'
        at++
      }
    }
    let end = at
    while (end < body.length && body[end] !== separator && body[end] !== '\n') end++
    cell += body.slice(at, end).replace(/\r$/, '')
    row.push(cell)
    at = end + 1
    if (body[end] !== separator || end >= body.length) {
      rows.push(row)
      row = []
    } else if (at >= body.length) {
      row.push('')
      rows.push(row)
    }
  }
  return rows
}
