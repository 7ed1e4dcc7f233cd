import type { Page } from '@playwright/test'
import { channelId, expect, expectAccessible, shoot, test, write } from './hearth'

interface Noticed {
  title: string
  body: string
  tag: string
  click: () => void
}

/** Keeps what the page notifies of, where a test can see it: what a browser shows, it shows to nobody in a test. */
async function keepNotices(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept: Noticed[] = []
    Object.assign(window, { kept })
    const Real = Notification
    window.Notification = class extends Real {
      constructor(title: string, options: NotificationOptions = {}) {
        super(title, options)
        kept.push({ title, body: options.body ?? '', tag: options.tag ?? '', click: () => void this.onclick?.(new Event('click')) })
      }
    }
  })
}
const notices = (page: Page) => page.evaluate(() => (window as unknown as { kept: Noticed[] }).kept.map(({ title, body }) => ({ title, body })))

test('a reply in another channel is notified of, as data, and a click leads to it', async ({ page, hearth, api, context }) => {
  await keepNotices(page)
  await context.grantPermissions(['notifications'], { origin: hearth.origin })
  await page.goto(hearth.url)
  await write(page, '@claude hello')
  await expect(page.getByRole('article', { name: /^claude,/ })).toContainText('I am Hearth')
  // Looked at: no word of it.
  expect(await notices(page)).toEqual([])
  await api('POST', '/api/channels', { name: 'backend' })
  await page.goto(hearth.origin + '/c/backend')
  await expect(page.getByRole('heading', { name: '# backend' })).toBeVisible()

  const general = await channelId(api)
  await api('POST', `/api/channels/${general}/messages`, { body: '@claude hello' })
  await expect.poll(() => notices(page)).toEqual([{ title: '@claude in #general', body: expect.stringContaining('I am Hearth') as unknown }])
  await page.evaluate(() => (window as unknown as { kept: Noticed[] }).kept[0]?.click())
  await expect(page).toHaveURL(/\/c\/general\/m\/[0-9A-Z]{26}$/)

  // A channel that was muted is not heard of; what is asked for in the preferences is.
  await page.getByRole('main').getByRole('button', { name: 'Actions of #general' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Mute notifications' }).click()
  await page.goto(hearth.origin + '/c/backend')
  await expect(page.getByRole('heading', { name: '# backend' })).toBeVisible()
  const { row } = (await (await api('POST', `/api/channels/${general}/messages`, { body: '@claude hello again' })).json()) as { row: { id: string } }
  await expect
    .poll(async () => {
      const { runs } = (await (await api('GET', `/api/channels/${general}/runs`)).json()) as { runs: { row_id: string; state: string }[] }
      return runs.find((r) => r.row_id === row.id)?.state
    })
    .toBe('succeeded')
  await expect(page.getByRole('navigation', { name: 'Channels' }).getByRole('img', { name: /unread/ })).toBeVisible()
  expect(await notices(page)).toEqual([])
})

test('a browser that was not asked is offered it when there was something, once, and not at the start', async ({ page, hearth, api }) => {
  await page.addInitScript(() => {
    // This browser has made up its mind for everybody; a person's has not.
    Object.defineProperty(Notification, 'permission', { get: () => 'default' })
  })
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  const offer = page.getByText('Something happened while you looked elsewhere.')
  await api('POST', '/api/channels', { name: 'backend' })
  await page.goto(hearth.origin + '/c/backend')
  await expect(page.getByRole('heading', { name: '# backend' })).toBeVisible()
  await expect(offer).toBeHidden()
  const general = await channelId(api)
  await api('POST', `/api/channels/${general}/messages`, { body: '@claude hello' })
  await expect(offer).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'notify-offer')
  await page.getByRole('button', { name: 'No, thanks' }).click()
  await expect(offer).toBeHidden()
  await page.keyboard.press('Control+,')
  const settings = page.getByRole('group', { name: 'Notifications' })
  await settings.getByRole('checkbox', { name: 'Turns that fail' }).uncheck()
  await expectAccessible(page)
  await shoot(page, 'notify-preferences')
  await page.reload()
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  await page.keyboard.press('Control+,')
  await expect(settings.getByRole('checkbox', { name: 'Turns that fail' })).not.toBeChecked()
  await expect(settings.getByRole('checkbox', { name: 'Replies to you' })).toBeChecked()
})
