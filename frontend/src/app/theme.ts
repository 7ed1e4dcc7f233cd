import type { Store } from '@/core'

/** followTheme keeps the page in the theme that was chosen, or in the system's. */
export function followTheme(store: Store): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const set = () => {
    const { theme } = store.get().preferences
    const now = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
    if (document.documentElement.dataset.theme !== now) document.documentElement.dataset.theme = now
  }
  set()
  store.subscribe(set)
  dark.addEventListener('change', set)
}
