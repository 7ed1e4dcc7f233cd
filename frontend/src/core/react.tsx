import { createContext, use, useMemo, useRef, useSyncExternalStore, type ReactNode } from 'react'
import type { Hearth } from './hearth'
import type { State } from './state'

/** The only part of core that knows React: it hands the store to components. */

const Context = createContext<Hearth | undefined>(undefined)

export function HearthProvider({ hearth, children }: { hearth: Hearth; children: ReactNode }) {
  return <Context value={hearth}>{children}</Context>
}

export function useHearth(): Hearth {
  const hearth = use(Context)
  if (!hearth) throw new Error('useHearth: there is no HearthProvider above')
  return hearth
}

/**
 * useSelect gives what a selector finds and renders again when that is another value. A selector must give the same object for
 * the same state; with `equal` it may give equal ones.
 */
export function useSelect<T>(selector: (state: State) => T, equal: (a: T, b: T) => boolean = Object.is): T {
  const { store } = useHearth()
  const last = useRef<{ value: T } | undefined>(undefined)
  return useSyncExternalStore(store.subscribe, () => {
    const value = selector(store.get())
    if (!last.current || !equal(last.current.value, value)) last.current = { value }
    return last.current.value
  })
}

/** useSelector makes a selector once for its arguments, so that its memory lasts. */
export function useSelector<A extends readonly unknown[], T>(make: (...args: A) => (state: State) => T, ...args: A): T {
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the arguments are the dependencies
  const selector = useMemo(() => make(...args), args)
  return useSelect(selector)
}
