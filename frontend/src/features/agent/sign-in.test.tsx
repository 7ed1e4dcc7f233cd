import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { makeBinding, makeSetup } from '@/test/make'
import { json, renderPage } from '@/test/page'
import SignIn from './sign-in'
import { signedIn } from './signed'

const out = { signed_in: 'no', signed_in_by: '', command: 'claude auth login', problem: 'Claude Code is not signed in.', how: 'Run `claude`.' } as const
const claude = makeBinding('b', { handle: 'claude', channel_id: 'c', runtime: 'cli:claude:agent' })

describe('signedIn', () => {
  it.each([
    ['a subscription', makeSetup(), claude, 'yes', 'Signed in with a Claude subscription'],
    ['a key', makeSetup({ signed_in_by: 'api_key' }), claude, 'yes', 'Signed in with an API key'],
    ['the environment', makeSetup({ signed_in_by: 'CLAUDE_CODE_USE_BEDROCK' }), claude, 'yes', 'Signed in by CLAUDE_CODE_USE_BEDROCK in the environment'],
    ['something new', makeSetup({ signed_in_by: 'palm' }), claude, 'yes', 'Signed in (palm)'],
    ['a way that is not said', makeSetup({ signed_in_by: '' }), claude, 'yes', 'Signed in'],
    ['a token of its own', makeSetup(out), { ...claude, base_url: 'http://localhost:1' }, 'yes', 'Signed in by a token of its own, at http://localhost:1'],
    ['nothing', makeSetup(out), claude, 'no', 'Claude Code is not signed in.'],
    ['who knows', makeSetup({ signed_in: 'unknown' }), claude, 'unknown', 'Claude Code does not say whether it is signed in.'],
    ['no client', makeSetup({ found: false, problem: 'Claude Code does not run.' }), claude, 'missing', 'Claude Code does not run.'],
  ])('%s', (_, found, binding, state, words) => expect(signedIn(binding, found)).toMatchObject({ state, words }))
  it('says nothing before anybody has looked, and of who needs no account', () => {
    expect(signedIn(claude, undefined)).toBeUndefined()
    expect(signedIn({ ...claude, runtime: 'cli:standin:agent' }, makeSetup())).toBeUndefined()
  })
})

it('gives what mends it, and sees that it is mended: on demand, and when the person comes back', async () => {
  const user = userEvent.setup()
  let now = makeSetup(out)
  const { requests } = await renderPage(<SignIn binding={claude} />, {}, () => json(now))
  expect(await screen.findByRole('status')).toHaveTextContent('Claude Code is not signed in.')
  expect(screen.getByText('claude auth login')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe('claude auth login')
  await user.click(screen.getByRole('button', { name: 'Look again' }))
  await waitFor(() => expect(requests).toHaveLength(2))
  now = makeSetup()
  window.dispatchEvent(new Event('focus'))
  expect(await screen.findByText('Signed in with a Claude subscription')).toBeVisible()
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
  // What is fine is not looked at again each time.
  const before = requests.length
  window.dispatchEvent(new Event('focus'))
  expect(requests).toHaveLength(before)
})

it('looks again where something happened since, and is silent where nothing has to be done', async () => {
  const { requests, container } = await renderPage(<SignIn binding={claude} faultOnly since={new Date(Date.now() + 60_000).toISOString()} />, {}, () => json(makeSetup()))
  await waitFor(() => expect(requests).toHaveLength(2))
  expect(container.querySelector('[role=group]')).toBeNull()
})
