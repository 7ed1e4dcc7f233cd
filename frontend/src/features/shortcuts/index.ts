import { later } from '@/ui'

/** The keyboard: what it does, and the list of it. */
export { useKeyboard } from './use-keyboard'
export const Shortcuts = later(() => import('./shortcuts'))
