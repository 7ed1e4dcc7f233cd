import { useSyncExternalStore } from 'react'
import { wayOf, type Way } from './desktop'

/**
 * What is known of notifying here: the way, and whether there would have been something to notify of. A browser tells nobody when
 * the person changes its mind, so it is looked at again when the page is.
 */
let missed = false
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** missedOne notes that there was something, and the browser was not asked yet. */
export function missedOne(): void {
  missed = true
  tell()
}

/** ask asks the browser. It must come from a press of the person's. */
export async function ask(): Promise<void> {
  await Notification.requestPermission()
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('focus', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('focus', listener)
  }
}

export const useWay = (): Way => useSyncExternalStore(subscribe, wayOf)
export const useMissed = (): boolean => useSyncExternalStore(subscribe, () => missed)
