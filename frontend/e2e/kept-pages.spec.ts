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
