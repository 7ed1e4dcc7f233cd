import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, shoot, test, write, type Running } from './hearth'

const put = (hearth: Running, path: string, text: string | Uint8Array) => {
  const file = join(hearth.workspace, '.flower', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const fill = (hearth: Running) => {
  put(hearth, 'scripts/measure.py', '#!/usr/bin/env python3\n# desc: Measures how long each endpoint takes.\nimport sys\nprint("measured")\n')
  put(hearth, 'scripts/배포-확인.sh', '# desc: 배포가 끝났는지 확인합니다.\nset -e\n')
  put(hearth, 'notes/why-it-waits.md', '# Why the retry helper waits\n\nTwo workers share a **port**.\n\n<script>document.title = "broken"</script>\n')
  put(hearth, 'notes/ملاحظات-الأداء.md', '# ملاحظات الأداء\n\nالذاكرة المؤقتة أسرع من القرص.\n')
  put(hearth, 'artifacts/latency.csv', 'endpoint,ms,note\n' + Array.from({ length: 3000 }, (_, i) => `/v1/${i},${i % 90},"a, ""b"""\n`).join(''))
  put(hearth, 'artifacts/report.json', JSON.stringify({ ok: false, runs: Array.from({ length: 1000 }, (_, id) => ({ id, why: null })) }))
  put(hearth, 'artifacts/change.diff', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old line\n+new line\n')
  put(hearth, 'artifacts/logs/build.log', Array.from({ length: 200 }, (_, i) => `\x1b[32mok\x1b[0m step ${i} \x1b[31mneedle-${i}\x1b[0m\n`).join(''))
  put(hearth, 'artifacts/chart.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120"><rect width="320" height="120" fill="#3558c0"/></svg>')
  put(hearth, 'artifacts/core.bin', new Uint8Array(4000))
  symlinkSync('/etc/hostname', join(hearth.workspace, '.flower/artifacts/outside.txt'))
}

const signIn = async (page: Page, hearth: Running) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
}

/** open signs in and goes to the workbench, which has the whole page. */
const open = async (page: Page, hearth: Running, path = '') => {
  await signIn(page, hearth)
  await page.goto(`${hearth.origin}/c/general/workbench${path}?wide=true`)
  return page.getByRole('tree', { name: 'Files of the workbench' })
}

test('without a workbench it says what that is', async ({ page, hearth }) => {
  await signIn(page, hearth)
  await page.locator('#messages').focus()
  await page.keyboard.press('w')
  await expect(page).toHaveURL(/\/c\/general\/workbench$/)
  await expect(page.getByText('No workbench yet')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'workbench-none')
})

test('every kind of file is shown as what it is', async ({ page, hearth }) => {
  test.slow()
  fill(hearth)
  const tree = await open(page, hearth)
  await expect(tree.getByRole('treeitem', { name: /measure\.py.*Measures how long/ })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'workbench')

  await tree.focus()
  await page.keyboard.type('meas')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/workbench\/scripts\/measure\.py/)
  await expect(page.getByRole('region', { name: 'Text of measure.py' })).toContainText('print("measured")')
  await expectAccessible(page)

  const choose = async (name: RegExp) => tree.getByRole('treeitem', { name }).click()
  await choose(/why-it-waits/)
  await expect(page.getByRole('region', { name: 'Text of why-it-waits.md' }).getByRole('heading', { name: 'Why the retry helper waits' })).toBeVisible()
  await expect(page).not.toHaveTitle('broken')
  await choose(/latency\.csv/)
  const table = page.getByRole('table')
  await expect(table).toHaveAttribute('aria-rowcount', '3001')
  await expect(table.getByRole('cell', { name: 'a, "b"' }).first()).toBeVisible()
  expect(await table.getByRole('row').count()).toBeLessThan(120)
  await expectAccessible(page)
  await choose(/report\.json/)
  const json = page.getByRole('tree', { name: 'JSON of report.json' })
  await json.focus()
  await page.keyboard.type('runs')
  await page.keyboard.press('ArrowRight')
  await expect(json.getByRole('treeitem', { name: /^0: 2 fields/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('radio', { name: 'Text' }).check()
  await expect(page.getByRole('region', { name: 'Text of report.json' })).toContainText('"runs"')
  await choose(/change\.diff/)
  await expect(page.getByText('+new line')).toBeVisible()
  await expect(page.getByText('added:')).toBeAttached()
  await expectAccessible(page)
  await choose(/build\.log/)
  await expect(page.getByRole('region', { name: 'Text of build.log' })).toContainText('ok step 0 needle-0')
  await expectAccessible(page)
  await shoot(page, 'workbench-terminal')
  await choose(/chart\.svg/)
  await expect(page.getByText('320 × 120')).toBeVisible()
  await choose(/core\.bin/)
  await expect(page.getByText('This is no text')).toBeVisible()
  await choose(/outside\.txt/)
  await expect(page.getByText('a link that leads out of the workbench')).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(page.getByText('This is no text')).toBeVisible()
})

test('what is in names and contents is found while it is typed', async ({ page, hearth }) => {
  fill(hearth)
  await open(page, hearth)
  const field = page.getByRole('searchbox', { name: 'Find in names and contents' })
  await field.fill('needle-150')
  const line = page.getByRole('link', { name: /^Line 151:/ })
  await expect(line).toBeVisible()
  await expectAccessible(page)
  await field.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(line).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/line=151/)
  await expect(page.getByRole('region', { name: 'Text of build.log' }).getByText('needle-150')).toBeInViewport()
  await shoot(page, 'workbench-found')
  await field.fill('배포')
  await expect(page.getByRole('link', { name: 'scripts/배포-확인.sh' })).toBeVisible()
  await field.press('Escape')
  await expect(page.getByRole('tree')).toBeVisible()
})

test('it is live: files come and change', async ({ page, hearth }) => {
  fill(hearth)
  const tree = await open(page, hearth, '/notes/why-it-waits.md')
  await expect(page.getByRole('heading', { name: 'Why the retry helper waits' })).toBeVisible()
  put(hearth, 'notes/why-it-waits.md', '# It waits no more\n')
  await expect(page.getByRole('heading', { name: 'It waits no more' })).toBeVisible()
  put(hearth, 'scripts/new-one.sh', '# desc: Has just come.\n')
  await expect(tree.getByRole('treeitem', { name: /new-one\.sh.*Has just come/ })).toBeVisible()
})

test('spilled output says which command made it, and in which turn', async ({ page, hearth, api }) => {
  test.slow()
  fill(hearth)
  await signIn(page, hearth)
  const { channels } = (await (await api('GET', '/api/channels')).json()) as { channels: { id: string }[] }
  const { agents } = (await (await api('GET', `/api/channels/${channels[0]?.id ?? ''}/roster`)).json()) as { agents: { binding: { id: string } }[] }
  const changed = await api('PATCH', `/api/bindings/${agents[0]?.binding.id ?? ''}`, { spill_over: 4000 })
  expect(changed.ok()).toBe(true)
  await page.goto(`${hearth.origin}/c/general/workbench`)
  const item = page.getByRole('tree').getByRole('treeitem', { name: /\.txt.*seq/ })
  await write(page, '@claude /long 6000')
  await expect(item).toBeVisible()
  await item.click()
  await expect(page.getByRole('link', { name: 'Made by @claude' })).toBeVisible()
  await expect(page.getByText('Command', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'workbench-spill')
  await page.getByRole('link', { name: 'Made by @claude' }).click()
  await expect(page).toHaveURL(/\/runs\//)
})

test('beside the chat the file takes the place of the list', async ({ page, hearth }) => {
  fill(hearth)
  await page.setViewportSize({ width: 900, height: 800 })
  await signIn(page, hearth)
  await page.goto(`${hearth.origin}/c/general/workbench`)
  const tree = page.getByRole('tree')
  await expect(tree).toBeVisible()
  await shoot(page, 'workbench-beside')
  await tree.focus()
  await page.keyboard.type('meas')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'All files' })).toBeFocused()
  await expect(tree).toBeHidden()
  await expectAccessible(page)
  await shoot(page, 'workbench-beside-file')
  await page.keyboard.press('Escape')
  await expect(tree).toBeFocused()
  await expect(page).toHaveURL(/\/workbench$/)
})

test('what is deleted can be undone at once, and restored later', async ({ page, hearth, quiet }) => {
  test.slow()
  fill(hearth)
  const tree = await open(page, hearth, '/scripts/measure.py')
  const on = (path: string) => join(hearth.workspace, '.flower', path)
  const item = (name: RegExp) => tree.getByRole('treeitem', { name })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Deleted scripts/measure.py.', { exact: true }).hover() // it stays as long as that
  await expect(item(/measure\.py/)).toHaveCount(0)
  await expect(page).toHaveURL(/\/workbench\?wide=true$/)
  expect(existsSync(on('scripts/measure.py'))).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(item(/measure\.py.*Measures how long/)).toBeVisible()

  // By the keyboard; the next file is where the keys are then.
  await tree.focus()
  await page.keyboard.type('why-it')
  await page.keyboard.press('Delete')
  await expect(item(/why-it-waits/)).toHaveCount(0)
  await expect(page.getByText('Deleted notes/why-it-waits.md.', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'workbench-deleted-toast')
  // An agent writes it anew in the meantime.
  put(hearth, 'notes/why-it-waits.md', '# Newer\n')
  await expect(item(/why-it-waits.*Newer/)).toBeVisible()

  await page.getByRole('region', { name: /Messages from Hearth/ }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'More of the workbench' }).click()
  await page.getByRole('menuitem', { name: 'Recently deleted' }).click()
  await expect(page).toHaveURL(/deleted=true/)
  await expect(page.getByText('there is a newer file of this name')).toBeVisible()
  await expect(page.getByText(/^kept until /)).toBeVisible()
  await page.getByRole('button', { name: 'Restore notes/why-it-waits.md' }).focus() // no tooltip of the menu's is left
  await expectAccessible(page)
  await shoot(page, 'workbench-deleted')
  await page.getByRole('button', { name: 'Restore notes/why-it-waits.md' }).click()
  const name = page.getByRole('textbox', { name: 'Path in the workbench' })
  await expect(name).toHaveValue('notes/why-it-waits-restored.md')
  quiet() // a refusal is an error to the console
  await name.fill('notes/why-it-waits.md')
  await name.press('Enter')
  await expect(page.getByText('which stays as it is. Restore the deleted one')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'workbench-restore-as')
  await name.fill('notes/older.md')
  await name.press('Enter')
  await expect(page).toHaveURL(/workbench\/notes\/older\.md/)
  await expect(page.getByRole('heading', { name: 'Why the retry helper waits' })).toBeVisible()
  expect(readFileSync(on('notes/why-it-waits.md'), 'utf8')).toBe('# Newer\n')
})

test('a few files are chosen and deleted together', async ({ page, hearth }) => {
  fill(hearth)
  const tree = await open(page, hearth)
  await expect(tree).toBeVisible()
  await page.getByRole('button', { name: 'More of the workbench' }).click()
  await page.getByRole('menuitem', { name: 'Choose several files' }).click()
  await tree.getByRole('treeitem', { name: /core\.bin/ }).click()
  await tree.focus()
  await page.keyboard.type('change')
  await page.keyboard.press(' ')
  await page.keyboard.type('outside')
  await page.keyboard.press('Enter')
  await expect(tree.getByRole('treeitem', { checked: true })).toHaveCount(3)
  await expect(page.getByText('3 files chosen')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'workbench-choosing')
  await page.getByRole('group', { name: 'Choose several files' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Deleted 3 files.', { exact: true }).hover() // it stays as long as that
  await expect(tree.getByRole('treeitem', { name: /core\.bin|change\.diff|outside\.txt/ })).toHaveCount(0)
  expect(existsSync('/etc/hostname')).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tree.getByRole('treeitem', { name: /core\.bin|change\.diff|outside\.txt/ })).toHaveCount(3)
})

test('where there is no display it says so, and the path can be copied', async ({ page, hearth, quiet }) => {
  fill(hearth)
  await open(page, hearth, '/scripts/measure.py')
  quiet()
  await page.getByRole('button', { name: 'Open in editor' }).click()
  await expect(page.getByText('there is no display').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy path' })).toBeVisible()
})

test.describe('with a desktop', () => {
  test.use({ environment: { of: (home: string) => ({ PATH: `${home}/bin:/usr/bin:/bin`, DISPLAY: ':99', SHLVL: '1' }) } })
  test('a file is opened in the editor that was chosen', async ({ page, hearth, quiet }) => {
    fill(hearth)
    const log = join(hearth.workspace, 'log')
    mkdirSync(join(hearth.workspace, 'bin'))
    for (const name of ['myedit', 'xdg-open']) writeFileSync(join(hearth.workspace, 'bin', name), `#!/bin/sh\nprintf '%s\\n' "${name}" "$@" > ${log}\n`, { mode: 0o755 })
    await open(page, hearth, '/scripts/measure.py')
    await page.getByRole('button', { name: 'More of the workbench' }).click()
    await page.getByRole('menuitem', { name: 'Workbench settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Workbench settings' })
    const editor = dialog.getByRole('textbox', { name: 'Editor' })
    await expectAccessible(page)
    await shoot(page, 'workbench-settings')
    quiet()
    await editor.fill('vim')
    await editor.press('Enter')
    await expect(dialog.getByText('needs a terminal')).toBeVisible()
    await editor.fill('myedit --new')
    await dialog.getByRole('textbox', { name: 'Keep deleted files for days' }).fill('0')
    await expect(dialog.getByText('Give a number from 1 to 365.')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Keep deleted files for days' }).fill('30')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    const said = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
    const path = join(hearth.workspace, '.flower/scripts/measure.py')
    await page.getByRole('button', { name: 'Open in editor' }).click()
    await expect.poll(said).toBe(`myedit\n--new\n${path}\n`)
    await page.getByRole('button', { name: 'Show in folder' }).click()
    await expect.poll(said).toBe(`xdg-open\n${dirname(path)}\n`)
  })
})

/** Elements in the page, and bytes of its heap after a collection. */
async function weight(page: Page): Promise<{ elements: number; heap: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return { elements: await page.evaluate(() => document.querySelectorAll('*').length), heap: usedSize }
}
const said = ({ elements, heap }: { elements: number; heap: number }) => `${elements} elements, ${(heap / 1e6).toFixed(1)} MB of heap`

test('a file of 50 MB is looked through in pieces', async ({ page, hearth }) => {
  test.slow()
  fill(hearth)
  const file = join(hearth.workspace, '.flower/artifacts/big.log')
  const out = openSync(file, 'w')
  let lines = 0
  for (let bytes = 0; bytes < 50_000_000; ) {
    let text = ''
    for (let i = 0; i < 10_000; i++) text += `${++lines} 2026-11-30T12:00:00Z INFO request handled status=200 안녕\n`
    bytes += writeSync(out, text)
  }
  closeSync(out)
  const tree = await open(page, hearth)
  await expect(tree.getByRole('treeitem', { name: /big\.log/ })).toBeVisible()
  const before = await weight(page)
  await tree.getByRole('treeitem', { name: /big\.log/ }).click()
  const text = page.getByRole('region', { name: 'Text of big.log' })
  await expect(text).toContainText('1 2026-11-30')
  await page.evaluate(() => {
    const slow: number[] = []
    new PerformanceObserver((list) => slow.push(...list.getEntries().map((e) => e.duration))).observe({ entryTypes: ['longtask'] })
    Object.assign(window, { slow })
  })
  // Far enough that the first pieces are dropped.
  const lineAtTop = async () => Number(/Lines ([\d,]+)/.exec(await page.getByText(/^Lines /).innerText())?.[1]?.replaceAll(',', '') ?? 0)
  for (let i = 0; i < 200; i++) {
    await text.evaluate((box) => (box.scrollTop += 2000))
    await page.waitForTimeout(16)
  }
  const deep = await lineAtTop()
  expect(deep).toBeGreaterThan(16_000)
  await expect(text).toContainText(`${deep + 3} 2026`)
  const scrolled = await weight(page)
  await text.focus()
  await page.keyboard.press('End')
  await expect(text.getByText(`${lines} 2026-11-30`)).toBeInViewport()
  // Upwards from a place that was jumped to: pieces come before what is there.
  for (let i = 0; i < 60; i++) {
    await text.evaluate((box) => (box.scrollTop -= 1500))
    await page.waitForTimeout(16)
  }
  await expect(page.getByText(/9\d %/)).toBeVisible()
  const line = page.getByRole('textbox', { name: 'Go to line' })
  await line.fill('400000')
  await line.press('Enter')
  await expect(text.getByText('400000 2026-11-30')).toBeInViewport()
  await page.getByRole('scrollbar', { name: 'Place in the file' }).focus()
  await page.keyboard.press('Home')
  await expect(text.getByText(/^1 2026-11-30/)).toBeInViewport()
  await expectAccessible(page)
  await shoot(page, 'workbench-large')
  // It goes on growing while it is looked at.
  appendFileSync(file, 'the very last line\n')
  await expect(async () => {
    await text.focus()
    await page.keyboard.press('End')
    await expect(text.getByText('the very last line')).toBeInViewport({ timeout: 1000 })
  }).toPass()
  const after = await weight(page)
  const slow = await page.evaluate(() => (window as unknown as { slow: number[] }).slow)
  console.log(`50 MB in ${lines} lines: before ${said(before)}; scrolled to line ${deep} ${said(scrolled)}; after all ${said(after)}; ${slow.length} tasks over 50 ms, the longest ${Math.max(0, ...slow).toFixed(0)} ms`)
  expect(after.elements).toBeLessThan(before.elements + 1500)
  expect(scrolled.elements).toBeLessThan(before.elements + 1500)
  expect(after.heap).toBeLessThan(before.heap + 40_000_000)
})

test('ten thousand files are listed as they are scrolled to', async ({ page, hearth }) => {
  test.slow()
  fill(hearth)
  for (let i = 0; i < 10_000; i++) put(hearth, `spill/${String(i).padStart(5, '0')}.txt`, `output ${i}\n`)
  const tree = await open(page, hearth)
  const spill = tree.getByRole('treeitem', { name: /^Spilled output.*10,000 files/ })
  await expect(spill).toHaveAttribute('aria-expanded', 'false')
  await spill.click()
  await expect(spill).toHaveAttribute('aria-expanded', 'true')
  await tree.focus()
  // What is older comes as its place is scrolled to.
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(tree.getByRole('treeitem', { name: /^INDEX\.md/ })).toBeInViewport({ timeout: 1000 })
    await page.keyboard.press('ArrowUp')
    await expect(tree.getByRole('treeitem', { name: /^\d{5}\.txt/ }).last()).toBeInViewport({ timeout: 1000 })
    await expect(tree.getByRole('treeitem', { name: /older file/ })).toHaveCount(0, { timeout: 1000 })
  }).toPass({ timeout: 90_000 })
  await shoot(page, 'workbench-many')
  const now = await weight(page)
  console.log(`10,000 files: ${said(now)}`)
  expect(now.elements).toBeLessThan(1500)
  await expectAccessible(page)
})
