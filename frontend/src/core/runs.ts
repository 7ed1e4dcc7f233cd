import type { Run, RunDetail, Saving, Step } from '@/api'
import type { Live, Piece, State } from './state'
import { drop, mapValues, put, putAll } from './table'

const ends: ReadonlySet<Run['state']> = new Set(['succeeded', 'declined', 'failed', 'stopped'])

/** hasEnded says whether a run's state is an end, which is never left. */
export const hasEnded = (run: Run): boolean => ends.has(run.state)

/** How far a run has come: a run never goes back from one of these to an earlier one (queued and waiting alternate). */
const rank = (run: Run) => (hasEnded(run) ? 2 : run.state === 'running' ? 1 : 0)

const freshLive: Live = { text: '', steps: [], savings: [], behind: false, later: [], textStep: -1, ahead: false }

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
  const live = state.live[run.id]
  // Said once more of a run that goes on: what it has said since the last whole text is void, and streams anew.
  if (from === 'stream' && live && held?.state === 'running') {
    return { ...state, live: put(state.live, run.id, { ...live, text: '', later: [] }) }
  }
  if (run.state !== 'running' || state.live[run.id]) return state
  // One that was seen in its queue and begins now has said nothing yet; of any other we don't know.
  const fromItsBeginning = from === 'stream' && held !== undefined
  return { ...state, live: put(state.live, run.id, { ...freshLive, behind: !fromItsBeginning }) }
}

/** runsFound takes in runs that a fetch brought. */
export function runsFound(state: State, runs: readonly Run[]): State {
  // Most of a page is new and over: those go in together, since each change copies the table.
  const over = runs.filter((run) => hasEnded(run) && !(run.id in state.runs) && !(run.id in state.live))
  const known = new Set(over)
  const next = { ...state, runs: putAll(state.runs, over, (run) => run.id) }
  return runs.filter((run) => !known.has(run)).reduce((s, run) => runChanged(s, run, 'fetch'), over.length === 0 ? state : next)
}

/** runsLoaded takes in a page of a channel's runs; the pages follow one another from the newest on. */
export function runsLoaded(state: State, channelId: string, runs: readonly Run[], more: boolean, before?: string): State {
  const next = runsFound(state, runs)
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

/** runDelta appends streamed text. `at` is its place in the stretch that streams: what is there already is dropped, and a hole is noticed. */
export function runDelta(state: State, runId: string, text: string, at: number): State {
  const run = state.runs[runId]
  if (run && hasEnded(run)) return state
  const started = state.live[runId] || run ? state : { ...state, live: put(state.live, runId, { ...freshLive, behind: true }) }
  return changeLive(started, runId, (live) => (live.ahead ? live : goOn(live, [{ at, text }])))
}

/** goOn appends what follows on what is there; pieces behind a hole wait, and the hole has to be fetched. */
function goOn(live: Live, pieces: readonly Piece[]): Live {
  let { text } = live
  const later: Piece[] = []
  for (const piece of [...live.later, ...pieces].sort((a, b) => a.at - b.at)) {
    if (piece.at > text.length) later.push(piece)
    // What is there already stays; where it reads otherwise the turn has begun to say it anew.
    else if (!text.startsWith(piece.text, piece.at)) text = text.slice(0, piece.at) + piece.text
  }
  if (text === live.text && later.length === live.later.length) return live
  return { ...live, text, later, behind: live.behind || later.length > live.later.length }
}

/** runStep takes in a step; a text of the main thread ends the stretch that streamed. */
export function runStep(state: State, runId: string, step: Step): State {
  const run = state.runs[runId]
  if (run && hasEnded(run)) return state
  const started =
    state.live[runId] || run ? state : { ...state, live: put(state.live, runId, { ...freshLive, behind: true }) }
  return changeLive(started, runId, (live) => {
    const steps = putStep(live.steps, step)
    if (!endsStretch(step) || step.n < live.textStep) return { ...live, steps }
    // The fetch was ahead of the stream, which gets there now.
    if (step.n === live.textStep) return { ...live, steps, ahead: false }
    return { ...live, steps, text: '', later: [], textStep: step.n, ahead: false }
  })
}

/** runSaving takes in what was kept out of a context, denied or let through. */
export function runSaving(state: State, runId: string, saving: Saving): State {
  const run = state.runs[runId]
  if (run && hasEnded(run)) return state
  const started = state.live[runId] || run ? state : { ...state, live: put(state.live, runId, { ...freshLive, behind: true }) }
  return changeLive(started, runId, (live) => ({ ...live, savings: joinSavings(live.savings, [saving]) }))
}

/** A saving has no id; that two are the same, all of them together say. */
const savingKey = (s: Saving) => [s.at, s.kind, s.step_id, s.path, s.tool, s.chars, s.detail, s.fault].join('\n')

/** joinSavings puts lists of savings together, each saving once, in order of time. */
function joinSavings(held: readonly Saving[], more: readonly Saving[]): readonly Saving[] {
  const known = new Set(held.map(savingKey))
  const fresh = more.filter((s) => !known.has(savingKey(s)))
  if (fresh.length === 0) return held
  return [...held, ...fresh].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
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

/** runAsked is before a run is fetched. */
export const runAsked = (state: State, runId: string): State => changeLive(state, runId, (live) => ({ ...live, behind: false }))

/**
 * runLoaded joins a fetched run with what streamed meanwhile. The answer does not say at which event it was made; the text
 * steps it has say of which stretch its text is.
 */
export function runLoaded(state: State, { run, steps, savings, live_text }: RunDetail): State {
  const next = runChanged(state, run, 'fetch')
  const calls = next.runs[run.id]
  // A list that came later left the calls out.
  const runs = calls && run.usage.calls.length > 0 ? put(next.runs, run.id, { ...calls, usage: run.usage }) : next.runs
  return changeLive({ ...next, runs }, run.id, (held) => {
    const live = { ...held, savings: joinSavings(held.savings, savings) }
    let all = live.steps
    for (const step of steps) all = putStep(all, step)
    const fetched = lastTextStep(steps)
    // Made before this stretch began, which streamed whole or is asked for again.
    if (fetched < live.textStep) return { ...live, steps: all }
    if (fetched > live.textStep) return { ...live, steps: all, text: live_text, later: [], textStep: fetched, ahead: true }
    // Both are beginnings of the same text.
    const text = live_text.length > live.text.length ? live_text : live.text
    const joined = goOn({ ...live, steps: all, text, later: [] }, live.later)
    // Missed meanwhile, and nothing has shown where.
    if (live.later.length === 0) return { ...joined, behind: live.behind }
    // A hole that the answer did not reach is asked for again, as long as answers bring anything.
    return { ...joined, behind: joined.later.length > 0 && joined.text.length > live.text.length }
  })
}
