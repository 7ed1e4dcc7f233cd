/** An agent of a channel, wherever it is shown: how it is, what can be done to it, and the form that adds or changes one. */
import { later } from '@/ui'
import type { AgentFormProps } from './agent-form'
import type { SignInProps } from './sign-in'

export { useAgentActions } from './actions'
/** AgentForm adds an agent to a channel, or changes one; it is fetched when it is first wanted. */
export const AgentForm = later<AgentFormProps>(() => import('./agent-form'))
export { IdleRing, modelOf, Phase } from './phase'
export { useAgentStates } from './states'
export { priceOf, useAgentDetail, useForecasts } from './closely'
export { useSetup } from './setup'
/** SignIn is how an agent is signed in, and what mends it where it is not; it is fetched when it is first wanted. */
export const SignIn = later<SignInProps>(() => import('./sign-in'))
