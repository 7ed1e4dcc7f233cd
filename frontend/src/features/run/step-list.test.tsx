import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { makeRun, makeStep, textStep } from '@/test/make'
import { renderPage } from '@/test/page'
import { figuresOf, wasDenied } from './figures'
import { StepList } from './step-list'

describe('StepList', () => {
  it('nests what a subagent did under the call that started it, and opens to input and result', async () => {
    const steps = [
      makeStep(0, { id: 'a', name: 'Agent', input: '{"description":"look around"}', output: 'done', took_ms: 4000 }),
      makeStep(1, { id: 'b', parent: 'a', name: 'mcp__channel__channel_history', took_ms: 20 }),
      textStep(2, 'The reply'),
    ]
    await renderPage(<StepList run={makeRun('nest', 'succeeded')} steps={steps} going={false} beside="The reply " />)
    expect(screen.queryByText('The reply')).toBeNull()
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: /^Agent look around 1 step of its own/ }))
    expect(screen.getByRole('region', { name: 'Result' })).toHaveTextContent('done')
    const [, inner] = screen.getAllByRole('list')
    expect(inner).toHaveTextContent(/^channel_history/)
  })

  it('marks what was denied apart from what failed', async () => {
    const steps = [
      makeStep(0, { name: 'Bash', error: true, output: 'Permission to use Bash has been denied.', took_ms: 1 }),
      makeStep(1, { name: 'Bash', error: true, output: 'exit status 2', took_ms: 1 }),
    ]
    await renderPage(<StepList run={makeRun('denied', 'succeeded')} steps={steps} going={false} />)
    const [denied, failed] = screen.getAllByRole('listitem')
    expect(denied).toHaveTextContent('denied')
    expect(failed).toHaveTextContent('failed')
  })

  it('shows the last of many, and the others when asked', async () => {
    const steps = Array.from({ length: 100 }, (_, n) => makeStep(n, { took_ms: 1, output: 'x' }))
    await renderPage(<StepList run={makeRun('many', 'succeeded')} steps={steps} going={false} />)
    expect(screen.getAllByRole('listitem')).toHaveLength(60)
    await userEvent.click(screen.getByRole('button', { name: 'Show the 40 steps before' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(100)
  })
})

describe('wasDenied', () => {
  it.each([
    ['The user doesn’t want to proceed with this tool use.', true], ['Denied by the hook: delegate it.', true], ['no such file', false],
  ])('%s', (output, want) => expect(wasDenied(makeStep(0, { error: true, output }))).toBe(want))
  it('takes no success for one', () => expect(wasDenied(makeStep(0, { output: 'denied' }))).toBe(false))
})

describe('figuresOf', () => {
  it('leaves out what is nothing', () => {
    expect(figuresOf(makeRun('x', 'succeeded'))).toEqual([])
    const { usage } = makeRun('x', 'succeeded')
    const run = makeRun('x', 'succeeded', { temperature: 'warm', usage: { ...usage, cache_read_tokens: 38_211, cost_usd: 0.03 } })
    expect(figuresOf(run)).toEqual([{ part: 'temperature', text: 'warm' }, { part: 'tokens', text: 'read 38.2k' }, { part: 'cost', text: '$0.03' }])
  })
})
