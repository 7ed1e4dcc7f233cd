import { later } from '@/ui'

/** Settings: all there are in one place, found by a word. It is fetched when it is first wanted. */
export const Settings = later(() => import('./settings'))
