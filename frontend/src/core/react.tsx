import { createContext, use, useEffect, useMemo, useRef, useSyncExternalStore, type ReactNode } from 'react'
import type { CommandHandler, CommandId } from './commands'
import type { Hearth } from './hearth'
import { shortKeys } from './keys'
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

/** useCommand does a command as long as the component is there and `enabled`. The newest `handler` is always the one that is called. */
export function useCommand(id: CommandId, handler: CommandHandler, enabled = true): void {
  const { commands } = useHearth()
  const newest = useRef(handler)
  useEffect(() => {
    newest.current = handler
  })
  useEffect(() => (enabled ? commands.register(id, (about) => newest.current(about)) : undefined), [commands, id, enabled])
}

/** useAvailableCommands are the commands that somebody can do now. */
export function useAvailableCommands(): readonly CommandId[] {
  const { commands } = useHearth()
  return useSyncExternalStore(commands.subscribe, commands.available)
}

/** useShortKeys gives the keys of commands, as tooltips show them. */
export function useShortKeys(): (id: CommandId) => string | undefined {
  const chosen = useSelect((s) => s.preferences.keys)
  return (id) => shortKeys(id, chosen)
}
