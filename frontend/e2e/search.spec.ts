import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { APIResponse, Page } from '@playwright/test'
import { expect, expectAccessible, shoot, test, type Running } from './hearth'

interface Channel {
  id: string
  name: string
}

type Ask = (method: string, path: string, data?: unknown) => Promise<APIResponse>

/** made is what a request answers. */
const made = async <T>(answer: APIResponse): Promise<T> => {
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as T
}

const create = async (api: Ask, name: string) => made<Channel>(await api('POST', '/api/channels', { name }))
const post = async (api: Ask, channel: Channel, body: string, more: { author?: string; thread_root_id?: string } = {}) =>
  (await made<{ row: { id: string } }>(await api('POST', `/api/channels/${channel.id}/messages`, { body, ...more }))).row.id

/** furnish signs in and writes into two channels, in several scripts. */
async function furnish(page: Page, hearth: Running, api: Ask) {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  const backend = await create(api, 'backend')
  const korean = await create(api, '백엔드 팀')
  const root = await post(api, backend, 'Why does the Retry helper wait?', { author: 'aiko' })
  const reply = await post(api, backend, 'The retry helper waits because two workers share a port.', { author: 'ben', thread_root_id: root })
  await post(api, korean, '검색 결과가 없습니다', { author: '지민' })
  await post(api, korean, '今天的消息搜索很快')
  await post(api, backend, 'आज का संदेश यहाँ है')
  await post(api, backend, 'هذه رسالة قصيرة عن الذاكرة')
  await post(api, backend, 'Shipped it 🎉👩‍👩‍👧‍👦')
  await post(api, korean, `<img src=x onerror="document.title='broken'"> "quoted" *starred*`)
  return { backend, korean, root, reply }
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search everywhere' })
const options = (page: Page) => page.getByRole('option')
const marked = (page: Page) => options(page).first().locator('mark').first()

test('what was written anywhere is found while it is typed, in any script', async ({ page, hearth, api }) => {
  test.slow()
  const { root, reply } = await furnish(page, hearth, api)
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await expect(field(page)).toBeFocused()
  await expect(page.getByText('Write what you look for')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'search-empty')

  await field(page).fill('retry')
  await expect(options(page)).toHaveCount(2)
  await expect(page.getByRole('status').filter({ hasText: '2 messages in 1 channel' })).toBeVisible()
  await expect(marked(page)).toHaveText('retry')
  await expectAccessible(page)
  await shoot(page, 'search-found')

  for (const [typed, found] of [
    ['검색', '검색 결과가 없습니다'], ['색', '검색 결과가 없습니다'], ['消息', '今天的消息搜索很快'], ['索', '今天的消息搜索很快'], ['संदेश', 'आज का संदेश यहाँ है'],
    ['رسالة', 'هذه رسالة قصيرة عن الذاكرة'], ['🎉', 'Shipped it 🎉'], ['"quoted" *', '*starred*'],
  ] as const) {
    await field(page).fill(typed)
    await expect(options(page)).toHaveCount(1)
    await expect(options(page).first()).toContainText(found)
    if (!typed.startsWith('"')) await expect(marked(page)).toHaveText(typed)
  }
  await expect(page).not.toHaveTitle('broken')

  // Down and Enter open the second, the root; the first is the reply, in its thread.
  await field(page).fill('RETRY helper')
  await expect(options(page)).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/c/backend/m/${root}$`))
  await expect(page.locator(`[data-row="${root}"]`).first()).toBeInViewport()
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await expect(page.getByRole('option', { name: 'RETRY helper' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('RETRY helper')
  await expect(options(page)).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/c/backend/t/${root}\\?row=${reply}$`))
  await expect(page.getByRole('complementary').locator(`[data-row="${reply}"]`)).toBeVisible()
})

test('filters are completed, and what makes no sense is said', async ({ page, hearth, api }) => {
  const { korean } = await furnish(page, hearth, api)
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await page.getByRole('button', { name: 'in: a channel' }).click()
  await expect(field(page)).toBeFocused()
  await field(page).pressSequentially('백')
  await expect(options(page)).toHaveCount(1)
  await expectAccessible(page)
  await shoot(page, 'search-completions')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('in:"백엔드 팀" ')
  await expect(options(page)).toHaveCount(3)
  await field(page).fill('in:"백엔드 팀" from:me 消息')
  await expect(options(page)).toHaveCount(1)
  await field(page).fill('is:thread')
  await expect(options(page)).toHaveCount(1)
  await field(page).fill('before:yesterday retry')
  await expect(page.getByText('Nothing was found.')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'search-nothing')
  await field(page).fill('before:2026-13-01 in:nowhere x')
  await expect(page.getByText('before:2026-13-01 is no day.')).toBeVisible()
  await expect(page.getByText('There is no channel #nowhere here.')).toBeVisible()
  await shoot(page, 'search-fault')

  await made(await api('POST', `/api/channels/${korean.id}/archive`))
  await field(page).fill('검색')
  await expect(page.getByText('Nothing was found.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Archived too' }).check()
  await expect(options(page)).toHaveCount(1)
})

test('answers that come late are of no use, and a text that is not typed any more is not asked for', async ({ page, hearth, api }) => {
  await furnish(page, hearth, api)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/api\/search\?.*q=ret(&|$)/, async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  await page.keyboard.press('ControlOrMeta+Shift+F')
  const given = page.waitForEvent('requestfailed', (request) => /q=ret(&|$)/.test(request.url()))
  const asked = page.waitForRequest(/q=ret(&|$)/)
  await field(page).fill('ret')
  await asked
  await field(page).fill('검색')
  await given
  release()
  await expect(options(page)).toHaveCount(1)
  await expect(options(page).first()).toContainText('검색 결과')
})

test('workbenches are looked into as well, and a file opens at its line', async ({ page, hearth, api }) => {
  const folder = join(hearth.workspace, '.flower/notes')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '왜.md'), '# Notes\n\nTwo workers share a port; 검색 나중에.\n')
  await furnish(page, hearth, api)
  await page.keyboard.press('ControlOrMeta+Shift+F')
  await field(page).fill('share a port')
  await expect(options(page)).toHaveCount(2)
  await expect(page.getByRole('group', { name: 'Workbench of #general' })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'search-workbench')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/c\/general\/workbench\/notes\/.*line=3/)
})

test('the search in a channel and the palette lead to it', async ({ page, hearth, api }) => {
  await furnish(page, hearth, api)
  await page.keyboard.press('ControlOrMeta+F')
  await page.getByRole('search').getByRole('textbox').fill('消息')
  await page.getByRole('search').getByRole('button', { name: 'Search everywhere' }).click()
  await expect(field(page)).toHaveValue('消息')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+K')
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('संदेश')
  await page.getByRole('option', { name: /Search everywhere for “संदेश”/ }).click()
  await expect(field(page)).toHaveValue('संदेश')
  await expect(options(page)).toHaveCount(1)
})

test('finding in a channel leaves open what stands beside the chat, and Back leads to where it began', async ({ page, hearth, api }) => {
  const { root } = await furnish(page, hearth, api)
  await page.goto(`${hearth.origin}/c/backend/t/${root}`)
  const thread = page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: 'Thread' })
  await expect(thread).toBeVisible()
  await page.keyboard.press('ControlOrMeta+F')
  const search = page.getByRole('search')
  const said = search.getByRole('status').first()
  await search.getByRole('textbox').fill('संदेश')
  await expect(page).toHaveURL(new RegExp(`/c/backend/t/${root}\\?at=`))
  await expect(thread).toBeVisible()
  await search.getByRole('textbox').fill('it')
  await expect(said).toHaveText('1 of 2')
  await shoot(page, 'search-beside-thread')
  const first = page.url()
  // The server looks, and what looks like a filter is looked for as it stands.
  const asked = page.waitForRequest(/\/api\/search\?/)
  await search.getByRole('textbox').fill('from:me')
  expect(new URL((await asked).url()).searchParams.get('q')).toBe('"from:me"')
  await expect(said).toHaveText('not found')
  await search.getByRole('textbox').fill('it')
  await expect(said).toHaveText('1 of 2')
  await page.keyboard.press('Enter')
  await expect(said).toHaveText('2 of 2')
  await expect(page).not.toHaveURL(first)
  await expect(thread).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`/c/backend/t/${root}$`))
  await expect(thread).toBeVisible()
  // Nothing stands beside the chat: then the message has the address.
  await page.getByRole('button', { name: 'Close the details' }).click()
  await expect(thread).toBeHidden()
  await search.getByRole('textbox').press('Enter')
  await expect(page).toHaveURL(/\/c\/backend\/m\//)
  await page.goBack()
  await expect(page).toHaveURL(/\/c\/backend$/)
})

test('a pasted link is opened, and one to what is gone says so', async ({ page, hearth, api, quiet }) => {
  // What is not there is asked for.
  quiet()
  const { backend, root, reply } = await furnish(page, hearth, api)
  const paste = async (text: string, name: string) => {
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox', { name: 'Go to anything' }).fill(text)
    await expect(page.getByRole('option', { name }).first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
  }
  await paste(`http://127.0.0.1:1/c/backend/m/${root}`, 'Open this message')
  await expect(page).toHaveURL(new RegExp(`/c/backend/m/${root}$`))
  await paste(reply, 'Open this message')
  await expect(page).toHaveURL(new RegExp(`/c/backend/t/${root}\\?row=${reply}$`))
  await paste('/c/general/roster', 'Open this address')
  await expect(page).toHaveURL(/\/c\/general\/roster$/)
  await paste('/c/nowhere/m/x', 'Open this message')
  await expect(page.getByText('This address is none of a channel here.').first()).toBeVisible()

  const gone = await post(api, backend, 'taken back soon')
  expect((await api('DELETE', `/api/messages/${gone}`)).ok()).toBe(true)
  await paste(gone, 'Open this message')
  await expect(page.getByText('There is no message with this id.').first()).toBeVisible()
  await paste(`${hearth.origin}/c/backend/m/${gone}`, 'Open this message')
  await expect(page.getByText('The message at this address is not to be found here.')).toBeVisible()
})

test('a date is gone to, by keyboard', async ({ page, hearth, api }) => {
  const { root } = await furnish(page, hearth, api)
  await page.goto(`${hearth.origin}/c/backend`)
  await expect(page.getByRole('main').getByText('Shipped it')).toBeVisible()
  const open = async () => {
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox', { name: 'Go to anything' }).fill('Go to a date')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Date' })).toBeFocused()
  }
  await open()
  await expectAccessible(page)
  await shoot(page, 'go-to-date')
  await page.keyboard.type('not a day')
  await page.keyboard.press('Enter')
  await expect(page.getByText('That is no date.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Date' }).fill('2999-01-01')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Nothing was written here on .* or later/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Date' }).fill('2020-02-03')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/c/backend/m/${root}$`))
  await expect(page.getByText(/Nothing was written on .*2020.*The next message after it: Today/).first()).toBeVisible()

  await page.goto(`${hearth.origin}/c/backend`)
  await expect(page.getByRole('main').getByText('Shipped it')).toBeVisible()
  await open()
  await page.getByRole('grid').getByRole('button', { name: /^Today/ }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/c/backend/m/${root}$`))
})

test('the first unread message is gone to', async ({ page, hearth, api }) => {
  test.slow()
  const { backend } = await furnish(page, hearth, api)
  await page.goto(`${hearth.origin}/c/backend`)
  await expect(page.getByRole('main').getByText('Shipped it')).toBeVisible()
  await page.goto(`${hearth.origin}/c/general`)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  for (let i = 0; i < 90; i++) await post(api, backend, `unread ${i}\n\nof two paragraphs`, { author: 'aiko' })
  await page.getByRole('link', { name: /backend/ }).first().click()
  const first = page.getByRole('main').getByText('unread 0', { exact: true })
  await expect(first).toBeInViewport()
  await page.getByRole('button', { name: /Jump to newest/ }).click()
  await expect(page.getByRole('main').getByText('unread 89', { exact: true })).toBeInViewport()
  await page.locator('#messages').focus()
  await page.keyboard.press('u')
  await expect(first).toBeInViewport()
})
