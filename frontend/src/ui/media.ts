import { useCallback, useSyncExternalStore } from 'react'

/** A window of little height, such as one at twice the size: what can wait is folded there. */
export const lowWindow = '(max-height: 30rem)'

/** useMedia says whether a media query holds, as it changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
