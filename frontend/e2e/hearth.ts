import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import AxeBuilder from '@axe-core/playwright'
import { expect, test as base, type APIResponse, type Page } from '@playwright/test'

/** A Hearth of its own for a test: a new data folder, the stand-in agent, a free port. */
export interface Running {
  /** Signs one browser in. */
  url: string
  origin: string
  workspace: string
  /** Another folder that channels can work in. */
  other: string
  /** Ends it and starts it again at the same address: the new address that signs one browser in. */
  restart: () => Promise<string>
}

interface Fixtures {
  /** What the environment of the Hearth has besides; a test sets it with test.use. */
  environment: { of: (home: string) => Record<string, string> }
  hearth: Running
  /** Asks the API as the page would, once the page is signed in. */
  api: (method: string, path: string, data?: unknown) => Promise<APIResponse>
  /** For tests that break something: what the page logs from now on is not held against it. */
  quiet: () => void
  wrong: { said: string[]; quiet: boolean }
}

const binary = process.env.HEARTH_TEST_BINARY ?? join(dirname(fileURLToPath(import.meta.url)), '../../bin/hearth')

/** serve starts a Hearth in a folder, and gives the address that it prints and what ends it. `more`: what its environment has besides. */
export async function serve(home: string, address = '127.0.0.1:0', more: Record<string, string> = {}): Promise<{ url: string; end: () => Promise<void> }> {
  const child = spawn(binary, ['serve', '--addr', address], {
    cwd: home,
    // No claude is found here unless one is named, so the first agent is the stand-in.
    env: { PATH: '/usr/bin:/bin', HOME: home, HEARTH_DATA_DIR: join(home, 'data'), ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /once: (\S+)/.exec(said)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`hearth ended with ${code}: ${said}`)))
  })
  return { url, end: () => (child.kill('SIGTERM'), ended) }
}

export const test = base.extend<Fixtures>({
   
  environment: [{ of: () => ({}) }, { option: true }],
  hearth: async ({ environment }, use) => {
    if (!existsSync(binary)) throw new Error(`There is no ${binary}: build it after the UI (npm run build, then go build -o bin/hearth .)`)
    const home = mkdtempSync(join(tmpdir(), 'hearth-e2e-'))
    const other = join(home, 'elsewhere')
    mkdirSync(other)
    const more = environment.of(home)
    let running = await serve(home, undefined, more)
    const { origin, host } = new URL(running.url)
    try {
      await use({
        url: running.url, origin, workspace: home, other,
        restart: async () => {
          await running.end()
          running = await serve(home, host, more)
          return running.url
        },
      })
    } finally {
      await running.end()
      rmSync(home, { recursive: true, force: true })
    }
  },
  wrong: async ({}, use) => use({ said: [], quiet: false }),
  quiet: async ({ wrong }, use) => use(() => (wrong.quiet = true)),
  // Whatever the test is about: the page logs no error and breaks no rule of its content security policy.
  // It asks for a Hearth so that this outlives it.
  page: async ({ page, wrong, hearth: _ }, use) => {
    page.on('pageerror', (error) => wrong.said.push(error.message))
    page.on('console', (message) => {
      const broken = /Content Security Policy/i.test(message.text())
      if (broken || (message.type() === 'error' && !wrong.quiet)) wrong.said.push(message.text())
    })
    await use(page)
    expect(wrong.said).toEqual([])
  },
  api: async ({ page, hearth }, use) => {
    await use((method, path, data) =>
      page.request.fetch(hearth.origin + path, { method, headers: { Origin: hearth.origin }, ...(data === undefined ? {} : { data }) }),
    )
  },
})

/** Ask asks the API as the page would. */
export type Ask = Fixtures['api']

/** channelId is the id of a channel. */
export async function channelId(api: Ask, name = 'general'): Promise<string> {
  const { channels } = (await (await api('GET', `/api/channels?name=${encodeURIComponent(name)}`)).json()) as { channels: { id: string }[] }
  if (!channels[0]) throw new Error(`there is no channel ${name}`)
  return channels[0].id
}

/** write sends a message with the chat's composer. */
export async function write(page: Page, text: string): Promise<void> {
  const field = page.getByRole('main').getByRole('textbox')
  await field.fill(text)
  await field.press('Enter')
}

/** expectAccessible looks for what shuts people out, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map((v) => `${colorScheme}: ${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** shoot keeps a picture in e2e/shots, in both themes, for people to look at. */
export async function shoot(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: fileURLToPath(new URL(`shots/${name}-${colorScheme}.png`, import.meta.url)), animations: 'disabled' })
  }
  await page.emulateMedia({ colorScheme: null })
}

export { expect }
