import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { ChannelPage } from './channel-page'
import { DetailCache, DetailContext, DetailRoster, DetailRun, DetailSettings, DetailThread, DetailWorkbench } from './detail'
import { Frame } from './frame'
import { cacheSearch } from '@/features/cache'
import { fileSearch, listSearch } from '@/features/workbench'
import { logSearch } from '@/features/logs'
import { LogsPage } from './logs-page'
import { Home, NotFound } from './home'
import { Broken } from './broken'

/**
 * ?wide=true: the detail has the whole page, and the chat waits behind it. ?at=: the message that the chat shows, where the path is of
 * something beside it.
 */
const channelSearch = ({ wide, at }: Record<string, unknown>): { wide?: true; at?: string } => ({
  ...(wide === true ? { wide } : {}),
  ...(typeof at === 'string' && at !== '' ? { at } : {}),
})

/** ?row=: the message of the thread that is shown, where it is not the newest. */
const threadSearch = ({ row }: Record<string, unknown>): { row?: string } => (typeof row === 'string' && row !== '' ? { row } : {})

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: Broken })
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
const logs = createRoute({ getParentRoute: () => root, path: '/logs', component: LogsPage, errorComponent: Broken, validateSearch: logSearch })
const channel = createRoute({ getParentRoute: () => root, path: '/c/$channel', component: ChannelPage, errorComponent: Broken, validateSearch: channelSearch })

const chat = createRoute({ getParentRoute: () => channel, path: '/' })
const row = createRoute({ getParentRoute: () => channel, path: '/m/$row' })
const thread = createRoute({ getParentRoute: () => channel, path: '/t/$root', component: DetailThread, validateSearch: threadSearch })
const run = createRoute({ getParentRoute: () => channel, path: '/runs/$run', component: DetailRun })
const roster = createRoute({ getParentRoute: () => channel, path: '/roster', component: DetailRoster })
const context = createRoute({ getParentRoute: () => channel, path: '/context', component: DetailContext })
const contextOfRun = createRoute({ getParentRoute: () => channel, path: '/context/$run', component: DetailContext })
const cache = createRoute({ getParentRoute: () => channel, path: '/cache', component: DetailCache, validateSearch: cacheSearch })
const workbench = createRoute({ getParentRoute: () => channel, path: '/workbench', component: DetailWorkbench, validateSearch: listSearch })
const workbenchFile = createRoute({ getParentRoute: () => channel, path: '/workbench/$', component: DetailWorkbench, validateSearch: fileSearch })
const settings = createRoute({ getParentRoute: () => channel, path: '/settings', component: DetailSettings })

const tree = root.addChildren([home, logs, channel.addChildren([chat, row, thread, run, roster, context, contextOfRun, cache, workbench, workbenchFile, settings])])

export function makeRouter() {
  return createRouter({ routeTree: tree, defaultPreload: false, scrollRestoration: false })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
