import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectAccessible, shoot, test, write, type Running } from './hearth'
import type { Locator, Page } from '@playwright/test'

interface Bindings { bindings: { id: string }[] }

const signIn = async (page: Page, hearth: Running) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
}

/** openForm opens the settings of the first channel's agent. */
const openForm = async (page: Page, hearth: Running): Promise<Locator> => {
  await page.goto(hearth.origin + '/c/general/roster')
  await page.getByRole('button', { name: 'Actions of @claude' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  return page.getByRole('dialog')
}

/** coordinate makes the first channel's agent a coordinator, as its settings would. */
const coordinate = async (api: (method: string, path: string, data?: unknown) => Promise<{ json: () => Promise<unknown> }>, more: object = {}) => {
  const channels = (await (await api('GET', '/api/channels')).json()) as { channels: { id: string; name: string }[] }
  const channel = channels.channels.find((c) => c.name === 'general')?.id ?? ''
  const { bindings } = (await (await api('GET', `/api/channels/${channel}/bindings`)).json()) as Bindings
  await api('PATCH', `/api/bindings/${bindings[0]?.id ?? ''}`, { role: 'coordinator', glance: true, spill_over: 4000, ...more })
}

const reply = (page: Page) => page.getByRole('main').getByRole('article', { name: /^claude,/ }).last()

test('an agent becomes a coordinator, with workers of one’s own', async ({ page, hearth }) => {
  test.slow()
  await signIn(page, hearth)
  const form = await openForm(page, hearth)
  await form.getByRole('radio', { name: /^Coordinator/ }).check()
  // What the server gave it is what the page calls usual.
  await expect(form.getByRole('button', { name: 'Worker explorer' })).toBeVisible()
  await expect(form.getByRole('button', { name: 'The usual three' })).toBeHidden()
  await expectAccessible(page)

  await form.getByRole('button', { name: 'Duplicate tester' }).click()
  await expect(form.getByRole('textbox', { name: 'Name' }).last()).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Bench 1')
  await form.getByRole('checkbox', { name: 'A git worktree of its own' }).check()
  await form.getByRole('textbox', { name: 'Long output goes into a file over' }).fill('12')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Take 1 to 40 of a to z')).toBeVisible()
  await expect(form.getByText('Write 0 for never')).toBeAttached()
  await expect(form.getByRole('textbox', { name: 'Name' }).last()).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('bench')
  await form.getByRole('textbox', { name: 'Long output goes into a file over' }).fill('0')
  await form.getByRole('button', { name: 'Remove explorer' }).click()
  await expect(form.getByRole('button', { name: 'Undo: keep explorer' })).toBeFocused()
  await form.getByRole('button', { name: 'Remove implementer' }).click()
  await form.getByRole('button', { name: 'Undo: keep implementer' }).click()
  await form.getByRole('checkbox', { name: 'WebSearch' }).last().check()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByText('@claude is changed. Its next turn starts a new process.').first()).toBeVisible()

  const card = page.getByRole('complementary').getByRole('article', { name: 'claude' })
  await expect(card).toContainText('coordinator, 3 workers')
  await card.getByRole('button', { name: 'More of @claude' }).click()
  await expect(card).toContainText('implementer, tester, bench')
  await expect(card).toContainText('stays in the context')

  const again = await openForm(page, hearth)
  await expect(again.getByRole('radio', { name: /^Coordinator/ })).toBeChecked()
  await expect(again.getByRole('button', { name: 'Worker bench' })).toContainText('isolated')
  await again.getByRole('button', { name: 'The usual three' }).click()
  await expect(again.getByRole('button', { name: 'Worker explorer' })).toBeVisible()
  await again.getByRole('button', { name: 'Undo' }).click()
  await expect(again.getByRole('button', { name: 'Worker bench' })).toBeVisible()
})

test('what was kept out stands at its step, as it happens and afterwards, and opens in the workbench', async ({ page, hearth, api }) => {
  test.slow()
  await signIn(page, hearth)
  await coordinate(api)
  await write(page, '@claude\n/worker explorer /long 12000\n/bash touch x\n/bash ls')
  const turn = page.getByRole('article', { name: 'A turn of @claude' })
  await turn.getByRole('button', { name: 'Show the steps' }).click()
  await expect(turn.getByText(/^about [\d,]+ tokens kept out$/)).toBeVisible()
  await expect(turn.getByText('A coordinator delegates this to a worker.')).toBeVisible()
  await expect(turn.getByRole('button', { name: /^Bash ls glance/ })).toBeVisible()
  await page.getByRole('button', { name: 'Allow once' }).click()
  await expect(reply(page)).toContainText('Worker explorer', { timeout: 60_000 })

  const said = reply(page)
  await said.getByRole('button', { name: /^(Show|Hide) the steps$/ }).waitFor()
  const showSteps = said.getByRole('button', { name: 'Show the steps' })
  if (await showSteps.isVisible()) await showSteps.click()
  await expect(said.getByText(/^about [\d,]+ tokens kept out$/)).toBeVisible()
  await expect(said.getByRole('button', { name: /^Bash ls.* glance/ })).toBeVisible()
  await expect(said.getByRole('button', { name: /^Bash touch x.* denied/ })).toBeVisible()
  await said.getByRole('button', { name: /^Agent/ }).click()
  await expect(said.getByText(/kept out: 12,000 lines → .*, about [\d,]+ tokens less/)).toBeVisible()
  await expectAccessible(page)
  await said.getByRole('link', { name: /^Open spill\/\w+\.txt in the workbench$/ }).press('Enter')
  await expect(page).toHaveURL(/\/c\/general\/workbench\/spill\/\w+\.txt$/)
  await expect(page.getByRole('complementary')).toContainText('spill')
  await page.goBack()
  await expect(page.getByRole('complementary')).toBeHidden()

  // The run's own view says the same. All of it can be gone through by keyboard.
  await said.getByRole('link', { name: /cold/ }).press('Enter')
  const detail = page.getByRole('complementary')
  await expect(detail.getByText(/^about [\d,]+ tokens kept out$/)).toBeVisible()
  await detail.getByRole('button', { name: /^Bash touch x.* denied/ }).focus()
  await page.keyboard.press('Enter')
  await expect(detail.getByRole('group', { name: 'Result' }).last()).toContainText('You coordinate')
  await expectAccessible(page)
})

test('a worker that gets a worktree is marked', async ({ page, hearth, api }) => {
  test.slow()
  await signIn(page, hearth)
  mkdirSync(join(hearth.workspace, '.git'))
  await coordinate(api, { workers: [{ name: 'apart', description: 'd', prompt: 'p', tools: ['Bash'], isolated: true }] })
  await write(page, '@claude /worker apart look around')
  await expect(reply(page)).toContainText('Worker apart', { timeout: 60_000 })
  await reply(page).getByRole('button', { name: 'Show the steps' }).click()
  await expect(reply(page).getByRole('button', { name: /^Agent .*isolated/ })).toBeVisible()
})

test('a channel says what git ignores of the workbench', async ({ page, hearth, api }) => {
  test.slow()
  await signIn(page, hearth)
  await page.goto(hearth.origin + '/c/general/settings')
  const panel = page.getByRole('complementary')
  await expect(panel.getByRole('radio', { name: /^All of it/ })).toBeChecked()
  await panel.getByRole('radio', { name: /^Its output/ }).check()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved').first()).toBeVisible()
  await page.reload()
  await expect(panel.getByRole('radio', { name: /^Its output/ })).toBeChecked()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'New channel' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Name' }).first().fill('shared')
  await form.getByRole('radio', { name: /^Nothing/ }).check()
  await expectAccessible(page)
  await shoot(page, 'economy-create')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(page).toHaveURL(/\/c\/shared$/)
  const { channels } = (await (await api('GET', '/api/channels')).json()) as { channels: { name: string; git_ignore: string }[] }
  expect(channels.find((c) => c.name === 'shared')?.git_ignore).toBe('nothing')
})

for (const [width, height, size] of [[1600, 1000, 'normal'], [900, 800, 'normal'], [640, 400, 'normal'], [800, 500, 'twice']] as const) {
  test(`it can be read and used at ${width} by ${height}, ${size}`, async ({ page, hearth, api }) => {
    test.slow()
    await page.setViewportSize({ width, height })
    await signIn(page, hearth)
    // A page that is enlarged to 200 % is one of half the size.
    if (size === 'twice') await page.setViewportSize({ width: width / 2, height: height / 2 })
    await coordinate(api)
    await write(page, '@claude\n/worker explorer /long 12000\n/bash touch x\n/bash ls')
    await page.getByRole('button', { name: 'Allow once' }).click()
    await expect(reply(page)).toContainText('Worker explorer', { timeout: 60_000 })
    await reply(page).getByRole('button', { name: 'Show the steps' }).click()
    await reply(page).getByRole('button', { name: /^Agent/ }).click()
    await reply(page).getByText(/kept out: 12,000 lines/).scrollIntoViewIfNeeded()
    await shoot(page, `economy-steps-${width}-${size}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    const form = await openForm(page, hearth)
    await form.getByRole('radio', { name: /^Coordinator/ }).scrollIntoViewIfNeeded()
    await form.getByRole('button', { name: 'Worker explorer' }).click()
    await shoot(page, `economy-agent-${width}-${size}`)
    await form.getByRole('button', { name: 'Worker explorer' }).click()
    await form.getByRole('textbox', { name: 'Long output goes into a file over' }).scrollIntoViewIfNeeded()
    await shoot(page, `economy-agent-end-${width}-${size}`)
    expect(await form.evaluate((dialog) => [dialog, ...Array.from(dialog.querySelectorAll('*'))].every((e) => e.scrollWidth <= e.clientWidth + 1 || getComputedStyle(e).overflowX !== 'auto'))).toBe(true)
    await page.keyboard.press('Escape')
    await page.goto(hearth.origin + '/c/general/settings')
    await page.getByRole('radio', { name: /^Its output/ }).scrollIntoViewIfNeeded()
    await shoot(page, `economy-channel-${width}-${size}`)
  })
}
