import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { channelId, expect, expectAccessible, shoot, test, write, type Ask, type Running } from './hearth'

const open = async (page: Page, hearth: Running) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
}
const answers = (page: Page) => page.getByRole('article', { name: /^claude,/ })
const slider = (within: Locator, name = 'Turns') => within.getByRole('slider', { name, exact: true })

interface Body { turns: { run_id: string; main: { cache_read_tokens: number }; break?: { cause: string } }[] }

const general = async (api: Ask) => {
  const id = await channelId(api)
  const { bindings } = (await (await api('GET', `/api/channels/${id}/bindings`)).json()) as { bindings: { id: string }[] }
  return { id, binding: bindings[0]?.id ?? '' }
}

test('each turn is a bar that can be gone through, with why the cache broke', async ({ page, hearth, api }) => {
  test.slow()
  await open(page, hearth)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main').getByRole('textbox')).not.toBeFocused()
  await page.keyboard.press('x')
  await expect(page).toHaveURL(/\/c\/general\/cache$/)
  const panel = page.getByRole('complementary')
  await expect(panel.getByText('No turns yet')).toBeVisible()
  await expect(panel.getByText('Write @claude in the chat.', { exact: false })).toBeVisible()
  await expectAccessible(page)

  // What ends while it is looked at is there.
  for (const [n, text] of ['one', 'two', 'three'].entries()) {
    await write(page, `@claude ${text}`)
    await expect(answers(page)).toHaveCount(n + 1)
    await expect(slider(panel)).toHaveAttribute('aria-valuemax', `${n + 1}`)
  }
  const { id, binding } = await general(api)
  await api('PATCH', `/api/bindings/${binding}`, { model: 'another' })
  await write(page, '@claude four')
  await expect(slider(panel)).toHaveAttribute('aria-valuemax', '4')

  // The same numbers by key, by pointer and from the server.
  const { turns } = (await (await api('GET', `/api/channels/${id}/cache`)).json()) as Body
  const said = (i: number) => new RegExp(`^@claude, .*: ${new Intl.NumberFormat('en').format(turns[turns.length - 1 - i]?.main.cache_read_tokens ?? -1)} read, `)
  await slider(panel).focus()
  for (const [key, at] of [['End', 3], ['ArrowLeft', 2], ['ArrowLeft', 1], ['Home', 0], ['ArrowLeft', 0], ['ArrowRight', 1]] as const) {
    await page.keyboard.press(key)
    await expect(slider(panel)).toHaveAttribute('aria-valuenow', `${at + 1}`)
    await expect(slider(panel)).toHaveAttribute('aria-valuetext', said(at))
    await expect(panel.getByText(said(at))).toBeVisible()
  }
  const box = await slider(panel).boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + 44 + ((box.width - 88) * 7) / 8, box.y + 80)
  await expect(panel.getByText(said(3))).toBeVisible()
  await expect(slider(panel)).toHaveAttribute('aria-valuenow', '2')
  await page.mouse.down()
  await page.mouse.up()
  await expect(slider(panel)).toHaveAttribute('aria-valuenow', '4')

  // The last one was another model's: named, with what it was judged by.
  expect(turns[0]?.break?.cause).toBe('model_changed')
  const breaks = panel.getByRole('region', { name: 'Cache breaks here' })
  await expect(breaks.getByRole('button', { name: /its settings were changed \(model\)/ })).toHaveAttribute('aria-pressed', 'true')
  const chosen = panel.getByRole('region', { name: 'The chosen turn' })
  await expect(chosen.getByText('left', { exact: true })).toBeVisible()
  await expect(chosen.getByText('the model', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'cache-panel')

  // The table has them too.
  const figure = panel.getByRole('region', { name: 'Turns', exact: true })
  await figure.getByRole('radio', { name: 'Table' }).check()
  await expect(figure.getByRole('row')).toHaveCount(5)
  await expect(figure.getByRole('row').last()).toContainText('its settings were changed (model)')
  await expectAccessible(page)
  await figure.getByRole('radio', { name: 'Chart' }).check()

  // To its run, to what it was sent, and back.
  await chosen.getByRole('link', { name: 'What it was sent' }).click()
  await expect(page).toHaveURL(new RegExp(`/c/general/context/${turns[0]?.run_id ?? ''}$`))
  await page.goBack()
  await chosen.getByRole('link', { name: 'Steps and figures' }).click()
  await expect(page).toHaveURL(new RegExp(`/c/general/runs/${turns[0]?.run_id ?? ''}$`))
})

test('as a page it says what comes next, what it all cost, and how else it could have been told', async ({ page, hearth, api }) => {
  test.slow()
  await open(page, hearth)
  const { id, binding } = await general(api)
  await api('PATCH', `/api/bindings/${binding}`, { role: 'coordinator', glance: true, spill_over: 4000 })
  await write(page, '@claude\n/worker explorer /long 12000')
  await expect(answers(page)).toHaveCount(1)
  for (const n of [2, 3, 4]) {
    await write(page, 'chatter')
    await write(page, `@claude ${n}`)
    await expect(answers(page)).toHaveCount(n)
  }
  await api('PATCH', `/api/channels/${id}`, { spend_limit_usd: 5 })
  await page.setViewportSize({ width: 1600, height: 1000 })
  await page.goto(`${hearth.origin}/c/general/cache?wide=true`)
  const main = page.getByRole('main', { name: 'Details' })
  await expect(main.getByText(/4 turns; the cost is not known/)).toBeVisible()
  // The stand-in has no prices: what is not known is not told as nothing.
  await expect(main.getByText('How much of the $5.00 for today is spent is not known.', { exact: false })).toBeVisible()
  await expect(main.getByRole('region', { name: 'Table: By agent' }).getByRole('row').nth(1)).toContainText('not known')
  await expect(main).not.toContainText('$0')

  const context = main.getByRole('region', { name: 'Context of @claude' })
  await expect(slider(context, 'Context of @claude')).toHaveAttribute('aria-valuetext', /% of the window\.$/)
  await expect(context.getByText(/^≈ [\d,]+ tokens a turn; half of the steps between/)).toBeVisible()
  await expect(context.getByText(/turns until it is to be handed off|It does not grow/)).toBeVisible()
  const price = main.getByRole('region', { name: '≈ The next turn of @claude' }).first()
  await expect(price.getByRole('row', { name: /^Warm.* ≈ / })).toBeVisible()
  await expect(price.getByRole('row', { name: /^Fresh.* ≈ / })).toBeVisible()

  const totals = main.getByRole('region', { name: 'Totals' })
  await expect(slider(totals, 'Day by day')).toHaveAttribute('aria-valuemax', '30')
  await totals.getByRole('radio', { name: '7 days' }).check()
  await expect(slider(totals, 'Day by day')).toHaveAttribute('aria-valuemax', '7')
  await expect(totals.getByRole('region', { name: 'By agent' }).first().getByRole('row', { name: /^@claude 4 / })).toBeVisible()
  await expect(main.getByRole('region', { name: 'Kept out of contexts' }).getByRole('row', { name: /^Long output went into files 1 / })).toBeVisible()

  const ways = main.getByRole('region', { name: 'Ways of telling, compared' })
  await ways.getByRole('button', { name: 'Compare on this channel' }).click()
  const result = ways.getByRole('region', { name: 'Uncached tokens a warm turn' })
  await expect(result.getByText(/messages, 4 turns\./)).toBeVisible()
  await result.getByRole('radio', { name: 'Table' }).check()
  await expect(result.getByRole('row', { name: /^hearth / })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'cache-wide-end')
  await result.getByRole('radio', { name: 'Chart' }).check()
  await shoot(page, 'cache-wide-ways')
  await totals.scrollIntoViewIfNeeded()
  await shoot(page, 'cache-wide-totals')
  await main.getByRole('slider').first().scrollIntoViewIfNeeded()
  await shoot(page, 'cache-wide')

  // It can be taken away, as it is in the table.
  const figure = main.getByRole('region', { name: 'Turns', exact: true })
  await figure.getByRole('button', { name: 'Export Turns' }).click()
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Save as CSV' }).click()])
  expect(csv.suggestedFilename()).toBe('general-turns.csv')
  const lines = readFileSync(await csv.path(), 'utf8').trimEnd().split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(/^ended_at,handle,temperature,cache_read_tokens,cache_write_tokens,input_tokens,read_ratio,/)
  await figure.getByRole('button', { name: 'Export Turns' }).click()
  const [json] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Save as JSON' }).click()])
  const { turns } = (await (await api('GET', `/api/channels/${id}/cache`)).json()) as Body
  expect(JSON.parse(readFileSync(await json.path(), 'utf8'))).toEqual(turns)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await figure.getByRole('button', { name: 'Export Turns' }).click()
  await page.getByRole('menuitem', { name: 'Copy as CSV' }).click()
  await expect(page.getByText('Copied.').first()).toBeVisible()
  expect((await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split(/\r?\n/)).toEqual(lines)
})

test('a comparison can be given up, and says what is wrong', async ({ page, hearth, api, quiet }) => {
  await open(page, hearth)
  await write(page, '@claude one')
  await expect(answers(page)).toHaveCount(1)
  const { id } = await general(api)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/strategies?*', async (route) => {
    await held
    await route.abort().catch(() => undefined)
  })
  await page.goto(`${hearth.origin}/c/general/cache`)
  const ways = page.getByRole('region', { name: 'Ways of telling, compared' })
  await ways.getByRole('button', { name: 'Compare on this channel' }).click()
  await expect(ways.getByText(/Playing the channel again with @claude: \d+ s so far/)).toBeVisible()
  await expectAccessible(page)
  await ways.getByRole('button', { name: 'Cancel' }).click()
  await expect(ways.getByRole('button', { name: 'Compare on this channel' })).toBeVisible()
  release()
  await page.unroute('**/strategies?*')
  quiet()
  // An agent that was asked nothing.
  await api('POST', `/api/channels/${id}/bindings`, { handle: '분석가', runtime: 'cli:standin:agent', supervised: true, resident: true })
  await ways.getByRole('radio', { name: '@분석가' }).check()
  await ways.getByRole('button', { name: 'Compare on this channel' }).click()
  await expect(ways.getByText('Nobody has addressed @분석가', { exact: false })).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Turns of' }).getByRole('radio', { name: '@분석가' }).check()
  await expect(page.getByText('@분석가 had no turn here yet.')).toBeVisible()
  await page.getByRole('button', { name: 'All agents' }).click()
  await expect(slider(page.getByRole('complementary'))).toBeVisible()
})

/** turnsOf are made-up turns: more of them than a page has, of an agent with a long name. */
function turnsOf(n: number, handle: string) {
  const tokens = (read: number, written: number) => ({ input_tokens: 3, cache_read_tokens: read, cache_write_5m_tokens: written, cache_write_1h_tokens: 0, output_tokens: 400, thinking_tokens: 0 })
  const none = { input_tokens: 0, cache_read_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, output_tokens: 0, thinking_tokens: 0 }
  return Array.from({ length: n }, (_, i) => {
    const broken = i % 9 === 4
    const at = new Date(Date.UTC(2026, 10, 1, 8) + i * 600_000).toISOString()
    return {
      run_id: `R${String(i).padStart(25, '0')}`, binding_id: 'B', handle, model: 'claude-opus-5-5', temperature: i % 40 === 0 ? 'cold' : 'warm', native: 's', process: 'p', client_version: '2.1.332',
      began_at: at, ended_at: at, turns: 1, main_calls: 2, subagent_calls: 0, main: broken ? tokens(2000, 9000 + i * 100) : tokens(9000 + i * 100, 600), subagents: none, beside: none, cost_usd: 0.0321,
      read_ratio: broken ? 0.1818 : 0.9402, context_tokens: 12_000 + i * 100, context_window_tokens: 200_000, ttft_ms: 1200, compactions: 0,
      ...(broken ? { break: { cause: i % 2 ? 'expired' : 'tools_changed', sentence: 'The tools changed.', quiet: i % 2 === 1, missed_tokens: 9000, before_run_id: '',
        evidence: { left_tokens: 11_000, read_tokens: 2000, sent_tokens: 12_000, idle_ms: 90_000, life_ms: 300_000, differs: 'tools', was: 'a1b2c3', is: 'd4e5f6', was_bytes: 900, is_bytes: 910, api_said: '', api_tokens: 0, edited: [], same_process: true, anew: false, complete: true } } } : {}),
    }
  })
}

for (const [width, height] of [[1600, 1000], [900, 800], [640, 400]] as const) {
  test(`thousands of turns are gone through page by page at ${width} by ${height}`, async ({ page, hearth }) => {
    test.slow()
    await page.setViewportSize({ width, height })
    await open(page, hearth)
    const all = turnsOf(2000, '아주긴이름'.repeat(8))
    let asked = 0
    await page.route('**/api/channels/*/cache?*', async (route) => {
      const query = new URL(route.request().url()).searchParams
      asked++
      const before = query.get('before')
      const end = before ? all.findIndex((t) => t.run_id === before) : all.length
      const from = Math.max(0, end - Number(query.get('limit')))
      const answer = (await (await route.fetch()).json().catch(() => ({}))) as Record<string, unknown>
      const empty = await (await route.fetch({ url: route.request().url().replace(/before=[^&]*&?/, '') })).json() as Record<string, unknown>
      await route.fulfill({ json: { ...empty, ...(answer.turns ? answer : {}), turns: all.slice(from, end).reverse(), more: from > 0 } })
    })
    await page.goto(`${hearth.origin}/c/general/cache`)
    const turns = slider(page.locator('body'))
    await expect(turns).toHaveAttribute('aria-valuemax', '50')
    await turns.focus()
    const nodes = () => page.evaluate(() => document.querySelectorAll('[role="slider"]')[0]?.querySelectorAll('*').length ?? 0)
    const first = await nodes()
    expect(first).toBeLessThan(500)
    // Past the oldest one is the page before, at its newest.
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await expect(turns).toHaveAttribute('aria-valuenow', '50')
    await expect(page.getByRole('button', { name: 'Newer' })).toBeEnabled()
    for (let i = 0; i < 5; i++) {
      const before = asked
      await page.keyboard.press('PageUp')
      await expect.poll(() => asked).toBe(before + 1)
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    }
    expect(await nodes()).toBeLessThan(first + 100)
    await page.keyboard.press('PageDown')
    await expect(turns).toHaveAttribute('aria-valuenow', '1')
    await expect(turns).toBeFocused()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await expectAccessible(page)
    await shoot(page, `cache-many-${width}`)
    await page.getByRole('radio', { name: 'Without read' }).check()
    await page.getByRole('region', { name: 'Cache breaks here' }).getByRole('button').first().click()
    await page.getByRole('region', { name: 'The chosen turn' }).scrollIntoViewIfNeeded()
    await shoot(page, `cache-many-chosen-${width}`)
    // The address names it, whatever page it is on.
    await expect(page).toHaveURL(/\/cache\?turn=R\d{25}$/)
    const said = await turns.getAttribute('aria-valuetext')
    await page.reload()
    await expect(turns).toHaveAttribute('aria-valuetext', said ?? '')
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    // One that is not there, or no turn at all, is the newest.
    await page.goto(`${hearth.origin}/c/general/cache?turn=R1${'0'.repeat(24)}`)
    await expect(turns).toHaveAttribute('aria-valuenow', '50')
  })
}
