import type { Store } from '@/core'

/** followTheme keeps the page in the theme that was chosen, or in the system's, and at the chosen size. public/start.js begins it before the first paint. */
export function followTheme(store: Store): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const { dataset } = document.documentElement
  const set = () => {
    const { theme, size } = store.get().preferences
    const now = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
    if (dataset.theme !== now) dataset.theme = now
    if (dataset.size !== size) dataset.size = size
  }
  set()
  store.subscribe(set)
  dark.addEventListener('change', set)
}
