import { expect, shoot, test } from './hearth'

test('the theme and size are there before the first paint', async ({ page, hearth, quiet }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(hearth.url)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  // Put there as the next page begins: the one that is open may still save its own.
  await page.addInitScript(() => {
    localStorage.setItem('hearth.preferences', JSON.stringify({ theme: 'light', size: 'compact' }))
  })
  // Without the page's own script, what stands there is what the first paint shows.
  quiet()
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(hearth.origin)
  await expect(page.locator('#app')).toBeEmpty()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.locator('html')).toHaveAttribute('data-size', 'compact')
})

test('the system may choose the colours and ask for less motion', async ({ page, hearth }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto(hearth.url)
  const list = page.getByRole('navigation', { name: 'Channels' })
  await expect(list.getByRole('link', { name: 'general' })).toBeVisible()
  // What is open is told apart by more than a ground, which is not painted here.
  const outline = await list.getByRole('link', { name: 'general' }).evaluate((at) => getComputedStyle(at).outlineStyle)
  expect(outline).toBe('solid')
  const durations = await page.evaluate(() => Array.from(document.querySelectorAll('*'), (at) => parseFloat(getComputedStyle(at).transitionDuration)))
  expect(Math.max(...durations)).toBeLessThan(0.001)
  await shoot(page, 'forced-colours')
})

for (const scheme of ['light', 'dark'] as const) {
  test(`follows the system: ${scheme}`, async ({ page, hearth }) => {
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(hearth.url)
    await expect(page.locator('html')).toHaveAttribute('data-theme', scheme)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await shoot(page, `theme-${scheme}`)
    const other = scheme === 'light' ? 'dark' : 'light'
    await page.emulateMedia({ colorScheme: other })
    await expect(page.locator('html')).toHaveAttribute('data-theme', other)
  })
}
