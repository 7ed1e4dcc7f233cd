import type { Page } from '@playwright/test'
import { expect, expectAccessible, shoot, test, write } from './hearth'

/** catalogues are the languages whose texts a page has fetched so far. */
function catalogues(page: Page): Set<string> {
  const fetched = new Set<string>()
  page.on('request', (request) => {
    const language = /\/texts-(\w+)-/.exec(request.url())?.[1]
    if (language) fetched.add(language)
  })
  return fetched
}

/** noted keeps every text that the page has shown, from its first on. */
async function noted(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const said: string[] = []
    Object.assign(window, { said })
    new MutationObserver(() => said.push(document.querySelector('#app')?.textContent ?? '')).observe(document, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said.join('\n'))
}

async function choose(page: Page, language: string): Promise<void> {
  await page.keyboard.press('Control+,')
  await page.getByRole('dialog').getByRole('radio', { name: language }).check()
}

test.describe('on a Korean system', () => {
  test.use({ locale: 'ko-KR' })

  test('everything is in Korean from the first paint on', async ({ page, hearth }) => {
    const fetched = catalogues(page)
    const said = await noted(page)
    await page.goto(hearth.url)
    await expect(page.getByRole('region', { name: 'Hearth에 오신 것을 환영합니다' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
    await expect(page).toHaveTitle('#general · Hearth')
    expect([...fetched]).toEqual(['ko'])
    const all = await said()
    expect(all).toContain('채널')
    for (const english of ['Loading', 'Channels', 'Welcome to Hearth', 'Message #']) expect(all).not.toContain(english)
    await expectAccessible(page)
    await shoot(page, 'korean-first')
  })

  test('an agent is asked, answers, and is started fresh and not', async ({ page, hearth }) => {
    await page.goto(hearth.url)
    await write(page, '@claude hello')
    const reply = page.getByRole('article', { name: /^claude,/ })
    await expect(reply).toContainText('I am Hearth')
    await expect(reply.getByRole('link', { name: /^콜드 · .*초.*씀 [\d.]+k/ })).toBeVisible()

    await write(page, '@claude /slow 60')
    const going = page.getByRole('article', { name: '@claude의 턴' })
    await going.getByRole('button', { name: '중지' }).click()
    await expect(page.getByText('@claude는 답하기 전에 중지되었습니다.')).toBeVisible()

    await page.getByRole('link', { name: '참여자' }).first().click()
    const panel = page.getByRole('complementary')
    await expect(panel.getByText('웜', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await shoot(page, 'korean-roster')
    await panel.getByRole('button', { name: '새로 시작' }).click()
    const toast = page.getByText(/@claude 새로 시작: 프로세스가 종료되고/).first()
    await expect(toast).toBeVisible()
    await shoot(page, 'korean-fresh')
    await page.getByRole('button', { name: '실행 취소' }).click()
    await expect(toast).toBeHidden()
    await write(page, '@claude hello')
    await expect(reply.last().getByRole('link', { name: /^복원 · / })).toBeVisible()
  })

  test('narrow and large, nothing breaks', async ({ page, hearth }) => {
    await page.goto(hearth.url)
    await write(page, '@claude /ask rm -rf build')
    await expect(page.getByRole('region', { name: '@claude가 Bash를 쓰려고 합니다' })).toBeVisible()
    // 900 pixels, and 1,280 at 200 %, which is 640 to lay out.
    for (const width of [900, 640]) {
      await page.setViewportSize({ width, height: 700 })
      for (const view of ['', '/roster', '/context', '/workbench', '/settings']) {
        await page.goto(`${hearth.origin}/c/general${view}`)
        await expect(page.getByRole('main').or(page.getByRole('complementary')).first()).toBeVisible()
        await expect(page.getByRole('status', { name: '불러오는 중' })).toHaveCount(0)
        // No button's text is cut off or runs out of it, and no view scrolls sideways.
        const broken = await page.evaluate(() => [
          ...Array.from(document.querySelectorAll('button'), (at) => (at.scrollWidth > at.clientWidth + 1 && !at.querySelector('.truncate') ? at.textContent : '')).filter(Boolean),
          ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page'] : []),
        ])
        expect(broken, `${view} at ${width}`).toEqual([])
        await shoot(page, `korean-${width}${view.replace('/', '-')}`)
      }
    }
  })
})

test('the language is chosen in the preferences, both ways, and drafts stay', async ({ page, hearth }) => {
  const fetched = catalogues(page)
  await page.goto(hearth.url)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  const field = page.getByRole('main').getByRole('textbox')
  await field.fill('a draft')
  await choose(page, '한국어')
  // Nothing happens until it is asked for; then what was chosen and written a moment ago is there.
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect([...fetched]).toEqual(['en'])
  await expectAccessible(page)
  await shoot(page, 'korean-choice')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  await expect(page.getByRole('navigation', { name: '채널' })).toBeVisible()
  await expect(field).toHaveText('a draft')
  expect([...fetched]).toEqual(['en', 'ko'])

  await page.keyboard.press('Control+,')
  await expect(page.getByRole('dialog', { name: '설정', exact: true })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'korean-preferences')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: '페이지 새로 고침' })).toHaveCount(0)
  await dialog.getByRole('radio', { name: 'English' }).check()
  await dialog.getByRole('button', { name: '페이지 새로 고침' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('navigation', { name: 'Channels' })).toBeVisible()
  await expect(field).toHaveText('a draft')
})

test('what has not gone out keeps the page from being loaded anew', async ({ page, hearth, quiet }) => {
  await page.goto(hearth.url)
  await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
  quiet()
  await page.route('**/messages', (route) => route.abort())
  await write(page, 'lost on the way')
  await expect(page.getByText('Not sent.')).toBeVisible()
  await choose(page, '한국어')
  await expect(page.getByText('A message has not gone out yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload the page' })).toBeDisabled()
})
