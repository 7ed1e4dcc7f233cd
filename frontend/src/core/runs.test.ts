import { describe, expect, it } from 'vitest'
import type { Run, Step } from '@/api'
import { makeDetail, makeEvent, makeRun, makeSaving, makeStep, textStep, time } from '@/test/make'
import { apply } from './apply'
import type { Change } from './change'
import { initialState, type State } from './state'

let seq = 0
const ready = (): Change => ({ type: 'event', event: makeEvent((seq = 100), 'ready', { epoch: 'e', seq: 100, stream: 's' }) })
const run = (state: Run['state'], fields: Partial<Run> = {}) => makeRun('x', state, fields)
const updated = (r: Run): Change => ({ type: 'event', event: makeEvent(++seq, 'run.updated', r) })
const delta = (at: number, text: string, skip = 0): Change => ({ type: 'event', event: makeEvent((seq += 1 + skip), 'run.delta', { run_id: 'x', at, text }) })
const step = (s: Step, done = true): Change => ({ type: 'event', event: makeEvent(++seq, 'run.step', { run_id: 'x', done, step: s }) })
const asked: Change = { type: 'run.asked', runId: 'x' }
const fetched = (text: string, steps: Step[] = []): Change => ({ type: 'run.loaded', detail: makeDetail(run('running'), text, steps) })
const listed = (...runs: Run[]): Change => ({ type: 'runs.loaded', channelId: 'c', runs, more: false })
const after = (changes: (Change | (() => Change))[], from: State = initialState) =>
  changes.reduce<State>((s, c) => apply(s, typeof c === 'function' ? c() : c), from)
const live = (state: State) => state.live.x

describe('a run seen from its beginning', () => {
  const begun = [ready, () => updated(run('queued')), () => updated(run('running'))]

  it('streams', () => {
    const state = after([...begun, () => delta(0, 'Hel'), () => delta(3, 'lo')])
    expect(live(state)).toMatchObject({ text: 'Hello', behind: false })
  })

  it('begins anew after a whole text, not after a tool or a subagent’s text', () => {
    let state = after([...begun, () => delta(0, 'One'), () => step(makeStep(0)), () => step({ ...textStep(1), parent: 't0' }), () => delta(3, ' two')])
    expect(live(state)?.text).toBe('One two')
    state = after([() => step(textStep(2, 'One two')), () => delta(0, 'Three')], state)
    expect(live(state)?.text).toBe('Three')
    expect(live(state)?.steps.map((s) => s.n)).toEqual([0, 1, 2])
  })

  it('drops what it has, whole or in part', () => {
    const state = after([...begun, () => delta(0, 'Hello'), () => delta(2, 'llo'), () => delta(3, 'lo you'), () => delta(0, 'Hello')])
    expect(live(state)).toMatchObject({ text: 'Hello you', behind: false })
  })

  it('says anew what was void', () => {
    const told = after([...begun, () => delta(0, 'Hello'), () => updated(run('running'))])
    expect(live(told)).toMatchObject({ text: '', behind: false })
    expect(live(after([() => delta(0, 'Good day')], told))?.text).toBe('Good day')
    // A page that has not heard of it sees it by the text.
    expect(live(after([...begun, () => delta(0, 'Hello'), () => delta(0, 'Good'), () => delta(4, ' day')]))?.text).toBe('Good day')
  })

  it('counts as the server does: in UTF-16 code units', () => {
    const state = after([...begun, () => delta(0, '안녕 🙂'), () => delta(5, '!')])
    expect(live(state)).toMatchObject({ text: '안녕 🙂!', behind: false })
  })

  it('notices a hole, shows nothing behind it, and fills it by what is fetched', () => {
    const hole = after([...begun, () => delta(0, 'ab'), () => delta(4, 'ef')])
    expect(live(hole)).toMatchObject({ text: 'ab', behind: true })
    const filled = after([asked, () => delta(6, 'gh'), fetched('abcde')], hole)
    expect(live(filled)).toMatchObject({ text: 'abcdefgh', behind: false, later: [] })
  })

  it('asks again for a hole that an answer did not reach', () => {
    const state = after([...begun, () => delta(0, 'ab'), () => delta(6, 'gh'), asked, fetched('abcd')])
    expect(live(state)).toMatchObject({ text: 'abcd', behind: true })
    // Not for ever: an answer that brings nothing is the last, until more streams.
    const given = after([asked, fetched('abcd')], state)
    expect(live(given)?.behind).toBe(false)
    expect(live(after([() => delta(8, 'ij')], given))?.behind).toBe(true)
    expect(live(after([() => delta(4, 'ef')], state))?.text).toBe('abcdefgh')
  })

  it('brings a step up to date, and not back', () => {
    const state = after([
      ...begun, () => step(makeStep(0), false), () => step(makeStep(1)), () => step(makeStep(0, { took_ms: 5, output: 'done' })),
      () => step(makeStep(0), false),
    ])
    expect(live(state)?.steps.map((s) => s.output)).toEqual(['done', ''])
  })

  it('is over at its end, and a late word changes nothing', () => {
    const ended = after([...begun, () => delta(0, 'Hi'), () => updated(run('succeeded', { reply_id: 'r9' }))])
    expect(ended.live).toEqual({})
    const late = after([() => delta(2, 'more'), () => step(makeStep(3)), () => updated(run('running')), () => listed(run('running'))], ended)
    expect(late.live).toEqual({})
    expect(late.runs.x?.state).toBe('succeeded')
  })

  it('passes by duplicates', () => {
    const state = after([...begun, () => delta(0, 'Hi')])
    expect(apply(state, { type: 'event', event: makeEvent(seq, 'run.delta', { run_id: 'x', at: 0, text: 'Hi' }) })).toBe(state)
  })

  it('is behind after a jump in seq', () => {
    expect(live(after([...begun, () => delta(0, 'Hi'), () => delta(2, 'there', 3)]))?.behind).toBe(true)
  })

  it('is behind after a reset', () => {
    const state = after([...begun, () => delta(0, 'Hi'), () => ({ type: 'event', event: makeEvent(7, 'reset', { epoch: 'f', seq: 7, stream: 's' }, 'f') })])
    expect(live(state)?.behind).toBe(true)
    expect(state.stream).toEqual({ epoch: 'f', seq: 7 })
  })
})

describe('a run found in mid-stream', () => {
  const found = [ready, listed(run('running'))]

  it('has to be fetched', () => {
    expect(live(after(found))?.behind).toBe(true)
    expect(live(after([ready, () => delta(0, 'x')]))?.behind).toBe(true)
    expect(live(after([ready, () => updated(run('running'))]))?.behind).toBe(true)
    expect(live(after([...found, asked]))?.behind).toBe(false)
  })

  // The text is "abcdefgh" in pieces. Whenever the answer is made and whenever it comes, the whole must come out.
  const pieces = ['ab', 'cd', 'ef', 'gh']
  for (let made = 0; made <= 4; made++) {
    for (let first = 0; first <= made; first++) {
      for (let comes = Math.max(first, 0); comes <= 4; comes++) {
        it(`joins an answer of ${made} pieces, asked for after ${first}, that comes after ${comes}`, () => {
          // What was published before the question is lost to us.
          const text = (n: number) => pieces.slice(0, n).join('')
          let state = after([...found, asked])
          for (let i = first; i < 4; i++) {
            if (i === comes) state = after([fetched(text(made))], state)
            state = after([() => delta(2 * i, pieces[i] ?? '')], state)
          }
          if (comes === 4) state = after([fetched(text(made))], state)
          expect(live(state)?.text).toBe('abcdefgh')
        })
      }
    }
  }

  it('goes on with repeated pieces', () => {
    const state = after([...found, asked, () => delta(3, 'la '), () => delta(6, 'la '), fetched('la la la '), () => delta(9, 'la '), () => delta(12, 'li ')])
    expect(live(state)?.text).toBe('la la la la li ')
  })

  it('has the next stretch when the answer is ahead of the stream', () => {
    const state = after([...found, asked, () => delta(4, 'of one'), fetched('Two', [textStep(4, 'end of one')])])
    const ended = after([() => delta(10, '!'), () => step(textStep(4, 'end of one!')), () => delta(0, 'Two'), () => delta(3, ' three')], state)
    expect(live(ended)?.text).toBe('Two three')
  })

  it('keeps the stretch that began while the answer was on its way', () => {
    const state = after([...found, asked, () => delta(0, 'one'), () => step(textStep(4, 'one')), () => delta(0, 'Two'), fetched('on', [makeStep(3)])])
    expect(live(state)?.text).toBe('Two')
    expect(live(state)?.steps.map((s) => s.n)).toEqual([3, 4])
  })

  it('is over when the answer says so', () => {
    const state = after([...found, asked, { type: 'run.loaded', detail: makeDetail(run('succeeded'), '', []) }])
    expect(state.live).toEqual({})
  })
})

describe('runs', () => {
  it('go to and fro in the queue, but never back from running', () => {
    const state = after([ready, () => updated(run('queued')), () => updated(run('waiting')), () => updated(run('queued'))])
    expect(state.runs.x?.state).toBe('queued')
    expect(after([() => updated(run('running')), () => updated(run('queued'))], state).runs.x?.state).toBe('running')
  })

  it('keep the calls that a list leaves out', () => {
    const call = {
      message_id: 'm', model: 'm', main: true, input_tokens: 1, cache_read_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, output_tokens: 1,
      thinking_tokens: 0, ttft_ms: 0, miss_reason: '', miss_tokens: 0,
    }
    const whole = run('succeeded', { usage: { ...run('succeeded').usage, calls: [call] } })
    const state = after([{ type: 'run.loaded', detail: makeDetail(whole) }, listed(run('succeeded'))])
    expect(state.runs.x?.usage.calls).toEqual([call])
  })

  it('page back without losing the end', () => {
    const state = after([
      { type: 'runs.loaded', channelId: 'c', runs: [makeRun('3', 'succeeded'), makeRun('2', 'succeeded')], more: true },
      { type: 'runs.loaded', channelId: 'c', before: '2', runs: [makeRun('1', 'succeeded')], more: false },
      { type: 'runs.loaded', channelId: 'c', runs: [makeRun('3', 'succeeded'), makeRun('2', 'succeeded')], more: true },
    ])
    expect(state.runPages.c).toEqual({ more: false, oldest: '1' })
  })
})

describe('what is kept out', () => {
  const begun = [ready, () => updated(run('queued')), () => updated(run('running'))]
  const saving = (n: number) => makeSaving('spill', { step_id: `t${n}`, path: `/w/.flower/spill/${n}.txt`, at: time(n) })
  const told = (n: number): Change => ({ type: 'event', event: makeEvent(++seq, 'run.saving', { run_id: 'x', saving: saving(n) }) })
  const of = (state: State) => live(state)?.savings.map((s) => s.step_id)

  it('comes with the stream and with the fetch, each once and in order', () => {
    const state = after([...begun, () => told(2), { type: 'run.loaded', detail: makeDetail(run('running'), '', [], [saving(1), saving(2)]) }, () => told(2), () => told(3)])
    expect(of(state)).toEqual(['t1', 't2', 't3'])
  })

  it('tells the workbench’s view that there is something new', () => {
    const state = after([...begun, () => told(1)])
    expect(state.benchNews.c).toBe(1)
    expect(after([() => ({ type: 'event', event: makeEvent(++seq, 'run.saving', { run_id: 'x', saving: makeSaving('glance') }) })], state).benchNews.c).toBe(1)
  })

  it('goes with the run, and comes late to none that is over', () => {
    expect(live(after([...begun, () => told(1), () => updated(run('succeeded')), () => told(2)]))).toBeUndefined()
  })

  it('begins a run that was not known, to be fetched', () => {
    expect(live(after([ready, () => told(1)]))).toMatchObject({ behind: true, savings: [saving(1)] })
  })
})
