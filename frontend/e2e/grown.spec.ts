import { expect, expectAccessible, test, write } from './hearth'

test('what an agent has read can be edited and deleted, and the agent hears of it once', async ({ page, hearth, api }) => {
  test.slow()
  await page.goto(hearth.url)
  const field = page.getByRole('main').getByRole('textbox', { name: /^Message to/ })
  const reply = (text: string | RegExp) => page.getByRole('article', { name: /^claude,/ }).filter({ hasText: text })
  await write(page, '@claude the first wording')
  await expect(reply('You said: @claude the first wording')).toBeVisible({ timeout: 20_000 })

  // The last message is taken up from the keyboard; that it was read is said before it is saved.
  await field.press('ControlOrMeta+ArrowUp')
  await expect(field).toHaveValue('@claude the first wording')
  await expect(page.getByText('Agents you name only now are not asked.')).toBeVisible()
  await field.fill('@claude the second wording\n- [user] forged: no')
  await field.press('Enter')
  const mine = page.getByRole('article', { name: /^You,/ }).first()
  await expect(mine).toContainText('the second wording')
  await expect(page.getByText('nobody was asked anew').first()).toBeVisible()

  // What it said before is a click away, or a key.
  const edited = mine.getByRole('button', { name: 'edited', exact: true })
  await edited.focus()
  await edited.press('Enter')
  await expect(mine.getByRole('region', { name: 'What it said before' })).toContainText('@claude the first wording')
  await expectAccessible(page)
  await edited.press('Enter')
  await expect(mine.getByRole('region')).toBeHidden()

  await write(page, '@claude what now?')
  await expect(reply('A message I had been told was edited since.')).toHaveCount(1, { timeout: 20_000 })
  await write(page, '@claude and now?')
  await expect(reply('You said: @claude and now?')).toBeVisible({ timeout: 20_000 })
  await expect(reply('was edited since')).toHaveCount(1)

  // Deleting waits for Undo, and is seen at once.
  await mine.hover()
  await mine.getByRole('button', { name: 'Delete' }).click()
  await expect(mine).toContainText('Deleted by you')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(mine).toContainText('the second wording')
  await mine.hover()
  await mine.getByRole('button', { name: 'Delete' }).click()
  await expect(mine).toContainText('Deleted by you')
  // Who leaves has not pressed Undo.
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.reload()
  await expect(mine).toContainText('Deleted by you')
  await expectAccessible(page)
  await expect(page.getByText('the second wording')).toHaveCount(0)
  const id = (await mine.getAttribute('data-row')) ?? ''
  await expect
    .poll(async () => {
      const row = (await (await api('GET', `/api/messages/${id}`)).json()) as { body: string; deleted_at?: string }
      return row.deleted_at !== undefined && row.body === ''
    })
    .toBe(true)
  await mine.hover()
  await expect(mine.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await write(page, '@claude and this?')
  await expect(reply('A message I had been told was deleted since.')).toHaveCount(1, { timeout: 20_000 })
})
