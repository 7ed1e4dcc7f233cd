import { useRef } from 'react'
import { cx } from './cx'

export interface SplitterProps {
  label: string
  /** The width of the pane it belongs to, in pixels. */
  value: number
  min: number
  max: number
  /** On which side of it the pane is. */
  pane: 'left' | 'right'
  onChange: (width: number) => void
  /** A double press brings back the usual width. */
  onReset: () => void
}

/** Splitter sets the width of a pane: by dragging, or by arrow keys (Home and End for the bounds). */
export function Splitter({ label, value, min, max, pane, onChange, onReset }: SplitterProps) {
  const from = useRef<{ x: number; width: number } | undefined>(undefined)
  const set = (width: number) => onChange(Math.round(Math.min(max, Math.max(min, width))))
  const towards = pane === 'left' ? 1 : -1
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, width: value }
      }}
      onPointerMove={(event) => from.current && set(from.current.width + towards * (event.clientX - from.current.x))}
      onPointerUp={() => (from.current = undefined)}
      onPointerCancel={() => (from.current = undefined)}
      onKeyDown={(event) => {
        const step = event.shiftKey ? 48 : 16
        const widths: Partial<Record<string, number>> = {
          ArrowLeft: value - towards * step, ArrowRight: value + towards * step, Home: min, End: max,
        }
        const width = widths[event.key]
        if (width === undefined) return
        event.preventDefault()
        set(width)
      }}
      className={cx(
        'relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-line transition-colors hover:bg-accent focus-visible:bg-accent active:bg-accent',
        "after:absolute after:inset-y-0 after:-left-1 after:w-2.5 after:content-['']",
      )}
    />
  )
}
