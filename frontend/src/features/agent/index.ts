/** An agent of a channel, wherever it is shown: how it is, what can be done to it, and the form that adds or changes one. */
import { later } from '@/ui'
import type { SignInProps } from './sign-in'

export { useAgentActions } from './actions'
export { AgentForm, type AgentFormProps } from './agent-form'
export { IdleRing, modelOf, Phase } from './phase'
export { useAgentStates } from './states'
export { priceOf, useAgentDetail, useForecasts } from './closely'
export { useSetup } from './setup'
export const SignIn = later<SignInProps>(() => import('./sign-in'))
