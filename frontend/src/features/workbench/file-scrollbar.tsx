import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { formatCount, texts } from '@/core'
import { formatBytes } from './bytes'

export interface FileScrollbarProps {
  /** Where what is shown begins, how much that is, and the whole; in bytes. */
  at: number
  shown: number
  size: number
  onJump: (at: number) => void
}

/** The least height of what is dragged, in pixels. */
const least = 28

/** FileScrollbar is the place in a whole file of which only a stretch is held: dragged, pressed, or moved by keys. */
export function FileScrollbar({ at, shown, size, onJump }: FileScrollbarProps) {
  const track = useRef<HTMLDivElement>(null)
  const grip = useRef<number | undefined>(undefined)
  const [dragged, setDragged] = useState<number>()
  const share = Math.min(1, Math.max(0, dragged ?? at / Math.max(1, size - shown)))
  const thumb = `max(${least}px, ${(shown / Math.max(1, size)) * 100}%)`

  const shareAt = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect()
    if (!box) return 0
    const height = Math.max(least, (shown / size) * box.height)
    return Math.min(1, Math.max(0, (event.clientY - box.top - (grip.current ?? height / 2)) / Math.max(1, box.height - height)))
  }
  const jump = (to: number) => onJump(to >= 0.999 ? size : Math.floor(to * Math.max(0, size - shown)))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = Math.max(1, size / 100)
    const to = { ArrowDown: at + step, ArrowUp: at - step, PageDown: at + 10 * step, PageUp: at - 10 * step, Home: 0, End: size }[event.key]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onJump(Math.min(size, Math.max(0, Math.floor(to))))
  }
  return (
    <div
      ref={track}
      role="scrollbar"
      aria-label={texts.workbench.position}
      aria-controls="workbench-text"
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={texts.workbench.positionText(formatCount(Math.floor(share * 100)), formatBytes(at), formatBytes(size))}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const held = (event.target as HTMLElement).closest<HTMLElement>('[data-thumb]')?.getBoundingClientRect()
        grip.current = held && event.clientY - held.top
        setDragged(shareAt(event))
        if (!held) jump(shareAt(event))
      }}
      onPointerMove={(event) => {
        if (dragged === undefined) return
        const to = shareAt(event)
        setDragged(to)
        jump(to)
      }}
      onPointerUp={() => setDragged(undefined)}
      onPointerCancel={() => setDragged(undefined)}
      className="relative w-3 shrink-0 touch-none border-s border-line bg-side"
    >
      <div
        data-thumb
        style={{ height: thumb, top: `calc((100% - ${thumb}) * ${share})` }}
        className="absolute inset-x-0.5 rounded-full bg-edge hover:bg-soft"
      />
    </div>
  )
}
