import { channelId, expect, expectAccessible, test, write } from './hearth'

test('a mention is answered: the text streams in, and its figures stand under it', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await expect(page).toHaveURL(`${hearth.origin}/c/general`)
  await expect(page.getByText('Welcome. This is a channel')).toBeVisible()
  await expectAccessible(page)

  await write(page, '@claude hello')
  const reply = page.getByRole('article', { name: /^claude,/ })
  await expect(reply).toContainText('I am Hearth')
  await expect(reply.getByRole('link', { name: /^cold · .*wrote [\d.]+k/ })).toBeVisible()

  await write(page, '@claude /slow 2\n@claude /stream 300')
  const going = page.getByRole('article', { name: 'A turn of @claude' })
  await expect(going.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expect(going).toContainText('warm')
  await expectAccessible(page)
  await expect(going).toBeHidden()
  await expect(reply).toHaveCount(2)
  await expect(reply.last()).toContainText('I took my time')
  // Who is at the end stays there.
  await expect(reply.last().getByRole('link', { name: /^warm · / })).toBeInViewport()
  await expectAccessible(page)
})

test('a turn that is going can be stopped, and asked again', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await write(page, '@claude /slow 60')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('@claude was stopped before it answered.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('article', { name: 'A turn of @claude' })).toBeVisible()
  await expect(page.getByText('was stopped before it answered')).toBeHidden()
})

test('an agent asks before it runs something', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await write(page, '@claude /ask rm -rf build')
  const card = page.getByRole('region', { name: '@claude wants to use Bash' })
  await expect(card).toContainText('rm -rf build')
  // It did not take the focus from who was writing.
  await expect(page.getByRole('main').getByRole('textbox', { name: /^Message to/ })).toBeFocused()
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Allow once' }).click()
  await expect(page.getByRole('article', { name: /^claude,/ })).toContainText('I was allowed to run')
  await expect(card).toBeHidden()
})

test('a page opened while an agent works shows what it is at', async ({ page, hearth, context }) => {
  await page.goto(hearth.url)
  await write(page, '@claude /ask make all')
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeVisible()
  const other = await context.newPage()
  await other.goto(hearth.origin)
  const going = other.getByRole('article', { name: 'A turn of @claude' })
  await expect(going).toContainText('waits for your answer')
  await going.getByRole('button', { name: 'Show the steps' }).click()
  await expect(going.getByRole('listitem').filter({ hasText: 'Bash' })).toContainText('make all')
  // What one page answers, the other sees.
  await other.getByRole('button', { name: 'Allow once' }).click()
  await expect(page.getByRole('article', { name: /^claude,/ })).toContainText('I was allowed to run')
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeHidden()
})

test('a long text that comes faster than it can be shown ends whole', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await write(page, '@claude /stream 12000')
  const reply = page.getByRole('article', { name: /^claude,/ })
  // Who is at the end stays there.
  await expect(reply.getByRole('link', { name: /^(warm|cold) · / })).toBeInViewport({ timeout: 30_000 })
  await expect(reply).toContainText(/^C?claude.*a warm process hears only what is new/, { timeout: 30_000 })
  // What was watched as it grew does not fold up.
  await expect(reply.getByRole('button', { name: 'Show less' })).toBeVisible()
  const length = await reply.locator('.markdown').evaluate((at) => at.textContent.split(' ').length)
  expect(length).toBe(12_000)
})

test('long histories are in the page only where they are seen', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  const general = await channelId(api)
  for (let i = 0; i < 300; i++) await api('POST', `/api/channels/${general}/messages`, { author: i % 2 ? 'aiko' : 'min', body: `row ${i}\n\nwith a second line` })
  const rows = page.getByRole('main').getByRole('article')
  await expect(page.getByText('row 299', { exact: true })).toBeInViewport()
  expect(await rows.count()).toBeLessThan(60)
  await page.reload()
  await expect(page.getByText('row 299', { exact: true })).toBeInViewport()
  // Back to the beginning, page by page.
  const list = page.getByRole('region', { name: 'Messages in general' })
  await expect(async () => {
    await list.focus()
    await page.keyboard.press('Home')
    await expect(page.getByText('This is the beginning of #general.')).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(await rows.count()).toBeLessThan(60)
})

test('who is not signed in is told how to get in', async ({ browser, hearth }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(hearth.origin)
  await expect(page.getByText('hearth open', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await context.close()
})
