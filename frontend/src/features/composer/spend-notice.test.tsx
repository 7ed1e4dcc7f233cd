import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { makeChannel } from '@/test/make'
import { renderPage } from '@/test/page'
import { SpendNotice } from './spend-notice'

describe('SpendNotice', () => {
  it.each([
    ['warned', '$4.10 of this channel’s $5.00'],
    ['asks', 'limit for today is reached ($4.10 of $5.00)'],
    ['ok', undefined],
    ['', undefined],
  ] as const)('says what is spent when the state is %j', async (state, want) => {
    const channel = makeChannel('c', { spend_state: state, spent_today_usd: 4.1, spend_limit_usd: 5 })
    await renderPage(<SpendNotice channelId="c" />, { channels: { c: channel } })
    if (want === undefined) expect(screen.queryByRole('status')).toBeNull()
    else expect(screen.getByRole('status').textContent).toContain(want)
  })
})
