import { expect, expectAccessible, shoot, test, write } from './hearth'

interface Listed {
  channels: { id: string }[]
}

const shots = process.env.HEARTH_SHOTS !== undefined

test('the commands of an agent’s client are offered behind its mention, sent, and answered without a model', async ({ page, hearth }) => {
  await page.goto(hearth.url)
  const field = page.getByRole('main').getByRole('textbox')
  await expect(field).toBeFocused()
  // Nobody has started the agent yet, so nobody knows what it can be told.
  await field.pressSequentially('@claude /')
  await expect(page.getByText('@claude has not been started yet.').last()).toBeVisible()
  await expectAccessible(page)
  if (shots) await shoot(page, 'commands-unknown')
  await write(page, '@claude hello')
  const reply = page.getByRole('article', { name: /^claude,/ })
  await expect(reply).toContainText('I am Hearth', { timeout: 20_000 })

  const list = page.getByRole('listbox', { name: 'Commands' })
  await field.pressSequentially('@claude /')
  await expect(list.getByRole('option', { name: /^\/context/ })).toContainText('Show current context usage')
  await expect(list.getByRole('option', { name: /^\/clear/ })).toContainText('Starts the agent fresh')
  await expect(list.getByRole('option', { name: /^\/compact/ })).toContainText('<optional custom summarization instructions>')
  await expectAccessible(page)
  if (shots) await shoot(page, 'commands-list')
  await field.pressSequentially('cost')
  await expect(list).toBeHidden() // another name of /usage, whole: Enter sends it
  await page.keyboard.press('ControlOrMeta+A')
  await field.pressSequentially('@claude /cont')
  await expect(list.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(field).toHaveValue('@claude /context')
  await page.keyboard.press('Enter')
  const answer = page.getByRole('article', { name: /^claude,/ }).last()
  await expect(answer.getByRole('heading', { name: 'Context Usage' })).toBeVisible()
  await expect(answer).toContainText('answer to a command · no model called, no cost')

  await write(page, '@claude /usage')
  await expect(page.getByRole('article', { name: /^claude,/ }).last().locator('pre')).toContainText('Estimated cost:        $0.0000')
  await expectAccessible(page)
  if (shots) await shoot(page, 'commands-answers')

  // The run says what was sent, and why nothing else was.
  await answer.getByRole('link', { name: /warm/ }).click()
  const detail = page.getByRole('complementary').last()
  await expect(detail.getByRole('tab', { name: /^Command/ })).toBeVisible()
  await expect(detail.getByRole('tabpanel')).toContainText('/usage')
  await expect(detail).toContainText('none: no model was called')
  await expectAccessible(page)
  if (shots) await shoot(page, 'commands-run')
  const id = page.url().split('/runs/')[1] ?? ''
  await page.goto(page.url().replace(/\/runs\/.*/, `/context/${id}`))
  await expect(page.getByRole('tab', { name: /^Command/ })).toBeVisible()
  await expect(page.getByRole('tabpanel')).toContainText('It works only when nothing stands before it')
  await expect(page.getByText('Not sent, and why')).toBeHidden()
  await expectAccessible(page)
  if (shots) await shoot(page, 'commands-context')
})

test('a command without a mention says whose it can be, and choosing it mentions the agent', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  const field = page.getByRole('main').getByRole('textbox')
  await expect(field).toBeFocused()
  const { channels } = (await (await api('GET', '/api/channels')).json()) as Listed
  await api('POST', `/api/channels/${channels[0]?.id ?? ''}/bindings`, { handle: '분석가', runtime: 'cli:standin:agent' })
  await write(page, '@claude @분석가 hello')
  await expect(page.getByRole('article', { name: /^(claude|분석가),/ })).toHaveCount(2, { timeout: 20_000 })
  await field.pressSequentially('/conte')
  const list = page.getByRole('listbox', { name: 'Commands' })
  await expect(list.getByRole('option')).toContainText([/\/context.*@claude/, /\/context.*@분석가/])
  await expect(page.getByText('Choosing one addresses its agent.').last()).toBeVisible()
  await expectAccessible(page)
  if (shots) await shoot(page, 'commands-agents')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('@분석가 /context')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: /^분석가,/ }).last()).toContainText('answer to a command')
  // Two at once are a message like any other.
  await field.pressSequentially('@claude @분석가 /')
  await expect(page.getByText('A command is for one agent.').last()).toBeVisible()
})

test('leaving the conversation is Start fresh, with Undo, also where the message goes another way', async ({ page, hearth, api }) => {
  await page.goto(hearth.url)
  const field = page.getByRole('main').getByRole('textbox')
  await expect(field).toBeFocused()
  await write(page, '@claude hello')
  await expect(page.getByRole('article', { name: /^claude,/ })).toContainText('I am Hearth', { timeout: 20_000 })
  await field.pressSequentially('@claude /cle')
  await page.getByRole('option', { name: /^\/clear/ }).click()
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await write(page, '@claude are you warm?')
  await expect(page.getByRole('article', { name: /^claude,/ }).last()).toContainText(/warm/, { timeout: 20_000 })
  // From a terminal there is no list: Hearth does it and says so.
  const { channels } = (await (await api('GET', '/api/channels')).json()) as Listed
  await api('POST', `/api/channels/${channels[0]?.id ?? ''}/messages`, { body: '@claude /reset' })
  const said = page.getByRole('article', { name: /^claude,/ }).last()
  await expect(said).toContainText('Started fresh: @claude has forgotten')
  await expect(said).toContainText('answer to a command')
})
