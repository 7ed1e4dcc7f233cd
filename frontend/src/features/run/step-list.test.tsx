import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { makeRun, makeSaving, makeStep, textStep } from '@/test/make'
import { renderPage } from '@/test/page'
import { figuresOf, wasDenied } from './figures'
import { aboutTokens, placeOfSpill, remedyOf, shortPlace } from './kept'
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
    expect(screen.getByRole('group', { name: 'Result' })).toHaveTextContent('done')
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

describe('what was kept out', () => {
  const spill = makeSaving('spill', { step_id: 'a', path: '/w/.flower/spill/0f3a0f3a0f3a0f3a0f3a.txt', chars: 812_345, lines: 12_000, tokens: 31_217 })

  it('stands at the step it belongs to, with a link to the file and the sum at the head', async () => {
    const steps = [makeStep(0, { id: 'a', name: 'Bash', took_ms: 1, output: 'x' }), makeStep(1, { id: 'b', name: 'Bash', took_ms: 1, output: 'x' })]
    const savings = [spill, makeSaving('glance', { step_id: 'b', tokens: 4300 }), makeSaving('index', { tool: '', tokens: 650 })]
    await renderPage(<StepList run={makeRun('kept', 'succeeded')} steps={steps} savings={savings} going={false} />)
    expect(screen.getByText('about 36,200 tokens kept out')).toBeInTheDocument()
    const [first, , second, glanced, index] = screen.getAllByRole('listitem')
    expect(first).toHaveTextContent('kept out: 12,000 lines → spill/0f3a0f3a….txt, about 31,200 tokens less')
    expect(screen.getByRole('link', { name: 'Open spill/0f3a0f3a0f3a0f3a0f3a.txt in the workbench' })).toHaveAttribute('href', expect.stringMatching(/\/workbench\/spill\/0f3a0f3a0f3a0f3a0f3a\.txt$/))
    expect(screen.getByRole('button', { name: /^Bash glance/ })).toBeInTheDocument()
    expect(second).toHaveTextContent('glance')
    expect(glanced).toHaveTextContent('It only looks: no worker was needed, about 4,300 tokens less')
    expect(index).toHaveTextContent('The workbench’s index: only what is new in it was told, about 650 tokens less')
  })

  it('marks denials by what Hearth says of them, whatever the words of the output', async () => {
    const steps = [makeStep(0, { id: 'a', name: 'Bash', error: true, output: 'You coordinate.', took_ms: 1 })]
    await renderPage(<StepList run={makeRun('denial', 'succeeded')} steps={steps} savings={[makeSaving('denial', { step_id: 'a', detail: 'You coordinate.' })]} going={false} />)
    expect(screen.getByRole('button')).toHaveTextContent('denied')
    expect(screen.getByText('A coordinator delegates this to a worker.')).toBeInTheDocument()
    expect(screen.queryByText(/kept out/)).toBeNull()
  })

  it('says of output that could not be put into a file why, and what to do', async () => {
    const steps = [makeStep(0, { id: 'a', name: 'Bash', took_ms: 1, output: 'x' })]
    const savings = [makeSaving('spill', { step_id: 'a', fault: 'write spill: no space left on device' }), makeSaving('spill', { detail: 'make all', fault: 'read-only file system' })]
    await renderPage(<StepList run={makeRun('fault', 'succeeded')} steps={steps} savings={savings} going={false} />)
    expect(screen.getByText(/no space left on device.*Make room on the disk/)).toBeInTheDocument()
    expect(screen.getByRole('list', { name: 'Besides' })).toHaveTextContent(/Output of make all · .*read-only file system.*right to write/)
  })

  it('is told where a turn used no tools', async () => {
    await renderPage(<StepList run={makeRun('bare', 'succeeded')} steps={[]} savings={[makeSaving('index', { tokens: 120 })]} going={false} />)
    expect(screen.getByText('It used no tools.')).toBeInTheDocument()
    expect(screen.getByRole('list', { name: 'Besides' })).toHaveTextContent('index')
  })

  it.each([[0, ''], [-1, ''], [42, '42'], [655, '660'], [31_217, '31,200']])('writes %d tokens as %j', (n, want) => expect(aboutTokens(n)).toBe(want))
  it.each([
    ['/w/.flower/spill/ab.txt', 'spill/ab.txt', 'spill/ab.txt'],
    ['/data/workbenches/spill/x/spill/0123456789abcdef.txt', 'spill/0123456789abcdef.txt', 'spill/01234567….txt'],
  ])('%s is at %s', (path, place, short) => {
    expect(placeOfSpill(path)).toBe(place)
    expect(shortPlace(place)).toBe(short)
  })
  it('always says what to do', () => {
    for (const fault of ['disk quota exceeded', 'permission denied', 'EIO', '']) expect(remedyOf(fault)).not.toBe('')
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
