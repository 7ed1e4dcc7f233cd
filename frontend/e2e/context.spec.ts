import type { Page } from '@playwright/test'
import { channelId, expect, expectAccessible, shoot, test, write, type Running } from './hearth'

const open = async (page: Page, hearth: Running) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
}
const answers = (page: Page) => page.getByRole('article', { name: /^claude,/ })

test('what an agent knows is said in a sentence, and each turn is shown block by block', async ({ page, hearth }) => {
  test.slow()
  await open(page, hearth)
  await write(page, 'we moved the tests to ./e2e')
  await write(page, '@claude why is the build red?')
  await expect(answers(page)).toHaveCount(1)
  await write(page, 'only the slow ones')
  await write(page, '@claude and now?')
  await expect(answers(page)).toHaveCount(2)

  // C opens it where nobody writes.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main').getByRole('textbox')).not.toBeFocused()
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/c\/general\/context$/)
  const panel = page.getByRole('complementary')
  await expect(panel.getByText(/^@claude’s session knows \d+ messages of this channel up to .*, the framing \(\d+ tokens\), and was asked 2 times since it joined\./)).toBeVisible()
  const turns = panel.getByRole('navigation', { name: 'Turns' }).getByRole('link')
  await expect(turns).toHaveCount(2)
  await expect(turns.first()).toContainText('and now?')
  await expect(turns.first()).toContainText('warm · answered')

  // Warm: the framing it had, and only what is new.
  await expect(panel.getByRole('tab')).toHaveText([/^Framing · had already/, /^Earlier turns · had already/, /^Message/, /^Reminder/, /^New messages/])
  const text = panel.getByRole('region', { name: /^Text of/ })
  await expect(text).toContainText('- [user] only the slow ones')
  await expect(text).not.toContainText('we moved the tests')
  await panel.getByRole('tab', { name: /^Framing/ }).focus()
  await page.keyboard.press('Enter')
  await expect(text).toContainText('UNTRUSTED DATA')
  const rows = panel.getByRole('region', { name: 'Messages that were considered' })
  await expect(rows.getByRole('button', { name: /^Shown 1 / })).toBeVisible()
  await expect(rows.getByRole('link', { name: /only the slow ones/ })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'context-panel')

  // The turn before, by the arrow keys: cold, so it was told who it is and what was there.
  await turns.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(page).toHaveURL(/\/c\/general\/context\/[0-9A-Z]+$/)
  await expect(turns.nth(1)).toBeFocused()
  await expect(panel.getByRole('tab', { name: /^Framing \d/ })).toBeVisible()
  await expect(text).toContainText('we moved the tests')
  await expect(panel.getByText('replay: nothing was asked', { exact: false })).toBeVisible()
  await page.keyboard.press('ArrowUp')

  // As a page of its own, with what is different.
  await panel.getByRole('button', { name: 'Give it the whole page' }).click()
  await expect(page).toHaveURL(/wide=true/)
  const main = page.getByRole('main', { name: 'Details' })
  await main.getByRole('radio', { name: 'Difference to the turn before' }).check()
  await expect(main.getByRole('region', { name: 'Framing', exact: true })).toContainText('not sent this time')
  await expect(main.locator('ins').first()).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'context-wide-changes')
  await main.getByRole('radio', { name: 'As sent' }).check()
  await expect(main.getByRole('region', { name: 'The turn', exact: true }).last()).toContainText('You were mentioned in')
  await page.reload()
  await expect(main.getByRole('tab', { name: /^Message/ })).toBeVisible()
  await page.setViewportSize({ width: 1600, height: 1000 })
  await expectAccessible(page)
  await shoot(page, 'context-wide')

  // A row that was considered leads to where it stands.
  await main.getByRole('link', { name: /only the slow ones/ }).click()
  await expect(page).toHaveURL(/\/c\/general\/m\//)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
})

test('a turn is there as it begins, and what it told counts when it has ended', async ({ page, hearth, api }) => {
  test.slow()
  await open(page, hearth)
  await page.goto(hearth.origin + '/c/general/context')
  const panel = page.getByRole('complementary')
  await expect(panel.getByText('No turns yet')).toBeVisible()
  await expect(panel.getByText(/^@claude knows nothing of this channel/)).toBeVisible()
  await expectAccessible(page)
  await write(page, '@claude /slow 5')
  const turn = panel.getByRole('navigation', { name: 'Turns' }).getByRole('link').first()
  await expect(turn).toContainText('cold · running')
  await expect(panel.getByRole('tab', { name: /^Framing/ })).toBeVisible()
  await expect(panel.getByText('This holds once the turn has ended well.')).toBeVisible()
  await expect(turn).toContainText('cold · answered')
  await expect(panel.getByText(/^@claude’s session knows/)).toBeVisible()

  // Its run's address shows it too.
  await page.getByRole('link', { name: /^cold/ }).click()
  await expect(page).toHaveURL(/\/runs\//)
  const sent = panel.getByRole('region', { name: 'What it was sent' })
  await expect(sent.getByRole('tab', { name: /^Message/ })).toBeVisible()
  // What was pressed explains itself as long as it has the focus.
  await sent.getByRole('tab', { name: /^Message/ }).focus()
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await expectAccessible(page)
  await sent.getByRole('link', { name: 'Open in Context' }).click()
  await expect(panel.getByRole('heading', { name: 'A turn of @claude' })).toBeVisible()

  const general = await channelId(api)
  const { agents } = (await (await api('GET', `/api/channels/${general}/roster`)).json()) as { agents: { binding: { id: string } }[] }
  await api('POST', `/api/bindings/${agents[0]?.binding.id ?? ''}/fresh`)
  await expect(panel.getByText(/^@claude remembers nothing: it was started fresh/)).toBeVisible()
})

test('it is whole in a low window, in other scripts and with a long name', async ({ page, hearth, api }) => {
  test.slow()
  await page.setViewportSize({ width: 640, height: 400 })
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  const id = await channelId(api)
  const handle = '아주긴이름'.repeat(8)
  await api('POST', `/api/channels/${id}/bindings`, { handle, runtime: 'cli:standin:agent', supervised: true, resident: true })
  await api('POST', `/api/channels/${id}/messages`, { body: 'عربي: نحن بحاجة إلى مفتاح التخزين المؤقت ' + 'كلمة '.repeat(200) })
  await api('POST', `/api/channels/${id}/messages`, { body: `@${handle} 캐시 키에 왜 브랜치 이름이 필요한가요?` })
  await page.goto(hearth.origin + '/c/general/context')
  await expect(page.getByRole('navigation', { name: 'Turns' }).getByRole('link')).toContainText('answered')
  await expect(page.getByText(/characters left out/)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  const main = page.getByRole('main')
  expect(await main.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  await expectAccessible(page)
  await shoot(page, 'context-low')
})
