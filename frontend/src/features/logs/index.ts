import { later } from '@/ui'

export { logSearch, type LogSearch } from './search'
/** LogView is Hearth's own log, as it is written. */
export const LogView = later(() => import('./log-view'))
/** Report makes a report of a problem and shows what is in it before it is saved. */
export const Report = later(() => import('./report'))
