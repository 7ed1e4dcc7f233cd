import { hearthWindow, type Shown } from '@/core'

/** How notifications come on the desktop: by the window, by the browser, or not at all. */
export type Way = 'window' | 'browser' | 'ask' | 'denied' | 'none'

/** wayOf says how they come here. A browser has to be asked first (`ask`), and it may have said no. */
export function wayOf(): Way {
  if (hearthWindow()) return 'window'
  if (!('Notification' in window)) return 'none'
  switch (Notification.permission) {
    case 'granted':
      return 'browser'
    case 'denied':
      return 'denied'
    default:
      return 'ask'
  }
}

/** show puts a notification on the desktop; `open` is called when it is clicked. */
export async function show(shown: Shown, open: (address: string) => void): Promise<boolean> {
  const desktop = hearthWindow()
  if (desktop) return desktop.notify({ ...shown })
  try {
    const notification = new Notification(shown.title, { body: shown.body, tag: 'hearth/' + shown.tag })
    notification.onclick = () => {
      window.focus()
      notification.close()
      open(shown.address)
    }
    return true
  } catch {
    return false // some browsers have the name only
  }
}
