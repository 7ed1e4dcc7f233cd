import { Api, Events } from '@/api'
import { createStore, Hearth, hearthWindow, loadSaved, save, texts } from '@/core'

/** makeHearth puts together what the page works with: the API of the server it came from, and what was saved here. */
export function makeHearth(): Hearth {
  const store = createStore(loadSaved(localStorage))
  const { now } = save(store, localStorage)
  window.addEventListener('pagehide', now)
  return new Hearth({
    store,
    // The window has one page, whose requests need no connection, and a worker's might not get through.
    ...(hearthWindow() ? { events: (options) => new Events(options) } : {}),
    api: new Api({ offline: texts.app.unreachable, unreadable: texts.app.unreadable }),
  })
}
