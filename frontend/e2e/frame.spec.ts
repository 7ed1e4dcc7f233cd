import type { Page } from '@playwright/test'
import { expect, expectAccessible, shoot, test, write } from './hearth'

interface Channel {
  id: string
  name: string
  unread: number
  read_row_id: string
  newest_row_id: string
}

const long = 'a name of eighty characters that goes on and on, as far as this house allows it.'
const list = (page: Page) => page.getByRole('navigation', { name: 'Channels' })
const composer = (page: Page) => page.getByRole('main').getByRole('textbox', { name: /^Message to/ })

test('the first start says what is there, what is missing, and what to try', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  const welcome = page.getByRole('region', { name: 'Welcome to Hearth' })
  await expect(welcome).toContainText(hearth.workspace)
  await expect(welcome).toContainText('not found')
  await expect(welcome).toContainText('npm install -g @anthropic-ai/claude-code')
  await expect(welcome).toContainText('no model is behind it')
  await expectAccessible(page)
  await shoot(page, 'welcome')
  await welcome.getByRole('button', { name: 'Choose another' }).click()
  await expect(page.getByRole('textbox', { name: 'Folder' })).toHaveValue(hearth.workspace)
  await welcome.getByRole('button', { name: 'Try it' }).click()
  await expect(composer(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('@claude hello')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: /^claude,/ })).toContainText('I am Hearth')
  await welcome.getByRole('button', { name: 'Put the welcome away' }).click()
  await expect(welcome).toBeHidden()
  await page.reload()
  await expect(composer(page)).toBeVisible()
  await expect(welcome).toBeHidden()
})

test('what is unread is counted, shown in the title, and gone where it was seen', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  await expect(composer(page)).toBeVisible()
  const made = (await (await api('POST', '/api/channels', { name: 'backend' })).json()) as Channel
  for (const body of ['one', 'two', 'three']) await api('POST', `/api/channels/${made.id}/messages`, { author: 'aiko', body })
  const badge = list(page).getByRole('img', { name: '3 unread messages' })
  await expect(badge).toBeVisible()
  await expect(page).toHaveTitle('(3) #general · Hearth')
  // The server counts: another browser, and this one after a reload, see the same.
  await page.reload()
  await expect(badge).toBeVisible()
  await composer(page).focus()
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await expect(page).toHaveURL(`${hearth.origin}/c/backend`)
  await expect(page).toHaveTitle('#backend · Hearth')
  await expect(badge).toBeHidden()
  await expect(async () => {
    const { channels } = (await (await api('GET', '/api/channels')).json()) as { channels: Channel[] }
    const now = channels.find((c) => c.id === made.id)
    expect(now).toMatchObject({ unread: 0, read_row_id: now?.newest_row_id })
  }).toPass()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page).toHaveURL(`${hearth.origin}/c/general`)
})

test('a channel is made, renamed, archived, brought back and deleted', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await list(page).getByRole('button', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('drafts')
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('not/absolute')
  await expect(dialog.getByRole('button', { name: 'Create channel' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('')
  await shoot(page, 'create')
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await expect(page).toHaveURL(`${hearth.origin}/c/drafts`)
  // Its first agent is there.
  await page.getByRole('link', { name: 'Who is here' }).click()
  await expect(page.getByRole('article', { name: 'standin' })).toBeVisible()

  await list(page).getByRole('link', { name: 'drafts' }).dblclick()
  await page.getByRole('textbox', { name: 'New name of #drafts' }).fill(long)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('# ' + long)
  await expect(page).toHaveURL(`${hearth.origin}/c/${encodeURIComponent(long)}`)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('# ' + long)
  await expectAccessible(page)
  await shoot(page, 'long-name')

  await list(page).getByRole('link', { name: long }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(page).toHaveURL(`${hearth.origin}/c/general`)
  await list(page).getByRole('button', { name: '1 archived' }).click()
  await list(page).getByRole('link', { name: '#' + long }).click()
  await expect(page.getByText('This channel is archived.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('button', { name: 'Bring it back' }).click()
  await expect(composer(page)).toBeVisible()

  await page.getByRole('main').getByRole('button', { name: 'Actions of' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const deletion = page.getByRole('dialog')
  await expect(deletion).toContainText('what @standin remembers of it')
  await expect(deletion).toContainText(`The files in ${hearth.workspace} stay as they are.`)
  await expect(deletion.getByRole('button', { name: 'Delete for good' })).toBeDisabled()
  await expectAccessible(page)
  await shoot(page, 'delete')
  await deletion.getByRole('textbox').fill(long)
  await deletion.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page).toHaveURL(`${hearth.origin}/c/general`)
  await expect(list(page).getByRole('link', { name: long })).toBeHidden()
})

test('who deletes the open channel is led to another, though the stream has not told yet', async ({ page, hearth, api }) => {
  await page.addInitScript(() => {
    const listen = Reflect.get(EventSource.prototype, 'addEventListener') as (...rest: unknown[]) => void
    EventSource.prototype.addEventListener = function (this: EventSource, ...rest: unknown[]) {
      if (rest[0] !== 'channel.deleted') Reflect.apply(listen, this, rest)
    }
  })
  await page.goto(hearth.url)
  await expect(composer(page)).toBeVisible()
  await api('POST', '/api/channels', { name: 'drafts' })
  await list(page).getByRole('link', { name: 'drafts' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Actions of' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('drafts')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
  await expect(page.getByText('#drafts is deleted.').first()).toBeVisible()
  await expect(page).toHaveURL(`${hearth.origin}/c/general`)
  await expect(list(page).getByRole('link', { name: 'drafts' })).toBeHidden()
})

test('an archived channel says what it is and how to bring it back, and offers nothing to write with', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  await expect(composer(page)).toBeVisible()
  const made = (await (await api('POST', '/api/channels', { name: 'old' })).json()) as Channel
  await api('POST', `/api/channels/${made.id}/archive`)
  await page.goto(`${hearth.origin}/c/old`)
  await expect(page.getByRole('heading', { name: '#old is archived' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open it' }).click()
  const chat = page.getByRole('main', { name: 'Chat' })
  await expect(chat.getByText('Nothing was written here before it was archived')).toBeVisible()
  await expect(chat).not.toContainText('Write')
  await expect(chat.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page)
  await shoot(page, 'archived')
  await chat.getByRole('button', { name: 'Bring it back' }).click()
  await expect(composer(page)).toBeVisible()
  await expect(chat.getByText('Nothing was written here yet')).toBeVisible()

  // A thread of it says so too.
  const { row } = (await (await api('POST', `/api/channels/${made.id}/messages`, { author: 'aiko', body: 'a thought' })).json()) as { row: { id: string } }
  await api('POST', `/api/channels/${made.id}/archive`)
  await page.goto(`${hearth.origin}/c/${made.id}/t/${row.id}`)
  const thread = page.getByRole('complementary', { name: 'Details' })
  await expect(thread.getByText('This channel is archived.')).toBeVisible()
  await expect(thread.getByRole('textbox')).toHaveCount(0)
})

test('a direct line shows how its agent is', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await list(page).getByRole('button', { name: 'New direct line' }).click()
  await page.getByRole('textbox', { name: 'Name of the agent' }).fill('helper')
  await page.getByRole('button', { name: 'Open the line' }).click()
  await expect(page).toHaveURL(`${hearth.origin}/c/helper`)
  const line = list(page).getByRole('region', { name: 'Direct lines' })
  await expect(line.getByRole('img', { name: '@helper is cold' })).toBeVisible()
  await write(page, 'hello')
  await expect(line.getByRole('img', { name: '@helper is warm' })).toBeVisible()
})

test('folders group the channels', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  await expect(composer(page)).toBeVisible()
  await api('POST', '/api/channels', { name: 'elsewhere', workspace: hearth.other })
  const rail = page.getByRole('navigation', { name: 'Folders' })
  await rail.getByRole('button', { name: hearth.other }).click()
  await expect(list(page).getByRole('link', { name: 'general' })).toBeHidden()
  await list(page).getByRole('link', { name: 'elsewhere' }).click()
  await expectAccessible(page)
  await shoot(page, 'folders')
  // Going to a channel of another folder shows that folder.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('gen')
  await page.keyboard.press('Enter')
  await expect(list(page).getByRole('link', { name: 'general' })).toHaveAttribute('aria-current', 'page')
  await rail.getByRole('button', { name: 'All folders' }).click()
  await expect(list(page).getByRole('link', { name: 'elsewhere' })).toBeVisible()
})

test('everything has an address, and one that leads nowhere says so', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  await expect(composer(page)).toBeVisible()
  const { channels } = (await (await api('GET', '/api/channels')).json()) as { channels: Channel[] }
  const id = channels[0]?.id ?? ''
  // By its id too, for whoever kept a link from before a rename.
  await page.goto(`${hearth.origin}/c/${id}/settings`)
  await expect(page).toHaveURL(`${hearth.origin}/c/general/settings`)
  await expect(page.getByRole('textbox', { name: 'Topic' })).toHaveValue('A place to try things out')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Roster' }).click()
  await expect(page).toHaveURL(`${hearth.origin}/c/general/roster`)
  await page.goBack()
  await expect(page).toHaveURL(`${hearth.origin}/c/general/settings`)
  await page.goForward()
  await expect(page.getByRole('article', { name: 'claude' })).toBeVisible()
  for (const view of ['Context', 'Cache', 'Workbench']) {
    await page.getByRole('link', { name: view }).click()
    await expect(page).toHaveURL(`${hearth.origin}/c/general/${view.toLowerCase()}`)
  }
  await page.goto(`${hearth.origin}/c/general/cache`)
  await expect(page.getByRole('complementary').getByText('No turns yet')).toBeVisible()
  await page.goto(`${hearth.origin}/c/nothing`)
  await expect(page.getByText('There is no channel “nothing”')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'unknown-channel')
  await page.getByRole('link', { name: 'Go to the channels' }).click()
  await expect(page).toHaveURL(`${hearth.origin}/c/general`)
  for (const nowhere of ['/x', '/c/general/nothing/at/all']) {
    await page.goto(hearth.origin + nowhere)
    await expect(page.getByText('There is nothing at this address')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to the channels' }).click()
  await expect(composer(page)).toBeVisible()
})

test('any setting is found by a word, and led to', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('# general')
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('Control+,')
  const settings = page.getByRole('dialog', { name: 'Settings' })
  const find = settings.getByRole('searchbox', { name: 'Find a setting' })
  await expect(find).toBeFocused()
  await expect(settings.getByRole('button', { name: 'Settings of @claude' })).toBeVisible()
  await find.fill('git')
  await expectAccessible(page)
  await shoot(page, 'settings-found')
  await find.fill('spending')
  await page.keyboard.press('Enter')
  await expect(settings).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Spending limit a day' })).toBeFocused()
  await page.keyboard.press('Control+,')
  await find.fill('long output claude')
  await page.keyboard.press('Enter')
  const agent = page.getByRole('dialog', { name: 'Change @claude' })
  await expect(agent.getByRole('textbox', { name: 'Long output goes into a file over' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(agent).toBeHidden()
})

test('settings change the channel', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await page.goto(`${hearth.origin}/c/general/settings`)
  await page.getByRole('textbox', { name: 'Topic' }).fill('Something else')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('일반')
  await page.getByRole('textbox', { name: 'Folder' }).fill(hearth.other)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('# 일반')
  await expect(page.getByRole('main')).toContainText('Something else')
  await expect(page.getByRole('region', { name: 'Welcome to Hearth' })).toContainText(hearth.other)
})

test('the keyboard alone: palette, help, preferences, search, panes', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  await expect(composer(page)).toBeFocused()
  await api('POST', '/api/channels', { name: '한국어 채널' })
  await expect(list(page).getByRole('link', { name: '한국어 채널' })).toBeVisible()

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Go to anything' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await expectAccessible(page)
  await shoot(page, 'palette')
  await page.keyboard.type('하') // on the way to 한
  await expect(palette.getByRole('option', { selected: true })).toContainText('한국어 채널')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('# 한국어 채널')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('settings of this')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Topic' })).toBeVisible()
  // Escape closes one thing at a time, then leaves the text.
  await composer(page).focus()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Topic' })).toBeHidden()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('# general')

  // A bare key is text while somebody writes.
  await composer(page).focus()
  await page.keyboard.type('?')
  await expect(composer(page)).toHaveValue('?')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await expect(composer(page)).not.toBeFocused()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  await expect(help).toContainText('Find in this channel')
  await expectAccessible(page)
  await shoot(page, 'keys')
  // Other keys hold at once, and after the page was loaded anew.
  await help.getByRole('button', { name: 'Change the keys of: Settings', exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(help).toBeVisible()
  await help.getByRole('button', { name: 'Change the keys of: Settings', exact: true }).click()
  await page.keyboard.press('Control+k')
  await expect(help).toContainText('Ctrl K is “Go to anything”.')
  await shoot(page, 'keys-taken')
  await page.keyboard.press('Control+j')
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await page.reload()
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('Control+j')
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await help.getByRole('button', { name: 'Back to the usual keys', exact: true }).click()
  await expect(help.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+,')
  const preferences = page.getByRole('dialog', { name: 'Settings' })
  await expectAccessible(page)
  await shoot(page, 'preferences')
  await preferences.getByRole('radio', { name: 'Dark' }).focus()
  await page.keyboard.press('Space')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await preferences.getByRole('radio', { name: 'Large' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveAttribute('data-size', 'large')
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('Control+,')
  await preferences.getByRole('group', { name: 'Appearance' }).getByRole('radio', { name: 'As the system' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+f')
  const search = page.getByRole('search')
  await expect(search.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('stand-in')
  await expect(search.getByRole('status').first()).toHaveText('1 of 1')
  await expect(search).toContainText('Looked through the whole channel, without threads.')
  await expect(page).toHaveURL(/\/c\/general\/m\//)
  await expectAccessible(page)
  await shoot(page, 'search')
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()

  const splitter = page.getByRole('separator', { name: 'Width of the channel list' })
  const before = Number(await splitter.getAttribute('aria-valuenow'))
  await splitter.focus()
  await page.keyboard.press('ArrowRight')
  await expect(splitter).toHaveAttribute('aria-valuenow', String(before + 16))
})

test('the panes give way one by one as the window narrows, and at twice the size', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  await expect(composer(page)).toBeVisible()
  await api('POST', '/api/channels', { name: long, workspace: hearth.other })
  const rail = page.getByRole('navigation', { name: 'Folders' })
  const chat = page.getByRole('main', { name: 'Chat' })
  const detail = page.getByRole('complementary', { name: 'Details' }).or(page.getByRole('main', { name: 'Details' }))
  await page.goto(`${hearth.origin}/c/${encodeURIComponent(long)}/roster`)
  const shown = async () => ({ rail: await rail.isVisible(), list: await list(page).isVisible(), chat: await chat.isVisible(), detail: await detail.isVisible() })
  await expect(detail).toBeVisible()
  await expect(rail).toBeVisible()
  const seen: [number, unknown][] = []
  for (const width of [1600, 1280, 920, 900, 800, 600, 360]) {
    await page.setViewportSize({ width, height: 760 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    seen.push([width, await shown()])
    await expectAccessible(page)
    await shoot(page, `width-${width}`)
  }
  expect(seen).toEqual([
    [1600, { rail: true, list: true, chat: true, detail: true }],
    [1280, { rail: true, list: true, chat: true, detail: true }],
    [920, { rail: false, list: true, chat: true, detail: true }],
    [900, { rail: false, list: true, chat: true, detail: true }],
    [800, { rail: false, list: false, chat: true, detail: true }],
    [600, { rail: false, list: false, chat: false, detail: true }],
    [360, { rail: false, list: false, chat: false, detail: true }],
  ])
  await page.getByRole('button', { name: 'Back to the chat' }).click()
  await expect(chat).toBeVisible()
  await page.getByRole('button', { name: 'Show the channels' }).click()
  await expect(list(page)).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'drawer')
  await list(page).getByRole('link', { name: 'general' }).click()
  await expect(list(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('# general')
  // 1,280 pixels at 200 % are 640.
  await page.setViewportSize({ width: 640, height: 400 })
  await expect(composer(page)).toBeInViewport()
  await expectAccessible(page)
  await shoot(page, 'zoom-200')
})

test('a connection that is lost is said, what is written is kept, and it comes back', async ({ page, hearth, api, quiet }) => {
  quiet() // the browser logs every request that does not get through
  // A stream that breaks, as the browser tells it: closed, with an error. It is the page's own, as in a browser without shared workers.
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'SharedWorker')
    const streams: EventSource[] = []
    window.EventSource = class extends EventSource {
      constructor(url: string | URL, options?: EventSourceInit) {
        super(url, options)
        streams.push(this)
      }
    }
    addEventListener('cut', () => {
      for (const stream of streams) {
        stream.close()
        stream.dispatchEvent(new Event('error'))
      }
    })
  })
  await page.goto(hearth.url)
  await expect(composer(page)).toBeVisible()
  const { channels } = (await (await api('GET', '/api/channels')).json()) as { channels: Channel[] }
  await page.route('**/api/**', (route) => route.abort())
  await page.evaluate(() => dispatchEvent(new Event('cut')))
  await expect(page.getByText('Trying again; what you write is kept.')).toBeVisible()
  await composer(page).fill('written meanwhile')
  await expectAccessible(page)
  await shoot(page, 'offline')
  await api('POST', `/api/channels/${channels[0]?.id ?? ''}/messages`, { author: 'aiko', body: 'sent meanwhile' })
  await page.unroute('**/api/**')
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect(page.getByRole('button', { name: 'Try now' })).toBeHidden()
  await expect(page.getByText('sent meanwhile', { exact: true })).toBeVisible()
  await expect(composer(page)).toHaveValue('written meanwhile')
})

test('a Hearth that was started anew is noticed', async ({ page, hearth, quiet }) => {
  quiet()
  await page.goto(hearth.url)
  await expect(composer(page)).toBeVisible()
  const url = await hearth.restart()
  await expect(page.getByText('hearth open', { exact: true })).toBeVisible({ timeout: 20_000 })
  await expectAccessible(page)
  await shoot(page, 'signed-out')
  await page.goto(url)
  await expect(composer(page)).toBeVisible()
})
