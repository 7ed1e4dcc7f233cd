import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { AgentState, Binding, Run, RunDetail } from '@/api'
import type { State } from '@/core'
import { makeChannel, makeRow, makeRun, time } from '@/test/make'
import { json, renderPage } from '@/test/page'
import ContextView from './context-view'
import type { Block, Kind, Sent } from './kinds'

const binding = { id: 'b', handle: 'claude', channel_id: 'c', supervised: true, resident: true } as Binding
const agent = { binding_id: 'b', phase: 'warm', native: 'n', restoring: '', restorable: '', tools: [] as string[] } as AgentState
const block = (kind: Kind, text: string, tokens: number): Block => ({ kind, text, tokens, characters: text.length })
const turn = (id: string, at: number, fields: Partial<Run> = {}) =>
  makeRun(id, 'succeeded', { queued_at: time(at), started_at: time(at), native: 'n', temperature: 'warm', row_id: 'r' + id, reply_id: 'a' + id, ...fields })
const first = turn('1', 10, { temperature: 'cold' })
const second = turn('2', 20)
const sentOf: Record<string, Sent> = {
  1: {
    blocks: [block('framing', 'the rules', 620), block('payload', 'asked one', 100), block('reminder', '\n\nmind', 30)],
    considered: [{ row_id: 'r1', verdict: 'addressed' }],
    watermark_staged: { native: 'n', last_at: time(10), ids: ['r1'] },
  },
  2: {
    blocks: [block('payload', 'asked two', 120), block('reminder', '\n\nmind', 30), block('rows', '\n\nNew:\n- [user] aiko: only the slow ones', 40)],
    considered: [{ row_id: 'r1', verdict: 'seen' }, { row_id: 'x', verdict: 'shown' }, { row_id: 'gone', verdict: 'held' }, { row_id: 'r2', verdict: 'addressed' }],
    omitted: { count: 5, before: 'x', by: { aiko: 3, '': 2 } },
    watermark_before: { native: 'n', last_at: time(10), ids: ['r1', 'a1'] },
    watermark_staged: { native: 'n', last_at: time(20), ids: ['r1', 'a1', 'x', 'r2'] },
  },
}
const rows = [makeRow('r1', 10), makeRow('x', 15, { body: 'only the slow ones' }), makeRow('r2', 20, { body: '@claude and now?' })]

async function show(runs: readonly Run[] = [second, first], details: Record<string, Partial<RunDetail>> = {}, runId?: string, native = 'n') {
  const state: Partial<State> = {
    channels: { c: makeChannel('c') }, people: { c: [] }, bindings: { b: binding }, agents: { b: { ...agent, native } }, rows: Object.fromEntries(rows.map((row) => [row.id, row])),
  }
  vi.stubGlobal('ResizeObserver', class { observe = () => undefined; unobserve = () => undefined; disconnect = () => undefined })
  Element.prototype.scrollIntoView = () => undefined
  const page = await renderPage(<ContextView channelId="c" runId={runId} />, state, (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const id = /^\/api\/runs\/(.+)$/.exec(pathname)?.[1]
    const run = runs.find((r) => r.id === id)
    if (run) return json({ run, steps: [], savings: [], live_text: '', sent: sentOf[run.id], before_run_id: run.id === '2' ? '1' : '', ...details[run.id] })
    if (pathname.endsWith('/runs')) return json({ runs: runs.filter((r) => r.id < (searchParams.get('before') ?? '~')), more: false })
    return json({ title: 'Not Found', status: 404, code: 'not_found', detail: 'There is none.' }, 404)
  })
  return { ...page, user: userEvent.setup() }
}

describe('ContextView', () => {
  it('says in a sentence what the session knows', async () => {
    await show()
    const said = await screen.findByText(/^@claude’s session knows 5 messages of this channel up to/)
    expect(said).toHaveTextContent(/the framing \(620 tokens\), and was asked 2 times since it joined\./)
  })

  it('says that an agent that was never asked knows nothing', async () => {
    const { unmount } = await show([], {}, undefined, '')
    expect(await screen.findByText(/^@claude knows nothing of this channel/)).toBeInTheDocument()
    unmount()
    await show([])
    expect(await screen.findByText(/was given the rules. It was told nothing of this channel yet/)).toBeInTheDocument()
    expect(await screen.findByText('No turns yet')).toBeInTheDocument()
  })

  it('draws the newest turn block by block, with what the session had and why the rest is not there', async () => {
    const { user } = await show()
    const framing = await screen.findByRole('tab', { name: /^Framing · had already/ })
    expect(screen.getAllByRole('tab').map((tab) => tab.dataset.layer)).toEqual(['framing', 'earlier', 'payload', 'reminder', 'rows'])
    expect(screen.getByRole('region', { name: 'Text of New messages' })).toHaveTextContent('aiko: only the slow ones')
    expect(screen.getByRole('region', { name: 'Not sent, and why' })).toHaveTextContent('Replay: the session remembers')
    await user.click(framing)
    expect(screen.getByRole('region', { name: 'Text of Framing' })).toHaveTextContent('the rules')
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(await screen.findByRole('region', { name: 'Text of Message' })).toHaveTextContent('asked two')
  })

  it('shows the rows that were considered, with the reason, and leads to them', async () => {
    await show()
    const part = within(await screen.findByRole('region', { name: 'Messages that were considered' }))
    expect(part.getByRole('button', { name: /^Shown 1 · New to the session/ })).toHaveAttribute('aria-expanded', 'true')
    expect(part.getByRole('link', { name: /only the slow ones/ })).toHaveAttribute('href', expect.stringContaining('/m/x'))
    expect(await part.findByText('This message is not here any more.')).toBeInTheDocument()
    expect(part.getByText(/5 messages were named, not shown/).closest('p')).toHaveTextContent('3 by aiko, 2 by You.')
  })

  it('shows the difference to the turn before, and the turn to the byte', async () => {
    const { user } = await show()
    await user.click(await screen.findByRole('radio', { name: 'Difference to the turn before' }))
    const message = await screen.findByRole('region', { name: 'Message' })
    expect(message).toHaveTextContent('+20 tokens')
    expect(message.querySelector('del')).toHaveTextContent('one')
    expect(message.querySelector('ins')).toHaveTextContent('two')
    expect(screen.getByRole('region', { name: 'Reminder' })).toHaveTextContent('the same')
    expect(screen.getByRole('region', { name: 'Framing' })).toHaveTextContent('not sent this time')
    await user.click(screen.getByRole('radio', { name: 'As sent' }))
    const [, raw] = screen.getAllByRole('region', { name: 'The turn' })
    expect(raw?.textContent).toBe('asked two\n\nmind\n\nNew:\n- [user] aiko: only the slow ones')
  })

  it('compares with the turn that the server names, and passes over one that was sent nothing', async () => {
    const failed = turn('3', 30, { state: 'failed' })
    const own = turn('4', 40, { cause: 'unasked', row_id: '' })
    const last = turn('5', 50)
    const sent = { ...sentOf['2'], blocks: [block('payload', 'asked five', 130)] } as Sent
    const details = { 3: { sent, before_run_id: '2' }, 4: { before_run_id: '2' }, 5: { sent, before_run_id: '4' } }
    const { user } = await show([last, own, failed, second, first], details, '5')
    await user.click(await screen.findByRole('radio', { name: 'Difference to the turn before' }))
    expect((await screen.findByRole('region', { name: 'Message' })).querySelector('del')).toHaveTextContent('two')
    expect(screen.getByText(/^Against the turn of/)).toHaveTextContent('One in between was sent nothing.')
  })

  it('marks the name of a turn whose question was changed after it was sent', async () => {
    const { store } = await show()
    await screen.findByRole('tab', { name: /^Framing/ })
    const link = () => within(screen.getByRole('navigation', { name: 'Turns' })).getAllByRole('link')[0]
    expect(link()).not.toHaveTextContent('since')
    store.dispatch({ type: 'row.changed', row: makeRow('r2', 20, { body: '@claude and then?', edited_at: time(25) }) })
    await waitFor(() => expect(link()).toHaveTextContent('and then?edited since'))
    store.dispatch({ type: 'row.changed', row: makeRow('r2', 20, { body: '', edited_at: time(25), deleted_at: time(26) }) })
    await waitFor(() => expect(link()).toHaveTextContent('mentioneddeleted since'))
  })

  it('says of a failed turn whether what it told counts, and what was kept out', async () => {
    const failed = makeRun('2', 'failed', { ...second, state: 'failed', reply_id: '', failure: { code: 'api', message: '', held: false } })
    const saving = { kind: 'spill', step_id: '', agent_id: '', tool: 'Bash', detail: '', path: '/w/out.txt', chars: 20_000, lines: 900, tokens: 9500, fault: '', at: time(21) } as const
    await show([failed, first], { 2: { savings: [saving] } })
    expect(await screen.findByText(/nothing proves that it arrived/)).toBeInTheDocument()
    expect(screen.getByRole('region', { name: 'Kept out of its context' })).toHaveTextContent('20,000 characters in 900 lines · /w/out.txt')
    expect(screen.getByText(/session knows 2 messages of this channel/)).toBeInTheDocument()
  })

  it('says why nothing was sent', async () => {
    const queued = makeRun('3', 'queued', { queued_at: time(30), row_id: 'r2' })
    await show([queued, second, first], {}, '3')
    expect(await screen.findByText(/it waits in the queue/)).toBeInTheDocument()
  })

  it('shows what the stream brings as it comes', async () => {
    const { store } = await show()
    await screen.findByRole('tab', { name: /^Framing/ })
    const links = () => within(screen.getByRole('navigation', { name: 'Turns' })).getAllByRole('link')
    expect(links()).toHaveLength(2)
    store.dispatch({ type: 'run.changed', run: makeRun('3', 'queued', { queued_at: time(30), row_id: 'r2' }) })
    await waitFor(() => expect(links()).toHaveLength(3))
    expect(links()[0]).toHaveTextContent('and now?')
  })

  it('says that a turn is gone', async () => {
    await show([second, first], {}, 'nowhere')
    expect(await screen.findByText(/^This turn is not to be found/)).toBeInTheDocument()
  })
})
