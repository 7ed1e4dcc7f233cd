import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import { Palette, WrapText } from 'lucide-react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { formatCount, problemOf, texts } from '@/core'
import { Button, cx, ErrorNote, IconButton, Spinner } from '@/ui'
import { formatBytes } from './bytes'
import { rowsOf, type FileRow } from './file-rows'
import { FileScrollbar } from './file-scrollbar'
import type { FileWindow } from './file-window'
import { GoToLine } from './go-to-line'
import { Row, type Look } from './text-row'

export interface TextViewProps {
  file: FileWindow
  /** What it is called, for screen readers. */
  name: string
  look: Look
  wrap: boolean
  onWrap: (on: boolean) => void
  /** A terminal's colours are shown; undefined: it has none. */
  colours: boolean | undefined
  onColours: (on: boolean) => void
  /** What is marked wherever it stands. */
  sought: string
  /** The line that the address names. */
  line: number | undefined
  /** Reads the file again from its beginning. */
  onReadAgain: () => void
}

/** How close to an end of what is held more is fetched, in pixels. */
const ahead = 2500
/** The height of a row that is not wrapped, in rem (leading-4.5). */
const rowHeight = 1.125

/** TextView is a text of any size. Of the file a stretch is held, of that stretch the page has what can be seen. */
export function TextView({ file, name, look, wrap, onWrap, colours, onColours, sought, line, onReadAgain }: TextViewProps) {
  const view = useSyncExternalStore(file.subscribe, file.get)
  const { pieces, firstLine, size, goal, busy } = view
  const rows = useMemo(() => rowsOf(pieces, firstLine, look.kind === 'terminal'), [pieces, firstLine, look.kind])
  const marked = useDeferredValue(sought)
  const shift = useShift(rows)
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const [shown, setShown] = useState({ from: 0, to: 0 })
  const whole = file.begin === 0 && file.end >= size
  const em = useRem()

  // Where the address leads to, and where somebody wanted to go.
  useEffect(() => {
    if (line !== undefined) void file.goToLine(line)
  }, [file, line])
  const target = goal && indexOf(rows, goal.to)
  useLayoutEffect(() => {
    if (target === undefined || target < 0) return
    list.current?.scrollToIndex(target, { align: goal?.to === 'end' ? 'end' : goal && 'line' in goal.to ? 'center' : 'start' })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each wish
  }, [goal?.n])

  const look_ = () => {
    const { current } = list
    if (!current || current.viewportSize === 0) return
    const { scrollOffset: at, viewportSize: height, scrollSize: all } = current
    setShown((held) => {
      const from = current.findItemIndex(at)
      const to = current.findItemIndex(at + height - 1)
      return held.from === from && held.to === to ? held : { from, to }
    })
    if (at < ahead && file.begin > 0) void file.more('up').then(() => setCut('up'))
    else if (all - at - height < ahead && file.end < size) void file.more('down').then(() => setCut('down'))
  }
  // What is held grows at one end in one drawing, and is cut at the other in the next: the list can follow one at a time.
  const [cut, setCut] = useState<'up' | 'down'>()
  useEffect(() => {
    if (!cut) return
    setCut(undefined)
    file.cut(cut)
  }, [cut, file])
  useEffect(look_)

  const onKeyDown = (event: KeyboardEvent) => {
    if (whole || event.altKey || event.metaKey || event.shiftKey || event.target !== scroller.current) return
    if (event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    void file.jump(event.key === 'Home' ? 0 : size)
  }

  const first = rows[shown.from]
  const digits = String((firstLine ?? 1) + rows.length).length
  const fromLine = lineNear(rows, shown.from)
  const toLine = lineNear(rows, shown.to)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {view.changed && (
        <div role="status" className="flex items-center gap-3 bg-amber-ground px-3 py-1 text-amber">
          <span className="flex-1">{texts.workbench.fileChanged}</span>
          <Button size="sm" onClick={onReadAgain}>{texts.workbench.readAgain}</Button>
        </div>
      )}
      {view.error !== undefined && (
        <ErrorNote className="m-2" action={<Button size="sm" onClick={() => file.retry()}>{texts.common.tryAgain}</Button>}>{problemOf(view.error).message}</ErrorNote>
      )}
      <div className="flex min-h-0 flex-1">
        <div
          ref={scroller}
          id="workbench-text"
          // Scrolled by keyboard too.
          tabIndex={0}
          role="region"
          aria-label={texts.workbench.text(name)}
          aria-busy={busy !== undefined}
          dir="ltr"
          onKeyDown={onKeyDown}
          className={cx('min-w-0 flex-1 overflow-auto py-1 font-mono text-[0.75rem] leading-4.5 -outline-offset-2 [overflow-anchor:none] [tab-size:8]', !whole && '[scrollbar-width:none]')}
        >
          <Virtualizer ref={list} scrollRef={scroller} data={rows} shift={shift} itemSize={rowHeight * em} bufferSize={300} onScroll={look_} onResize={look_}>
            {(row, index) => <Row key={row.key} row={row} look={look} wrap={wrap} sought={marked} digits={digits} aimed={index === target && goal !== undefined && goal.to !== 'end' && 'line' in goal.to} />}
          </Virtualizer>
        </div>
        {!whole && <FileScrollbar at={first?.at ?? file.begin} shown={(rows[shown.to]?.at ?? 0) - (first?.at ?? 0)} size={size} onJump={(at) => void file.jump(at)} />}
      </div>
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 border-t border-line px-3 text-small text-soft">
        <span className="min-w-0 flex-1">
          {fromLine !== undefined && toLine !== undefined && texts.workbench.shownLines(formatCount(fromLine), formatCount(toLine))}
          {!whole && fromLine !== undefined && ' · '}
          {!whole && texts.workbench.positionText(formatCount(Math.floor(((first?.at ?? 0) / size) * 100)), formatBytes(first?.at ?? 0), formatBytes(size))}
        </span>
        <span role="status" className="flex items-center gap-1.5">
          {busy === 'seek' ? (
            <>
              <Spinner className="size-3" />
              {texts.workbench.seeking}
            </>
          ) : (
            view.lastLine !== undefined && texts.workbench.noLine(formatCount(view.lastLine))
          )}
        </span>
        <GoToLine onGo={(n) => void file.goToLine(n).then(() => scroller.current?.focus({ preventScroll: true }))} />
        <span className="-me-2 flex">
          {colours !== undefined && (
            <IconButton size="sm" label={texts.workbench.colours} aria-pressed={colours} onClick={() => onColours(!colours)}>
              <Palette size={14} aria-hidden />
            </IconButton>
          )}
          <IconButton size="sm" label={texts.workbench.wrap} aria-pressed={wrap} onClick={() => onWrap(!wrap)}>
            <WrapText size={14} aria-hidden />
          </IconButton>
        </span>
      </div>
    </div>
  )
}

/** useShift says whether rows have come or gone at the beginning only since they were last drawn: then the view is kept from the end. */
function useShift(rows: readonly FileRow[]): boolean {
  const [before, setBefore] = useState(rows)
  const [shift, setShift] = useState(false)
  if (before !== rows) {
    setBefore(rows)
    setShift(rows.length !== before.length && rows[0]?.key !== before[0]?.key && rows.at(-1)?.key === before.at(-1)?.key)
  }
  return shift
}

/** useRem is how many pixels a rem has: sizes can be chosen. */
function useRem(): number {
  const [em] = useState(() => parseFloat(getComputedStyle(document.documentElement).fontSize) || 16)
  return em
}

function indexOf(rows: readonly FileRow[], to: { at: number } | { line: number } | 'end'): number {
  if (to === 'end') return rows.length - 1
  if ('line' in to) return rows.findIndex((row) => row.line === to.line)
  const after = rows.findIndex((row) => row.at > to.at)
  return after < 0 ? rows.length - 1 : Math.max(0, after - 1)
}

/** lineNear is the number of the line that a row is part of. */
function lineNear(rows: readonly FileRow[], index: number): number | undefined {
  for (let i = Math.min(index, rows.length - 1); i >= 0; i--) if (rows[i]?.line !== undefined) return rows[i]?.line
  return undefined
}
