/**
 * What a channel's turns read from the cache, wrote to it and cost, why the cache broke, and what comes next. Words: a turn is
 * written, read and new in tokens of the agent's own requests; a break is quiet when it was to be expected; ≈ marks an estimate.
 */
import { later } from '@/ui'
import type { CacheViewProps } from './cache-view'

export { cacheSearch, keepWide } from './address'

/** Fetched when it is looked at, with what draws charts. */
export const CacheView = later<CacheViewProps>(() => import('./cache-view'))
