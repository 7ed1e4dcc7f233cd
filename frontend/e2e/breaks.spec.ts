import { channelId, expect, expectAccessible, shoot, test, write } from './hearth'

test('a turn that read its cache anew says why, and its detail what that was judged by', async ({ page, hearth, api }) => {
  test.slow()
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.goto(hearth.url)
  const main = page.getByRole('main')
  const answered = async (text: string, n: number) => {
    await write(page, text)
    await expect(main.getByRole('article', { name: /^claude,/ })).toHaveCount(n)
    await expect(main.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  }
  const general = await channelId(api)
  const { bindings } = (await (await api('GET', `/api/channels/${general}/bindings`)).json()) as { bindings: { id: string }[] }
  const agent = bindings[0]?.id ?? ''
  const before = await main.getByRole('article', { name: /^claude,/ }).count()
  await answered('@claude one', before + 1)
  await api('POST', `/api/bindings/${agent}/fresh`)
  await answered('@claude two, anew', before + 2)
  const quiet = main.getByRole('link', { name: /^Re-read .* tokens: a new session began\.$/ })
  await expect(quiet).toBeVisible()
  await api('PATCH', `/api/bindings/${agent}`, { role: 'coordinator' })
  await answered('@claude three, as a coordinator', before + 3)
  const alarm = main.getByRole('link', { name: /^Re-read .* tokens: its settings were changed \(role\)\.$/ })
  await expect(alarm).toBeVisible()
  await alarm.click()
  await expect(page).toHaveURL(/\/c\/general\/runs\/[^/]+#cache$/)
  const detail = page.getByRole('region', { name: 'Cache' })
  await expect(detail).toContainText('Tools stand at the very beginning of what is sent')
  await expect(detail).toContainText('the tools')
  await expectAccessible(page)
  await shoot(page, 'break')
  await page.setViewportSize({ width: 900, height: 700 })
  await page.goto(hearth.origin + '/c/general')
  await expect(alarm).toBeVisible()
  await shoot(page, 'break-900')
})
