import { later } from '@/ui'

/** What agents keep in their workbenches, and what is in each file. */
export const WorkbenchView = later(() => import('./workbench-view'))
export const BenchSettings = later(() => import('./bench-settings'))
export { Marked } from './marked'
export { fileLink } from './use-open'
export { fileSearch, listSearch, type FileSearch, type ListSearch } from './address'
