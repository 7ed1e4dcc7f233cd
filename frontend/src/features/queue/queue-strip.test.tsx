import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { State } from '@/core'
import { makeRow, makeRun, time } from '@/test/make'
import { json, renderPage } from '@/test/page'
import { QueueStrip } from './queue-strip'

const state: Partial<State> = {
  rows: { r1: makeRow('r1', 1, { handle: '', body: 'first' }), r2: makeRow('r2', 2, { handle: '', body: 'second' }), r3: makeRow('r3', 3, { handle: 'aiko', body: 'third' }) },
  runs: {
    now: makeRun('now', 'running', { row_id: 'r0' }),
    q3: makeRun('q3', 'queued', { row_id: 'r3', queued_at: time(3) }),
    q1: makeRun('q1', 'queued', { row_id: 'r1', queued_at: time(1) }),
    q2: makeRun('q2', 'queued', { row_id: 'r2', queued_at: time(2) }),
  },
}
const show = async (refuse = false) => {
  const page = await renderPage(<QueueStrip channelId="c" />, state, (request) => {
    if (request.method === 'PATCH') return refuse ? json({ code: 'conflict', title: '', status: 409, detail: 'An agent has read it already.' }, 409) : json({ row: makeRow('r1', 1), runs: [] })
    if (request.url.endsWith('/stop')) return json(makeRun('q1', 'stopped', { row_id: 'r1' }))
    return json(makeRun('q4', 'queued', { row_id: 'r1', retry_of: 'q1', queued_at: time(9) }), 201)
  })
  return { ...page, user: userEvent.setup(), asked: () => page.requests.map((r) => `${r.method} ${new URL(r.url).pathname}`) }
}

describe('QueueStrip', () => {
  it('lists what waits in order, not what is going', async () => {
    await show()
    expect(screen.getAllByRole('listitem').map((li) => li.textContent)).toEqual(['1the agentfirst', '2the agentsecond', '3the agentfrom aikothird'])
    expect(screen.queryByRole('button', { name: 'Change message 3' })).toBeNull()
  })

  it('changes a message in place, by keyboard', async () => {
    const { user, requests } = await show()
    screen.getByRole('button', { name: 'Change message 1' }).focus()
    await user.keyboard('{Enter}')
    expect(screen.getByRole('textbox')).toHaveFocus()
    await user.keyboard(' and more{Enter}')
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
    expect(requests.map((r) => r.method)).toEqual(['PATCH'])
    expect(await requests[0]?.json()).toEqual({ body: 'first and more' })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change message 1' })).toHaveFocus())
  })

  it('leaves it as it was with Escape, and says why it can’t be changed', async () => {
    const { user, requests } = await show(true)
    await user.click(screen.getByRole('button', { name: 'Change message 1' }))
    await user.keyboard('x{Escape}')
    expect(requests).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Change message 1' }))
    await user.keyboard('x{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('An agent has read it already.')
    expect(screen.getByRole('textbox')).toHaveValue('firstx')
  })

  it('takes a message out by keyboard, and the focus goes to the next', async () => {
    const { user, asked } = await show()
    screen.getByRole('button', { name: 'Take message 1 out of the queue' }).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(asked()).toEqual(['POST /api/runs/q1/stop']))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Take message 1 out of the queue' })).toHaveFocus())
  })

  it('takes a message out, and puts it back', async () => {
    const { user, asked } = await show()
    await user.click(screen.getByRole('button', { name: 'Take message 1 out of the queue' }))
    await waitFor(() => expect(screen.getAllByRole('listitem').filter((li) => li.closest('ol')?.closest('section')?.getAttribute('aria-label')?.includes('wait'))).toHaveLength(2))
    // jsdom has no pointers to capture, which a toast does.
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(asked()).toEqual(['POST /api/runs/q1/stop', 'POST /api/runs/q1/retry']))
  })
})
