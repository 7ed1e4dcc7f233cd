import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { ChannelPage } from './channel-page'
import { DetailRoster, DetailRun, DetailSettings, DetailThread, DetailToCome } from './detail'
import { Frame } from './frame'
import { Home, NotFound } from './home'
import { Broken } from './broken'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: Broken })
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
const channel = createRoute({ getParentRoute: () => root, path: '/c/$channel', component: ChannelPage, errorComponent: Broken })

const chat = createRoute({ getParentRoute: () => channel, path: '/' })
const row = createRoute({ getParentRoute: () => channel, path: '/m/$row' })
const thread = createRoute({ getParentRoute: () => channel, path: '/t/$root', component: DetailThread })
const run = createRoute({ getParentRoute: () => channel, path: '/runs/$run', component: DetailRun })
const roster = createRoute({ getParentRoute: () => channel, path: '/roster', component: DetailRoster })
// The addresses of views that there is nothing for are kept.
const context = createRoute({ getParentRoute: () => channel, path: '/context', component: DetailToCome })
const cache = createRoute({ getParentRoute: () => channel, path: '/cache', component: DetailToCome })
const workbench = createRoute({ getParentRoute: () => channel, path: '/workbench', component: DetailToCome })
const settings = createRoute({ getParentRoute: () => channel, path: '/settings', component: DetailSettings })

const tree = root.addChildren([home, channel.addChildren([chat, row, thread, run, roster, context, cache, workbench, settings])])

export function makeRouter() {
  return createRouter({ routeTree: tree, defaultPreload: false, scrollRestoration: false })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
