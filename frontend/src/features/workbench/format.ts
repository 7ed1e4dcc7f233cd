import type { WorkbenchPiece } from '@/api'
import { hasColours } from './ansi'

/** How a file is shown. */
export type Format = 'image' | 'binary' | 'empty' | 'markdown' | 'table' | 'json' | 'diff' | 'terminal' | 'code' | 'plain'

/** Larger ones are shown as text, in bytes: to read all of it and to draw what it means costs more than it is worth. */
export const limits: Partial<Record<Format, number>> = { markdown: 512 << 10, table: 2 << 20, json: 2 << 20 }

/** formatOf tells what a file is: by its content where that says so, otherwise by its name. */
export function formatOf(piece: Pick<WorkbenchPiece, 'image' | 'binary' | 'size' | 'path' | 'text' | 'next_offset'>): Format {
  if (piece.image !== '') return 'image'
  if (piece.binary) return 'binary'
  if (piece.size === 0) return 'empty'
  const end = /\.([^./]+)$/.exec(piece.path)?.[1]?.toLowerCase() ?? ''
  if (end === 'md' || end === 'markdown') return 'markdown'
  if (end === 'csv' || end === 'tsv' || end === 'tab') return 'table'
  if (end === 'json' || end === 'geojson' || end === 'ipynb') return 'json'
  if (end === 'diff' || end === 'patch') return 'diff'
  if (hasColours(piece.text)) return 'terminal'
  return languageOf(piece) === '' ? 'plain' : 'code'
}

/** languageOf is the word that names a program's language: the end of its name, or who runs it; empty: none. */
export function languageOf({ path, text }: Pick<WorkbenchPiece, 'path' | 'text'>): string {
  const runs = /^#!.*?\b(bash|zsh|sh|python|node|ruby|perl|php|lua)[\d.]*\b/.exec(text)?.[1]
  if (runs) return runs === 'node' ? 'javascript' : runs
  const name = path.split('/').at(-1) ?? ''
  if (/^(Makefile|Dockerfile)$/i.test(name)) return name.toLowerCase()
  const end = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return ['txt', 'log', 'out', 'lock'].includes(end) ? '' : end
}

/** parsed is the value of a JSON text; undefined: it is none. */
export function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')) as unknown }
  } catch {
    return undefined
  }
}
