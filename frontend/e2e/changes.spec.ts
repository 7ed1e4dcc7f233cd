import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { channelId, expect, expectAccessible, shoot, test, write, type Running } from './hearth'

const inWorkspace = (hearth: Running, name: string) => join(hearth.workspace, name)
const holds = (hearth: Running, name: string) => readFileSync(inWorkspace(hearth, name), 'utf8')

const code = Array.from({ length: 40 }, (_, i) => `line ${i + 1} of the program`).join('\n')

/** begin signs in, adds an agent that may write, and has it change files. */
const begin = async (page: Page, hearth: Running, api: (method: string, path: string, data?: unknown) => Promise<import('@playwright/test').APIResponse>, asked: string) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  const general = await channelId(api)
  await api('POST', `/api/channels/${general}/bindings`, { handle: 'hands', runtime: 'cli:standin:agent', permission_mode: 'bypassPermissions' })
  writeFileSync(inWorkspace(hearth, 'retry.go'), code)
  writeFileSync(inWorkspace(hearth, '설정.toml'), 'port = 1\r\nhost = "x"')
  writeFileSync(inWorkspace(hearth, 'notes.md'), '# Notes\n')
  await write(page, `@hands\n${asked}`)
  const footer = page.getByRole('link', { name: /files? changed/ })
  await expect(footer).toBeVisible()
  return footer
}

const work = ['/edit retry.go line 20 of the program => wait := backoff(attempt)', '/edit 설정.toml port = 1 => port = 2', '/edit notes.md # Notes => # Notes, newer', '/write docs/new.md # New\\n\\nA page.\\n'].join('\n')

test('what an answer changed is shown, taken back and put back', async ({ page, hearth, api }) => {
  test.slow()
  const footer = await begin(page, hearth, api, work)
  await expect(footer).toHaveText(/4 files changed \+6 −3/)
  await shoot(page, 'changes-footer')
  await footer.click()
  await expect(page).toHaveURL(/\/runs\/\w+#changes$/)
  await expect(page.getByRole('heading', { name: /Changed files/ })).toBeFocused()
  const diff = page.getByRole('region', { name: 'Changes in retry.go' })
  await expect(diff).toContainText('wait := backoff(attempt)')
  await expect(diff).toContainText('16 lines')
  await expectAccessible(page)
  await page.setViewportSize({ width: 1600, height: 1000 })
  await shoot(page, 'changes')
  await page.setViewportSize({ width: 900, height: 800 })
  await shoot(page, 'changes-narrow')
  await page.setViewportSize({ width: 1280, height: 720 })

  // Each file closes and opens by keyboard.
  const file = page.getByRole('button', { name: /^retry\.go/ })
  await file.focus()
  await page.keyboard.press('Enter')
  await expect(diff).toBeHidden()
  await expect(file).toHaveAttribute('aria-expanded', 'false')

  // A file of the person's is named, and stays.
  writeFileSync(inWorkspace(hearth, 'notes.md'), '# Notes, newer\nmine\n')
  await page.getByRole('button', { name: 'Undo changes…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo these changes?' })
  await expect(dialog.getByRole('listitem').filter({ hasText: 'docs/new.md' })).toContainText('is removed')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'notes.md' })).toContainText('was changed since')
  await dialog.getByText('What would be taken back with it: +1 −0').click()
  await expectAccessible(page)
  await shoot(page, 'changes-undo')
  await dialog.getByRole('button', { name: 'Undo 3 files' }).click()
  await expect(dialog).toBeHidden({ timeout: 10_000 })
  await expect(page.getByText('3 files are as they were before.', { exact: true })).toBeVisible()
  expect(holds(hearth, 'retry.go')).toBe(code)
  expect(holds(hearth, '설정.toml')).toBe('port = 1\r\nhost = "x"')
  expect(holds(hearth, 'notes.md')).toBe('# Notes, newer\nmine\n')
  expect(existsSync(inWorkspace(hearth, 'docs/new.md'))).toBe(false)
  await expect(page.getByText(/I took back what @hands changed/)).toBeVisible()
  await expect(page.getByRole('link', { name: /3 taken back/ })).toBeVisible()
  // Undo of the undo.
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('3 files are put back.', { exact: true })).toBeVisible()
  expect(holds(hearth, 'retry.go')).toContain('backoff')
  expect(holds(hearth, 'docs/new.md')).toBe('# New\n\nA page.\n')

  await page.getByRole('button', { name: 'Undo changes…' }).click()
  await dialog.getByRole('button', { name: 'Undo 3 files' }).click()
  await expect(page.getByRole('link', { name: /3 taken back/ })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'changes-undone')

})

test('a file that a person changed is taken back only when they say so, and comes back', async ({ page, hearth, api }) => {
  await (await begin(page, hearth, api, '/edit notes.md # Notes => # Other')).click()
  writeFileSync(inWorkspace(hearth, 'notes.md'), '# Mine\n')
  await page.getByRole('button', { name: 'Undo changes…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Undo 0 files' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: /Take notes\.md back all the same/ }).check()
  await dialog.getByRole('button', { name: 'Undo 1 file' }).click()
  await expect(dialog).toBeHidden()
  expect(holds(hearth, 'notes.md')).toBe('# Notes\n')
  await page.getByRole('button', { name: 'Put back…' }).click()
  await page.getByRole('dialog', { name: 'Put the changes back?' }).getByRole('button', { name: 'Put 1 file back' }).click()
  await expect(page.getByText('1 file is put back.', { exact: true })).toBeVisible()
  expect(holds(hearth, 'notes.md')).toBe('# Mine\n')
})
