/**
 * What an agent was sent, turn by turn, and so what it knows. Words: a layer is a block in the drawn stack; a turn's rows are
 * considered, and each has a verdict; the watermark is what the session had been told.
 */
import { later } from '@/ui'
import type { ContextViewProps } from './context-view'

/** Fetched when it is looked at. */
export const ContextView = later<ContextViewProps>(() => import('./context-view'))
export const TurnPart = later<{ runId: string }>(() => import('./turn-part'))
