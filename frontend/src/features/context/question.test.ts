import { describe, expect, it } from 'vitest'
import { makeRow, makeRun, time } from '@/test/make'
import { questionOf } from './question'

describe('questionOf', () => {
  const run = makeRun('1', 'succeeded', { queued_at: time(9), started_at: time(10) })

  it('is what the message says, without whose turn it is', () => {
    expect(questionOf(run, makeRow('r', 1, { body: '@claude and now?' }), 'claude')).toEqual({ text: 'and now?', since: undefined })
    expect(questionOf(run, undefined, 'claude')).toEqual({ text: '', since: undefined })
  })

  it('says what became of the message after the turn was sent it, and only that', () => {
    const since = (fields: { edited_at?: string; deleted_at?: string }, of = run) => questionOf(of, makeRow('r', 1, fields), 'claude').since
    expect(since({ edited_at: time(11) })).toBe('edited')
    expect(since({ edited_at: time(9) })).toBeUndefined()
    expect(since({ edited_at: time(11), deleted_at: time(12) })).toBe('deleted')
    // One that has not begun is sent what the message says then.
    expect(since({ edited_at: time(11) }, makeRun('2', 'queued', { queued_at: time(9) }))).toBeUndefined()
  })
})
