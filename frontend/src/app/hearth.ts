import { Api } from '@/api'
import { createStore, Hearth, loadSaved, save, texts } from '@/core'

/** makeHearth puts together what the page works with: the API of the server it came from, and what was saved here. */
export function makeHearth(): Hearth {
  const store = createStore(loadSaved(localStorage))
  const { now } = save(store, localStorage)
  window.addEventListener('pagehide', now)
  return new Hearth({
    store,
    api: new Api({ offline: texts.app.unreachable, unreadable: texts.app.unreadable }),
  })
}
