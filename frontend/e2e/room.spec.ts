import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, shoot, test, write } from './hearth'

/** Where there is little room: what is needed stays in the window, and nothing lies over it. */

const composer = (page: Page) => page.getByRole('main').getByRole('form', { name: /^Message to/ })
const toasts = (page: Page) => page.locator('li[data-swipe-direction]') // not by its role: a dialog that is open hides all else from screen readers

interface Box { x: number; y: number; width: number; height: number }
const boxOf = async (what: Locator): Promise<Box> => {
  const box = await what.boundingBox()
  if (!box) throw new Error(`${what.toString()} has no place in the page`)
  return box
}
const overlap = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** covered are the boxes of these that something else lies over, by their names. */
async function covered(what: Locator, by: Box): Promise<string[]> {
  const names: string[] = []
  for (const one of await what.all()) if (overlap(await boxOf(one), by)) names.push((await one.getAttribute('aria-label')) ?? (await one.textContent()) ?? '')
  return names
}

/** archive puts the open channel away, which a toast says. */
async function archive(page: Page, origin: string, name: string): Promise<Locator> {
  await page.goto(`${origin}/c/${name}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`# ${name}`)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('archive this')
  await page.keyboard.press('Enter')
  const toast = toasts(page).filter({ hasText: `${name} is archived.` })
  await expect(toast).toBeVisible()
  // It waits while the window has not the focus: the test takes its time.
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  return toast
}

// 640 × 400 is 1,280 × 800 at 200 %.
for (const { width, height, size } of [
  { width: 1280, height: 800, size: 'normal' },
  { width: 640, height: 400, size: 'normal' },
  { width: 640, height: 400, size: 'large' },
  { width: 360, height: 640, size: 'normal' },
]) {
  test(`toasts lie over nothing that is written or pressed: ${width} × ${height}, ${size}`, async ({ page, hearth, api }) => {
    await page.setViewportSize({ width, height })
    await page.addInitScript((s) => addEventListener('DOMContentLoaded', () => (document.documentElement.dataset.size = s)), size)
    await page.goto(hearth.url)
    await expect(composer(page)).toBeVisible()
    const name = 'a-channel-with-a-name-that-makes-a-toast-of-several-lines-at-any-width'
    await api('POST', '/api/channels', { name })
    const toast = await archive(page, hearth.origin, name)
    await expect(page).toHaveURL(`${hearth.origin}/c/general`)
    await page.getByRole('main').getByRole('textbox').fill('a line\n'.repeat(30))
    const box = await boxOf(toast)
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(width)
    expect(overlap(await boxOf(composer(page)), box)).toBe(false)
    expect(await covered(page.getByRole('main').locator('xpath=./header//button | ./header//a | .//form//button'), box)).toEqual([])
    await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 })
    await shoot(page, `toast-${width}-${size}`)

    for (const [keys, title] of [['Control+,', 'Settings'], ['Control+k', 'Go to anything']] as const) {
      await page.keyboard.press(keys)
      const dialog = page.getByRole('dialog', { name: title })
      await expect(dialog).toBeVisible()
      await expect.poll(async () => overlap(await boxOf(dialog), await boxOf(toast))).toBe(false)
      const { y, height: high } = await boxOf(dialog)
      expect(y + high).toBeLessThanOrEqual(height)
      await shoot(page, `toast-${title === 'Settings' ? 'dialog' : 'palette'}-${width}-${size}`)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
    // Undo can be pressed while a dialog is open, and leaves it open.
    await page.keyboard.press('Control+,')
    await toast.locator('button', { hasText: 'Undo' }).click()
    await expect(toast).toBeHidden()
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`# ${name}`)
  })
}

test('in a low window the welcome leaves room for the messages', async ({ page, hearth }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  await page.goto(hearth.url)
  const welcome = page.getByRole('region', { name: 'Welcome to Hearth' })
  const messages = page.getByRole('region', { name: 'Messages in general' })
  await expect(welcome).toContainText('no model is behind it')
  await expect(welcome.getByRole('button', { name: 'Try it' })).toBeHidden()
  expect((await boxOf(messages)).height).toBeGreaterThan(160)
  await expectAccessible(page)
  await shoot(page, 'low')
  await welcome.getByRole('button', { name: 'What to do' }).click()
  await expect(welcome).toContainText('npm install -g @anthropic-ai/claude-code')
  expect((await boxOf(messages)).height).toBeGreaterThan(80)
  await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await shoot(page, 'low-opened')
  await welcome.getByRole('button', { name: 'Show less' }).click()
  await expect(welcome.getByRole('button', { name: 'What to do' })).toBeVisible()
  // Where there is height again it stands whole.
  await page.setViewportSize({ width: 640, height: 800 })
  await expect(welcome.getByRole('button', { name: 'Try it' })).toBeVisible()
})

test('in a low window questions, a queue and a long text leave Send in the window', async ({ page, hearth }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  await page.goto(hearth.url)
  await write(page, '@claude /ask ' + 'make something '.repeat(30))
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeVisible()
  for (const text of ['@claude one', '@claude two', '@claude three']) await write(page, text)
  await expect(page.getByText('3 messages wait')).toBeVisible()
  await page.getByRole('main').getByRole('textbox').fill('a line\n'.repeat(30))
  await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Allow once' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeInViewport({ ratio: 1 })
  await shoot(page, 'low-asked')
})

test('emoji are drawn, in text and in code', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await write(page, '🐙 and `🎉`')
  const row = page.getByRole('article', { name: /^You,/ })
  await expect(row).toContainText('🐙')
  for (const text of [row.locator('.markdown'), row.locator('code')]) await expect(text).toHaveCSS('font-family', /Apple Color Emoji.*Segoe UI Emoji.*Noto Color Emoji/)
  const coloured = await row.locator('.markdown').evaluate((at) => {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    if (!context) return -1
    context.font = `40px ${getComputedStyle(at).fontFamily}`
    context.fillText('🐙', 10, 60)
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    let n = 0
    for (let i = 0; i < data.length; i += 4) if (Math.max(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0) > 60) n++
    return n
  })
  expect(coloured, 'this machine has no font with emoji: install one (Debian: apt-get install fonts-noto-color-emoji)').toBeGreaterThan(100)
})
