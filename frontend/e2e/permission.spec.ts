import { expect, expectAccessible, test, write } from './hearth'

test('questions stack, are answered by keyboard, and leave a line', async ({ page, hearth, api }) => {
  test.slow()
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeFocused()
  const { channels } = (await (await api('GET', '/api/channels')).json()) as { channels: { id: string }[] }
  await api('POST', `/api/channels/${channels[0]?.id ?? ''}/bindings`, { handle: 'codex', runtime: 'cli:standin:agent' })
  await write(page, '@claude /ask make all')
  const card = page.getByRole('region', { name: '@claude wants to use Bash' })
  await expect(card).toContainText('make all')
  await write(page, '@codex /ask rm \u202etxt.exe')
  const behind = page.getByRole('button', { name: /@codex wants to use Bash/ })
  // What can't be seen is shown even in the one line.
  await expect(behind).toContainText('rm U+202Etxt.exe')
  await expect(page.getByRole('main').getByRole('textbox')).toBeFocused()
  await expectAccessible(page)

  await card.focus()
  await page.keyboard.press('Enter')
  await expect(card).toBeHidden()
  const line = page.getByRole('listitem').filter({ hasText: 'allowed once' })
  await expect(line).toContainText('make all')
  await expect(line).toBeFocused()
  const next = page.getByRole('region', { name: '@codex wants to use Bash' })
  await expect(next).toContainText('1 character that can’t be seen is shown by its code.')
  await expectAccessible(page)
  await next.getByRole('button', { name: 'Deny' }).click()
  await page.keyboard.type('not in this folder')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: /^codex,/ })).toContainText('not in this folder')
})

test('a question that nobody answers is withdrawn, and that is said', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await write(page, '@claude /ask make all')
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeVisible()
  await page.getByRole('article', { name: 'A turn of @claude' }).getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeHidden()
  await expect(page.getByRole('listitem').filter({ hasText: 'not asked any more' })).toContainText('The turn ended before anybody answered.')
})
