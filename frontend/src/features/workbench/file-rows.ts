import type { WorkbenchPiece } from '@/api'

/** What is kept of a piece of a file. */
export type Piece = Pick<WorkbenchPiece, 'offset' | 'next_offset' | 'text'>

/** One row of a file as it is shown: a line, or a part of one that is very long. */
export interface FileRow {
  /** The same for the same place in the file, as pieces come and go around it. */
  key: string
  text: string
  /** The line's number, from 1; undefined where nobody counted up to here, and in a line's further rows. */
  line: number | undefined
  /** About where it begins, in bytes. */
  at: number
  /** The colours that a terminal would still have from what came before, as escape sequences. */
  carry: string
}

/** A row has so many characters at most: one line can be a whole file. */
export const longestRow = 2000

/** A terminal's sequence for colours, and what comes before a cut in the middle of one. */
 
export const colourSequence = /\x1b\[([\d;:]*)m/g
 
const openSequence = /\x1b(?:\[[0-?]*[ -/]*)?$/

/** So many colour sequences are carried from one row to the next at most; those before are long forgotten by any log. */
const mostCarried = 12

/** countLines is how many lines end in a text. */
export function countLines(text: string): number {
  let n = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) n++
  return n
}

/**
 * rowsOf are the rows of pieces that follow one another. A line that goes over the end of a piece is one row; at both ends of the
 * stretch there may be a part of one. `firstLine`: the number of the line that the first piece begins in.
 */
export function rowsOf(pieces: readonly Piece[], firstLine: number | undefined, colours: boolean): FileRow[] {
  const rows: FileRow[] = []
  let number = firstLine
  let carry = ''
  // The beginning of a line whose end is in a later piece.
  let rest: { text: string; key: string; at: number } | undefined

  const addRow = (text: string, key: string, at: number, line: number | undefined) => {
    rows.push({ key, text, line, at, carry })
    if (colours) carry = carriedOn(carry, text)
  }
  const addLine = (text: string, key: string, at: number) => {
    let line = number
    // A terminal writes what comes after a carriage return over what was there; here it is a row of its own.
    let from = 0
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    do {
      const turn = whole.indexOf('\r', from)
      let end = turn < 0 ? whole.length : turn
      if (end - from > longestRow) end = cutAt(whole, from)
      addRow(whole.slice(from, end), from === 0 ? key : `${key}+${from}`, at + from, line)
      line = undefined
      from = end === turn ? end + 1 : end
    } while (from < whole.length)
    if (number !== undefined) number++
  }

  for (const piece of pieces) {
    const { text } = piece
    const scale = text.length === 0 ? 1 : (piece.next_offset - piece.offset) / text.length
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      if (rest) addLine(rest.text + text.slice(from, end), rest.key, rest.at)
      else addLine(text.slice(from, end), `${piece.offset}:${from}`, piece.offset + Math.round(from * scale))
      rest = undefined
      from = end + 1
    }
    if (from < text.length) {
      rest = rest
        ? { ...rest, text: rest.text + text.slice(from) }
        : { text: text.slice(from), key: `${piece.offset}:${from}`, at: piece.offset + Math.round(from * scale) }
    }
  }
  if (rest) addLine(rest.text, rest.key, rest.at)
  return rows
}

/** cutAt is where a row that is too long ends: not in the middle of a character, nor of a terminal's sequence. */
function cutAt(text: string, from: number): number {
  const end = from + longestRow
  const open = openSequence.exec(text.slice(Math.max(from, end - 32), end))
  if (open) return end - open[0].length
  const unit = text.charCodeAt(end - 1)
  return unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end
}

/** carriedOn are the sequences that hold after a row. */
function carriedOn(carry: string, text: string): string {
  if (!text.includes('\x1b[')) return carry
  let held = carry === '' ? [] : carry.split(/(?=\x1b)/)  
  for (const [sequence, codes = ''] of text.matchAll(colourSequence)) held = /^0*$/.test(codes) ? [] : [...held.slice(1 - mostCarried), sequence]
  return held.join('')
}
