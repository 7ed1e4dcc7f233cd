import { later } from '@/ui'
import type { AgentFormProps } from './agent-form'

/** An agent of a channel, wherever it is shown: how it is, what can be done to it, and the form that adds or changes one. */
export { useAgentActions } from './actions'
/** AgentForm adds an agent to a channel, or changes one; it is fetched when it is first wanted. */
export const AgentForm = later<AgentFormProps>(() => import('./agent-form'))
export { IdleRing, modelOf, Phase } from './phase'
export { useAgentStates } from './states'
export { priceOf, useAgentDetail, useForecasts } from './closely'
