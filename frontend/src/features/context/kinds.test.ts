import { describe, expect, it } from 'vitest'
import type { Run } from '@/api'
import { makeRun } from '@/test/make'
import { absentOf, contextOf, heightsOf, layersOf, textOf, type Block, type Kind, type Layer, type Sent } from './kinds'

const block = (kind: Kind, tokens: number, text: string = kind): Block => ({ kind, text, tokens, characters: text.length })
const sentOf = (...blocks: Block[]): Sent => ({ blocks, considered: [] })
type Call = Run['usage']['calls'][number]
const call = { message_id: 'm', model: 'm', main: true, input_tokens: 3, cache_read_tokens: 900, cache_write_5m_tokens: 90, cache_write_1h_tokens: 7, output_tokens: 5 } as Call
const usage = { ...makeRun('x', 'running').usage, calls: [{ ...call, main: false, input_tokens: 9999 }, call, { ...call, input_tokens: 50_000 }] }

describe('contextOf', () => {
  it('is the first request of the main thread', () => expect(contextOf(makeRun('r', 'succeeded', { usage }))).toBe(1000))
  it('is unknown where the client reports nothing', () => expect(contextOf(makeRun('r', 'failed'))).toBeUndefined())
})

describe('layersOf', () => {
  const turn = [block('payload', 150), block('reminder', 30)]
  const shape = (layers: readonly Layer[]) => layers.map((l) => [l.id, l.tokens, l.had])
  it('a cold process had nothing; what Hearth did not send is the client’s own', () => {
    const run = makeRun('r', 'succeeded', { temperature: 'cold', usage })
    expect(shape(layersOf(run, sentOf(block('framing', 600), ...turn), undefined))).toEqual([
      ['client', 220, false], ['framing', 600, false], ['payload', 150, false], ['reminder', 30, false],
    ])
  })
  it('a warm process had the framing and its earlier turns', () => {
    const run = makeRun('r', 'succeeded', { temperature: 'warm', usage })
    expect(shape(layersOf(run, sentOf(...turn), block('framing', 600)))).toEqual([
      ['framing', 600, true], ['earlier', 220, true], ['payload', 150, false], ['reminder', 30, false],
    ])
  })
  it('says no size that it does not know', () => {
    expect(shape(layersOf(makeRun('r', 'running', { temperature: 'warm' }), sentOf(...turn), undefined))[0]).toEqual(['earlier', undefined, true])
    const cold = makeRun('r', 'running', { temperature: 'cold' })
    expect(shape(layersOf(cold, sentOf(block('framing', 600), ...turn), undefined)).map(([id]) => id)).toEqual(['framing', 'payload', 'reminder'])
  })
})

describe('a command', () => {
  const sent = sentOf(block('command', 3, '/context'))
  it('is alone, and says so of itself', () => {
    const run = makeRun('r', 'succeeded', { temperature: 'warm' })
    const layers = layersOf(run, sent, block('framing', 600))
    expect(layers.map((l) => [l.id, l.had])).toEqual([['framing', true], ['earlier', true], ['command', false]])
    expect(absentOf(run, sent, layers)).toEqual([])
    expect(textOf(sent)).toBe('/context')
  })
  it('is nothing that another turn lacks', () => {
    const other = sentOf(block('payload', 150))
    expect(absentOf(makeRun('r', 'succeeded'), other, layersOf(makeRun('r', 'succeeded'), other, undefined)).map((a) => a.kind)).not.toContain('command')
  })
})

describe('heightsOf', () => {
  const layer = (id: Layer['id'], tokens: number | undefined): Layer => ({ id, tokens, had: false })
  it('shares by tokens, and keeps each tall enough to press', () => {
    expect(heightsOf([layer('framing', 600), layer('rows', 300), layer('reminder', 1)], 300, 30)).toEqual({ heights: [200, 100, 30], scaled: false })
  })
  it('draws what dwarfs the blocks smaller, and says so', () => {
    const { heights, scaled } = heightsOf([layer('earlier', 100_000), layer('payload', 100)], 320, 30)
    expect(heights).toEqual([120, 200])
    expect(scaled).toBe(true)
  })
  it('does with nothing known', () => expect(heightsOf([layer('earlier', undefined), layer('payload', 0)], 300, 30).heights).toEqual([30, 30]))
})

describe('absentOf', () => {
  const why = (temperature: 'warm' | 'cold', ...blocks: Block[]) => {
    const run = makeRun('r', 'succeeded', { temperature })
    return absentOf(run, sentOf(...blocks), layersOf(run, sentOf(...blocks), undefined)).map((a) => a.why)
  }
  it('gives the reason for each kind that was not sent', () => {
    expect(why('warm', block('payload', 1), block('reminder', 1))).toEqual(['framing', 'replayKnows', 'brief', 'rows', 'index'])
    expect(why('cold', block('framing', 1), block('payload', 1), block('brief', 1), block('rows', 1), block('index', 1))).toEqual(['replayNone', 'reminder'])
  })
})

it('textOf is the turn to the byte, without the framing', () => {
  expect(textOf(sentOf(block('framing', 1, 'rules'), block('replay', 1, 'past\n\n'), block('payload', 1, 'asked'), block('rows', 1, '\n\nnew')))).toBe('past\n\nasked\n\nnew')
})
