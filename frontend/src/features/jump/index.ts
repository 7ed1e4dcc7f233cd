import { later } from '@/ui'

/** Going to what was written on a date. */
export const GoToDate = later(() => import('./go-to-date'))
