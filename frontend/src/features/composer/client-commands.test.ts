import { describe, expect, it } from 'vitest'
import type { Agent, ClientCommand, ClientCommands } from '@/api'
import type { Hearth } from '@/core'
import { listsOf, meant, suggest, type Place } from './client-commands'

const agent = (id: string, handle: string, native = '') => ({ binding: { id, handle, runtime: 'cli:claude:agent' }, state: { native, phase: native ? 'warm' : 'cold' } }) as Agent
const command = (name: string, more: Partial<ClientCommand> = {}): ClientCommand => ({ name, aliases: [], hint: '', description: '', builtin: true, starts_fresh: false, ...more })
const list = (known: ClientCommands['known'], ...commands: ClientCommand[]): ClientCommands => ({ known, reason: '', commands, ...(known === 'no' ? {} : { at: '2026-07-01T12:00:00Z' }) })
const all = [command('run'), command('run-skill'), command('compact', { hint: '<what to keep>' }), command('clear', { aliases: ['reset', 'new'], starts_fresh: true }), command('context')]
const claude = agent('a', 'claude', 'n')
const codex = agent('b', '분석가')
const place = (more: Partial<Place> = {}): Place => ({ agents: [claude, codex], direct: false, lists: { a: list('now', ...all), b: list('before', command('context'), command('verify')) }, ...more })
const alone = place({ agents: [claude] })

function suggested(at: Place, before: string, query: string) {
  const put: string[] = []
  const { options, note } = suggest(at, { before, query }, (text) => put.push(text))
  for (const option of options) option.choose()
  return { put, note }
}

describe('suggest', () => {
  it('lists those of the agent that is mentioned, and leaves the mention as it is', () => {
    expect(suggested(place(), '＠claude  ', 'co').put).toEqual(['＠claude  /compact ', '＠claude  /context'])
    expect(suggested(place(), '@분석가에게 ', '').put).toEqual(['@분석가에게 /context', '@분석가에게 /verify'])
  })
  it('addresses the agent whose command is chosen where nobody is', () => {
    const { put, note } = suggested(place(), '', 'cont')
    expect(put).toEqual(['@claude /context', '@분석가 /context'])
    expect(note).toContain('addresses its agent')
    expect(suggested(alone, '', 'cont').put).toEqual(['@claude /context'])
  })
  it('needs no mention on a direct line', () => expect(suggested({ ...alone, direct: true }, '', 'cont').put).toEqual(['/context']))
  it('finds by other names, in any case, and the beginning of a name first', () => {
    expect(suggested(alone, '@claude ', 'res').put).toEqual(['@claude /clear'])
    expect(suggested(alone, '@claude ', 'R').put).toEqual(['@claude /run', '@claude /run-skill', '@claude /clear'])
  })
  it('is silent where the whole name is written, so that Enter sends it', () => {
    expect(suggested(alone, '@claude ', 'run').put).toEqual([])
    expect(suggested(alone, '', 'reset').put).toEqual([])
    expect(suggested(place(), '', 'run').put).toEqual(['@claude /run', '@claude /run-skill'])
  })
  it('says what is not known, and since when it was', () => {
    expect(suggested(place({ lists: { a: list('no') } }), '@claude ', '').note).toContain('@claude has not been started yet')
    expect(suggested(place({ lists: { a: list('now') } }), '@claude ', '').note).toContain('names no commands')
    expect(suggested(place(), '@분석가 ', '').note).toContain('at its last start')
    expect(suggested(place(), '@claude ', '').note).toBe('')
    expect(suggested(place({ lists: {} }), '@claude ', '').note).toBe('')
  })
  it('is for one agent', () => {
    const { put, note } = suggested(place(), '@claude @분석가 ', '')
    expect(put).toEqual([])
    expect(note).toContain('one agent')
  })
  it('has no agents to suggest for', () => expect(suggested(place({ agents: [] }), '', '')).toEqual({ put: [], note: '' }))
  it('is bounded', () => {
    const many = Array.from({ length: 1000 }, (_, i) => command(`c${i}`))
    expect(suggested(place({ agents: [claude], lists: { a: list('now', ...many) } }), '', '').put).toHaveLength(200)
  })
})

describe('meant', () => {
  const body = (at: Place, text: string) => {
    const found = meant(at, text)
    return typeof found === 'object' ? found.body : found
  }
  it.each([
    ['@claude /context', '@claude /context'],
    ['  @claude\n/compact keep\nthe names ', '@claude\n/compact keep\nthe names'],
    ['/context @claude', '/context @claude'],
    ['/verify', 'Which agent? Begin with its mention, then /verify.'],
    ['@claude /verify', undefined],
    ['@claude @분석가 /context', undefined],
    ['@aiko /context', undefined],
    ['/usr/bin is broken', undefined],
    ['//context', undefined],
    ['/Context', undefined],
    ['please /context', undefined],
    ['@claude/context', undefined],
  ])('%j', (text, want) => expect(body(place(), text)).toBe(want))
  it('puts the mention before it where there is one agent only', () => {
    expect(body(alone, '/compact keep it')).toBe('@claude /compact keep it')
    expect(body({ ...alone, direct: true }, '/compact keep it')).toBe('/compact keep it')
    expect(body(alone, '@aiko /context')).toBeUndefined()
  })
  it('knows what starts fresh by each of its names', () => {
    const found = meant(alone, '/new idea')
    expect(typeof found === 'object' && found.command.starts_fresh).toBe(true)
  })
})

describe('listsOf', () => {
  it('asks once a process, and again when asking went wrong', async () => {
    const asked: string[] = []
    let broken = false
    const hearth = { api: { commands: (id: string) => (asked.push(id), broken ? Promise.reject(new Error('away')) : Promise.resolve(list('now'))) } } as unknown as Hearth
    expect(Object.keys(await listsOf(hearth, [claude, codex]))).toEqual(['a', 'b'])
    await listsOf(hearth, [claude, codex])
    expect(asked).toEqual(['a', 'b'])
    broken = true
    expect(await listsOf(hearth, [agent('a', 'claude', 'another')])).toEqual({})
    broken = false
    expect(Object.keys(await listsOf(hearth, [agent('a', 'claude', 'another')]))).toEqual(['a'])
    expect(asked).toEqual(['a', 'b', 'a', 'a'])
  })
})
