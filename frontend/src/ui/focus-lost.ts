import { useEffect, useRef, type RefObject } from 'react'

/**
 * useFocusLost says when what had the focus inside `box` has gone from the page, so that nobody is left nowhere: the browser then has
 * the focus at nothing. `there`: the box is in the page. `markOf` names the place of an element while it is there; the mark is what `onLost` is told.
 */
export function useFocusLost(box: RefObject<HTMLElement | null>, there: boolean, markOf: (element: Element) => string | undefined, onLost: (mark: string) => void): void {
  const held = useRef<{ element: Element; mark: string }>(undefined)
  const latest = useRef({ markOf, onLost })
  useEffect(() => {
    latest.current = { markOf, onLost }
  })
  useEffect(() => {
    const at = box.current
    if (!at) return
    const came = ({ target }: FocusEvent) => {
      const mark = target instanceof Element && at.contains(target) ? latest.current.markOf(target) : undefined
      held.current = mark === undefined ? undefined : { element: target as Element, mark }
    }
    // One who leaves by a click on nothing has left; what was removed, or switched off while it waits, has not.
    const went = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null || !(target instanceof Element)) return
      queueMicrotask(() => {
        if (held.current?.element === target && target.isConnected && !target.matches(':disabled')) held.current = undefined
      })
    }
    const look = () => {
      const { current } = held
      if (!current || current.element.isConnected || document.activeElement !== document.body) return
      held.current = undefined
      latest.current.onLost(current.mark)
    }
    const changes = new MutationObserver(look)
    document.addEventListener('focusin', came)
    document.addEventListener('focusout', went)
    changes.observe(at, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', came)
      document.removeEventListener('focusout', went)
      changes.disconnect()
      // The box may have gone with what was in it.
      look()
    }
  }, [box, there])
}
