import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderPage } from '@/test/page'
import Shortcuts from './shortcuts'

const row = (name: string) => within(screen.getByText(name).closest('li') ?? document.body)
const signs = (name: string) => row(name).queryAllByText(/./, { selector: 'kbd' }).map((kbd) => kbd.textContent)

it('finds a command by its name and by its keys', async () => {
  await renderPage(<Shortcuts onClose={() => undefined} />)
  const field = screen.getByRole('searchbox', { name: 'Find a command or its keys' })
  await userEvent.type(field, 'ctrl k')
  expect(screen.queryByText('Show all keys')).toBeNull()
  expect(screen.getByText('Go to anything')).toBeVisible()
  await userEvent.clear(field)
  await userEvent.type(field, 'nothing is called so')
  expect(screen.getByText('No command is called so, and none has these keys.')).toBeVisible()
})

it('gives a command other keys, and takes them from another only when told to', async () => {
  const { store } = await renderPage(<Shortcuts onClose={() => undefined} />)
  await userEvent.click(screen.getByRole('button', { name: 'Change the keys of: Show all keys' }))
  expect(screen.getByRole('application', { name: 'New keys of: Show all keys' })).toHaveFocus()
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(screen.getByText('Ctrl K is “Go to anything”.')).toBeVisible()
  expect(store.get().preferences.keys).toEqual({})
  await userEvent.click(screen.getByRole('button', { name: 'Take them from it' }))
  expect(store.get().preferences.keys).toEqual({ palette: [], help: ['mod+k'] })
  expect(signs('Show all keys')).toEqual(['Ctrl', 'K'])
  expect(row('Go to anything').getByText('no keys')).toBeVisible()

  await userEvent.click(screen.getByRole('button', { name: 'Back to the usual keys of: Show all keys' }))
  expect(store.get().preferences.keys).toEqual({ palette: [] })
  await userEvent.click(screen.getByRole('button', { name: 'Back to the usual keys' }))
  expect(store.get().preferences.keys).toEqual({})
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(store.get().preferences.keys).toEqual({ palette: [] })
})

it('refuses what a browser or the page needs, and can be left', async () => {
  let closed = false
  const { store } = await renderPage(<Shortcuts onClose={() => (closed = true)} />)
  await userEvent.click(screen.getByRole('button', { name: 'Change the keys of: Stop the turn' }))
  await userEvent.keyboard('{Control>}w{/Control}')
  expect(screen.getByText('A browser keeps Ctrl W for itself. Press other keys.')).toBeVisible()
  await userEvent.keyboard('{ArrowUp}')
  expect(screen.getByText(/^↑ moves about or writes everywhere/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Take them from it' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('application')).toBeNull()
  expect(closed).toBe(false)
  await userEvent.click(screen.getByRole('button', { name: 'Change the keys of: Stop the turn' }))
  await userEvent.click(screen.getByRole('button', { name: 'No keys' }))
  expect(store.get().preferences.keys).toEqual({ 'run.stop': [] })
})

it('shows how keys stand on either system', async () => {
  await renderPage(<Shortcuts onClose={() => undefined} />)
  await userEvent.click(screen.getByRole('radio', { name: 'Mac' }))
  expect(signs('Go to anything')).toEqual(['⌘', 'K'])
})
