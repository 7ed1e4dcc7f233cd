import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { json, renderPage } from '@/test/page'
import { makeBinding, makeChannel } from '@/test/make'
import AgentForm from './agent-form'
import { WorkerList } from './worker-list'
import { toWorkers, usualDrafts, workerDraft, type WorkerDraft } from './workers'

const show = async (workers: WorkerDraft[]) => {
  let now: readonly WorkerDraft[] = workers
  function Held() {
    const [held, setHeld] = useState(workers)
    now = held
    return <WorkerList workers={held} problems={undefined} onChange={setHeld} />
  }
  await renderPage(<Held />)
  return { user: userEvent.setup(), names: () => toWorkers(now).map((w) => w.name) }
}

describe('WorkerList', () => {
  it('takes a worker out and puts it back, with the focus where that is done', async () => {
    const { user, names } = await show(usualDrafts())
    await user.click(screen.getByRole('button', { name: 'Remove tester' }))
    expect(names()).toEqual(['explorer', 'implementer'])
    const undo = screen.getByRole('button', { name: 'Undo: keep tester' })
    await waitFor(() => expect(undo).toHaveFocus())
    await user.click(undo)
    expect(names()).toEqual(['explorer', 'implementer', 'tester'])
    await waitFor(() => expect(screen.getByRole('button', { name: 'Worker tester' })).toHaveFocus())
  })

  it('adds one, and one like another, opened to be written', async () => {
    const { user, names } = await show(usualDrafts())
    await user.click(screen.getByRole('button', { name: 'Duplicate explorer' }))
    expect(names()).toEqual(['explorer', 'explorer-2', 'implementer', 'tester'])
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus())
    await user.click(screen.getByRole('button', { name: 'Add worker' }))
    expect(screen.getByRole('button', { name: 'New worker' })).toHaveAttribute('aria-expanded', 'true')
  })

  it('puts the usual three in place of what is there, and undoes that', async () => {
    const { user, names } = await show([workerDraft({ name: 'one', description: 'd', prompt: 'p' })])
    await user.click(screen.getByRole('button', { name: 'The usual three' }))
    expect(names()).toEqual(['explorer', 'implementer', 'tester'])
    expect(screen.queryByRole('button', { name: 'The usual three' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Undo' })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(names()).toEqual(['one'])
  })

  it('has room for twelve', async () => {
    await show(Array.from({ length: 12 }, (_, i) => workerDraft({ name: `w${i}`, description: 'd', prompt: 'p' })))
    expect(screen.getByRole('button', { name: 'Add worker' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Duplicate w3' })).toBeDisabled()
  })
})

describe('AgentForm', () => {
  const form = async (answer: () => Response) => {
    const binding = makeBinding('b', { role: 'coordinator', workers: toWorkers(usualDrafts()) })
    const page = await renderPage(<AgentForm channelId="c" binding={binding} onClose={() => undefined} />, { channels: { c: makeChannel('c') }, bindings: { b: binding } }, answer)
    return { ...page, user: userEvent.setup(), dialog: within(screen.getByRole('dialog')) }
  }

  it('opens the worker that is not right, and goes to its field', async () => {
    const { user, dialog, requests } = await form(() => json({}))
    await user.click(dialog.getByRole('button', { name: 'Worker tester' }))
    await user.clear(dialog.getByRole('textbox', { name: 'What it is told' }))
    await user.click(dialog.getByRole('button', { name: 'Worker tester' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    const field = dialog.getByRole('textbox', { name: 'What it is told' })
    await waitFor(() => expect(field).toHaveFocus())
    expect(field).toHaveAccessibleDescription('Say what it is to do and what not.')
    expect(dialog.getByRole('button', { name: 'Worker tester, not right yet' })).toBeInTheDocument()
    expect(requests).toEqual([])
  })

  it('changes only what is different', async () => {
    const { user, dialog, requests } = await form(() => json(makeBinding('b')))
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Before it acts' }), 'plan')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(requests.length).toBeGreaterThan(0))
    expect(requests[0]?.method).toBe('PATCH')
    expect(await requests[0]?.json()).toEqual({ permission_mode: 'plan' })
  })

  it('shows at a worker what the server finds wrong with it', async () => {
    const { user, dialog } = await form(() =>
      json({ title: 't', status: 422, code: 'invalid', detail: 'The request is not right.', errors: [{ location: 'body.workers[1].model', message: 'no such model' }] }, 422),
    )
    await user.click(dialog.getByRole('checkbox', { name: /^Glance/ }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('no such model')).toBeInTheDocument()
    expect(dialog.getByRole('combobox', { name: 'Its model' })).toBeInvalid()
    expect(dialog.queryByRole('alert')).toBeNull()
  })
})
