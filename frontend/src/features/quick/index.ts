import { later } from '@/ui'

/** A message to an agent of any channel, from anywhere. It is fetched when it is first wanted. */
export const QuickMention = later(() => import('./quick-mention'))
