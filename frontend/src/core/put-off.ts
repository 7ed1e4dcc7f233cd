import type { Hearth } from './hearth'

/** What can still be undone, by the id of what it is done to: calling it does it at once. */
const pending = new WeakMap<Hearth, Map<string, () => Promise<void>>>()

/** How long what destroys something can be undone, in milliseconds; nothing is done before. */
export const undoFor = 6000

/** putOff is what waits until its Undo can no longer be pressed. Who leaves the page, or loads it anew, has not pressed it. */
export function putOff(hearth: Hearth): Map<string, () => Promise<void>> {
  const held = pending.get(hearth)
  if (held) return held
  const waiting = new Map<string, () => Promise<void>>()
  pending.set(hearth, waiting)
  window.addEventListener('pagehide', () => waiting.forEach((commit) => void commit()))
  return waiting
}
