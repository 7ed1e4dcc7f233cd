import { createContext, use, type ReactNode } from 'react'

/** What the primitives themselves have to say. They know no catalogue: whoever owns the texts gives them. */
export interface UiWords {
  close: string
  undo: string
  notifications: string
  /** The name of the place where they appear; {hotkey} is the key that leads there. */
  notificationsPlace: string
  loading: string
  /** What opens only when it is wanted could not be fetched. */
  notLoaded: string
  /** A time in short words, as seen at `now`. */
  relative: (time: string, now: Date) => string
  /** A time in full. */
  full: (time: string) => string
}

const Context = createContext<UiWords | undefined>(undefined)

export function UiWordsProvider({ words, children }: { words: UiWords; children: ReactNode }) {
  return <Context value={words}>{children}</Context>
}

export function useUiWords(): UiWords {
  const words = use(Context)
  if (!words) throw new Error('useUiWords: there is no UiWordsProvider above')
  return words
}
