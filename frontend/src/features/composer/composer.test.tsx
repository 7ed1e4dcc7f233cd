import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { AgentState, Binding } from '@/api'
import { initialState, type State } from '@/core'
import { makeBinding, makeChannel, makeRow, makeRun } from '@/test/make'
import { json, renderPage } from '@/test/page'
import { Composer } from './composer'

const binding = (id: string, handle: string): Binding => ({
  id, handle, channel_id: 'c', runtime: 'cli:standin:agent', model: '', permission_mode: '', supervised: true, resident: true, base_url: '',
  has_token: false, brief_every_turn: false, role: 'plain', glance: true, hands: [], workers: [], spill_over: 4000, created_at: '2026-01-01T00:00:00Z',
})
const agent = (binding_id: string, phase: AgentState['phase']): AgentState => ({
  binding_id, phase, native: '', pid: 0, queued: 0, asking: 0, run_id: '', background: 0, model: '', client_version: '', error: '', reachable: true,
  restorable: '', restoring: '', tools: [],
})
const withAgents: Partial<State> = {
  channels: { c: makeChannel('c') },
  bindings: { a: binding('a', 'claude'), b: binding('b', 'codex') },
  agents: { a: agent('a', 'warm'), b: agent('b', 'cold') },
  people: { c: [{ handle: '', owner: true }, { handle: 'aiko', owner: false }] },
}
const withMany: Partial<State> = {
  ...withAgents,
  bindings: Object.fromEntries(['one', 'two', 'three', 'four'].map((h) => [h, binding(h, h)])),
  agents: Object.fromEntries(['one', 'two', 'three', 'four'].map((h) => [h, agent(h, 'cold')])),
}
const show = async (state: Partial<State> = {}) => {
  const page = await renderPage(
    <Composer place={{ channelId: 'c' }} where="c" placeholder="p" focus />,
    state,
    (request) => {
      if (request.method === 'POST' && request.url.endsWith('/messages')) return json({ row: makeRow('r', 1, { handle: '' }), runs: [] }, 201)
      if (request.url.endsWith('/fresh')) return json({ binding: makeBinding('b1') })
      if (request.url.endsWith('/stop')) return json({ stopped: true })
      if (request.url.endsWith('/commands')) {
        const own = { aliases: [], hint: '', description: 'What it does', builtin: true, starts_fresh: false }
        return json({ known: 'now', at: '2026-01-01T00:00:00Z', reason: '', commands: [{ ...own, name: 'clear', aliases: ['reset'], starts_fresh: true }, { ...own, name: 'context' }] })
      }
      if (request.method === 'PATCH') return json({ row: makeRow('r1', 1, { handle: '' }), runs: [], told: false })
      return json({})
    },
  )
  const posted = () => page.requests.filter((r) => r.url.endsWith('/messages'))
  const asked = () => page.requests.filter((r) => !r.url.endsWith('/commands')).map((r) => `${r.method} ${new URL(r.url).pathname}`)
  return { ...page, field: screen.getByRole<HTMLTextAreaElement>('textbox'), user: userEvent.setup(), posted, asked }
}
const file = (name: string, type: string, text = 'content') => {
  const made = new File([text], name, { type })
  // jsdom has no File.arrayBuffer.
  made.arrayBuffer = () => Promise.resolve(new TextEncoder().encode(text).buffer)
  return made
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

  it('never sends with the key that ended a composition, where nothing else says so', async () => {
    const { field, posted } = await show({ drafts: { c: '한글' } })
    fireEvent.compositionEnd(field)
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
    expect(posted()).toEqual([])
    await new Promise((resolve) => setTimeout(resolve))
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
    await waitFor(() => expect(posted()).toHaveLength(1))
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

  it('says how many characters are left near the limit', async () => {
    await show({ drafts: { c: '😀'.repeat(99_998) } })
    expect(screen.getByText('2 characters left')).toBeInTheDocument()
  })

  it('keeps the draft of each place', async () => {
    const { field, user, store } = await show({ drafts: { c: 'kept', d: 'other' } })
    expect(field).toHaveValue('kept')
    await user.type(field, '!')
    expect(store.get().drafts).toEqual({ c: 'kept!', d: 'other' })
  })

  it('keeps what is written while Hearth is not there, and says so', async () => {
    const { field, user, posted } = await show({ connection: 'lost' })
    await user.type(field, 'hello{Enter}')
    expect(field).toHaveValue('hello')
    expect(screen.getByText(/Your text is kept here/)).toBeInTheDocument()
    expect(posted()).toEqual([])
  })

  describe('mentions', () => {
    it('are completed by keyboard, and who is cold is warmed', async () => {
      const { field, user, posted, asked } = await show(withAgents)
      await user.type(field, 'ask @c')
      expect(screen.getAllByRole('option').map((o) => o.querySelector('.font-medium')?.textContent)).toEqual(['claude', 'codex'])
      expect(screen.getAllByRole('option')[1]).toHaveTextContent('cold')
      await user.keyboard('{ArrowDown}')
      expect(field).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id)
      await user.keyboard('{Enter}')
      expect(field).toHaveValue('ask @codex ')
      expect(posted()).toEqual([])
      expect(asked()).toEqual(['POST /api/bindings/b/warm'])
      expect(screen.queryByRole('listbox')).toBeNull()
      await user.keyboard('now{Enter}')
      await waitFor(() => expect(posted()).toHaveLength(1))
    })

    it('warm who is looked at for a moment', async () => {
      const { field, user, asked } = await show(withAgents)
      await user.type(field, '@')
      await user.keyboard('{ArrowDown}')
      await waitFor(() => expect(asked()).toEqual(['POST /api/bindings/b/warm']))
    })

    it('have people too', async () => {
      const { field, user, asked } = await show(withAgents)
      await user.type(field, '＠ai{Tab}')
      expect(field).toHaveValue('@aiko ')
      expect(asked()).toEqual([])
    })

    it('are let go of with Escape', async () => {
      const { field, user } = await show(withAgents)
      await user.type(field, '@{Escape}')
      expect(screen.queryByRole('listbox')).toBeNull()
      expect(field).toHaveValue('@')
    })
  })

  describe('recipients', () => {
    it('are shown with how they are', async () => {
      await show({ ...withAgents, drafts: { c: '@codex and @claude' } })
      expect(screen.getByText('To').parentElement).toHaveTextContent('Tocodexcoldclaudewarm')
    })

    it('are missed where nobody is named', async () => {
      const { field, user } = await show({ ...withAgents, drafts: { c: 'hello' } })
      expect(screen.getByText(/^No agent is addressed/)).toBeInTheDocument()
      await user.type(field, ' @nobody ')
      expect(screen.getByText('Nobody here is called @nobody.')).toBeInTheDocument()
    })

    it('are too many before the server says so', async () => {
      const { field, user, posted } = await show({ ...withMany, drafts: { c: '@one @two @three @four' } })
      expect(screen.getByRole('alert')).toHaveTextContent('This addresses 4 agents; 3 is the most')
      await user.type(field, ' now{Enter}')
      expect(posted()).toEqual([])
    })
  })

  describe('commands', () => {
    it('are completed and done', async () => {
      const { field, user, posted, asked } = await show(withAgents)
      await user.type(field, '/st{Enter}cl{Enter}')
      expect(field).toHaveValue('/stop claude')
      await user.keyboard('{Enter}')
      await waitFor(() => expect(asked()).toEqual(['POST /api/bindings/a/stop']))
      expect(field).toHaveValue('')
      expect(posted()).toEqual([])
    })

    it('say which agent they miss', async () => {
      const { field, user, asked } = await show(withAgents)
      await user.type(field, '/warm{Escape}{Enter}')
      expect(screen.getByRole('alert')).toHaveTextContent('Which agent?')
      expect(field).toHaveValue('/warm')
      expect(asked()).toEqual([])
    })

    it('of a client are offered behind a mention, and sent', async () => {
      const { field, user, posted } = await show(withAgents)
      await user.type(field, '@claude /con')
      expect(await screen.findByRole('option', { name: /^\/context/ })).toBeInTheDocument()
      await user.keyboard('{Enter}')
      expect(field).toHaveValue('@claude /context')
      expect(screen.queryByRole('listbox')).toBeNull()
      await user.keyboard('{Enter}')
      await waitFor(() => expect(posted()).toHaveLength(1))
      expect(await posted()[0]?.json()).toEqual({ body: '@claude /context' })
    })

    it('of a client say which agent they miss, and find the only one', async () => {
      const { field, user, posted } = await show(withAgents)
      await user.type(field, '/context')
      expect(await screen.findAllByRole('option', { name: /^\/context/ })).toHaveLength(2)
      await user.keyboard('{Escape}{Enter}')
      expect(screen.getByRole('alert')).toHaveTextContent('Which agent? Begin with its mention, then /context.')
      expect(posted()).toEqual([])
    })

    it('of a client find the only agent', async () => {
      const { field, user, posted } = await show({ ...withAgents, bindings: { a: binding('a', 'claude') } })
      await user.type(field, '/con')
      expect(await screen.findByRole('option', { name: /^\/context/ })).toBeInTheDocument()
      await user.type(field, 'text{Enter}')
      await waitFor(() => expect(posted()).toHaveLength(1))
      expect(await posted()[0]?.json()).toEqual({ body: '@claude /context' })
    })

    it('that would leave the conversation start the agent fresh instead', async () => {
      const { field, user, posted } = await show(withAgents)
      await user.type(field, '@claude /cle')
      expect(await screen.findByRole('option', { name: /\/clear.*Starts the agent fresh/ })).toBeInTheDocument()
      await user.keyboard('{Enter}{Enter}')
      expect(await screen.findByRole('button', { name: 'Undo' })).toBeInTheDocument()
      expect(field).toHaveValue('')
      expect(posted()).toEqual([])
    })

    it('are none where they are unknown', async () => {
      const { field, user, posted } = await show(withAgents)
      await user.type(field, '/help me{Enter}')
      await waitFor(() => expect(posted()).toHaveLength(1))
    })
  })

  describe('the last message', () => {
    const state = (runState: 'queued' | 'succeeded'): Partial<State> => ({
      ...withAgents,
      rows: { r1: makeRow('r1', 1, { handle: '', body: '@claude look' }) },
      places: { c: { channelId: 'c', ids: ['r1'], more: false, loaded: true } },
      runs: { q: makeRun('q', runState, { row_id: 'r1', binding_id: 'a', ...(runState === 'succeeded' ? { started_at: '2026-01-01T00:00:00Z' } : {}) }) },
    })

    it('is changed while it waits', async () => {
      const { field, user, requests } = await show(state('queued'))
      await user.keyboard('{Control>}{ArrowUp}{/Control}')
      expect(field).toHaveValue('@claude look')
      expect(screen.getByText(/^You change your last message/)).not.toHaveTextContent('are not asked')
      await user.type(field, ' twice{Enter}')
      await waitFor(() => expect(requests.map((r) => `${r.method} ${new URL(r.url).pathname}`)).toEqual(['PATCH /api/messages/r1']))
      expect(await requests[0]?.json()).toEqual({ body: '@claude look twice' })
      await waitFor(() => expect(field).toHaveValue(''))
    })

    it('is left as it was with Escape, and the draft is back', async () => {
      const { field, user, requests } = await show({ ...state('queued'), drafts: { c: 'draft' } })
      await user.keyboard('{Control>}{ArrowUp}{/Control}{Escape}')
      expect(field).toHaveValue('draft')
      expect(requests).toEqual([])
    })

    it('is changed once it was read, and what that does is said first', async () => {
      const { field, user, requests } = await show(state('succeeded'))
      await user.keyboard('{Control>}{ArrowUp}{/Control}')
      expect(field).toHaveValue('@claude look')
      expect(screen.getByText(/^You change your last message/)).toHaveTextContent('Agents you name only now are not asked.')
      await user.type(field, ' twice{Enter}')
      await waitFor(() => expect(requests.map((r) => r.method)).toEqual(['PATCH']))
    })

    it('is not one that was deleted', async () => {
      const { field, user } = await show({ ...state('succeeded'), rows: { r1: makeRow('r1', 1, { handle: '', deleted_at: '2026-01-01T00:00:00Z' }) } })
      await user.keyboard('{Control>}{ArrowUp}{/Control}')
      expect(field).toHaveValue('')
    })
  })

  describe('files', () => {
    it('are sent ahead and named in the text', async () => {
      const { field, user, posted, hearth } = await show()
      const upload = vi.spyOn(hearth.api, 'uploadFile').mockImplementation((_, name) =>
        Promise.resolve({ path: `/w/.flower/artifacts/${name}`, relative: name, name, size: 7, media_type: name.endsWith('.png') ? 'image/png' : 'text/plain' }),
      )
      fireEvent.paste(field, { clipboardData: { types: ['Files'], files: [file('a.png', 'image/png'), file('my notes.txt', 'text/plain')] } })
      await screen.findByRole('button', { name: 'Remove my notes.txt' })
      await waitFor(() => expect(upload).toHaveBeenCalledTimes(2))
      expect(Object.prototype.toString.call(upload.mock.calls[0]?.[2])).toBe('[object ArrayBuffer]')
      await user.type(field, 'look{Enter}')
      await waitFor(() => expect(posted()).toHaveLength(1))
      expect(await posted()[0]?.json()).toEqual({
        body: 'look\n\n![a.png](/w/.flower/artifacts/a.png)\n[my notes.txt](</w/.flower/artifacts/my notes.txt>)',
      })
      expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull()
    })

    it('keep a message back until they are there, and say why one is not', async () => {
      const { field, user, posted, hearth } = await show()
      vi.spyOn(hearth.api, 'uploadFile').mockRejectedValue(new Error('The disk is full. Make room and try again.'))
      fireEvent.paste(field, { clipboardData: { types: ['Files'], files: [file('a.txt', 'text/plain')] } })
      expect(await screen.findByText('The disk is full. Make room and try again.')).toBeInTheDocument()
      await user.type(field, 'look{Enter}')
      expect(posted()).toEqual([])
      expect(screen.getByText(/^A file could not be attached/)).toBeInTheDocument()
      await user.click(screen.getByRole('button', { name: 'Remove a.txt' }))
      expect(field).toHaveFocus()
      await user.keyboard('{Enter}')
      await waitFor(() => expect(posted()).toHaveLength(1))
    })

    it('are no pictures of text that a word processor copied', async () => {
      const { field } = await show()
      fireEvent.paste(field, { clipboardData: { types: ['text/plain', 'text/html', 'Files'], files: [file('a.png', 'image/png')] } })
      expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull()
    })
  })
})
