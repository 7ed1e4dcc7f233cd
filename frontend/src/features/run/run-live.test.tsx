import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { makeBinding, makePermission, makeRun, makeStep } from '@/test/make'
import { renderPage } from '@/test/page'
import { RunLive } from './run-live'

const run = makeRun('r', 'running', { binding_id: 'b', temperature: 'warm' })
const live = (steps: ReturnType<typeof makeStep>[]) => ({ text: '', steps, savings: [] })

it('says which call waits for an answer, and counts what ran alone', async () => {
  const steps = [
    makeStep(0, { name: 'Bash', input: '{"command":"ls"}', output: 'x', took_ms: 20 }),
    makeStep(1, { name: 'Bash', input: '{"command":"rm x"}', output: 'Permission to use Bash has been denied.', error: true, took_ms: 20 }),
    makeStep(2, { name: 'Bash', input: '{"command":"sleep 9"}' }),
    makeStep(3, { name: 'Bash', input: '{"command":"make"}' }),
  ]
  const asked = makePermission('p', { run_id: 'r', binding_id: 'b', tool: 'Bash', input: { command: 'make' } })
  const { store } = await renderPage(<RunLive run={run} handles={[]} />, { bindings: { b: makeBinding('b') }, live: { r: live(steps) as never }, permissions: { p: asked } })
  // What was let run and goes on is one of them.
  expect(screen.getByRole('button', { name: 'Show the steps' })).toHaveTextContent('waits for your answer· ran 2 commands')
  await userEvent.click(screen.getByRole('button', { name: 'Show the steps' }))
  const [, , third, fourth] = screen.getAllByRole('listitem')
  expect(third).not.toHaveTextContent('waits')
  expect(fourth).toHaveTextContent('makewaits for your answer')
  store.dispatch({ type: 'permission.changed', permission: { ...asked, state: 'allowed' } })
  expect(await screen.findByText(/ran 3 commands/)).toBeInTheDocument()
  expect(fourth).not.toHaveTextContent('waits')
})
