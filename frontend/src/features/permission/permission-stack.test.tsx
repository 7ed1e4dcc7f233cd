import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Permission } from '@/api'
import { makePermission, time } from '@/test/make'
import { json, renderPage } from '@/test/page'
import { PermissionStack } from './permission-stack'

const first = makePermission('p1', { input: { command: 'make all' }, rules: ['Bash(make all)', 'Bash(make:*)'] })
const second = makePermission('p2', { tool: 'WebFetch', input: { url: 'https://example.org' }, asked_at: time(5) })

const show = async (permissions: readonly Permission[]) => {
  const page = await renderPage(
    <>
      <input aria-label="elsewhere" />
      <PermissionStack channelId="c" />
    </>,
    { permissions: Object.fromEntries(permissions.map((p) => [p.id, p])) },
    async (request) => {
      const id = request.url.split('/').at(-1) ?? ''
      const { decision, message = '', rule = '' } = (await request.json()) as { decision: string; message?: string; rule?: string }
      const state = ({ allow: 'allowed', always: 'always', deny: 'denied' } as const)[decision as 'allow']
      return json({ ...permissions.find((p) => p.id === id), state, message, rule })
    },
  )
  const said = async () => Promise.all(page.requests.map(async (r) => (await r.clone().json()) as unknown))
  const card = () => screen.getByRole('region', { name: /wants to use/ })
  return { ...page, user: userEvent.setup(), said, card }
}

describe('PermissionStack', () => {
  it('says aloud that somebody asks, and leaves the focus alone', async () => {
    const { store, user } = await show([])
    await user.click(screen.getByLabelText('elsewhere'))
    act(() => store.dispatch({ type: 'permission.changed', permission: first }))
    expect(screen.getByRole('status')).toHaveTextContent('the agent asks whether it may use Bash: make all')
    expect(screen.getByLabelText('elsewhere')).toHaveFocus()
  })

  it('allows with Enter only where the card itself has the focus', async () => {
    const { user, said, card } = await show([first])
    card().focus()
    await user.tab()
    expect(card()).not.toHaveFocus()
    card().focus()
    await user.keyboard('{Enter}')
    await waitFor(async () => expect(await said()).toEqual([{ decision: 'allow' }]))
    const line = await screen.findByText('allowed once')
    expect(line.closest('li')).toHaveTextContent('make all')
    expect(line.closest('li')).toHaveFocus()
    expect(screen.queryByRole('region', { name: /wants to use/ })).toBeNull()
  })

  it('allows always by the rule that was chosen, the narrowest first', async () => {
    const { user, said } = await show([first])
    await user.click(screen.getByRole('button', { name: 'Always for …' }))
    const rules = screen.getAllByRole('button', { name: /^Always allow/ })
    expect(rules.map((r) => r.textContent)).toEqual(['Bash(make all)', 'Bash(make:*)'])
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('button', { name: /^Always allow/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Always for …' }))
    await user.click(screen.getByRole('button', { name: 'Always allow Bash(make:*)' }))
    await waitFor(async () => expect(await said()).toEqual([{ decision: 'always', rule: 'Bash(make:*)' }]))
    expect(await screen.findByText('always allowed')).toBeInTheDocument()
  })

  it('denies with the reason that the agent reads', async () => {
    const { user, said } = await show([first])
    await user.click(screen.getByRole('button', { name: 'Deny' }))
    await user.keyboard('not here{Enter}')
    await waitFor(async () => expect(await said()).toEqual([{ decision: 'deny', message: 'not here' }]))
    expect((await screen.findByText('denied')).closest('li')).toHaveTextContent('not here')
  })

  it('shows the oldest whole and the others in a line each, which come forward when pressed', async () => {
    const { user, card } = await show([second, first])
    expect(card()).toHaveTextContent('make all')
    await user.click(screen.getByRole('button', { name: /wants to use WebFetch/ }))
    expect(card()).toHaveTextContent('https://example.org')
    expect(screen.getByRole('button', { name: /wants to use Bash/ })).toBeInTheDocument()
  })

  it('says that a question was withdrawn', async () => {
    const { store, user } = await show([first])
    act(() => store.dispatch({ type: 'permission.changed', permission: { ...first, state: 'denied', message: 'Nobody answered before the turn ended.' } }))
    expect(screen.getByText('not asked any more').closest('li')).toHaveTextContent('The turn ended before anybody answered.')
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('not asked any more')).toBeNull()
  })

  it('leaves the focus in the line of the question that had it, whichever ended before, and then at the composer', async () => {
    const { store, user, hearth } = await show([first, second])
    let composer = 0
    hearth.commands.register('go.chat', () => composer++)
    act(() => store.dispatch({ type: 'permission.changed', permission: { ...second, state: 'allowed' } }))
    await user.click(screen.getByRole('button', { name: 'Always for …' }))
    await user.click(screen.getByRole('button', { name: 'Always allow Bash(make:*)' }))
    const line = (await screen.findByText('always allowed')).closest('li')
    await waitFor(() => expect(line).toHaveFocus())
    // A line that goes leaves it at the one that stays, and the last at the composer.
    await user.tab()
    await user.tab()
    await user.keyboard('{Enter}')
    const other = screen.getByText('allowed once').closest('li')
    await waitFor(() => expect(other).toHaveFocus())
    expect(composer).toBe(0)
    await user.tab()
    await user.tab()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(composer).toBe(1))
  })

  it('makes what can’t be seen visible', async () => {
    const { card } = await show([makePermission('p', { input: { command: 'rm \u202etxt.exe' } }), second])
    expect(card()).toHaveTextContent('rm U+202Etxt.exe')
    expect(card()).toHaveTextContent('1 character that can’t be seen is shown by its code.')
  })

  it('shows a change of a file line by line', async () => {
    const { card } = await show([makePermission('p', { tool: 'Edit', input: { file_path: '/w/src/a.ts', old_string: 'a\nb', new_string: 'a\nc' } })])
    const table = await screen.findByRole('region', { name: 'Changes to /w/src/a.ts' })
    expect(Array.from(table.querySelectorAll('tr'), (row) => Array.from(row.cells, (c) => c.textContent).join('|'))).toEqual(['1|1|a', '2||−removed: b', '|2|+added: c'])
    expect(card()).toHaveTextContent('src/a.ts')
  })

  it('leads to the card by key, and does not answer by it', async () => {
    const { hearth, requests, card } = await show([first])
    act(() => void hearth.commands.run('permission.allow'))
    expect(card()).toHaveFocus()
    expect(requests).toEqual([])
  })

  it('asks about the spending limit in words of its own', async () => {
    const spend = makePermission('p1', { tool: 'spend', input: { day: '2026-01-02', spent_usd: 5.02, limit_usd: 5 }, rules: ['today'], reason: 'long' })
    const { user, said } = await show([spend])
    const card = screen.getByRole('region', { name: /waits: the spending limit of today is reached/ })
    expect(card.textContent).toContain('$5.02 of $5.00 for today')
    expect(card.textContent).not.toContain('wants to use')
    await user.click(screen.getByRole('button', { name: 'Ask no more today' }))
    await waitFor(async () => expect(await said()).toEqual([{ decision: 'always', rule: 'today' }]))
  })
})
