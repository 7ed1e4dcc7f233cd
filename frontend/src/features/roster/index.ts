import { later } from '@/ui'
import type { RosterProps } from './roster'

export { AgentCommands } from './agent-commands'
/** Roster is fetched when it is looked at. */
export const Roster = later<RosterProps>(() => import('./roster'))
