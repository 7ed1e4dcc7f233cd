import type { Hearth } from './hearth'

/** What can still be undone, by the id of what it is done to: calling it does it at once. */
const pending = new WeakMap<Hearth, Map<string, () => Promise<void>>>()

/** How long what destroys something can be undone, in milliseconds; nothing is done before. */
const undoFor = 6000

export interface PutOff {
  /** Of what it is done to. */
  id: string
  /** Shows it with its Undo for that long, and gives what takes it away again. */
  show: (options: { duration: number; undo: () => void; commit: () => void }) => () => void
  act: () => Promise<void>
  /** Called when Undo was pressed. What it does is waited for as well by what is asked for after it. */
  undone?: () => void | Promise<void>
}

/** putOff does something once its Undo can no longer be pressed; false: it waits with that already. Who leaves the page, or loads it anew, has not pressed it. */
export function putOff(hearth: Hearth, { id, show, act, undone }: PutOff): boolean {
  const waiting = waitingOf(hearth)
  if (waiting.has(id)) return false
  const commit = async () => {
    if (!waiting.delete(id)) return
    away()
    await act()
  }
  const undo = () => {
    if (!waiting.delete(id)) return
    const going = undone?.()
    if (!going) return
    waiting.set(id, () => going)
    void going.finally(() => waiting.delete(id))
  }
  waiting.set(id, commit)
  const away = show({ duration: undoFor, undo, commit: () => void commit() })
  return true
}

/** settle does at once what is still waited with of these, so that what is asked for now comes after it. */
export async function settle(hearth: Hearth, ids: readonly string[]): Promise<void> {
  const waiting = waitingOf(hearth)
  await Promise.all(ids.map(async (id) => waiting.get(id)?.()))
}

function waitingOf(hearth: Hearth): Map<string, () => Promise<void>> {
  const held = pending.get(hearth)
  if (held) return held
  const waiting = new Map<string, () => Promise<void>>()
  pending.set(hearth, waiting)
  window.addEventListener('pagehide', () => waiting.forEach((commit) => void commit()))
  return waiting
}
