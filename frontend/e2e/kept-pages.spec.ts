import { expect, test, write } from './hearth'

// Playwright switches the cache off in which browsers keep pages that were left; people have it on.
test.use({ launchOptions: async ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }) })

test('pages that were left leave the server’s connections to the one that is open', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  // A browser opens six connections to one server.
  for (let i = 0; i < 8; i++) {
    await page.goto(`${hearth.origin}/c/general/${['roster', 'settings'][i % 2]}`, { timeout: 30_000 })
    await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  }
  await write(page, 'still heard')
  await expect(page.getByText('still heard')).toBeVisible()
})

test('a page that was kept has what it missed when somebody goes back, and hears on', async ({ page, hearth, context }) => {
  // Playwright does not reach a page that comes back: it tells what it shows by itself, to a tab beside it.
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) setInterval(() => localStorage.setItem('kept', document.body.innerText), 100)
    })
  })
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  const beside = await context.newPage()
  await beside.goto(hearth.origin + '/c/general')
  await expect(beside.getByRole('main').getByRole('textbox')).toBeVisible()
  const kept = () => beside.evaluate(() => localStorage.getItem('kept') ?? '')
  await page.bringToFront()
  await page.goto(hearth.origin + '/api/health')
  await write(beside, 'written meanwhile')
  await expect(beside.getByText('written meanwhile')).toBeVisible()
  void page.evaluate(() => history.back()).catch(() => undefined)
  await expect.poll(kept).toContain('written meanwhile')
  await write(beside, 'written after')
  await expect.poll(kept).toContain('written after')
})
