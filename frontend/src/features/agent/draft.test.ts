import { describe, expect, it } from 'vitest'
import { ProblemError, type Binding } from '@/api'
import { makeBinding } from '@/test/make'
import { check, draftOf, problemsOf, toChange, toNew } from './draft'
import { duplicate, usualDrafts, usualWorkers, workerDraft } from './workers'

const binding = makeBinding('b', { model: 'opus', workers: [{ name: 'explorer', description: 'finds', prompt: 'find', tools: ['Read'], model: 'inherit', isolated: false }] })

describe('check', () => {
  it.each(['', ' ', 'a b', '-a', '_a', 'a.b', 'a\u202eb', '가'.repeat(41)])('refuses the name %j', (handle) =>
    expect(check({ ...draftOf(), handle }, [])).toHaveProperty('handle'),
  )
  it.each(['claude', '분석가', 'विश्लेषक', 'محلل', 'a-b_c', '3d', '@claude', '가'.repeat(40)])('takes the name %j', (handle) =>
    expect(check({ ...draftOf(), handle }, [])).toEqual({}),
  )
  it('refuses a name that is taken, whatever its case', () => expect(check({ ...draftOf(), handle: 'Claude' }, ['claude'])).toHaveProperty('handle'))
  it.each([['localhost:11434', false], ['ftp://x', false], ['http://', false], ['http://localhost:11434', true], ['https://api.example.org/v1', true]])('reads the address %s', (baseUrl, right) =>
    expect('baseUrl' in check({ ...draftOf(), handle: 'a', elsewhere: true, model: 'm', baseUrl }, [])).toBe(!right),
  )
  it('wants a model for another API', () => expect(check({ ...draftOf(), handle: 'a', elsewhere: true, baseUrl: 'http://x' }, [])).toEqual({ model: expect.any(String) as string }))
})

describe('toNew', () => {
  it('leaves out another API that is not used', () => {
    const made = toNew({ ...draftOf(), handle: ' @claude ', baseUrl: 'http://x', token: 't' })
    expect(made).toMatchObject({ handle: 'claude', runtime: 'cli:claude:agent', resident: true, supervised: true })
    expect(made).not.toHaveProperty('base_url')
    expect(made).not.toHaveProperty('token')
  })
})

describe('toChange', () => {
  const elsewhere: Binding = { ...binding, base_url: 'http://x', has_token: true }
  it('is nothing where nothing is different', () => expect(toChange(draftOf(binding), binding)).toBeUndefined())
  it('has what is different only', () => expect(toChange({ ...draftOf(binding), model: 'sonnet' }, binding)).toEqual({ model: 'sonnet' }))
  it('keeps a token that nobody touched', () => expect(toChange({ ...draftOf(elsewhere), model: 'x' }, elsewhere)).toEqual({ model: 'x' }))
  it('forgets a token when told to', () => expect(toChange({ ...draftOf(elsewhere), forgetToken: true }, elsewhere)).toEqual({ token: '' }))
  it('forgets it with the address it was for', () => expect(toChange({ ...draftOf(elsewhere), elsewhere: false }, elsewhere)).toEqual({ base_url: '', token: '' }))
})

describe('what a coordinator is', () => {
  const coordinator = (fields: Partial<ReturnType<typeof draftOf>> = {}) => ({ ...draftOf(), handle: 'a', role: 'coordinator' as const, ...fields })

  it('begins with the usual three', () => {
    expect(check(coordinator(), [])).toEqual({})
    expect(toNew(coordinator())).toMatchObject({ role: 'coordinator', glance: true, hands: [], workers: usualWorkers, spill_over: 4000 })
  })

  it('says of each worker what is not right', () => {
    const [first, second] = usualDrafts()
    const workers = [
      workerDraft({ name: 'A b', description: 'x'.repeat(501), prompt: '가'.repeat(4000), tools: [] }),
      workerDraft({ name: '-a', description: 'a\u0007', prompt: 'x\n\ty', model: '-x' }),
      { ...workerDraft({ name: 'explorer' }), description: 'd', prompt: 'p' },
      ...(first && second ? [first, { ...second, removed: true, name: '' }] : []),
    ]
    expect(Object.values(check(coordinator({ workers }), []).workers ?? {}).map((p) => Object.keys(p))).toEqual([
      ['name', 'description', 'tools'], ['name', 'description', 'model'], ['name'],
    ])
  })

  it.each([['0', true], ['4000', true], ['1000', true], ['999', false], ['1000001', false], ['', false], ['-1', false], ['4,000', false], ['1e3', false]])('takes %j characters to spill over: %s', (spillOver, right) =>
    expect('spillOver' in check(coordinator({ spillOver }), [])).toBe(!right),
  )

  it('is not changed by what a plain agent does not show', () => {
    const draft = { ...draftOf(binding), glance: false, workers: [] }
    expect(toChange(draft, binding)).toBeUndefined()
    expect(toChange({ ...draft, role: 'coordinator' }, binding)).toEqual({ role: 'coordinator', glance: false, workers: [] })
  })

  it('is changed by whatever is different, and drops who was taken out', () => {
    const there: Binding = { ...binding, role: 'coordinator' }
    const draft = draftOf(there)
    expect(toChange(draft, there)).toBeUndefined()
    expect(toChange({ ...draft, workers: draft.workers.map((w) => ({ ...w, removed: true })), hands: ['Grep'] }, there)).toEqual({ workers: [], hands: ['Grep'] })
    expect(toChange({ ...draft, spillOver: '0' }, there)).toEqual({ spill_over: 0 })
  })

  it('gives a copy of a worker a name that is free', () => {
    const one = workerDraft({ name: 'tester' })
    const two = duplicate(one, [one])
    expect([two.name, duplicate(two, [one, two]).name]).toEqual(['tester-2', 'tester-3'])
    const long = workerDraft({ name: 'x'.repeat(40) })
    expect(duplicate(long, [long]).name).toBe('x'.repeat(38) + '-2')
  })
})

describe('problemsOf', () => {
  const problem = (...locations: string[]) =>
    new ProblemError('invalid', 'no', 422, locations.map((location) => ({ location, message: `at ${location}` })))
  it('puts what the server found to the fields it names', () => {
    const workers = [{ ...workerDraft({ name: 'gone' }), removed: true }, workerDraft({ name: 'a' }), workerDraft({ name: 'b' })]
    const found = problemsOf(problem('body.workers[1].tools[0]', 'body.workers[1].isolated', 'body.spill_over', 'body.base_url', 'body'), { ...draftOf(), workers })
    expect(found).toEqual({
      spillOver: 'at body.spill_over', baseUrl: 'at body.base_url',
      workers: { [workers[2]?.key ?? '']: { tools: 'at body.workers[1].tools[0]', name: 'at body.workers[1].isolated' } },
    })
  })
  it('names no field where the server names none', () => expect(problemsOf(problem(), draftOf())).toEqual({}))
})
