import { describe, expect, it } from 'vitest'
import type { CacheForecast, CacheTurn, Tokens } from '@/api'
import { makeBreak, time } from '@/test/make'
import { barsOf, costOf, costText, foreseenOf, heldOf, sentOf, spokenTurn, usedOf, wholeOf } from './figures'
import { saidOf } from './next'

const tokens = (fields: Partial<Tokens> = {}): Tokens => ({ input_tokens: 0, cache_read_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, output_tokens: 0, thinking_tokens: 0, ...fields })
const turn = (run: string, fields: Partial<CacheTurn> = {}) =>
  ({ run_id: run, binding_id: 'b', handle: 'claude', ended_at: time(0), cost_usd: 0, unpriced_turns: 0, context_tokens: 0, context_window_tokens: 0, main: tokens(), subagents: tokens(), beside: tokens(), ...fields }) as CacheTurn

describe('barsOf', () => {
  it('turns a page around, and tells apart what the cache did', () => {
    const bars = barsOf([turn('2'), turn('1', { main: tokens({ input_tokens: 3, cache_read_tokens: 900, cache_write_5m_tokens: 40, cache_write_1h_tokens: 2, output_tokens: 7 }) })])
    expect(bars.map((b) => [b.turn.run_id, b.read, b.written, b.fresh])).toEqual([['1', 900, 42, 3], ['2', 0, 0, 0]])
  })
})

describe('sums', () => {
  const all = tokens({ input_tokens: 1, cache_read_tokens: 10, cache_write_5m_tokens: 100, cache_write_1h_tokens: 1000, output_tokens: 10_000, thinking_tokens: 5 })
  it('have each kind once: thinking is a part of what was answered', () => {
    expect(sentOf(all)).toBe(1111)
    expect(usedOf(all)).toBe(11_111)
    expect(wholeOf(turn('1', { main: all, subagents: tokens({ output_tokens: 1 }), beside: tokens({ input_tokens: 2 }) }))).toBe(11_114)
  })
})

describe('spokenTurn', () => {
  it('says what is there, and leaves out what is not', () => {
    const [bar] = barsOf([turn('1', { main: tokens({ cache_read_tokens: 38_211, cache_write_5m_tokens: 900, input_tokens: 3 }) })])
    expect(bar && spokenTurn(bar)).toMatch(/^@claude, .*: 38,211 read, 900 written, 3 new\.$/)
  })
  it('names a break with what it cost', () => {
    const [bar] = barsOf([turn('1', { read_ratio: 0.99996, cost_usd: 0.034, break: makeBreak({ cause: 'model_changed' }) })])
    expect(bar && spokenTurn(bar)).toMatch(/; 99\.9\u202f% read from the cache; \$0\.03\. Cache break: the model was changed, 84\.0k tokens read anew\.$/)
  })
  it('says what ended the process before, where another one answered', () => {
    const found = makeBreak({ cause: 'new_process', quiet: true }, { anew: true, process_end: { how: 'crashed', reason: 'exit status 9' } })
    const [bar] = barsOf([turn('1', { break: found })])
    expect(bar && spokenTurn(bar)).toMatch(/Cache break: its process crashed, 84\.0k tokens read anew\.$/)
  })
})

describe('a cost', () => {
  it.each([
    [{ cost_usd: 0.5, unpriced_turns: 0 }, 0.5, '$0.50'],
    [{ cost_usd: 0, unpriced_turns: 0 }, 0, '$0'],
    [{ cost_usd: 0.5, unpriced_turns: 2 }, 0.5, 'at least $0.50'],
    [{ cost_usd: 0, unpriced_turns: 1 }, undefined, 'not known'],
  ])('%j is never told as more than is known of it', (sum, cost, text) => {
    expect([costOf(sum), costText(sum)]).toEqual([cost, text])
  })
  it('of a turn is told as not known, too', () => {
    const [bar] = barsOf([turn('1', { unpriced_turns: 1 })])
    expect(bar && spokenTurn(bar)).toMatch(/; its cost is not known\.$/)
  })
})

describe('heldOf', () => {
  it('has an agent’s own turns whose size is known, oldest first', () => {
    const held = heldOf([turn('4', { context_tokens: 40 }), turn('3', { context_tokens: 30, binding_id: 'other' }), turn('2'), turn('1', { context_tokens: 10 })], 'b')
    expect(held.map((h) => [h.turn.run_id, h.context])).toEqual([['1', 10], ['4', 40]])
  })
})

describe('foreseenOf', () => {
  it('goes on to the line and no further', () => expect(foreseenOf(100, 30, 170, 20)).toEqual([130, 160, 190]))
  it('is bounded', () => expect(foreseenOf(100, 1, 10_000, 4)).toHaveLength(4))
  it('goes on without a line', () => expect(foreseenOf(100, 10, 0, 2)).toEqual([110, 120]))
  it.each([[0, 5], [100, 0], [100, -3]])('has nothing to say of %d growing by %d', (context, by) => expect(foreseenOf(context, by, 500, 9)).toEqual([]))
  it('ends where the line was passed', () => expect(foreseenOf(600, 5, 500, 9)).toEqual([]))
})

describe('saidOf', () => {
  const forecast = (fields: Partial<CacheForecast>) => ({ context_tokens: 12_000, context_window_tokens: 200_000, line_tokens: 150_000, warn_tokens: 130_000, ...fields }) as CacheForecast
  const trend = { estimated_tokens_per_turn: 2100.4, low: 1900, high: 2500, turns: 20 }
  it('marks what is estimated', () => {
    expect(saidOf(forecast({ trend, turns_left: 52 }))).toEqual([
      'Its conversation holds 12,000 of 200,000 tokens.',
      '≈ 2,100 tokens a turn; half of the steps between 1,900 and 2,500, from 20 turns.',
      '≈ 52 turns until it is to be handed off, at 150,000; warned at 130,000.',
    ])
  })
  it('says that the line is reached, that nothing grows, and what is not known', () => {
    expect(saidOf(forecast({ trend, turns_left: 0 })).at(-1)).toBe('It has come to 150,000, where it is to be handed off.')
    expect(saidOf(forecast({ trend: { ...trend, estimated_tokens_per_turn: -4 } })).at(-1)).toMatch(/^It does not grow/)
    expect(saidOf(forecast({ context_tokens: 0 }))).toEqual([expect.stringMatching(/^How much/), expect.stringMatching(/not known before its third turn\.$/)])
  })
})
