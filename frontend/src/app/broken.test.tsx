import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { later } from '@/ui'
import { renderPage } from '@/test/page'
import { Boundary } from './boundary'

function Breaks(): never {
  throw new Error('no such thing')
}

it('what breaks says so, and its details can be copied', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const user = userEvent.setup()
  await renderPage(
    <Boundary>
      <Breaks />
    </Boundary>,
  )
  expect(screen.getByRole('heading', { name: 'This part of the page broke' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Copy the details' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeInTheDocument()
  const copied = await navigator.clipboard.readText()
  expect(copied).toContain('Error: no such thing')
  expect(copied).toContain('Breaks')
})

it('what can not be fetched closes, says so, and is tried again the next time', async () => {
  const load = vi.fn<() => Promise<{ default: () => string }>>()
  load.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue({ default: () => 'here it is' })
  const Late = later<{ onClose?: () => void }>(load)
  const closed = vi.fn()
  const { unmount } = await renderPage(<Late onClose={closed} />)
  expect((await screen.findAllByText(/could not be loaded/)).length).toBeGreaterThan(0)
  expect(closed).toHaveBeenCalledOnce()
  unmount()
  await renderPage(<Late onClose={closed} />)
  expect(await screen.findByText('here it is')).toBeInTheDocument()
})
