import { apply } from './apply'
import type { Change } from './change'
import { initialState, type State } from './state'

/** Store holds the one state and tells who listens that it has changed. */
export interface Store {
  readonly get: () => State
  /** The change is in the state when this returns. */
  readonly dispatch: (change: Change) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** Calls back soon, at most once a frame. A page that is not shown has no frames, so a timer stands in. */
const nextFrame = (callback: () => void) => {
  let done = false
  const once = () => {
    if (done) return
    done = true
    callback()
  }
  requestAnimationFrame(once)
  setTimeout(once, 100)
}

/**
 * createStore makes a store. Streamed text comes in many small pieces: for those the listeners are told once a frame; of
 * everything else at once.
 */
export function createStore(initial: Partial<State> = {}, soon: (callback: () => void) => void = nextFrame): Store {
  let state: State = { ...initialState, ...initial }
  const listeners = new Set<() => void>()
  let scheduled = false
  const tell = () => {
    scheduled = false
    for (const listener of listeners) listener()
  }
  return {
    get: () => state,
    dispatch: (change) => {
      const next = apply(state, change)
      if (next === state) return
      state = next
      if (change.type === 'event' && change.event.event === 'run.delta') {
        if (scheduled) return
        scheduled = true
        soon(() => scheduled && tell())
        return
      }
      tell()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
