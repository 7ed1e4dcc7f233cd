import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { makeBinding, makeChannel } from '@/test/make'
import { json, renderPage } from '@/test/page'
import QuickMention from './quick-mention'
import { addressed } from './to'

const house = {
  channelsLoaded: true,
  channels: { a: makeChannel('a', { name: 'general' }), b: makeChannel('b', { name: '백엔드' }), d: makeChannel('d', { name: 'line', direct: true }) },
  bindings: { x: makeBinding('x', { handle: 'claude', channel_id: 'a' }), y: makeBinding('y', { handle: '리뷰', channel_id: 'b' }), z: makeBinding('z', { handle: 'claude', channel_id: 'd' }) },
}
const posted = async (requests: Request[]) =>
  Promise.all(requests.filter((r) => r.method === 'POST').map(async (r) => [new URL(r.url).pathname, ((await r.clone().json()) as { body: string }).body]))

it('names the agent once, and nobody in a direct line', () => {
  const to = { binding: house.bindings.y, channel: house.channels.b }
  expect(addressed(to, ' 봐 주세요 ')).toBe('@리뷰 봐 주세요')
  expect(addressed(to, '@리뷰야 봐')).toBe('@리뷰야 봐')
  expect(addressed(to, '`@리뷰`')).toBe('@리뷰 `@리뷰`')
  expect(addressed({ binding: house.bindings.z, channel: house.channels.d }, 'hello')).toBe('hello')
})

it('writes to the agent of the open channel, by keys alone, and to the same one the next time', async () => {
  const user = userEvent.setup()
  const onClose = vi.fn()
  const { requests, store } = await renderPage(<QuickMention channelId="b" onClose={onClose} />, house, () => json({ row: {}, runs: [] }))
  expect(screen.getByRole('textbox', { name: 'Message' })).toHaveFocus()
  expect(screen.getByRole('combobox', { name: 'To' })).toHaveDisplayValue('@리뷰 in #백엔드')
  expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled()
  await user.keyboard('look at this{Shift>}{Enter}{/Shift}please{Enter}')
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(await posted(requests)).toEqual([['/api/channels/b/messages', '@리뷰 look at this\nplease']])
  expect(store.get().preferences.mentioned).toBe('y')
  expect(store.get().drafts).toEqual({})
})

it('keeps what is written when it is closed, or when it could not be sent, and says why', async () => {
  const user = userEvent.setup()
  const onClose = vi.fn()
  const { store } = await renderPage(<QuickMention channelId="a" onClose={onClose} />, house, () =>
    json({ code: 'unavailable', detail: 'Hearth is shutting down.' }, 503),
  )
  await user.selectOptions(screen.getByRole('combobox', { name: 'To' }), '@claude in line')
  await user.type(screen.getByRole('textbox', { name: 'Message' }), 'hello{Enter}')
  expect(await screen.findByText('Hearth is shutting down.')).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
  expect(store.get().drafts['quick-mention']).toBe('hello')
})

it('says what to do where there is no agent', async () => {
  await renderPage(<QuickMention channelId="a" onClose={() => undefined} />, { ...house, bindings: {} })
  expect(screen.getByText('There is no agent yet')).toBeVisible()
})
