import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { AgentState, Binding } from '@/api'
import type { State } from '@/core'
import { makeBinding, makeChannel } from '@/test/make'
import { json, renderPage } from '@/test/page'
import { Roster } from './roster'

const binding = makeBinding('a')
const cold: AgentState = {
  binding_id: 'a', phase: 'cold', native: '', pid: 0, queued: 0, asking: 0, run_id: '', background: 0, model: '', client_version: '', error: '', reachable: true,
  restorable: '', restoring: '', tools: [],
}
const show = async (agent: Partial<AgentState> = {}, change: Partial<Binding> = {}) => {
  const state: Partial<State> = {
    channels: { c: makeChannel('c') },
    bindings: { a: { ...binding, ...change } },
    agents: { a: { ...cold, ...agent } },
    people: { c: [{ handle: '', owner: true }, { handle: 'aiko', owner: false }] },
  }
  const page = await renderPage(<Roster channelId="c" />, state, (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/rules')) return json({ rules: [{ id: 'r', binding_id: 'a', text: 'Bash(make:*)', tool: 'Bash', created_at: '2026-01-01T00:00:00Z' }] })
    if (pathname.endsWith('/restore')) return json({ binding_id: 'a', channel_id: 'c', end_reason: '', native: 'n', started_at: '2026-01-01T00:00:00Z', workspace: '/w' })
    if (pathname.endsWith('/roster')) return json({ people: [], agents: [] })
    if (request.method === 'DELETE') return new Response(null, { status: 204 })
    if (request.method === 'POST' && pathname.endsWith('/bindings')) return json({ ...binding, id: 'n', handle: 'new' }, 201)
    return json(binding)
  })
  return { ...page, user: userEvent.setup(), card: screen.getByRole('article', { name: 'claude' }), asked: () => page.requests.map((r) => `${r.method} ${new URL(r.url).pathname}`) }
}

describe('Roster', () => {
  it('starts fresh only when that can’t be undone any more, and says what will be forgotten', async () => {
    const { user, asked } = await show({ phase: 'warm', native: 'n', pid: 1 })
    await user.click(screen.getByRole('button', { name: 'Start fresh' }))
    expect(screen.getByText(/starts fresh: its process ends and the conversation it holds is forgotten/)).toBeInTheDocument()
    // jsdom has no pointers to capture, which a toast does.
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(asked()).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Start fresh' }))
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(asked()).toEqual(['POST /api/bindings/a/fresh']))
  })

  it('offers what can be done to an agent as it is', async () => {
    const { card, unmount } = await show({ restorable: 'n' })
    const names = (at: HTMLElement) => within(at).getAllByRole('button').map((b) => b.getAttribute('aria-label') ?? b.textContent)
    expect(names(card)).toEqual(['Actions of @claude', 'Start fresh', 'Warm', 'Restore', 'More of @claude'])
    unmount()
    const busy = await show({ phase: 'busy', run_id: 'r', restorable: 'n' })
    expect(names(busy.card)).toEqual(['Actions of @claude', 'Start fresh', 'Stop', 'More of @claude'])
  })

  it('says that its saved session will be loaded, until it is', async () => {
    const { user, card, store } = await show({ restorable: 'n' })
    await user.click(screen.getByRole('button', { name: 'Restore' }))
    store.dispatch({ type: 'agent.loaded', state: { ...cold, restorable: 'n', restoring: 'n' } })
    expect(await within(card).findByText('will load its saved session')).toBeInTheDocument()
    store.dispatch({ type: 'agent.loaded', state: { ...cold, phase: 'starting' } })
    await waitFor(() => expect(within(card).queryByText('will load its saved session')).toBeNull())
  })

  it('takes back what is always allowed', async () => {
    const { user, asked } = await show()
    await user.click(screen.getByRole('button', { name: 'More of @claude' }))
    await user.click(await screen.findByRole('button', { name: 'Take back Bash(make:*)' }))
    await waitFor(() => expect(asked()).toContain('DELETE /api/bindings/a/rules/r'))
  })

  it('removes an agent only after it was asked whether to', async () => {
    const { user, asked } = await show()
    await user.click(screen.getByRole('button', { name: 'Actions of @claude' }))
    await user.click(screen.getByRole('menuitem', { name: 'Remove' }))
    expect(asked()).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Remove it' }))
    await waitFor(() => expect(asked()).toEqual(['DELETE /api/bindings/a']))
  })

  it('adds an agent, and says at the field what is not right', async () => {
    const { user, requests } = await show()
    await user.click(screen.getByRole('button', { name: 'Add agent' }))
    const form = within(screen.getByRole('dialog'))
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Claude')
    await user.click(form.getByRole('button', { name: 'Add agent' }))
    expect(form.getByRole('textbox', { name: 'Name' })).toBeInvalid()
    expect(form.getByText('@Claude is here already. Choose another name.')).toBeInTheDocument()
    expect(requests).toEqual([])
    await user.clear(form.getByRole('textbox', { name: 'Name' }))
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'new')
    await user.click(form.getByRole('radio', { name: /Stand-in/ }))
    await user.click(form.getByRole('button', { name: 'Add agent' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await requests[0]?.json()).toMatchObject({ handle: 'new', runtime: 'cli:standin:agent', supervised: true, resident: true })
  })

  it('changes only what is different', async () => {
    const { user, requests } = await show()
    await user.click(screen.getByRole('button', { name: 'Actions of @claude' }))
    await user.click(screen.getByRole('menuitem', { name: 'Change' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Before it acts' }), 'plan')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(requests.length).toBeGreaterThan(0))
    expect(requests[0]?.method).toBe('PATCH')
    expect(await requests[0]?.json()).toEqual({ permission_mode: 'plan' })
  })
})
