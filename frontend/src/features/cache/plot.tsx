import { scaleBand } from '@visx/scale'
import { useCallback, useId, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { texts } from '@/core'
import { cx } from '@/ui'

export type Band = ReturnType<typeof scaleBand<number>>

/** Room around what is drawn, in pixels. */
export interface Margin {
  top: number
  right: number
  bottom: number
  left: number
}

/** What a chart is drawn into. */
export interface Frame {
  /** Of what lies between the margins, in pixels. */
  width: number
  height: number
  /** The points by their places, those that are not there yet too. */
  scale: Band
  /** Where a point begins, and how wide it is. */
  x: (i: number) => number
  band: number
}

export interface PlotProps {
  /** What one moves along: "Turns". */
  label: string
  count: number
  /** A point in a sentence. */
  say: (i: number) => string
  /** The chosen one. */
  chosen: number
  onChoose: (i: number) => void
  /** An arrow key went past an end, or Page Up and Page Down turned the page; -1 is towards the first. */
  onBeyond?: (step: -1 | 1) => void
  /** Places after the points, for what is not there yet. */
  after?: number
  height: number
  margin: Margin
  children: (frame: Frame) => ReactNode
}

/** As wide as this where nothing has a width yet. */
const atFirst = 480

/** useWidth is how wide an element is, as it changes. */
function useWidth(): [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width || atFirst]
}

/**
 * Plot is a chart along whose points one moves: by pointer, and with the arrow keys like a slider, whose value is the point in a
 * sentence, so that it is read aloud. The sentence of the point at hand stands above the chart.
 */
export function Plot({ label, count, say, chosen, onChoose, onBeyond, after = 0, height, margin, children }: PlotProps) {
  const [ref, outer] = useWidth()
  const keys = useId()
  const [hovered, setHovered] = useState<number>()
  const width = Math.max(40, outer - margin.left - margin.right)
  const scale = scaleBand<number>({ domain: Array.from({ length: count + after }, (_, i) => i), range: [0, width], padding: 0.15 })
  const band = scale.bandwidth()
  const x = (i: number) => scale(i) ?? 0
  const frame: Frame = { width, height: height - margin.top - margin.bottom, scale, x, band }
  const shown = hovered !== undefined && hovered < count ? hovered : chosen
  const at = (event: PointerEvent): number => {
    const along = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left
    return Math.floor(along / (width / Math.max(1, count + after)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const to = { ArrowLeft: chosen - 1, ArrowDown: chosen - 1, ArrowRight: chosen + 1, ArrowUp: chosen + 1, Home: 0, End: count - 1, PageUp: -1, PageDown: count }[event.key]
    if (to === undefined) return
    event.preventDefault()
    if (to >= 0 && to < count) onChoose(to)
    else onBeyond?.(to < 0 ? -1 : 1)
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span id={keys} hidden>{texts.cache.keys}</span>
      <p aria-hidden className="min-h-8 text-small text-soft" dir="auto">{count > 0 && say(shown)}</p>
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, count)}
        aria-valuenow={chosen + 1}
        aria-valuetext={count > 0 ? say(chosen) : ''}
        aria-describedby={keys}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => setHovered(inside(at(event), count))}
        onPointerLeave={() => setHovered(undefined)}
        onPointerDown={(event) => {
          const i = inside(at(event), count)
          if (i !== undefined) onChoose(i)
        }}
        className="min-w-0 touch-pan-y rounded-sm"
      >
        <svg aria-hidden width={outer} height={height} className="keep-colour block max-w-full overflow-visible">
          <g transform={`translate(${margin.left},${margin.top})`}>
            {[...new Set([chosen, shown])].map(
              (i) => i >= 0 && i < count && <rect key={i} x={x(i) - 1} width={band + 2} y={-margin.top} height={frame.height + margin.top} className={cx(i === chosen ? 'fill-chosen' : 'fill-hover')} />,
            )}
            {children(frame)}
            {/* Where bars stand close, this says which one is chosen. */}
            {chosen >= 0 && chosen < count && <rect x={x(chosen)} width={Math.max(2, band)} y={frame.height} height={3} className="fill-text" />}
          </g>
        </svg>
      </div>
    </div>
  )
}

const inside = (i: number, count: number): number | undefined => (i >= 0 && i < count ? i : undefined)
