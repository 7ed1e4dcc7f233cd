import { readKeymap } from './keys'
import { initialState, noticeKinds, type Preferences, type State } from './state'
import type { Store } from './store'
import { isLanguage } from './texts/catalogue'

/** What stays on this machine when the page is closed: drafts, and how the page looks and behaves. */
export interface Saved {
  drafts: Record<string, string>
  preferences: Preferences
}

/** What is needed of localStorage. */
export interface Storage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

const keys = { drafts: 'hearth.drafts', preferences: 'hearth.preferences' } as const

/** loadSaved reads what was saved; what can't be read is as if it had never been. */
export function loadSaved(storage: Storage): Saved {
  const table = (key: string): Record<string, unknown> => {
    try {
      const value: unknown = JSON.parse(storage.getItem(key) ?? '{}')
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
    } catch {
      return {}
    }
  }
  const only = <T>(values: Record<string, unknown>, fits: (value: unknown) => value is T) =>
    Object.fromEntries(Object.entries(values).filter((e): e is [string, T] => fits(e[1])))
  const { theme, enterSends, size, language, lastChannel, workspace, welcomed, keys: chosenKeys, listWidth, detailWidth, searches, notify, muted, notifyPaused, notifyDeclined, mentioned } = table(keys.preferences)
  const usual = initialState.preferences
  return {
    drafts: only(table(keys.drafts), (v): v is string => typeof v === 'string'),
    preferences: {
      theme: theme === 'light' || theme === 'dark' ? theme : 'system',
      enterSends: typeof enterSends === 'boolean' ? enterSends : usual.enterSends,
      size: size === 'compact' || size === 'large' ? size : 'normal',
      language: isLanguage(language) ? language : usual.language,
      lastChannel: typeof lastChannel === 'string' ? lastChannel : usual.lastChannel,
      workspace: typeof workspace === 'string' ? workspace : usual.workspace,
      welcomed: welcomed === true,
      keys: readKeymap(chosenKeys),
      listWidth: typeof listWidth === 'number' ? listWidth : usual.listWidth,
      detailWidth: typeof detailWidth === 'number' ? detailWidth : usual.detailWidth,
      searches: Array.isArray(searches) ? searches.filter((s): s is string => typeof s === 'string') : usual.searches,
      notify: Array.isArray(notify) ? noticeKinds.filter((kind) => notify.includes(kind)) : usual.notify,
      muted: Array.isArray(muted) ? muted.filter((id): id is string => typeof id === 'string') : usual.muted,
      notifyPaused: notifyPaused === true,
      notifyDeclined: notifyDeclined === true,
      mentioned: typeof mentioned === 'string' ? mentioned : usual.mentioned,
    },
  }
}

/** save writes what changed a moment after it did, and at once when asked to (the page is about to go). */
export function save(store: Store, storage: Storage, wait = 300): { now: () => void; stop: () => void } {
  let written: State = store.get()
  let timer: ReturnType<typeof setTimeout> | undefined
  const now = () => {
    clearTimeout(timer)
    timer = undefined
    const state = store.get()
    for (const part of Object.keys(keys) as (keyof typeof keys)[]) {
      if (state[part] === written[part]) continue
      try {
        storage.setItem(keys[part], JSON.stringify(state[part]))
      } catch {
        // Full, or not allowed here: it lasts as long as the page then.
      }
    }
    written = state
  }
  const stop = store.subscribe(() => {
    const state = store.get()
    const changed = (Object.keys(keys) as (keyof typeof keys)[]).some((part) => state[part] !== written[part])
    if (changed) timer ??= setTimeout(now, wait)
  })
  return { now, stop }
}
