import { channelId, expect, expectAccessible, test, write, type Running } from './hearth'
import type { Page } from '@playwright/test'

const open = async (page: Page, hearth: Running) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  await page.goto(hearth.origin + '/c/general/roster')
  return page.getByRole('complementary').getByRole('article', { name: 'claude' })
}

test('an agent is warmed, asked, and started fresh', async ({ page, hearth }) => {
  test.slow()
  const card = await open(page, hearth)
  await expect(card).toContainText('cold')
  await card.getByRole('button', { name: 'Warm' }).click()
  await expect(card).toContainText('warm')
  await expect(card.getByRole('img', { name: /^ends in/ })).toBeVisible()
  await expectAccessible(page)
  await write(page, '@claude /remember the house')
  await expect(page.getByRole('article', { name: /^claude,/ })).toContainText('I keep that in mind')
  await card.getByRole('button', { name: 'Start fresh' }).click()
  await expect(page.getByText('@claude starts fresh: its process ends').first()).toBeVisible()
  // Undo goes back to what it was.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The next turn of @claude loads its saved session.').first()).toBeVisible()
  await write(page, '@claude /recall')
  await expect(page.getByRole('article', { name: /^claude,/ }).last()).toContainText('the house')
  await card.getByRole('button', { name: 'Start fresh' }).click()
  // A message that is sent meanwhile comes after it.
  await write(page, '@claude /recall')
  await expect(page.getByRole('article', { name: /^claude,/ }).last()).toContainText('I remember nothing')
  // It has begun anew: there is nothing to undo any more.
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('a message from elsewhere is asked in the new conversation, and then Undo comes too late', async ({ page, hearth, api, quiet }) => {
  const card = await open(page, hearth)
  await write(page, '@claude /remember the house')
  await expect(page.getByRole('article', { name: /^claude,/ })).toContainText('I keep that in mind')
  await card.getByRole('button', { name: 'Start fresh' }).click()
  await expect(card).toContainText('cold')
  await api('POST', `/api/channels/${await channelId(api)}/messages`, { body: '@claude /recall' })
  await expect(page.getByRole('article', { name: /^claude,/ }).last()).toContainText('I remember nothing')
  quiet() // the browser says that it was refused
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('It is too late to take Start fresh back: @claude was asked something since').first()).toBeVisible()
})

test('an agent is added, changed and removed', async ({ page, hearth }) => {
  test.slow()
  await open(page, hearth)
  const panel = page.getByRole('complementary')
  await panel.getByRole('button', { name: 'Add agent' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('checkbox', { name: 'Another Messages API' }).check()
  await form.getByRole('button', { name: 'Add agent' }).click()
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expect(form.getByText('Write it as http://host:port or https://host.')).toBeAttached()
  await expectAccessible(page)
  await form.getByRole('checkbox', { name: 'Another Messages API' }).uncheck()
  await form.getByRole('radio', { name: /Stand-in/ }).check()
  await form.getByRole('textbox', { name: 'Name' }).fill('리뷰어')
  await form.getByRole('button', { name: 'Add agent' }).click()
  const card = panel.getByRole('article', { name: '리뷰어' })
  await expect(card).toContainText('stand-in')
  await write(page, '@리뷰어 hello')
  await expect(page.getByRole('article', { name: /^리뷰어,/ })).toContainText('I am Hearth')

  await card.getByRole('button', { name: 'Actions of @리뷰어' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('checkbox', { name: 'Keep its process between turns' }).uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('a new process each turn')

  await card.getByRole('button', { name: 'Actions of @리뷰어' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click()
  await expect(card).toBeHidden()
})

test('what was allowed for good stands in the roster, and is taken back', async ({ page, hearth }) => {
  test.slow()
  const card = await open(page, hearth)
  await write(page, '@claude /ask make all')
  await page.getByRole('button', { name: 'Always for …' }).click()
  await page.getByRole('button', { name: 'Always allow Bash(make all)' }).click()
  await expect(page.getByRole('article', { name: /^claude,/ })).toContainText('From now on')
  await card.getByRole('button', { name: 'More of @claude' }).click()
  await expect(card.getByText('Bash(make all)')).toBeVisible()
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Take back Bash(make all)' }).click()
  await expect(card.getByText('Bash(make all)')).toBeHidden()
  await write(page, '@claude /ask make all')
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeVisible()
})

test('an agent is looked at closely: process, session, tools, last turns', async ({ page, hearth }) => {
  test.slow()
  const card = await open(page, hearth)
  await write(page, '@claude /history')
  await expect(page.getByRole('article', { name: /^claude,/ })).toHaveCount(1)
  await expect(card).toContainText('warm')
  // What it holds, and what comes next, stands on the closed card.
  await expect(card.getByText(/^holds .* tokens/)).toBeVisible()
  await expect(card.getByText(/^Next turn: about/)).toBeVisible()

  await card.getByRole('button', { name: 'More of @claude' }).press('Enter')
  await expect(card.getByText(/MiB in \d+ process/)).toBeVisible()
  await expect(card.getByText('1 turn', { exact: false })).toBeVisible()
  await card.getByRole('button', { name: /Hearth’s own/ }).press('Enter')
  const history = card.getByRole('button', { name: /^channel_history/ })
  await expect(history).toContainText('called once')
  await history.press('Enter')
  await expect(card.getByText(/Read earlier messages of this channel/)).toBeVisible()
  await expect(card.getByText(/"thread_root_id"/)).toBeVisible()
  await card.getByRole('button', { name: /The client’s own/ }).press('Enter')
  await card.getByRole('button', { name: /^Bash/ }).press('Enter')
  await expect(card.getByText(/there is no description to show/)).toBeVisible()
  await card.getByRole('button', { name: /Last turns/ }).press('Enter')
  await expect(card.getByRole('region', { name: 'Last turns' })).toContainText('cold')
  await card.getByRole('button', { name: 'What the next turn is likely to use' }).press('Enter')
  await expectAccessible(page)

  // A message that waits is seen, and gone when it was taken up.
  await write(page, '@claude /ask make all') // it waits for an answer, however long that takes
  await expect(card).toContainText('busy')
  await write(page, '@claude 다음 일을 해 줘')
  await expect(card.getByRole('region', { name: '1 message waits for it' })).toContainText('다음 일을 해 줘')
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(card.getByRole('region', { name: '1 message waits for it' })).toBeHidden()

  // Start fresh says how much goes with it.
  await expect(card).toContainText('warm')
  await card.getByRole('button', { name: 'Start fresh' }).click()
  await expect(page.getByText(/That is 3 turns/).first()).toBeVisible()
  await expect(card).toContainText('cold')
  await expect(card.getByRole('region', { name: 'Last turns' })).toContainText('it was started fresh')
  await expect(card).toContainText('are as its last process had them')
})

test('a crashed agent says why, and the way out', async ({ page, hearth }) => {
  const card = await open(page, hearth)
  await write(page, '@claude /remember the house')
  await expect(page.getByRole('article', { name: /^claude,/ })).toContainText('I keep that in mind')
  await write(page, '@claude /crash')
  await expect(card).toContainText('crashed')
  await expect(card.getByRole('alert')).toContainText('because it was told to')
  await expect(card.getByRole('alert')).toContainText('Write to it again')
  await card.getByRole('button', { name: 'More of @claude' }).click()
  await card.getByRole('button', { name: /Last turns/ }).click()
  await expect(card.getByRole('region', { name: 'Last turns' })).toContainText('its process crashed')
  await expectAccessible(page)
})

test('a card holds long names, and goes with its agent', async ({ page, hearth, api }) => {
  await open(page, hearth)
  const general = await channelId(api)
  const handle = '가'.repeat(40)
  const made = (await (await api('POST', `/api/channels/${general}/bindings`, {
    handle, runtime: 'cli:standin:agent', model: 'm'.repeat(80), role: 'coordinator', base_url: 'http://localhost:9',
  })).json()) as { id: string }
  const card = page.getByRole('complementary').getByRole('article', { name: handle })
  await card.getByRole('button', { name: `More of @${handle}` }).click()
  await expect(card.getByRole('button', { name: '3 workers' })).toBeVisible()
  await card.getByRole('button', { name: '3 workers' }).click()
  await expect(card.getByText('http://localhost:9', { exact: true })).toBeVisible()
  const widths = await card.evaluate((el) => [el.scrollWidth, el.clientWidth])
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0)
  await expectAccessible(page)
  await api('DELETE', `/api/bindings/${made.id}`)
  await expect(card).toBeHidden()
})
