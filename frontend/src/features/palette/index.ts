import { later } from '@/ui'

/** The palette: going to anything by a part of its name. It is fetched when it is first wanted. */
export const Palette = later(() => import('./palette'))
