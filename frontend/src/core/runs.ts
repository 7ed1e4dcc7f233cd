import type { Run, RunDetail, Step } from '@/api'
import type { Live, State } from './state'
import { drop, mapValues, put } from './table'

const ends: ReadonlySet<Run['state']> = new Set(['succeeded', 'declined', 'failed', 'stopped'])

/** hasEnded says whether a run's state is an end, which is never left. */
export const hasEnded = (run: Run): boolean => ends.has(run.state)

/** How far a run has come: a run never goes back from one of these to an earlier one (queued and waiting alternate). */
const rank = (run: Run) => (hasEnded(run) ? 2 : run.state === 'running' ? 1 : 0)

const freshLive: Live = { text: '', steps: [], behind: false, since: '', joined: false, textStep: -1 }

/** runChanged takes in a run as the stream, a list or an answer shows it; an older view of it than is held changes nothing. */
export function runChanged(state: State, run: Run, from: 'stream' | 'fetch'): State {
  const held = state.runs[run.id]
  if (held && rank(held) > rank(run)) return state
  // What a list says of a run in the same state may be older than what the stream said.
  if (held && from === 'fetch' && !hasEnded(run) && rank(held) === rank(run)) return track(state, held, from)
  // Lists and events leave the calls out; once fetched they stay.
  const calls = run.usage.calls.length === 0 && held ? held.usage.calls : run.usage.calls
  const next = calls === run.usage.calls ? run : { ...run, usage: { ...run.usage, calls } }
  return track({ ...state, runs: put(state.runs, run.id, next) }, next, from, held)
}

/** track begins and ends the live part of a run. */
function track(state: State, run: Run, from: 'stream' | 'fetch', held?: Run): State {
  if (hasEnded(run)) return { ...state, live: drop(state.live, run.id) }
  if (run.state !== 'running' || state.live[run.id]) return state
  // One that was seen in its queue and begins now has said nothing yet; of any other we don't know.
  const fromItsBeginning = from === 'stream' && held !== undefined
  return { ...state, live: put(state.live, run.id, { ...freshLive, behind: !fromItsBeginning }) }
}

export function runsLoaded(state: State, channelId: string, runs: readonly Run[], more: boolean, before?: string): State {
  let next = state
  for (const run of runs) next = runChanged(next, run, 'fetch')
  const held = state.runPages[channelId]
  const oldest = runs.at(-1)?.id ?? held?.oldest ?? ''
  // The newest page again, where older ones are held already, says nothing of their end.
  if (before === undefined && held && held.oldest < oldest) return next
  return { ...next, runPages: put(next.runPages, channelId, { more, oldest }) }
}

function changeLive(state: State, runId: string, change: (live: Live) => Live): State {
  const live = state.live[runId]
  return live ? { ...state, live: put(state.live, runId, change(live)) } : state
}

/** missedSome notes that text of any run that is going may be missing. */
export const missedSome = (state: State): State => ({
  ...state,
  live: mapValues(state.live, (live) => (live.behind ? live : { ...live, behind: true })),
})

/** runDelta appends streamed text. */
export function runDelta(state: State, runId: string, text: string): State {
  const run = state.runs[runId]
  const known = run && !hasEnded(run)
  const started = state.live[runId] || run ? state : { ...state, live: put(state.live, runId, { ...freshLive, behind: true }) }
  if (run && !known) return state
  return changeLive(started, runId, (live) => {
    if (live.joined) return { ...live, text: live.text + text }
    const next = { ...live, since: live.since + text }
    return live.base === undefined ? { ...next, text: live.text + text } : join(next)
  })
}

/** runStep takes in a step; a text of the main thread ends the stretch that streamed. */
export function runStep(state: State, runId: string, step: Step): State {
  const run = state.runs[runId]
  if (run && hasEnded(run)) return state
  const started =
    state.live[runId] || run ? state : { ...state, live: put(state.live, runId, { ...freshLive, behind: true }) }
  return changeLive(started, runId, (live) => {
    const steps = putStep(live.steps, step)
    if (!endsStretch(step)) return { ...live, steps }
    if (step.n < live.textStep) return { ...live, steps }
    // The fetch was ahead of the stream: what streamed meanwhile was of the stretch that ends here.
    if (step.n === live.textStep) return { ...live, steps, text: live.base ?? '', since: '', joined: false }
    return { ...live, steps, text: '', base: undefined, since: '', joined: false, textStep: step.n }
  })
}

const endsStretch = (step: Step) => step.kind === 'text' && step.parent === ''

const lastTextStep = (steps: readonly Step[]) => steps.findLast(endsStretch)?.n ?? -1

function putStep(steps: readonly Step[], step: Step): readonly Step[] {
  const last = steps.at(-1)
  if (!last || last.n < step.n) return [...steps, step]
  const at = steps.findIndex((s) => s.n >= step.n)
  const same = steps[at]?.n === step.n
  // One that has ended is not gone on with by a late word of its beginning.
  if (same && steps[at] && steps[at].took_ms > 0 && step.took_ms === 0) return steps
  return [...steps.slice(0, at), step, ...steps.slice(same ? at + 1 : at)]
}

/** runAsked is before a run is fetched: what streams from now on may or may not be in the answer. */
export const runAsked = (state: State, runId: string): State =>
  changeLive(state, runId, (live) => ({ ...live, since: '', base: undefined, joined: false, behind: false }))

/**
 * runLoaded joins a fetched run with what streamed since it was asked for. The answer does not say at which event it was
 * made, so it is found out: by the text steps it has, and by where in its end the text that streamed begins.
 */
export function runLoaded(state: State, { run, steps, live_text }: RunDetail): State {
  const next = runChanged(state, run, 'fetch')
  const calls = next.runs[run.id]
  // A list that came later left the calls out.
  const runs = calls && run.usage.calls.length > 0 ? put(next.runs, run.id, { ...calls, usage: run.usage }) : next.runs
  return changeLive({ ...next, runs }, run.id, (live) => {
    let all = live.steps
    for (const step of steps) all = putStep(all, step)
    const fetched = lastTextStep(steps)
    // Made before this stretch began, which streamed whole.
    if (fetched < live.textStep) return { ...live, steps: all }
    return join({ ...live, steps: all, base: live_text, textStep: fetched })
  })
}

/** How far a fetched text can be ahead of the stream, in characters: what an agent says while an answer is on its way, amply. */
const aheadAtMost = 2000

/**
 * join puts the fetched text and what streamed since together. What streamed begins near the end of the fetched text: either it
 * is all in there, or it goes on where that ends. The longer it gets, the surer that is.
 */
function join(live: Live): Live {
  const base = live.base ?? ''
  if (base.slice(-aheadAtMost).includes(live.since)) return { ...live, text: base }
  return { ...live, text: base + live.since.slice(overlap(base, live.since)), joined: true }
}

/** overlap is the length of the longest beginning of b that a ends with (the failure function of b, run over a's end). */
export function overlap(a: string, b: string): number {
  if (a === '' || b === '') return 0
  const fail = new Int32Array(b.length)
  for (let i = 1, k = 0; i < b.length; i++) {
    while (k > 0 && b[i] !== b[k]) k = fail[k - 1] ?? 0
    if (b[i] === b[k]) k++
    fail[i] = k
  }
  const tail = a.slice(-b.length)
  let k = 0
  for (let i = 0; i < tail.length; i++) {
    while (k > 0 && tail[i] !== b[k]) k = fail[k - 1] ?? 0
    if (tail[i] === b[k]) k++
    if (k === b.length && i < tail.length - 1) k = fail[k - 1] ?? 0
  }
  return k
}

