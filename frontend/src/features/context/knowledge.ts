import type { Agent, Binding, Row, Run } from '@/api'
import { compareTimes, type State } from '@/core'
import type { Sent } from './kinds'

/** How many rows a watermark names at most; with so many it may know more. */
export const mostIds = 200

/**
 * How a session of an agent stands. `each`: none is kept between turns. `restoring`: a saved one is loaded next. `gone`: there was
 * one, and there is none. `fresh`: nothing was asked since the last Start fresh. `never`: nothing was ever asked.
 */
export type Standing = 'living' | 'restoring' | 'gone' | 'fresh' | 'never' | 'each'

/** asksOf are the turns of an agent since its last Start fresh, newest first, as far as they are held. */
export function asksOf(runs: State['runs'], { id, fresh_at }: Binding): readonly Run[] {
  return Object.values(runs)
    .filter((run) => run.binding_id === id && run.cause !== 'unasked' && run.started_at !== undefined && (!fresh_at || compareTimes(run.started_at, fresh_at) > 0))
    .sort((a, b) => compareTimes(b.queued_at, a.queued_at) || (a.id < b.id ? 1 : -1))
}

/** Phases without a process. What is told of one as it ends may still name its session. */
const without: ReadonlySet<Agent['state']['phase']> = new Set(['cold', 'ending', 'evicted', 'crashed'])

/** standingOf says how an agent's session stands, and by what it is known. */
export function standingOf({ binding, state }: Agent, asks: readonly Run[]): { standing: Standing; native: string } {
  if (!binding.supervised || !binding.resident) return { standing: 'each', native: '' }
  if (state.native !== '' && !without.has(state.phase)) return { standing: 'living', native: state.native }
  if (state.restoring !== '') return { standing: 'restoring', native: state.restoring }
  if (asks.length > 0) return { standing: 'gone', native: '' }
  return { standing: binding.fresh_at ? 'fresh' : 'never', native: '' }
}

/** teacherOf is the turn that says what a session knows of the channel: the newest it began there, outside of threads where there is one. */
export function teacherOf(asks: readonly Run[], native: string): Run | undefined {
  const mine = native === '' ? [] : asks.filter((run) => run.native === native)
  return mine.find((run) => run.thread_root_id === '') ?? mine[0]
}

/** arrived says whether what a turn told counts as told: it ended well, or the session holds its message all the same. */
export function arrived(run: Run): boolean | undefined {
  if (run.state === 'succeeded' || run.state === 'declined') return true
  if (run.state === 'failed' || run.state === 'stopped') return run.failure?.held ?? false
  return undefined
}

/** What a session was told of a place. */
export interface Told {
  ids: ReadonlySet<string>
  /** Rows up to here were told or named. */
  upTo: string | undefined
  /** There may be more than the ids name. */
  atLeast: boolean
}

/** toldBy is what a session had been told when a turn of it was over: by the turn, if that arrived, and before. */
export function toldBy(run: Run | undefined, sent: Sent | undefined): Told {
  if (!run) return { ids: new Set(), upTo: undefined, atLeast: false }
  const before = sent?.watermark_before?.native === run.native ? sent.watermark_before : undefined
  const mark = arrived(run) ? (sent?.watermark_staged ?? before) : before
  const ids = new Set(mark?.ids)
  if (arrived(run) && run.reply_id !== '') ids.add(run.reply_id)
  return { ids, upTo: mark?.last_at, atLeast: ids.size >= mostIds }
}

/** newsOf counts the rows of the channel that a session has still to be told, as far as they are held. */
export function newsOf(state: State, channelId: string, bindingId: string, told: Told): { count: number; atLeast: boolean } {
  const place = state.places[channelId]
  if (!place?.loaded) return { count: 0, atLeast: true }
  const isNews = (row: Row) => row.binding_id !== bindingId && !told.ids.has(row.id) && (told.upTo === undefined || compareTimes(row.created_at, told.upTo) > 0)
  const held = place.ids.flatMap((id) => state.rows[id] ?? [])
  const oldest = held[0]
  const older = place.more && oldest !== undefined && (told.upTo === undefined || compareTimes(oldest.created_at, told.upTo) > 0)
  return { count: held.filter(isNews).length, atLeast: older || place.newer === true }
}
