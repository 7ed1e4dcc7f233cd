import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { makeChannel } from '@/test/make'
import { renderPage } from '@/test/page'
import Palette from './palette'

it('says the same of what was found as it shows, and offers to look everywhere all the same', async () => {
  const user = userEvent.setup()
  Element.prototype.scrollIntoView = () => undefined
  await renderPage(<Palette channelId={undefined} onClose={() => undefined} />, { channels: { c: makeChannel('c', { name: 'backend' }) } })
  const status = within(screen.getByRole('dialog')).getByRole('status')
  await user.type(screen.getByRole('combobox'), 'backend')
  expect(screen.getAllByRole('option')).toHaveLength(2)
  expect(status).toHaveTextContent(/^1 result$/)
  await user.type(screen.getByRole('combobox'), ' zzz')
  expect(screen.getAllByRole('option')).toHaveLength(1)
  expect(screen.getByRole('option')).toHaveAttribute('aria-selected', 'true')
  expect(status).toHaveTextContent(/^Nothing is called that/)
})
