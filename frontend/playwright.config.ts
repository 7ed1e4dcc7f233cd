import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// The browser of the system: Playwright's own would be a download. HEARTH_TEST_CHROMIUM names another.
const browser = process.env.HEARTH_TEST_CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!browser || !existsSync(browser)) {
  throw new Error('No Chromium was found. Install it (Debian: apt-get install chromium), or name one in HEARTH_TEST_CHROMIUM.')
}

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  timeout: 180_000,
  // A browser on a machine with two cores misses a moment now and then. What passes only then is reported as flaky.
  retries: 2,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    launchOptions: { executablePath: browser, args: ['--no-sandbox'] },
  },
})
