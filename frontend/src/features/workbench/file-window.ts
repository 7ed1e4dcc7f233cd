import type { WorkbenchPiece } from '@/api'
import { countLines, type Piece } from './file-rows'

/** How a file is read: so many bytes in the first piece, which is all of a small file, and so many in each other. */
export const firstBytes = 512 << 10
const pieceBytes = 128 << 10
/** While a line is looked for, in which every byte has to be read. */
const seekBytes = 1 << 20
/** How much of a file is held at most, in bytes; one piece more for a moment. */
export const mostBytes = 1 << 20

/** Fetches a piece of the file. */
export type Fetch = (offset: number, limit: number, signal: AbortSignal) => Promise<WorkbenchPiece>

/** Where the view goes once it is drawn: to a byte, a line, or the end. The number tells one wish from the next. */
export interface Goal {
  n: number
  to: { at: number } | { line: number } | 'end'
}

export interface FileView {
  /** Pieces that follow one another. Never changed in place. */
  pieces: readonly Piece[]
  /** Of the whole file, in bytes. */
  size: number
  /** The number of the line that the first piece begins in; undefined where nobody counted up to here. */
  firstLine: number | undefined
  goal: Goal | undefined
  /** What is being fetched: pieces before or after, another place, a line. */
  busy: 'up' | 'down' | 'jump' | 'seek' | undefined
  /** The last line, where one behind it was looked for. */
  lastLine: number | undefined
  /** The file was changed otherwise than by writing at its end: what is held may not be so any more. */
  changed: boolean
  error: unknown
}

/**
 * FileWindow is the stretch of a file that is held: it grows at the end that is looked at, is cut at the other, and can be put
 * anywhere. However large the file is, it holds about a megabyte.
 */
export class FileWindow {
  private view: FileView
  private readonly listeners = new Set<() => void>()
  private abort: AbortController | undefined
  private modified: string
  private goals = 0
  /** Places whose line is known: where pieces began while lines were counted. In order. */
  private known: { at: number; line: number }[] = [{ at: 0, line: 1 }]

  constructor(
    private readonly fetch: Fetch,
    first: WorkbenchPiece,
  ) {
    this.modified = first.modified
    this.view = { pieces: [kept(first)], size: first.size, firstLine: 1, goal: undefined, busy: undefined, lastLine: undefined, changed: false, error: undefined }
  }

  readonly get = (): FileView => this.view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** Ends what is being fetched. */
  readonly close = (): void => {
    this.abort?.abort()
    this.abort = undefined
    if (this.view.busy) this.set({ busy: undefined })
  }

  /** take hears of the file as it is now, with its first piece. What was written at its end is there to scroll to; other changes are said. */
  take(first: WorkbenchPiece): void {
    if (first.modified === this.modified && first.size === this.view.size) return
    const small = first.next_offset >= first.size && this.view.pieces[0]?.offset === 0
    const grew = first.size >= this.view.size && this.sameBeginning(first)
    this.modified = first.modified
    if (small) { this.restart(first); return; }
    this.set({ size: first.size, changed: this.view.changed || !grew })
  }

  /** restart begins again with a first piece that was fetched anew. */
  restart(first: WorkbenchPiece): void {
    this.close()
    this.known = [{ at: 0, line: 1 }]
    this.set({ pieces: [kept(first)], size: first.size, firstLine: 1, lastLine: undefined, changed: false, error: undefined })
  }

  private sameBeginning(first: WorkbenchPiece): boolean {
    const held = this.view.pieces[0]
    return held?.offset !== 0 || first.text.startsWith(held.text.slice(0, first.text.length))
  }

  private set(change: Partial<FileView>): void {
    this.view = { ...this.view, ...change }
    for (const listener of this.listeners) listener()
  }

  get begin(): number {
    return this.view.pieces[0]?.offset ?? 0
  }
  get end(): number {
    return this.view.pieces.at(-1)?.next_offset ?? 0
  }

  /** more fetches what comes before or after what is held; nothing where that is the file's end, or something is on its way. */
  async more(where: 'up' | 'down'): Promise<void> {
    const { begin, end } = this
    if (this.view.busy || this.view.error !== undefined || (where === 'up' ? begin === 0 : end >= this.view.size)) return
    await this.work(where, async (signal) => {
      if (where === 'down') {
        const piece = await this.fetch(end, pieceBytes, signal)
        return () => (piece.next_offset > end ? this.set({ pieces: [...this.view.pieces, kept(piece)], size: piece.size }) : this.set({ size: end }))
      }
      const piece = await this.pieceBefore(begin, signal)
      return () => {
        const { firstLine } = this.view
        this.set({ pieces: [piece, ...this.view.pieces], firstLine: firstLine === undefined || piece.offset === 0 ? (piece.offset === 0 ? 1 : undefined) : firstLine - countLines(piece.text) })
      }
    })
  }

  /** pieceBefore is the piece that ends exactly at a place: one may begin a little earlier than asked, and then ends earlier too. */
  private async pieceBefore(end: number, signal: AbortSignal): Promise<Piece> {
    const from = Math.max(0, end - pieceBytes)
    let piece = await this.fetch(from, Math.max(4, end - from), signal)
    if (piece.next_offset !== end) piece = await this.fetch(piece.offset, Math.max(4, end - piece.offset), signal)
    return kept(piece)
  }

  /** Cuts what is held at the end that is not looked at, when it is too much. It is called after what was added has been drawn. */
  cut(keep: 'up' | 'down'): void {
    let { pieces, firstLine } = this.view
    const size = () => (pieces.at(-1)?.next_offset ?? 0) - (pieces[0]?.offset ?? 0)
    while (pieces.length > 1 && size() > mostBytes) {
      const [gone] = pieces
      if (keep === 'down' && gone && firstLine !== undefined) firstLine += countLines(gone.text)
      pieces = keep === 'up' ? pieces.slice(0, -1) : pieces.slice(1)
    }
    if (pieces !== this.view.pieces) this.set({ pieces, firstLine })
  }

  /** jump goes to a place in bytes; to the end from `size` on. */
  async jump(at: number): Promise<void> {
    const toEnd = at >= this.view.size
    if (toEnd ? this.end >= this.view.size : at >= this.begin && at < this.end) { this.set({ goal: this.goal(toEnd ? 'end' : { at }) }); return; }
    await this.work('jump', async (signal) => {
      const from = toEnd ? Math.max(0, this.view.size - pieceBytes) : at
      const piece = await this.fetch(from, pieceBytes, signal)
      return () => this.set({ pieces: [kept(piece)], size: piece.size, firstLine: this.lineAt(piece.offset), goal: this.goal(toEnd ? 'end' : { at }) })
    })
  }

  /** goToLine goes to a line, from 1; to the last where there are not so many. What is before it is read for that, once. */
  async goToLine(line: number): Promise<void> {
    const { firstLine, pieces } = this.view
    if (firstLine !== undefined && line >= firstLine) {
      const held = pieces.reduce((n, piece) => n + countLines(piece.text), 0)
      if (line < firstLine + held || (line === firstLine + held && this.end >= this.view.size)) { this.set({ goal: this.goal({ line }), lastLine: undefined }); return; }
    }
    await this.work('seek', async (signal) => {
      let from = this.known.findLast((place) => place.line <= line) ?? { at: 0, line: 1 }
      for (;;) {
        const piece = await this.fetch(from.at, seekBytes, signal)
        const next = { at: piece.next_offset, line: from.line + countLines(piece.text) }
        const last = piece.next_offset >= piece.size
        if (!last && this.known.at(-1)?.at === from.at) this.known.push(next)
        if (line < next.line || last) {
          const found = Math.min(line, piece.text.endsWith('\n') && last ? Math.max(1, next.line - 1) : next.line)
          const { line: first } = from
          return () =>
            this.set({ pieces: [kept(piece)], size: piece.size, firstLine: first, goal: this.goal({ line: found }), lastLine: found < line ? found : undefined })
        }
        from = next
      }
    })
  }

  /** Tries again what went wrong. */
  retry(): void {
    this.set({ error: undefined })
  }

  private lineAt(at: number): number | undefined {
    return this.known.find((place) => place.at === at)?.line
  }

  private goal(to: Goal['to']): Goal {
    return { n: ++this.goals, to }
  }

  private async work(busy: NonNullable<FileView['busy']>, run: (signal: AbortSignal) => Promise<() => void>): Promise<void> {
    this.abort?.abort()
    const abort = new AbortController()
    this.abort = abort
    this.set({ busy, error: undefined })
    try {
      const done = await run(abort.signal)
      if (this.abort !== abort) return
      this.view = { ...this.view, busy: undefined }
      done()
    } catch (error) {
      if (this.abort === abort) this.set({ busy: undefined, error })
    }
  }
}

const kept = ({ offset, next_offset, text }: WorkbenchPiece | Piece): Piece => ({ offset, next_offset, text })
