import { readFileSync } from 'node:fs'
import { channelId, expect, expectAccessible, test, write } from './hearth'

test('a mention is completed from the keyboard, and who will be asked stands under the text', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  const field = page.getByRole('main').getByRole('textbox')
  await expect(field).toBeFocused()
  const general = await channelId(api)
  await api('POST', `/api/channels/${general}/bindings`, { handle: '분석가', runtime: 'cli:standin:agent' })
  await field.pressSequentially('@')
  // One that was added elsewhere is there at once.
  const list = page.getByRole('listbox', { name: 'Agents and people' })
  await expect(list.getByRole('option')).toContainText([/claude.*cold/, /분석가.*cold/])
  await expectAccessible(page)
  await field.pressSequentially('분')
  await page.keyboard.press('Tab')
  await expect(field).toHaveValue('@분석가 ')
  await expect(list).toBeHidden()
  // Choosing it has started its process.
  await expect(page.getByRole('main').getByRole('form')).toContainText(/분석가\s*warm/)
  await field.pressSequentially('hello')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: /^분석가,/ })).toContainText('I am Hearth', { timeout: 20_000 })
})

test('nothing goes out that would reach nobody unseen or too many', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  const field = page.getByRole('main').getByRole('textbox')
  await expect(field).toBeFocused()
  await field.fill('hello')
  await expect(page.getByText('No agent is addressed.')).toBeVisible()
  const general = await channelId(api)
  for (const handle of ['one', 'two', 'three']) await api('POST', `/api/channels/${general}/bindings`, { handle, runtime: 'cli:standin:agent' })
  await field.fill('@claude @one @two @three hello')
  await expect(page.getByText('This addresses 4 agents')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('@claude @one @two @three hello')
})

test('drafts outlive a reload', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await page.getByRole('main').getByRole('textbox').fill('half a thought\nand a second line')
  await page.reload()
  await expect(page.getByRole('main').getByRole('textbox')).toHaveValue('half a thought\nand a second line')
})

test('files are sent ahead, outlive a reload, and are named in the message', async ({ page, hearth }) => {
  test.slow()
  await page.goto(hearth.url)
  const field = page.getByRole('main').getByRole('textbox')
  await expect(field).toBeFocused()
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC', 'base64')
  await page.locator('main input[type=file]').setInputFiles([
    { name: 'shot.png', mimeType: 'image/png', buffer: png },
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('read me') },
  ])
  const files = page.getByRole('list', { name: 'Attached files' })
  await expect(files.getByRole('listitem')).toContainText([/shot\.png.*B$/, /notes\.md.*B$/])
  await expect.poll(() => files.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(10)
  await expectAccessible(page)
  await page.reload()
  await expect(files.getByRole('listitem')).toHaveCount(2)
  await field.fill('@claude look')
  await page.keyboard.press('Enter')
  await expect(files).toBeHidden()
  const sent = page.getByRole('article', { name: /^You,/ })
  await expect(sent).toContainText('notes.md')
  await expect(sent.getByRole('img', { name: 'shot.png' })).toBeVisible()
  expect(readFileSync(`${hearth.workspace}/.flower/artifacts/notes.md`, 'utf8')).toBe('read me')
})

test('what is wrong with a file is said whole, with what to do', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await page.locator('main input[type=file]').setInputFiles([{ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.from('') }])
  const problem = page.getByRole('list', { name: 'Attached files' }).getByRole('alert')
  await expect(problem).toHaveText('It is empty or a folder. Choose a file with something in it.')
  expect(await problem.evaluate((at) => at.scrollWidth <= at.clientWidth && getComputedStyle(at).whiteSpace !== 'nowrap')).toBe(true)
  await expect(problem).toBeInViewport({ ratio: 1 })
})

test('a file that is dropped anywhere in the chat is attached', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeFocused()
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }))
    return transfer
  })
  await page.dispatchEvent('#messages', 'dragenter', { dataTransfer: data })
  await expect(page.getByText('Drop to attach')).toBeVisible()
  await page.dispatchEvent('#messages', 'drop', { dataTransfer: data })
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('dropped.txt')
  await expect(page.getByText('Drop to attach')).toBeHidden()
})

test('what waits in the queue is changed from the composer, and in place, and taken out', async ({ page, hearth }) => {
  test.slow()
  await page.goto(hearth.url)
  await write(page, '@claude /slow 600')
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await write(page, '@claude first')
  await write(page, '@claude second')
  const queue = page.getByRole('region', { name: '2 messages wait' })
  await expect(queue.getByRole('listitem')).toContainText(['@claude first', '@claude second'])
  await expectAccessible(page)
  // The last one, with the keyboard.
  const field = page.getByRole('main').getByRole('textbox').last()
  await page.keyboard.press('ControlOrMeta+ArrowUp')
  await expect(field).toHaveValue('@claude second')
  await page.keyboard.type(' and third')
  await page.keyboard.press('Enter')
  await expect(queue.getByRole('listitem')).toContainText(['@claude first', '@claude second and third'])
  await expect(field).toHaveValue('')
  // The first one, where it stands.
  await queue.getByRole('button', { name: 'Change message 1' }).click()
  await page.keyboard.type(' of all')
  await page.keyboard.press('Enter')
  await expect(queue.getByRole('listitem')).toContainText(['@claude first of all', '@claude second and third'])
  await queue.getByRole('button', { name: 'Take message 1 out of the queue' }).click()
  await expect(page.getByRole('region', { name: '1 message waits' })).toContainText('@claude second and third')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(queue.getByRole('listitem')).toContainText(['@claude second and third', '@claude first of all'])
})

test('a command stops an agent without asking it', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  await write(page, '@claude /slow 60')
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  const field = page.getByRole('main').getByRole('textbox')
  await field.pressSequentially('/sto')
  await expect(page.getByRole('listbox', { name: 'Commands' }).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('/stop')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('')
  await expect(page.getByText('@claude was stopped before it answered.')).toBeVisible()
})
