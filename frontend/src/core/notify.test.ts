import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '@/api'
import { makeBinding, makeChannel, makeEvent, makePermission, makeRow, makeRun } from '@/test/make'
import { apply } from './apply'
import { Notifier, apart, type Shown } from './notifier'
import { excerpt, isWanted, longestNotice, noticeOf, type Looking, type Notice } from './notify'
import { initialState, type Preferences, type State } from './state'

const looking: Record<'away' | 'here' | 'other', Looking> = {
  away: { here: false, channelId: 'c' },
  here: { here: true, channelId: 'c' },
  other: { here: true, channelId: 'd' },
}

const house: State = {
  ...initialState,
  channels: { c: makeChannel('c', { name: 'backend/…' }), d: makeChannel('d'), gone: makeChannel('gone', { archived_at: '2026-01-02T03:04:05Z' }) },
  bindings: { b: makeBinding('b') },
  rows: { mine: makeRow('mine', 0, { handle: '' }), hers: makeRow('hers', 0, { handle: 'aiko' }), agents: makeRow('agents', 0, { kind: 'agent', handle: 'claude' }) },
  runs: { mine: makeRun('mine', 'running', { row_id: 'mine' }), hers: makeRun('hers', 'running', { row_id: 'hers' }), agents: makeRun('agents', 'running', { row_id: 'agents' }) },
}

const reply = (fields: Parameters<typeof makeRow>[2] = {}) => makeEvent(1, 'row.created', makeRow('r', 1, { kind: 'agent', handle: 'claude', run_id: 'mine', body: 'It is done.', ...fields }))
const failed = (id = 'mine') => makeEvent(1, 'run.updated', makeRun(id, 'failed', { row_id: id, failure: { code: 'api', message: '529 overloaded', held: false } }))
const asked = (fields: Parameters<typeof makePermission>[1] = {}) => makeEvent(1, 'permission.asked', makePermission('p', fields))

const happens = (state: State, event: StreamEvent) => apply(state, { type: 'event', event })

function decide(event: StreamEvent, look: Looking = looking.away, preferences: Partial<Preferences> = {}, before: State = house): Notice | undefined {
  const was = { ...before, preferences: { ...before.preferences, ...preferences } }
  return noticeOf(was, happens(was, event), event, look)
}

describe('what to notify of', () => {
  it('is a reply to the person, with where it stands', () => {
    expect(decide(reply())).toEqual({ kind: 'reply', channelId: 'c', id: 'r', who: 'claude', text: 'It is done.', address: '/c/backend%2F%E2%80%A6/m/r' })
    expect(decide(reply({ thread_root_id: 'root' }))?.address).toBe('/c/backend%2F%E2%80%A6/t/root?row=r')
    expect(decide(reply({ channel_id: 'gone' }))?.address).toBe('/c/gone/m/r')
  })
  it('is what nobody is known to have asked for', () => {
    expect(decide(reply({ run_id: '', note: 'unasked' }))).toBeDefined()
    expect(decide(reply({ run_id: 'unknown' }))).toBeDefined()
  })
  it.each([
    ['people write', reply({ kind: 'user', handle: 'aiko' })],
    ['the person writes', reply({ kind: 'user', handle: '' })],
    ['it is a word in between', reply({ note: 'interim' })],
    ['somebody else asked', reply({ run_id: 'hers' })],
    ['an agent asked', reply({ run_id: 'agents' })],
    ['the turn of somebody else failed', failed('hers')],
    ['it is in a channel that is not known', reply({ channel_id: 'unknown' })],
    ['a turn ended well', makeEvent(1, 'run.updated', makeRun('mine', 'succeeded', { row_id: 'mine' }))],
    ['a turn was stopped', makeEvent(1, 'run.updated', makeRun('mine', 'stopped', { row_id: 'mine' }))],
    ['a question was answered', makeEvent(1, 'permission.answered', makePermission('p', { state: 'allowed' }))],
    ['a question was answered before it was heard', asked({ state: 'denied' })],
    ['text streams', makeEvent(1, 'run.delta', { run_id: 'mine', at: 0, text: 'x' })],
  ])('is nothing where %s', (_, event) => expect(decide(event)).toBeUndefined())

  it('is a question, and a turn that failed', () => {
    expect(decide(asked({ tool: 'Bash', input: { command: 'rm -rf /\n\u202ex' } }))).toMatchObject({ kind: 'permission', who: 'claude', text: 'Bash: rm -rf / ⟨202E⟩x' })
    expect(decide(asked({ tool: 'spend', input: { spent_usd: 5 } }))?.text).toBe('The spending limit of today is reached.')
    expect(decide(asked({ binding_id: 'unknown', input: 'not an object' }))).toMatchObject({ who: '', text: 'Bash' })
    expect(decide(failed())).toMatchObject({ kind: 'failed', text: '529 overloaded', address: '/c/backend%2F%E2%80%A6/runs/mine' })
  })
  it('is told once, also where the stream tells again', () => {
    for (const event of [reply(), asked(), failed()]) {
      const before = happens(house, event)
      expect(noticeOf(before, happens(before, event), event, looking.away)).toBeUndefined()
      const later = { ...event, seq: 2 }
      if (event.event !== 'row.created') expect(noticeOf(before, happens(before, later), later, looking.away)).toBeUndefined()
    }
  })
  it('is nothing while the person looks at the channel, and something while they look at another', () => {
    for (const event of [reply(), asked(), failed()]) {
      expect(decide(event, looking.here)).toBeUndefined()
      expect(decide(event, looking.other)).toBeDefined()
      expect(decide(event, { here: true, channelId: undefined })).toBeDefined()
    }
  })
  it('is what the person wants to hear of', () => {
    for (const [event, kind] of [[reply(), 'reply'], [asked(), 'permission'], [failed(), 'failed']] as const) {
      const others = initialState.preferences.notify.filter((k) => k !== kind)
      expect(decide(event, looking.away, { notify: others })).toBeUndefined()
      expect(decide(event, looking.away, { notify: [kind] })).toBeDefined()
      expect(decide(event, looking.away, { muted: ['c'] })).toBeUndefined()
      expect(decide(event, looking.away, { muted: ['d'] })).toBeDefined()
      expect(decide(event, looking.away, { notifyPaused: true })).toBeUndefined()
    }
  })
  it('is not wanted any more when it was answered, or its channel is gone', () => {
    const open = happens(house, asked())
    const notice = noticeOf(house, open, asked(), looking.away)
    expect(notice && isWanted(open, notice, looking.away)).toBe(true)
    const answered = happens(open, makeEvent(2, 'permission.answered', makePermission('p', { state: 'allowed' })))
    expect(notice && isWanted(answered, notice, looking.away)).toBe(false)
    expect(notice && isWanted(apply(open, { type: 'channel.gone', channelId: 'c' }), notice, looking.away)).toBe(false)
  })
})

describe('the text of a notice', () => {
  it('is one line in which nothing hides, and not longer than a notice', () => {
    expect(excerpt('  one\n\n two\u0007\t<b>three</b> \u202efour  ')).toBe('one two␇ <b>three</b> ⟨202E⟩four')
    // A joiner is how some scripts are written.
    expect(excerpt('می\u200cخواهم a\u200bb')).toBe('می\u200cخواهم a⟨200B⟩b')
    expect(excerpt('한국어 हिन्दी العربية')).toBe('한국어 हिन्दी العربية')
    const family = '👩‍👩‍👧'
    expect(excerpt(family.repeat(300))).toBe(family.repeat(longestNotice) + '…')
    expect(excerpt('e' + '\u0301'.repeat(100_000)).length).toBeLessThan(10 * longestNotice)
    expect(excerpt('')).toBe('')
  })
})

describe('the notifier', () => {
  const notice = (n: number, fields: Partial<Notice> = {}): Notice => ({ kind: 'reply', channelId: 'c', id: `r${n}`, who: 'claude', text: `t${n}`, address: `/c/c/m/r${n}`, ...fields })
  function start() {
    const shown: Shown[] = []
    let now = 1000
    const timers: { at: number; callback: () => void }[] = []
    const unwanted = new Set<string>()
    const notifier = new Notifier({
      show: (it) => shown.push(it), isWanted: (n) => !unwanted.has(n.id), placeOf: (id) => '#' + id, now: () => now,
      later: (callback, after) => {
        const timer = { at: now + after, callback }
        timers.push(timer)
        return () => void timers.splice(timers.indexOf(timer), 1)
      },
    })
    const pass = (ms: number) => {
      now += ms
      for (const timer of timers.filter((t) => t.at <= now)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.callback()
      }
    }
    return { notifier, shown, pass, unwanted, timers, setClock: (to: number) => (now = to) }
  }

  it('shows the first at once, and what follows soon together', () => {
    const { notifier, shown, pass } = start()
    for (const n of [1, 2, 3, 4]) notifier.add(notice(n))
    expect(shown).toEqual([{ title: '@claude in #c', body: 't1', tag: 'c', address: '/c/c/m/r1' }])
    pass(apart - 1)
    expect(shown).toHaveLength(1)
    pass(1)
    expect(shown[1]).toEqual({ title: '3 replies in #c', body: '@claude: t4', tag: 'c', address: '/c/c/m/r4' })
    notifier.add(notice(5))
    notifier.add(notice(6, { kind: 'failed', who: '' }))
    pass(apart)
    expect(shown[2]).toMatchObject({ title: '1 failed turn, 1 reply in #c', body: 't6' })
    pass(apart)
    notifier.add(notice(7, { kind: 'failed' }))
    expect(shown[3]).toMatchObject({ title: 'A turn of @claude failed in #c' })
  })
  it('keeps channels, and questions from the rest, apart', () => {
    const { notifier, shown } = start()
    notifier.add(notice(1))
    notifier.add(notice(2, { channelId: 'd' }))
    notifier.add(notice(3, { kind: 'permission' }))
    expect(shown.map((s) => [s.tag, s.title])).toEqual([['c', '@claude in #c'], ['d', '@claude in #d'], ['c/permission', '@claude asks in #c']])
  })
  it('leaves out what was seen meanwhile, and shows what is left by itself', () => {
    const { notifier, shown, pass, unwanted } = start()
    for (const n of [1, 2, 3]) notifier.add(notice(n))
    unwanted.add('r2')
    pass(apart)
    expect(shown[1]).toMatchObject({ title: '@claude in #c', body: 't3' })
    notifier.add(notice(4))
    unwanted.add('r4')
    pass(apart)
    expect(shown).toHaveLength(2)
  })
  it('shows nothing after it was stopped, and is not held up by a clock that was set back', () => {
    const { notifier, shown, pass, timers, setClock } = start()
    notifier.add(notice(1))
    notifier.add(notice(2))
    notifier.stop()
    expect(timers).toEqual([])
    pass(apart)
    expect(shown).toHaveLength(1)
    setClock(-1_000_000)
    notifier.add(notice(3))
    expect(shown).toHaveLength(2)
  })
})
