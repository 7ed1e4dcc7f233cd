import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { AgentForm } from '@/features/agent'
import { ChannelSettings } from '@/features/channels'
import { BenchSettings } from '@/features/workbench'
import { makeBinding, makeChannel } from '@/test/make'
import { json, renderPage } from '@/test/page'
import { AppSettings } from './app-settings'
import { agentEntries, appEntries, benchEntries, channelEntries } from './entries'
import Settings from './settings'

const named = () => [...document.querySelectorAll('label, legend')].map((element) => element.textContent.trim())
const boss = makeBinding('b', { handle: 'boss', channel_id: 'c', role: 'coordinator' })
const house = { channels: { c: makeChannel('c', { name: '한국어' }) }, bindings: { b: boss } }

it('lists settings as they are called where they stand', async () => {
  const app = await renderPage(<AppSettings onGo={() => undefined} />)
  for (const { label } of appEntries()) expect(named()).toContain(label)
  app.unmount()
  const channel = await renderPage(<ChannelSettings channelId="c" />, house)
  await screen.findByRole('form', { name: 'This channel' })
  for (const { label } of channelEntries()) expect(named()).toContain(label)
  channel.unmount()
  await renderPage(<AgentForm channelId="c" binding={boss} onClose={() => undefined} />, house)
  await screen.findByRole('dialog')
  for (const { label } of agentEntries({ coordinator: true, claude: true })) expect(named()).toContain(label)
})

it('lists those of all workbenches as they are called where they stand', async () => {
  await renderPage(<BenchSettings onClose={() => undefined} />, {}, () => json({ editor: '', trash_days: 7 }))
  await screen.findByRole('dialog', { name: 'Workbench settings' })
  await waitFor(() => {
    for (const { label } of benchEntries()) expect(named()).toContain(label)
  })
})

it('finds a setting by its name, by what is said of it and by where it is, the name first', async () => {
  const user = userEvent.setup()
  await renderPage(<Settings channelId="c" onClose={() => undefined} />, house)
  const field = screen.getByRole('searchbox', { name: 'Find a setting' })
  const shown = () => within(screen.getByRole('list', { name: 'Settings' })).getAllByRole('button').map((b) => b.firstChild?.textContent)
  await user.type(field, 'GIT')
  expect(shown()[0]).toBe('What git ignores of the workbench#한국어')
  expect(shown()).toContain('Glance: run commands that only look@boss in #한국어')
  await user.clear(field)
  await user.type(field, '한국어 spending')
  expect(shown()).toEqual(['Spending limit a day, in US dollars#한국어'])
  await user.clear(field)
  await user.type(field, 'workbench editor')
  expect(shown()[0]).toBe('EditorWorkbench settings')
  await user.clear(field)
  await user.type(field, 'zzz')
  expect(screen.getByText(/^No setting is called so/)).toBeVisible()
})

it('leads to a setting of its own, and to an agent’s', async () => {
  const user = userEvent.setup()
  const onClose = vi.fn()
  const { hearth } = await renderPage(<Settings channelId="c" onClose={onClose} />, house)
  const opened = vi.fn()
  hearth.commands.register('agent.settings', opened)
  const bench = vi.fn()
  hearth.commands.register('workbench.settings', bench)
  await user.type(screen.getByRole('searchbox', { name: 'Find a setting' }), 'sending{Enter}')
  await waitFor(() => expect(screen.getByRole('radio', { name: /^⏎ sends/ })).toHaveFocus())
  expect(onClose).not.toHaveBeenCalled()
  await user.type(screen.getByRole('searchbox', { name: 'Find a setting' }), 'glance{Enter}')
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(opened).toHaveBeenCalledWith('b')
  await user.clear(screen.getByRole('searchbox', { name: 'Find a setting' }))
  await user.type(screen.getByRole('searchbox', { name: 'Find a setting' }), 'keep deleted{Enter}')
  expect(bench).toHaveBeenCalledTimes(1)
})

it('refuses a spending limit that is less than a cent, and takes none', async () => {
  const user = userEvent.setup()
  await renderPage(<ChannelSettings channelId="c" />, { channels: { c: makeChannel('c', { spend_limit_usd: 5 }) } })
  const field = screen.getByRole('textbox', { name: /^Spending limit a day/ })
  for (const [text, right] of [['0.009', false], ['1e-400', false], ['1e400', false], ['0.01', true], ['0', true], ['', true]] as const) {
    await user.clear(field)
    if (text) await user.type(field, text)
    expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(!right)
  }
})
