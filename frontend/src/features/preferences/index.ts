import { later } from '@/ui'

/** How the page looks and behaves. */
export const Preferences = later(() => import('./preferences'))
