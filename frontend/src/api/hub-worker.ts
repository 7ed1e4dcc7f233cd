import { Events } from './events'
import { Hub, type Port, type ToHub, type ToPage } from './hub'

// The worker that all pages of a browser share (shared.ts). It lives for as long as one of them does.
const hub = new Hub({
  locks: navigator.locks,
  open: (options) => new Events(options),
  gone: (page) => fetch('/api/pages/' + encodeURIComponent(page), { method: 'DELETE' }),
})
addEventListener('connect', (event) => hub.connect((event as MessageEvent).ports[0] as Port<ToHub, ToPage>))
