import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** How close to the end counts as being there, in pixels. */
const near = 48

/** How long a person's press or turn of the wheel explains a scroll, and how long a change of sizes does; in milliseconds. */
const handFor = 1000
const settleFor = 400

/** What moves in a list by key. Enter and letters act on what is there, and whatever opens or closes then is no wish to go. */
const moving = new Set(['ArrowUp', 'ArrowDown', 'PageDown', 'End', 'Tab', 'j', 'k'])

/** toGo is how much lies below what is seen, in pixels. */
const toGo = (list: HTMLElement) => list.scrollHeight - list.scrollTop - list.clientHeight

/** scrollsInside says whether something between a point of the list and the list itself takes the scroll upwards. */
function scrollsInside(from: EventTarget | null, list: HTMLElement): boolean {
  for (let at = from instanceof Element ? from : null; at && at !== list; at = at.parentElement) {
    if (at.scrollTop > 0 && at.scrollHeight > at.clientHeight) return true
  }
  return false
}

/**
 * useStick knows whether the view belongs at the end. It leaves it only when a person scrolls up: that the list finds its sizes,
 * or the browser keeps the offset inside of what there is, moves it too and means nothing. What counts is what the browser says
 * of the list: what the virtual list knows is late by a measurement. `present`: the list is in the page.
 */
export function useStick(scroller: RefObject<HTMLElement | null>, present: boolean) {
  const stick = useRef(true)
  const [up, setUp] = useState(false)
  const last = useRef({ offset: 0, size: 0, room: 0 })
  const hand = useRef(-handFor)
  const changed = useRef(0)
  const upAt = useRef(-settleFor)
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(settling.current), [])

  // By hand: what the virtual list scrolls to it holds for as long as sizes change, whatever the person does meanwhile.
  const goToEnd = useCallback(() => {
    const list = scroller.current
    // Whoever writes in the list, in a message of theirs, stays with it.
    const writing = document.activeElement instanceof HTMLTextAreaElement && list?.contains(document.activeElement)
    if (stick.current && list && !writing) list.scrollTop = list.scrollHeight
  }, [scroller])

  const set = (to: boolean) => {
    stick.current = to
    setUp(!to)
  }
  /** settle looks, once there was time to move, whether there was anywhere to go. */
  const settle = () => {
    clearTimeout(settling.current)
    settling.current = setTimeout(() => {
      if (!stick.current && scroller.current) set(toGo(scroller.current) <= 1)
    }, settleFor)
  }

  useEffect(() => {
    const { current } = scroller
    if (!current) return
    let pressing = false
    const touched = () => (hand.current = performance.now())
    const down = (event: PointerEvent) => {
      pressing = true
      // The scrollbar is the list's own.
      if (event.target === current) touched()
    }
    const over = () => (pressing = false)
    const move = () => pressing && touched()
    // By keyboard: the browser brings what has the focus into view. A click is where one looks already.
    const focused = () => !pressing && touched()
    // Text that streams scrolls to the end with every frame: whoever turns the wheel up must not have to win against that.
    const leave = () => {
      touched()
      if (current.scrollHeight <= current.clientHeight || current.scrollTop <= 0) return
      upAt.current = performance.now()
      set(false)
      settle()
    }
    const wheel = (event: WheelEvent) => {
      if (event.deltaY >= 0) upAt.current = -settleFor
      else if (!scrollsInside(event.target, current)) leave()
    }
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof Element && event.target.closest('input, textarea')) return
      if (event.key === 'PageUp' || event.key === 'Home' || (event.key === ' ' && event.shiftKey)) leave()
      else if (moving.has(event.key)) touched()
    }
    current.addEventListener('wheel', wheel, { passive: true })
    current.addEventListener('keydown', key)
    current.addEventListener('touchmove', touched, { passive: true })
    current.addEventListener('focusin', focused)
    current.addEventListener('pointerdown', down)
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', over)
    // After the layout and before it is painted, so that nobody sees the end go by.
    const observer = new ResizeObserver(() => {
      changed.current = performance.now()
      if (stick.current) goToEnd()
      else settle()
    })
    for (const element of [current, ...current.children]) observer.observe(element)
    return () => {
      observer.disconnect()
      current.removeEventListener('wheel', wheel)
      current.removeEventListener('keydown', key)
      current.removeEventListener('touchmove', touched)
      current.removeEventListener('focusin', focused)
      current.removeEventListener('pointerdown', down)
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', over)
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- set and settle hold nothing of a rendering
  }, [scroller, present, goToEnd])

  /** scrolled takes note of a scroll. */
  const scrolled = () => {
    const { current } = scroller
    if (!current) return
    const now = performance.now()
    const before = last.current
    const { scrollTop: offset, scrollHeight: size, clientHeight: room } = current
    if (before.size !== size || before.room !== room) changed.current = now
    last.current = { offset, size, room }
    const byHand = now - hand.current < handFor
    // A scroll to the end that was under way when the wheel was turned up is not the person's.
    const leaving = now - upAt.current < settleFor
    if (!leaving && size - offset - room < near) stick.current = true
    else if (offset < before.offset - 1 && (byHand || now - changed.current > settleFor)) stick.current = false
    setUp(!stick.current)
  }
  /** leave is for whoever opens somewhere else than at the end: there may be no room between the two. */
  const leave = () => {
    stick.current = false
    settle()
  }
  /** stay is for whoever wants the end now: a scroll upwards that is still under way is no wish to go any more. */
  const stay = () => {
    hand.current = -handFor
    upAt.current = -settleFor
    changed.current = performance.now()
    set(true)
  }
  return { up, goToEnd, scrolled, leave, stay }
}
