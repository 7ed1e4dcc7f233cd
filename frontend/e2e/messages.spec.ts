import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { channelId, expect, expectAccessible, serve, test, write } from './hearth'

const here = dirname(fileURLToPath(import.meta.url))

/** A Hearth whose first channel has so many rows, of which 40 are unread (build/fill). */
const filled = test.extend<{ rows: number }>({
  rows: [100_000, { option: true }],
  hearth: async ({ rows }, use) => {
    const home = mkdtempSync(join(tmpdir(), 'hearth-large-'))
    const first = await serve(home)
    await first.end()
    execFileSync('go', ['run', './build/fill', '-rows', String(rows), '-unread', '40', join(home, 'data')], { cwd: join(here, '../..') })
    const { url, end } = await serve(home)
    try {
      await use({ url, origin: new URL(url).origin, workspace: home, other: home, restart: () => Promise.reject(new Error('this one is not started again')) })
    } finally {
      await end()
      rmSync(home, { recursive: true, force: true })
    }
  },
})

const listOf = (page: Page): Locator => page.getByRole('main').getByRole('region', { name: /^Messages in / })

/** numbers are the numbers of the filled rows that are in the page, in order. */
const numbers = (page: Page): Promise<number[]> =>
  listOf(page).evaluate((list) => Array.from(list.querySelectorAll('article'), (a) => Number(/This is row (\d+)\./.exec(a.textContent)?.[1] ?? -1)).filter((n) => n >= 0))

const atEnd = (page: Page): Promise<boolean> => listOf(page).evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight < 48)

async function measure(page: Page): Promise<{ elements: number; heap: number }> {
  const client = await page.context().newCDPSession(page)
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  await client.detach()
  return { elements: await page.evaluate(() => document.querySelectorAll('*').length), heap: usedSize / 1e6 }
}

filled('a channel of 100,000 rows opens at the first that is new, and stays small however far one scrolls', async ({ page, hearth }) => {
  filled.setTimeout(600_000)
  await page.goto(hearth.url)
  await expect(page.getByText(/^New since /)).toBeInViewport()
  await expect(page.getByText('This is row 99960.')).toBeInViewport()
  await expect(page.getByText('This is row 99999.')).not.toBeInViewport()
  await expect(page.getByRole('button', { name: /^Jump to newest · \d+ new$/ })).toBeVisible()

  // To the end: that is read then, and the line stays until one leaves.
  await page.getByRole('button', { name: /^Jump to newest/ }).click()
  await expect.poll(() => atEnd(page)).toBe(true)
  await expect(page.getByRole('button', { name: /^Jump to newest/ })).toBeHidden()
  await expect(page.getByRole('link', { name: /unread/ })).toHaveCount(0)
  const start = await measure(page)

  // Up, page by page.
  const oldest = async () => Math.min(...(await numbers(page)))
  let most = start.elements
  for (let before = await oldest(); before > 95_000; before = await oldest()) {
    // As a person goes, by the wheel: what moves by itself right after sizes have changed is taken back.
    await listOf(page).evaluate((list) => {
      list.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }))
      list.scrollTop = 0
    })
    await expect.poll(oldest, { timeout: 20_000 }).toBeLessThan(before)
    most = Math.max(most, await page.evaluate(() => document.querySelectorAll('*').length))
  }
  const up = await measure(page)

  // And back: nothing is missing, neither where the stretch that is held goes on nor where it was cut.
  const newest = async () => Math.max(...(await numbers(page)))
  for (let last = await newest(), step = 0; last < 99_999; last = await newest(), step++) {
    await listOf(page).evaluate((list, whole) => list.scrollBy(0, whole ? list.scrollHeight : list.clientHeight * 0.8), step % 4 > 0)
    await expect.poll(async () => (await newest()) > last || (await atEnd(page)), { timeout: 20_000 }).toBe(true)
    const shown = await numbers(page)
    expect(shown).toEqual(shown.map((_, i) => (shown[0] ?? 0) + i))
  }
  const back = await measure(page)
  console.log('elements and heap in MB: at the start', start, 'at most', most, '5,000 rows up', up, 'and back', back)
  expect(most).toBeLessThan(2500)
  expect(back.elements).toBeLessThan(2000)
  expect(up.heap).toBeLessThan(start.heap + 30)
  expect(back.heap).toBeLessThan(start.heap + 30)
})

filled.describe('with 3,000 rows', () => {
  filled.use({ rows: 3000 })

  filled('an address opens around its row and marks it; older rows come in above without a jump', async ({ page, hearth, api }) => {
    await page.goto(hearth.url)
    await expect(page.getByText(/^New since /)).toBeInViewport()
    const channel = await channelId(api)
    let before = ''
    for (let i = 0; i < 10; i++) {
      const page_ = (await (await api('GET', `/api/channels/${channel}/messages?limit=100${before && `&before=${before}`}`)).json()) as { rows: { id: string }[] }
      before = page_.rows[0]?.id ?? ''
    }
    // The mark lasts a moment only: whoever looks now and then may miss it.
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { marked: seen })
      new MutationObserver(() => document.querySelectorAll<HTMLElement>('[data-row].bg-accent-ground').forEach((r) => seen.push(r.dataset.row ?? ''))).observe(document, {
        attributes: true, attributeFilter: ['class'], childList: true, subtree: true,
      })
    })
    await page.goto(`${hearth.origin}/c/general/m/${before}`)
    await expect(page.locator(`[data-row="${before}"]`)).toBeInViewport()
    await expect.poll(() => page.evaluate(() => [...new Set((window as unknown as { marked: string[] }).marked)])).toEqual([before])
    await expect(page.getByRole('button', { name: /^Jump to newest/ })).toBeVisible()

    // Near the top of what is held, older rows are fetched: what is looked at does not move.
    const moved = await listOf(page).evaluate(async (list) => {
      const frames = async (n: number) => {
        for (let i = 0; i < n; i++) await new Promise(requestAnimationFrame)
      }
      const height = list.scrollHeight
      list.scrollTop = 700
      await frames(2)
      const room = list.getBoundingClientRect()
      const seen = Array.from(list.querySelectorAll<HTMLElement>('[data-row]')).find((r) => r.getBoundingClientRect().top > room.top + 50)
      const id = seen?.dataset.row ?? ''
      const top = () => list.querySelector(`[data-row="${id}"]`)?.getBoundingClientRect().top ?? -1
      const first = top()
      let most = 0
      const look = async (n: number) => {
        for (let i = 0; i < n; i++) {
          await frames(1)
          most = Math.max(most, Math.abs(top() - first))
        }
      }
      // A page of sixty rows is thousands of pixels.
      const grown = () => list.scrollHeight > height + 2000
      for (let i = 0; i < 300 && !grown(); i++) await look(1)
      const grew = grown()
      await look(30)
      return { grew, most, id }
    })
    expect(moved.grew).toBe(true)
    expect(moved.most).toBeLessThanOrEqual(2)

    await page.getByRole('button', { name: /^Jump to newest/ }).click()
    await expect(page.getByText('This is row 2999.')).toBeVisible()
    await expectAccessible(page)
  })
})

test('who has scrolled up is left in peace while text streams, and who is at the end stays there', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await write(page, '@claude /stream 12000')
  const going = page.getByRole('article', { name: 'A turn of @claude' })
  const length = () => going.evaluate((a) => a.textContent.length)
  await expect.poll(length, { timeout: 20_000 }).toBeGreaterThan(5000) // enough to scroll in, and more than half of it is to come
  // A frame lies between what grows and the scroll that follows it.
  await expect.poll(() => atEnd(page), { intervals: [20] }).toBe(true)
  await expect(page.getByRole('button', { name: 'Jump to newest' })).toBeHidden()
  await listOf(page).hover()
  await page.mouse.wheel(0, -300)
  const still = await listOf(page).evaluate(async (list) => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { scrollTop, scrollHeight } = list
    let most = 0
    for (let i = 0; i < 60; i++) {
      await new Promise(requestAnimationFrame)
      most = Math.max(most, Math.abs(list.scrollTop - scrollTop))
    }
    return { most, grew: list.scrollHeight > scrollHeight }
  })
  expect(still.most).toBeLessThanOrEqual(1)
  await page.getByRole('button', { name: 'Jump to newest' }).click()
  await expect(going).toBeHidden({ timeout: 40_000 })
  await expect.poll(() => atEnd(page)).toBe(true)
  // It is read out once, when it is whole.
  await expect(page.getByRole('main').getByRole('log')).toContainText('claude: ')
})

test('who is at the end stays there, whatever grows or goes: steps, questions, their answers', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  const channel = await channelId(api)
  await api('POST', `/api/channels/${channel}/bindings`, { handle: 'codex', runtime: 'cli:standin:agent' })
  for (let i = 0; i < 30; i++) await api('POST', `/api/channels/${channel}/messages`, { author: 'aiko', body: `row ${i} ` + 'and more of it '.repeat((i * 7) % 40) })
  await expect(page.getByRole('article').filter({ hasText: 'row 29 ' })).toBeInViewport()
  // Even for a moment, the way back is not offered to who never left.
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const button = Array.from(document.querySelectorAll('main button')).find((b) => b.textContent.startsWith('Jump to newest'))
      if (button) seen.push(button.textContent)
    }).observe(document.body, { childList: true, subtree: true })
  })
  const stays = () => expect.poll(() => atEnd(page)).toBe(true)
  const turn = page.getByRole('article', { name: 'A turn of @claude' })
  const card = (handle: string) => page.getByRole('region', { name: `@${handle} wants to use Bash` })
  await write(page, '@claude /ask make all')
  await expect(card('claude')).toBeVisible()
  await stays()
  await turn.getByRole('button', { name: 'Show the steps' }).click()
  await turn.getByRole('button', { name: /^Bash/ }).click()
  await stays()
  await write(page, '@codex /ask make test')
  await expect(page.getByRole('button', { name: /@codex wants to use Bash/ })).toBeVisible()
  await stays()
  for (const handle of ['claude', 'codex']) {
    await card(handle).getByRole('button', { name: 'Allow once' }).click()
    await expect(page.getByRole('article', { name: new RegExp(`^${handle},`) }).filter({ hasText: 'I was allowed to run' })).toBeInViewport()
    await stays()
  }
  const reply = page.getByRole('article', { name: /^codex,/ })
  for (const name of ['Show the steps', 'Hide the steps']) {
    await reply.getByRole('button', { name }).click()
    await stays()
  }
  expect(await page.evaluate(() => (globalThis as { seen?: string[] }).seen)).toEqual([])
  // Whoever turns the wheel up leaves, and is offered the way back.
  await listOf(page).hover()
  await page.mouse.wheel(0, -200)
  await expect(page.getByRole('button', { name: 'Jump to newest' })).toBeVisible()
  await write(page, '@claude /ask make again')
  await expect(page.getByRole('button', { name: 'Jump to newest' })).toBeHidden()
})

test('the keyboard does it all: rows, steps, thread, copy', async ({ page, hearth, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(hearth.url)
  await write(page, 'first')
  await write(page, '@claude /history 2')
  const reply = page.getByRole('article', { name: /^claude,/ }).last()
  await expect(reply.getByRole('link', { name: /^(warm|cold) · / })).toBeVisible()
  await listOf(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect(reply).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(reply.getByRole('button', { name: /^channel_history/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowUp')
  const mine = page.getByRole('article', { name: /^You,/ }).filter({ hasText: 'first' })
  await expect(mine).toBeFocused()
  await page.keyboard.press('y')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('first')
  await page.keyboard.press('t')
  const thread = page.getByRole('complementary', { name: 'Details' })
  await expect(thread.getByText('No replies yet')).toBeVisible()
  await expect(thread.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('in the thread')
  await page.keyboard.press('Enter')
  await expect(thread.getByText('1 reply')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: '1 reply' })).toBeVisible()
  await expectAccessible(page)
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(thread).toBeHidden({ timeout: 500 })
  }).toPass()
  await expect(mine).toBeFocused()
})

test('what no agent has read can be edited and taken back', async ({ page, hearth }) => {
  test.slow()
  await page.goto(hearth.url)
  await write(page, '@claude /slow 600')
  const stop = page.getByRole('article', { name: 'A turn of @claude' }).getByRole('button', { name: 'Stop' })
  await expect(stop).toBeVisible()
  await write(page, '@claude second')
  const second = page.getByRole('article', { name: /^You,/ }).filter({ hasText: 'second' })
  await listOf(page).focus()
  await second.focus()
  await page.keyboard.press('e')
  const field = page.getByRole('textbox', { name: 'The text of your message' })
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await field.fill('@claude second thoughts')
  await field.press('Enter')
  await expect(second).toContainText('second thoughts')
  await expect(second.getByText('edited', { exact: true })).toBeVisible()
  await expect(second).toBeFocused()
  await second.getByRole('button', { name: 'Take back' }).click()
  await expect(second).toBeHidden()
  // Whoever was there is at the row beside it.
  await expect(listOf(page).locator('article[data-key]:focus')).toHaveCount(1)
  await expect(page.getByRole('main').getByRole('textbox', { name: /^Message to/ })).toHaveValue('@claude second thoughts')
  await stop.click()
  // What was read is not taken back any more: it can be deleted.
  const first = page.getByRole('article', { name: /^You,/ }).filter({ hasText: '/slow 60' })
  await first.hover()
  await expect(first.getByRole('button', { name: 'Delete' })).toBeVisible()
  await expect(first.getByRole('button', { name: 'Take back' })).toBeHidden()
})

test('a turn that fails, is declined or comes unasked says so', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await write(page, '@claude /fail')
  const failed = page.getByRole('article', { name: '@claude could not answer.' })
  await expect(failed.getByRole('button', { name: 'Retry' })).toBeVisible()
  await expect(failed).toContainText(/It has (not )?read your message/)
  await failed.focus()
  await page.keyboard.press('r')
  await expect(failed).toHaveCount(1)
  await write(page, '@claude /decline the build is on fire')
  await expect(page.getByRole('article', { name: /^claude,/ }).filter({ hasText: 'the build is on fire' }).getByText('declined', { exact: true })).toBeVisible()
  await write(page, '@claude /background 0.5')
  await expect(page.getByText('by itself', { exact: true })).toBeVisible({ timeout: 20_000 })
  await expectAccessible(page)
})

/** The smallest picture there is: one red pixel. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQAY3Y2wAAAAAElFTkSuQmCC', 'base64')

test('Markdown: pictures from disk, none from elsewhere, links outside, huge texts folded', async ({ page, hearth }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  writeFileSync(join(hearth.workspace, 'red pixel.png'), pixel)
  await page.goto(hearth.url)
  await write(page, '![a pixel](<red pixel.png>) ![far](https://example.com/far.png) [out](https://example.com/) [no](javascript:alert(1))')
  const row = page.getByRole('article', { name: /^You,/ })
  await row.getByRole('button', { name: 'Enlarge: a pixel' }).click()
  await expect(page.getByRole('dialog', { name: 'a pixel' }).getByRole('img')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(row.getByRole('link', { name: 'Picture: far' })).toHaveAttribute('href', 'https://example.com/far.png')
  await expect(row.getByRole('link', { name: 'out' })).toHaveAttribute('target', '_blank')
  await expect(row.getByRole('link', { name: 'no' })).toBeHidden()
  expect(asked.filter((url) => !url.startsWith(hearth.origin))).toEqual([])

  // Words of a table stay whole, and no sign for a way back stands at a footnote, where there is none.
  await write(page, `| name | what |\n|---|---|\n| left | ${'wide '.repeat(60)} |\n\nsaid[^1]\n\n[^1]: where`)
  const cell = page.getByRole('cell', { name: 'left', exact: true })
  const word = await cell.evaluate((at) => {
    const range = document.createRange()
    range.selectNodeContents(at)
    return range.getClientRects().length
  })
  expect(word).toBe(1)
  await expect(page.getByRole('listitem').filter({ hasText: 'where' }).last()).toHaveText('where')

  await write(page, 'word '.repeat(18_000))
  await page.getByRole('button', { name: 'Show all 89,999 characters' }).click()
  await expect(page.getByRole('button', { name: 'Show less' })).toBeAttached()

  await write(page, '```ts\nconst a: number = 1\n```\n\n```diff\n-old\n+new\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nمرحبا بالعالم\n\n안녕 नमस्ते')
  await expect(page.getByRole('region', { name: 'ts' }).locator('span[style]').first()).toBeVisible()
  await expect(page.getByText('مرحبا بالعالم')).toHaveCSS('direction', 'rtl')
  await expectAccessible(page)
})
