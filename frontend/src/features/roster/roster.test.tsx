import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { AgentDetail, AgentState, AgentTool, Binding, Forecast } from '@/api'
import { settle, type State } from '@/core'
import { makeBinding, makeChannel, makeSetup } from '@/test/make'
import { json, renderPage } from '@/test/page'
import './agent-details' // fetched later by the card: not while a test waits
import Roster from './roster'

const binding = makeBinding('a')
const cold: AgentState = {
  binding_id: 'a', phase: 'cold', native: '', pid: 0, queued: 0, asking: 0, run_id: '', background: 0, model: '', client_version: '', error: '', reachable: true,
  restorable: '', restoring: '', tools: [],
}
const show = async (agent: Partial<AgentState> = {}, change: Partial<Binding> = {}, answers: { detail?: AgentDetail; forecasts?: Forecast[]; undo?: string; undoing?: Promise<void> } = {}) => {
  const state: Partial<State> = {
    channels: { c: makeChannel('c') },
    bindings: { a: { ...binding, ...change } },
    agents: { a: { ...cold, ...agent } },
    people: { c: [{ handle: '', owner: true }, { handle: 'aiko', owner: false }] },
  }
  const page = await renderPage(<Roster channelId="c" />, state, async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/setup')) return json(makeSetup())
    if (pathname.endsWith('/rules')) return json({ rules: [{ id: 'r', binding_id: 'a', text: 'Bash(make:*)', tool: 'Bash', created_at: '2026-01-01T00:00:00Z' }] })
    if (pathname.endsWith('/restore')) return json({ binding_id: 'a', channel_id: 'c', end_reason: '', native: 'n', started_at: '2026-01-01T00:00:00Z', workspace: '/w' })
    if (pathname.endsWith('/detail')) return answers.detail ? json(answers.detail) : new Response(null, { status: 500 })
    if (pathname.endsWith('/cache')) return json({ forecasts: answers.forecasts ?? [] })
    if (pathname.endsWith('/roster')) return json({ people: [], agents: [] })
    if (pathname.endsWith('/fresh')) return json({ binding, forgot: answers.detail?.session, forecast: answers.detail?.forecast })
    if (pathname.endsWith('/fresh/undo')) await answers.undoing
    if (pathname.endsWith('/fresh/undo')) return answers.undo ? json({ status: 409, title: 'Conflict', code: 'conflict', detail: answers.undo }, 409) : json({ binding })
    if (request.method === 'DELETE') return new Response(null, { status: 204 })
    if (request.method === 'POST' && pathname.endsWith('/bindings')) return json({ ...binding, id: 'n', handle: 'new' }, 201)
    return json(binding)
  })
  const done = () => page.requests.filter((r) => r.method !== 'GET')
  return { ...page, done, user: userEvent.setup(), card: screen.getByRole('article', { name: 'claude' }), asked: () => done().map((r) => `${r.method} ${new URL(r.url).pathname}`) }
}

describe('Roster', () => {
  it('starts fresh at once, says what is forgotten, and takes it back with Undo', async () => {
    const { user, asked } = await show({ phase: 'warm', native: 'n', pid: 1 })
    await user.click(screen.getByRole('button', { name: 'Start fresh' }))
    // A toast is said to screen readers by a second copy for a moment.
    expect((await screen.findAllByText(/starts fresh: its process ends and the conversation it holds is forgotten/))[0]).toBeInTheDocument()
    // jsdom has no pointers to capture, which a toast does.
    expect(asked()).toEqual(['POST /api/bindings/a/fresh'])
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(asked()).toEqual(['POST /api/bindings/a/fresh', 'POST /api/bindings/a/fresh/undo']))
    expect((await screen.findAllByText('@claude goes on as before.'))[0]).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Start fresh' }))
    const toast = (await screen.findByRole('button', { name: 'Undo' })).closest('li') ?? document.body
    fireEvent.click(within(toast).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
    expect(asked()).toHaveLength(3)
  })

  it('lets what is asked right after Undo come after it', async () => {
    let answer: () => void = () => undefined
    const undoing = new Promise<void>((resolve) => (answer = resolve))
    const { user, hearth } = await show({ phase: 'warm', native: 'n', pid: 1 }, {}, { undoing })
    await user.click(screen.getByRole('button', { name: 'Start fresh' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    const asked = vi.fn()
    const asking = settle(hearth, ['a']).then(asked)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(asked).not.toHaveBeenCalled()
    answer()
    await asking
    expect((await screen.findAllByText('@claude goes on as before.'))[0]).toBeInTheDocument()
  })

  it('says plainly when it is too late to take that back', async () => {
    const { user } = await show({ phase: 'warm', native: 'n', pid: 1 }, {}, { undo: 'It is too late to take Start fresh back.' })
    await user.click(screen.getByRole('button', { name: 'Start fresh' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect((await screen.findAllByText(/It is too late to take Start fresh back/))[0]).toBeInTheDocument()
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
    const { user, done } = await show()
    await user.click(screen.getByRole('button', { name: 'Add agent' }))
    const form = within(await screen.findByRole('dialog'))
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Claude')
    await user.click(form.getByRole('button', { name: 'Add agent' }))
    expect(form.getByRole('textbox', { name: 'Name' })).toBeInvalid()
    expect(form.getByText('@Claude is here already. Choose another name.')).toBeInTheDocument()
    expect(done()).toEqual([])
    await user.clear(form.getByRole('textbox', { name: 'Name' }))
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'new')
    await user.click(form.getByRole('radio', { name: /Stand-in/ }))
    await user.click(form.getByRole('button', { name: 'Add agent' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await done()[0]?.json()).toMatchObject({ handle: 'new', runtime: 'cli:standin:agent', supervised: true, resident: true })
  })

  it('leads to the settings of an agent', async () => {
    const { user, hearth } = await show()
    const opened = vi.fn()
    hearth.commands.register('agent.settings', opened)
    await user.click(screen.getByRole('button', { name: 'Actions of @claude' }))
    await user.click(screen.getByRole('menuitem', { name: 'Settings' }))
    expect(opened).toHaveBeenCalledWith('a')
  })
})

const estimate = (usd?: number): Forecast['warm'] => ({
  estimated_tokens: { input_tokens: 100, cache_read_tokens: 80_000, cache_write_5m_tokens: 900, cache_write_1h_tokens: 0, output_tokens: 500, thinking_tokens: 0 },
  ...(usd === undefined ? {} : { estimated_cost_usd: usd }),
})
const forecast: Forecast = {
  binding_id: 'a', handle: 'claude', model: 'claude-opus-5', native: 'n', context_tokens: 84_000, prompt_tokens: 83_000, context_window_tokens: 200_000, line_tokens: 150_000,
  warn_tokens: 130_000, cache_lives: true, turns_left: 12, warm: estimate(0.01), restored: estimate(0.4), fresh: estimate(0.05), rates: { source: 'fitted', points: 7 },
}
const tool = (name: string, fields: Partial<AgentTool> = {}): AgentTool => ({
  name, title: name, source: 'client', server: '', description: '', read_only: false, destructive: false, open_world: false, offered: true, calls: 0, subagent_calls: 0, failed: 0, ...fields,
})
const detail: AgentDetail = {
  binding, state: { ...cold, phase: 'warm', native: 'n', pid: 42, queued: 2 }, forecast,
  process: { pid: 42, began_at: '2026-01-01T00:00:00Z', memory_bytes: 300 * 2 ** 20, processes: 3, fault: '' },
  session: { native: 'n', saved: false, turns: 12, began_at: '2026-01-01T00:00:00Z', context_tokens: 84_000 },
  queue: [{ run_id: 'q', row_id: 'w', handle: 'aiko', agent: false, text: '다음 것', queued_at: '2026-01-01T00:00:00Z' }],
  leases: [
    { run_id: 'r2', temperature: 'warm', native: 'n', client_version: '', began_at: '2026-01-01T00:02:00Z', ended_at: '2026-01-01T00:02:09Z' },
    {
      run_id: 'r1', temperature: 'cold', native: 'm', client_version: '', began_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:01:00Z',
      process_end: { how: 'crashed', reason: 'exit status 3', at: '2026-01-01T00:01:00Z' },
    },
  ],
  tools: {
    known: 'now', servers_fault: '',
    items: [
      tool('mcp__channel__channel_post', { title: 'channel_post', source: 'hearth', server: 'channel', description: 'Posts a word.', schema: { type: 'object' }, calls: 3 }),
      tool('Bash', { calls: 1200, subagent_calls: 34, failed: 5, last_called_at: '2026-01-01T00:00:00Z' }), tool('Read'),
      tool('mcp__helper__greet', { title: 'greet', source: 'server', server: 'helper', read_only: true }), tool('Gone', { offered: false, calls: 1 }),
    ],
    servers: [
      { name: 'channel', status: 'connected', error: '', scope: 'dynamic', version: '1', left_out: 0 }, { name: 'helper', status: 'connected', error: '', scope: 'user', version: '2', left_out: 0 },
      { name: 'broken', status: 'failed', error: 'ENOENT', scope: 'user', version: '', left_out: 0 },
    ],
  },
}
const warm: Partial<AgentState> = { phase: 'warm', native: 'n', pid: 42 }

describe('An agent that is looked at closely', () => {
  const open = async (agent: Partial<AgentState> = warm, shown: AgentDetail = detail, change: Partial<Binding> = {}) => {
    const page = await show(agent, change, { detail: shown, forecasts: [forecast] })
    await page.user.click(screen.getByRole('button', { name: 'More of @claude' }))
    await within(page.card).findByRole('button', { name: /Last turns/ })
    return page
  }

  it('says on its card what it holds and what its next turn costs', async () => {
    const { card } = await show(warm, {}, { forecasts: [forecast] })
    expect(await within(card).findByText('holds 84.0k of 200.0k tokens, to be handed off at 150.0k, about 12 turns until then')).toBeInTheDocument()
    expect(card).toHaveTextContent('Next turn: about $0.01 going on, $0.05 fresh')
    expect(card).not.toHaveTextContent('restored')
  })

  it('says so when it comes near the line, and when it has come to it', async () => {
    const near = await show(warm, {}, { forecasts: [{ ...forecast, context_tokens: 131_000 }] })
    expect(await within(near.card).findByText(/nearing it$/)).toBeInTheDocument()
    near.unmount()
    const late = await show(warm, {}, { forecasts: [{ ...forecast, context_tokens: 150_000, turns_left: 0 }] })
    expect(await within(late.card).findByText(/it has come to that line$/)).toBeInTheDocument()
  })

  it('does not take what another session holds for its own', async () => {
    const { card } = await show({ ...warm, native: 'new' }, {}, { forecasts: [forecast] })
    await waitFor(() => expect(card).toHaveTextContent('Next turn: about $0.05 fresh'))
    expect(card).not.toHaveTextContent('holds')
    expect(card).not.toHaveTextContent('going on')
  })

  it('says what Restore costs where there is something to restore, and tokens where no price is known', async () => {
    const { card } = await show({ restorable: 'n' }, {}, { forecasts: [{ ...forecast, restored: estimate(), fresh: estimate() }] })
    await waitFor(() => expect(card).toHaveTextContent('Next turn: about 1.0k new and 80.0k cached tokens restored, 1.0k new and 80.0k cached tokens fresh'))
  })

  it('says when it starts fresh how much is forgotten and what comes of it', async () => {
    const { user } = await show(warm, {}, { detail, forecasts: [forecast] })
    await user.click(screen.getByRole('button', { name: 'Start fresh' }))
    expect(await screen.findByText(/That is 12 turns, 84.0k tokens. Its next turn is likely to cost about \$0.05, and \$0.01 if it goes on\./)).toBeInTheDocument()
  })

  it('tells its process, session and role', async () => {
    const { card } = await open(warm, detail, { role: 'coordinator', hands: ['Grep'] })
    expect(card).toHaveTextContent('Process42, since')
    expect(card).toHaveTextContent(/Memory300\sMiB in 3 processes/)
    expect(card).toHaveTextContent('12 turns, 84.0k tokens: what Start fresh forgets')
    expect(card).toHaveTextContent('May do itselfrun commands that only look, Grep')
    expect(within(card).getByRole('button', { name: 'Copy the id of its session' })).toBeInTheDocument()
  })

  it('shows what waits, and that there is more', async () => {
    const { card } = await open()
    const queue = within(card).getByRole('region', { name: '2 messages wait for it' })
    expect(queue).toHaveTextContent('다음 것')
    expect(queue).toHaveTextContent('from aiko')
    expect(queue).toHaveTextContent('and 1 more')
  })

  it('tells its last turns and how their processes ended', async () => {
    const { card, user } = await open()
    await user.click(within(card).getByRole('button', { name: /Last turns/ }))
    const past = within(card).getByRole('region', { name: 'Last turns' })
    expect(within(past).getAllByRole('listitem').map((li) => li.textContent)).toEqual([expect.stringMatching(/^warm/), expect.stringMatching(/^cold.*its process crashed: exit status 3/)])
    expect(within(past).getAllByRole('link')[0]).toHaveAttribute('href', expect.stringContaining('/runs/r2'))
  })

  it('lists its tools with their calls, and tells what is known of each', async () => {
    const { card, user } = await open()
    const tools = within(within(card).getByRole('region', { name: 'Tools' }))
    await user.click(tools.getByRole('button', { name: /Hearth’s own/ }))
    await user.click(tools.getByRole('button', { name: /channel_post/ }))
    expect(tools.getByText('Posts a word.')).toBeInTheDocument()
    expect(tools.getByText(/"type": "object"/)).toBeInTheDocument()
    await user.click(tools.getByRole('button', { name: /The client’s own/ }))
    await user.click(tools.getByRole('button', { name: /^Bash/ }))
    expect(tools.getByText(/called 1,234 times, 34 by its subagents, 5 failed or were refused, last/)).toBeInTheDocument()
    expect(tools.getByText(/there is no description to show/)).toBeInTheDocument()
    await user.click(tools.getByRole('button', { name: /MCP server broken/ }))
    expect(tools.getByText('is failed: ENOENT')).toBeInTheDocument()
    await user.click(tools.getByRole('button', { name: /MCP server helper/ }))
    await user.click(tools.getByRole('button', { name: /^greet/ }))
    expect(tools.getByText('changes nothing, by its own word')).toBeInTheDocument()
    await user.click(tools.getByRole('button', { name: /Called, and not offered now/ }))
    expect(tools.getByRole('button', { name: /^Gone/ })).toBeInTheDocument()
  })

  it('says what its next turn is likely to use, and that it is estimated', async () => {
    const { card, user } = await open()
    await user.click(within(card).getByRole('button', { name: 'What the next turn is likely to use' }))
    expect(within(card).getAllByRole('row').map((row) => row.textContent)).toEqual(['Next turnreadwrittennewcost', 'going on80.0k0.9k0.1k$0.01', 'restored80.0k0.9k0.1k$0.40', 'fresh80.0k0.9k0.1k$0.05'])
    expect(within(card).getByText('Estimated. Prices are worked out from 7 past figures of the client.')).toBeInTheDocument()
  })

  it('says why it crashed and what to do about it', async () => {
    const { card } = await show({ phase: 'crashed', error: 'exit status 3' })
    expect(within(card).getByRole('alert')).toHaveTextContent('exit status 3Write to it again: the next message starts another process.')
  })

  it('says that it can’t be looked at, and offers to try again', async () => {
    const { card, user } = await show(warm)
    await user.click(screen.getByRole('button', { name: 'More of @claude' }))
    expect(await within(card).findByRole('button', { name: 'Try again' })).toBeInTheDocument()
    expect(within(card).getByText('Claude Code')).toBeInTheDocument()
  })
})
