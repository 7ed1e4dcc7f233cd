import { later } from '@/ui'
import type { BreakDetailProps } from './break-detail'

/** A turn of an agent, wherever it is shown: going, ended, and in the detail panel. */
export { useRunActions } from './actions'
export { usedNothing } from './figures'
/** BreakDetail says what happened to the cache in a turn; it is fetched when it is looked at. */
export const BreakDetail = later<BreakDetailProps>(() => import('./break-detail'))
export { endingOf, whyOf } from './run-break'
export type { RowFocus } from './row-focus'
/** RunDetail is fetched when it is looked at. */
export const RunDetail = later<{ runId: string }>(() => import('./run-detail'))
export { RunEnded } from './run-ended'
export { RunFooter } from './run-footer'
export { RunLive } from './run-live'
export { StepList } from './step-list'
