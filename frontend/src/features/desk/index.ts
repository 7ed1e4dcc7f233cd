import { later } from '@/ui'

/** What a window shows of the page where nobody sees it: the tray or the Dock. It is fetched where there is a window. */
export const Desk = later(() => import('./desk'))
export { WindowSettings } from './window-settings'
