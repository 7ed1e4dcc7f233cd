import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { makeChannel, makeRow } from '@/test/make'
import { json, renderPage } from '@/test/page'
import GoToDate from './go-to-date'

const show = async () => {
  const answers: ((response: Response) => void)[] = []
  const onClose = vi.fn()
  const page = await renderPage(<GoToDate channel={makeChannel('c')} onClose={onClose} />, {}, () => new Promise((resolve) => answers.push(resolve)))
  return { ...page, answers, onClose, user: userEvent.setup(), found: () => json({ rows: [makeRow('r', 0, { channel_id: 'c' })], more: false }) }
}

describe('GoToDate', () => {
  it('goes once, whatever was asked before', async () => {
    const { user, answers, found, onClose } = await show()
    await user.type(screen.getByRole('textbox'), '{Enter}{Enter}')
    await waitFor(() => expect(answers).toHaveLength(2))
    answers[1]?.(found())
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
    answers[0]?.(found())
    await new Promise((resolve) => setTimeout(resolve))
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it('goes nowhere once it is closed', async () => {
    const { user, answers, requests, found, onClose, unmount } = await show()
    await user.type(screen.getByRole('textbox'), '{Enter}')
    await waitFor(() => expect(answers).toHaveLength(1))
    unmount()
    expect(requests[0]?.signal.aborted).toBe(true)
    answers[0]?.(found())
    await new Promise((resolve) => setTimeout(resolve))
    expect(onClose).not.toHaveBeenCalled()
  })
})
