import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { channelId, expect, expectAccessible, shoot, test, write, type Ask } from './hearth'

interface Told { unread: number; tip: string; menu: { text: string; key: string }[] }

/** Gives the page a window to be in, as app/window.js does, which keeps what it is told. The real one is tried in app. */
async function inWindow(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const window_ = { told: [] as Told[], goesOn: false, mention: undefined as (() => void) | undefined, notified: [] as string[] }
    Object.assign(window, {
      desk: window_,
      hearth: {
        version: 'test', onOpen: () => () => undefined, openExternal: () => Promise.resolve(),
        desk: (told: Told) => Promise.resolve(void window_.told.push(told)),
        onMention: (heard: () => void) => { window_.mention = heard; return () => undefined },
        goesOn: () => Promise.resolve(window_.goesOn),
        setGoesOn: (on: boolean) => Promise.resolve(void (window_.goesOn = on)),
        notify: ({ title }: { title: string }) => Promise.resolve(window_.notified.push(title) > 0),
      },
    })
  })
}
interface Desk { desk: { told: Told[]; goesOn: boolean; mention?: () => void; notified: string[] } }
const told = (page: Page) => page.evaluate(() => (window as unknown as Desk).desk.told.at(-1))

const bodies = async (api: Ask, id: string) => ((await (await api('GET', `/api/channels/${id}/messages`)).json()) as { rows: { body: string }[] }).rows.map((r) => r.body)

test('a message goes to an agent of another channel by keys alone, and the next one to the same', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  await api('POST', '/api/channels', { name: '백엔드' })
  const backend = await channelId(api, '백엔드')
  await api('POST', `/api/channels/${backend}/bindings`, { handle: '리뷰', runtime: 'cli:standin:agent' })
  await page.keyboard.press('Control+Shift+M')
  const dialog = page.getByRole('dialog', { name: 'Quick mention' })
  await expect(dialog.getByRole('textbox', { name: 'Message' })).toBeFocused()
  // The agent of the channel that is open comes first.
  await expect(dialog.getByRole('combobox', { name: 'To' })).toHaveValue(/./)
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('@claude in #general')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('@리뷰 in #백엔드')
  await page.keyboard.press('Tab')
  await page.keyboard.type('hello')
  await expectAccessible(page)
  await shoot(page, 'quick-mention')

  // What is written is there when it is closed and opened again, and goes out with Enter.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('Control+Shift+M')
  await expect(dialog.getByRole('textbox')).toHaveValue('hello')
  await dialog.getByRole('combobox', { name: 'To' }).selectOption({ label: '@리뷰 in #백엔드' })
  await dialog.getByRole('textbox').press('Enter')
  await expect(page.getByText('Sent to @리뷰 in #백엔드.', { exact: true })).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect.poll(() => bodies(api, backend)).toContain('@리뷰 hello')
  await page.keyboard.press('Control+Shift+M')
  await expect(dialog.getByRole('textbox')).toHaveValue('')
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('@리뷰 in #백엔드')
  await page.setViewportSize({ width: 640, height: 400 }) // 1280 x 800 at 200 %
  await expect(dialog.getByRole('button', { name: 'Send' })).toBeInViewport()
  await shoot(page, 'quick-mention-low')
})

test('the window is told what is to be read, as it is read, and what closing it means', async ({ page, hearth, api }) => {
  await inWindow(page)
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  await expect.poll(async () => (await told(page))?.tip).toBe('Nothing to read')
  await api('POST', '/api/channels', { name: 'backend' })
  const backend = await channelId(api, 'backend')
  await api('POST', `/api/channels/${backend}/bindings`, { handle: 'reviewer', runtime: 'cli:standin:agent' })
  await api('POST', `/api/channels/${backend}/messages`, { body: '@reviewer hello' })
  await expect.poll(async () => (await told(page))?.menu.map((m) => `${m.text} ${m.key}`)).toContain('#backend (1) /c/backend')
  expect(await told(page)).toMatchObject({ unread: 1, tip: '1 unread message' })
  await page.goto(hearth.origin + '/c/backend')
  await expect.poll(async () => (await told(page))?.unread).toBe(0)

  // From the tray.
  await page.evaluate(() => (window as unknown as Desk).desk.mention?.())
  await expect(page.getByRole('dialog', { name: 'Quick mention' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+,')
  const settings = page.getByRole('dialog', { name: 'Settings' })
  const choice = settings.getByRole('group', { name: 'When the window is closed' })
  await expect(choice.getByRole('radio', { name: /^Quit/ })).toBeChecked()
  // The choice is the window's: it shows once the window has it.
  await choice.getByRole('radio', { name: /^Go on in the background/ }).click()
  await expect(choice.getByRole('radio', { name: /^Go on in the background/ })).toBeChecked()
  expect(await page.evaluate(() => (window as unknown as Desk).desk.goesOn)).toBe(true)
  await choice.scrollIntoViewIfNeeded()
  await expectAccessible(page)
  await shoot(page, 'background-setting')
  await settings.getByRole('searchbox', { name: 'Find a setting' }).fill('tray closed')
  await page.keyboard.press('Enter')
  await expect(choice.getByRole('radio', { name: /^Go on/ })).toBeFocused()
})

test('with a window and a browser open, the window notifies and the browser does not', async ({ page, hearth, api, browser }) => {
  await inWindow(page)
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  await api('POST', '/api/channels', { name: 'backend' })
  const backend = await channelId(api, 'backend')
  await api('POST', `/api/channels/${backend}/bindings`, { handle: 'reviewer', runtime: 'cli:standin:agent' })
  const context = await browser.newContext({ permissions: ['notifications'] })
  await context.addCookies(await page.context().cookies())
  const tab = await context.newPage()
  await tab.addInitScript(() => {
    const kept: string[] = []
    Object.assign(window, { kept })
    const Real = Notification
    window.Notification = class extends Real {
      constructor(title: string, options: NotificationOptions = {}) {
        super(title, options)
        kept.push(title)
      }
    }
  })
  const asked = (of: Page) => of.waitForResponse((r) => r.url().endsWith('/notices'))
  const present = (of: Page) => of.waitForResponse((r) => /\/api\/pages\/[^/]+$/.test(r.url()) && r.status() === 204)
  const here = present(tab)
  await tab.goto(hearth.origin + '/c/general')
  await expect(tab.getByRole('main').getByRole('textbox')).toBeVisible()
  await here
  const both = Promise.all([asked(page), asked(tab)])
  await api('POST', `/api/channels/${backend}/messages`, { body: '@reviewer hello' })
  await both
  await expect.poll(() => page.evaluate(() => (window as unknown as Desk).desk.notified)).toEqual(['@reviewer in #backend'])
  expect(await tab.evaluate(() => (window as unknown as { kept: string[] }).kept)).toEqual([])

  // Without the window the browser does.
  await page.goto('about:blank')
  await expect(async () => {
    const answer = asked(tab)
    await tab.request.fetch(`${hearth.origin}/api/channels/${backend}/messages`, { method: 'POST', headers: { Origin: hearth.origin }, data: { body: '@reviewer hello' } })
    expect(((await (await answer).json()) as { show: boolean }).show).toBe(true)
  }).toPass({ timeout: 30_000 })
  await expect.poll(() => tab.evaluate(() => (window as unknown as { kept: string[] }).kept.length)).toBeGreaterThan(0)
  await context.close()
})

const signedOut = `test -e "$HOME/signed-in" && echo '{"loggedIn": true, "authMethod": "claude.ai"}' || { echo '{"loggedIn": false, "authMethod": "none"}'; exit 1; }`

test.describe('an agent whose client is not signed in', () => {
  test.use({
    environment: {
      of: (home: string) => {
        const path = join(home, 'claude')
        // Asked for a turn it says what the real one says: it ends.
        writeFileSync(path, `#!/bin/sh\ncase "$1" in\n--version) echo '2.1.332 (Claude Code)';;\nauth) ${signedOut};;\n*) echo 'Not logged in. Please run /login' >&2; exit 1;;\nesac\n`)
        chmodSync(path, 0o700)
        writeFileSync(join(home, '.claude.json'), '{}')
        return { HEARTH_CLAUDE: path }
      },
    },
  })

  test('says so on its card and where a turn failed, with what mends it, until it is', async ({ page, hearth }) => {
    await page.goto(hearth.url)
    await write(page, '@claude hello')
    const failed = page.getByRole('article', { name: '@claude could not answer.' })
    await expect(failed.getByText('Claude Code is not signed in.')).toBeVisible()
    await expect(failed.getByText('auth login')).toBeVisible()
    await page.goto(hearth.origin + '/c/general/roster')
    const card = page.getByRole('article', { name: 'claude', exact: true })
    const state = card.getByRole('group', { name: 'How @claude is signed in' })
    await expect(state).toContainText('Claude Code is not signed in.')
    await expect(state.getByText(/\/claude auth login$/)).toBeVisible()
    await expectAccessible(page)
    await shoot(page, 'signed-out')
    // Signed in elsewhere: seen when the person comes back.
    writeFileSync(join(hearth.workspace, 'signed-in'), '')
    await expect(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await expect(state).toContainText('Signed in with a Claude subscription', { timeout: 1000 })
    }).toPass({ timeout: 30_000 })
    await expect(failed.getByText('auth login')).toBeHidden()
    await shoot(page, 'signed-in')
  })
})
