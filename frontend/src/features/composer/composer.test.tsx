import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { AgentState, Binding } from '@/api'
import { initialState, type State } from '@/core'
import { makeRow } from '@/test/make'
import { json, renderPage } from '@/test/page'
import { Composer } from './composer'

const binding = (id: string, handle: string): Binding => ({
  id, handle, channel_id: 'c', runtime: 'cli:standin:agent', model: '', permission_mode: '', supervised: true, resident: true, base_url: '',
  has_token: false, brief_every_turn: false, created_at: '2026-01-01T00:00:00Z',
})
const agent = (binding_id: string, phase: AgentState['phase']): AgentState => ({
  binding_id, phase, native: '', pid: 0, queued: 0, asking: 0, run_id: '', background: 0, model: '', client_version: '', error: '', reachable: true,
  restorable: '', tools: [],
})
const withAgents: Partial<State> = {
  bindings: { a: binding('a', 'claude'), b: binding('b', 'codex') },
  agents: { a: agent('a', 'warm'), b: agent('b', 'cold') },
}
const show = async (state: Partial<State> = {}) => {
  const page = await renderPage(
    <Composer place={{ channelId: 'c' }} where="c" placeholder="p" focus />,
    state,
    (request) => (request.method === 'POST' && request.url.endsWith('/messages') ? json({ row: makeRow('r', 1, { handle: '' }), runs: [] }, 201) : json({})),
  )
  const posted = () => page.requests.filter((r) => r.url.endsWith('/messages'))
  return { ...page, field: screen.getByRole<HTMLTextAreaElement>('textbox'), user: userEvent.setup(), posted }
}

describe('Composer', () => {
  it('sends with Enter and is empty then', async () => {
    const { field, user, posted } = await show()
    await user.type(field, 'hello{Enter}')
    await waitFor(() => expect(posted()).toHaveLength(1))
    expect(await posted()[0]?.json()).toEqual({ body: 'hello' })
    expect(field).toHaveValue('')
  })

  it('breaks the line with Shift and Enter', async () => {
    const { field, user, posted } = await show()
    await user.type(field, 'a{Shift>}{Enter}{/Shift}b')
    expect(field).toHaveValue('a\nb')
    expect(posted()).toEqual([])
  })

  it('sends with Ctrl or ⌘ where Enter breaks the line', async () => {
    const { field, user, posted } = await show({ preferences: { ...initialState.preferences, enterSends: false } })
    await user.type(field, 'a{Enter}b')
    expect(field).toHaveValue('a\nb')
    await user.type(field, '{Control>}{Enter}{/Control}')
    await waitFor(() => expect(posted()).toHaveLength(1))
  })

  it.each([
    ['as browsers say it', { isComposing: true, keyCode: 13 }],
    ['as WebKit says it', { isComposing: false, keyCode: 229 }],
  ])('never sends while an input method is composing, %s', async (_, how) => {
    const { field, posted } = await show({ drafts: { c: '한글' } })
    fireEvent.keyDown(field, { key: 'Enter', ...how })
    expect(posted()).toEqual([])
    expect(field).toHaveValue('한글')
  })

  it('sends nothing that is empty', async () => {
    const { field, user, posted } = await show()
    await user.type(field, '  {Enter}')
    expect(posted()).toEqual([])
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled()
  })

  it('says when a message is too long, counting characters and not halves of them', async () => {
    const { posted } = await show({ drafts: { c: '😀'.repeat(100_001) } })
    expect(screen.getByRole('alert')).toHaveTextContent('1 character too long')
    fireEvent.submit(screen.getByRole('form'))
    expect(posted()).toEqual([])
  })

  it('keeps the draft of each place', async () => {
    const { field, user, store } = await show({ drafts: { c: 'kept', d: 'other' } })
    expect(field).toHaveValue('kept')
    await user.type(field, '!')
    expect(store.get().drafts).toEqual({ c: 'kept!', d: 'other' })
  })

  it('completes a mention by keyboard, and warms who is cold', async () => {
    const { field, user, posted, requests } = await show(withAgents)
    await user.type(field, 'ask @c')
    expect(screen.getAllByRole('option').map((o) => o.textContent)).toEqual(['claudewarm', 'codexcold'])
    await user.keyboard('{ArrowDown}{Enter}')
    expect(field).toHaveValue('ask @codex ')
    expect(posted()).toEqual([])
    expect(requests.map((r) => new URL(r.url).pathname)).toEqual(['/api/bindings/b/warm'])
    expect(screen.queryByRole('listbox')).toBeNull()
    await user.keyboard('now{Enter}')
    await waitFor(() => expect(posted()).toHaveLength(1))
  })

  it('lets go of a mention with Escape', async () => {
    const { field, user } = await show(withAgents)
    await user.type(field, '@{Escape}')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(field).toHaveValue('@')
  })
})
