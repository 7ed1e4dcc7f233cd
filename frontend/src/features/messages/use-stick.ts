import { useEffect, useRef, useState, type RefObject } from 'react'

/** How close to the end counts as being there, in pixels. */
const near = 48

/** How long a person's press or turn of the wheel explains a scroll, and how long a change of sizes does; in milliseconds. */
const handFor = 1000
const settleFor = 400

/** What is asked of the list at a scroll. */
interface Sizes {
  readonly scrollSize: number
  readonly viewportSize: number
}

/**
 * useStick knows whether the view belongs at the end. It leaves it only when a person scrolls up: that the list finds its sizes,
 * or the browser keeps the offset inside of what there is, moves it too and means nothing. `present`: the list is in the page.
 */
export function useStick(scroller: RefObject<HTMLElement | null>, present: boolean) {
  const stick = useRef(true)
  const [up, setUp] = useState(false)
  const last = useRef({ offset: 0, size: 0, room: 0 })
  const hand = useRef(0)
  const changed = useRef(0)
  const upAt = useRef(-handFor)

  useEffect(() => {
    const { current } = scroller
    if (!current) return
    let dragging = false
    let settling: ReturnType<typeof setTimeout> | undefined
    const touched = () => (hand.current = performance.now())
    const down = () => {
      dragging = true
      touched()
    }
    const over = () => (dragging = false)
    const move = () => dragging && touched()
    // Text that streams scrolls to the end with every frame: whoever turns the wheel up must not have to win against that.
    const leave = () => {
      touched()
      if (current.scrollHeight <= current.clientHeight || current.scrollTop <= 0) return
      upAt.current = performance.now()
      stick.current = false
      setUp(true)
      clearTimeout(settling)
      settling = setTimeout(() => {
        // Something inside a row was scrolled, and not the list.
        if (current.scrollHeight - current.scrollTop - current.clientHeight > 1) return
        stick.current = true
        setUp(false)
      }, settleFor)
    }
    const wheel = (event: WheelEvent) => {
      if (event.deltaY < 0) {
        leave()
        return
      }
      touched()
      upAt.current = -handFor
    }
    const key = (event: KeyboardEvent) => (event.key === 'PageUp' || event.key === 'Home' ? leave() : touched())
    current.addEventListener('wheel', wheel, { passive: true })
    current.addEventListener('keydown', key)
    const kinds = ['touchmove', 'focusin'] as const
    for (const kind of kinds) current.addEventListener(kind, touched, { passive: true })
    // The scrollbar is the list's own.
    current.addEventListener('pointerdown', down)
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', over)
    return () => {
      clearTimeout(settling)
      current.removeEventListener('wheel', wheel)
      current.removeEventListener('keydown', key)
      for (const kind of kinds) current.removeEventListener(kind, touched)
      current.removeEventListener('pointerdown', down)
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', over)
    }
  }, [scroller, present])

  /** scrolled takes a scroll; it gives whether the view belongs at the end now. */
  const scrolled = (offset: number, { scrollSize, viewportSize }: Sizes): boolean => {
    const now = performance.now()
    const before = last.current
    if (before.size !== scrollSize || before.room !== viewportSize) changed.current = now
    last.current = { offset, size: scrollSize, room: viewportSize }
    const byHand = now - hand.current < handFor
    // A scroll to the end that was under way when the wheel was turned up is not the person's.
    const leaving = now - upAt.current < settleFor
    if (!leaving && offset >= scrollSize - viewportSize - near) stick.current = true
    else if (offset < before.offset - 1 && (byHand || now - changed.current > settleFor)) stick.current = false
    if (stick.current === up) setUp(!stick.current)
    return stick.current
  }
  /** resized takes note that sizes have changed. */
  const resized = () => {
    changed.current = performance.now()
  }
  const set = (to: boolean) => {
    stick.current = to
    setUp(!to)
  }
  return { stick, up, scrolled, resized, set }
}
