import type { PageState } from '@/api'
import type { Hearth, Looking } from '@/core'
import { wayOf } from './desktop'

/**
 * present tells the server, until what it gives is called, what the person sees of this page and whether it can notify them: of all
 * pages that are open, in windows and browsers, one notifies, and none of what is looked at in another.
 */
export function present(hearth: Hearth, looking: () => Looking): { tell: () => void; stop: () => void } {
  let told = ''
  let stream = ''
  const tell = () => {
    if (hearth.store.get().connection !== 'live') return
    const { here, channelId } = looking()
    const way = wayOf()
    const now: PageState = {
      stream, window: way === 'window', notifies: (way === 'window' || way === 'browser') && !hearth.store.get().preferences.notifyPaused,
      focused: here, channel_id: channelId ?? '',
    }
    const text = JSON.stringify(now)
    if (text === told) return
    told = text
    // The stream may have ended meanwhile; it tells again when it hears the next.
    hearth.api.tellPage(hearth.page, now).catch(() => (told = ''))
  }
  const stops = [
    hearth.listen((event) => {
      if (event.event !== 'ready' && event.event !== 'reset') return
      stream = event.data.stream
      told = ''
      tell()
    }),
    hearth.store.subscribe(tell),
  ]
  const deeds = ['focus', 'blur'] as const
  for (const deed of deeds) window.addEventListener(deed, tell)
  document.addEventListener('visibilitychange', tell)
  return {
    tell,
    stop: () => {
      for (const stop of stops) stop()
      for (const deed of deeds) window.removeEventListener(deed, tell)
      document.removeEventListener('visibilitychange', tell)
    },
  }
}
