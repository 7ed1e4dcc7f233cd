import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, test as base, write } from './hearth'

interface Counted {
  /** Where the page is reached, with what signs one browser in. */
  at: (url: string) => string
  /** How many streams of events are open at the moment. */
  streams: () => number
  /** How many pages have said that they are open, and were not said to be gone. */
  pages: () => number
}

// Before Hearth stands what counts the streams, and passes everything on.
const test = base.extend<{ counted: Counted }>({
  counted: async ({ hearth }, use) => {
    let streams = 0
    const pages = new Set<string>()
    const target = new URL(hearth.origin)
    const server = createServer((asked, answer) => {
      const headers = { ...asked.headers, host: target.host, ...(asked.headers.origin ? { origin: hearth.origin } : {}) }
      const passed = request({ host: target.hostname, port: target.port, path: asked.url, method: asked.method, headers }, (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers)
        answer.flushHeaders()
        from.pipe(answer)
        from.once('error', () => answer.destroy())
        if (asked.url?.startsWith('/api/pages/') && from.statusCode === 204) pages[asked.method === 'DELETE' ? 'delete' : 'add'](asked.url)
        if (!asked.url?.startsWith('/api/events') || from.statusCode !== 200) return
        streams++
        from.once('close', () => streams--)
      })
      passed.once('error', () => answer.destroy())
      answer.once('close', () => passed.destroy())
      asked.pipe(passed)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await use({ at: (url) => url.replace(hearth.origin, origin), streams: () => streams, pages: () => pages.size })
    server.closeAllConnections()
    server.close()
  },
})

const composer = (page: Page) => page.getByRole('main').getByRole('textbox')
const message = (page: Page, text: string) => page.getByRole('main').getByText(text, { exact: true })

/** Opens so many tabs of one browser on a Hearth. */
async function openTabs(first: Page, url: string, n: number): Promise<Page[]> {
  await first.goto(url)
  await expect(composer(first)).toBeVisible()
  const tabs = [first]
  for (let i = 1; i < n; i++) {
    const tab = await first.context().newPage()
    await tab.goto(new URL('/c/general', url).href)
    await expect(composer(tab)).toBeVisible()
    tabs.push(tab)
  }
  return tabs
}

/** Whatever one of them writes, all of them hear. */
async function expectHeard(tabs: readonly Page[], from: Page | undefined, text: string): Promise<void> {
  if (!from) throw new Error('there is no such tab')
  await write(from, text)
  await Promise.all(tabs.map((tab) => expect(message(tab, text)).toBeVisible()))
}

test('many tabs of one browser share one stream, whichever of them goes', async ({ page, hearth, counted, quiet }) => {
  test.slow()
  quiet() // a browser logs what does not get through while Hearth starts anew
  let tabs = await openTabs(page, counted.at(hearth.url), 8)
  await expectHeard(tabs, tabs[7], 'from the last')
  await expectHeard(tabs, tabs[0], 'from the first')
  expect(counted.streams()).toBe(1)
  await expect.poll(counted.pages).toBe(8)

  // The process of the tab that came first has the worker, too.
  const [first, ...others] = tabs
  const crashed = first?.waitForEvent('crash')
  const devtools = await page.context().newCDPSession(page)
  void devtools.send('Page.crash').catch(() => undefined)
  await crashed
  tabs = others
  await expectHeard(tabs, tabs[3], 'after a crash')
  await expect.poll(counted.streams).toBe(1)

  await tabs.shift()?.close()
  await expectHeard(tabs, tabs[5], 'after one was closed')
  expect(counted.streams()).toBe(1)
  // The one that crashed went with its stream.
  await expect.poll(counted.pages).toBe(7)

  const url = await hearth.restart()
  for (const tab of tabs) await expect(tab.getByText('hearth open', { exact: true })).toBeVisible({ timeout: 20_000 })
  await tabs[0]?.goto(counted.at(url))
  for (const tab of tabs) await expect(tab.getByText('hearth open', { exact: true })).toBeHidden({ timeout: 20_000 })
  await expectHeard(tabs, tabs[2], 'after a restart')
  expect(counted.streams()).toBe(1)
  for (const tab of tabs) await tab.close()
  await expect.poll(counted.streams).toBe(0)
})
