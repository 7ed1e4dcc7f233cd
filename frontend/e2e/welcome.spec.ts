import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectAccessible, shoot, test } from './hearth'

/** What the welcome says where a Claude Code is named. The program here answers what Hearth asks a client before any turn. */

const client = (account: string) => ({
  of: (home: string) => {
    const path = join(home, 'claude')
    writeFileSync(path, `#!/bin/sh\ncase "$1" in\n--version) echo '2.1.332 (Claude Code)';;\nauth) ${account};;\nesac\n`)
    chmodSync(path, 0o700)
    writeFileSync(join(home, '.claude.json'), '{}') // as of a client that was started before
    return { HEARTH_CLAUDE: path }
  },
})
const signedOut = `test -e "$HOME/signed-in" && echo '{"loggedIn": true, "authMethod": "claude.ai"}' || { echo '{"loggedIn": false, "authMethod": "none"}'; exit 1; }`

test.describe('a client that is not signed in', () => {
  test.use({ environment: client(signedOut) })

  test('is found, and how to sign in is said until it is', async ({ page, hearth }) => {
    await page.goto(hearth.url)
    const welcome = page.getByRole('region', { name: 'Welcome to Hearth' })
    await expect(welcome).toContainText('found, version 2.1.332')
    await expect(welcome).toContainText('not signed in')
    // Once: the reason is not said beside what it says.
    await expect(welcome.getByText(/not signed in/)).toHaveCount(1)
    await expect(welcome).toContainText('Run claude once in a terminal and sign in there.')
    // The first agent is Claude Code, no stand-in.
    await expect(welcome).not.toContainText('stand-in')
    await expect(page.getByRole('main')).not.toContainText('no model is behind it')
    await expectAccessible(page)
    await shoot(page, 'welcome-signed-out')
    await page.setViewportSize({ width: 640, height: 400 })
    await expect(welcome).toContainText('Claude Code is not signed in yet.')
    await shoot(page, 'welcome-signed-out-low')
    await page.setViewportSize({ width: 1280, height: 800 })

    // The person signs in in their terminal, and looks again.
    writeFileSync(join(hearth.workspace, 'signed-in'), '')
    await expect(async () => {
      await welcome.getByRole('button', { name: 'Look again' }).click()
      await expect(welcome).toContainText('signed in', { timeout: 1000 })
      await expect(welcome).not.toContainText('not signed in', { timeout: 1000 })
    }).toPass({ timeout: 30_000 })
    await expect(welcome).not.toContainText('in a terminal')
  })
})

test.describe('a client that is signed in', () => {
  test.use({ environment: client(`echo '{"loggedIn": true, "authMethod": "claude.ai"}'`) })

  test('is all that is needed', async ({ page, hearth }) => {
    await page.goto(hearth.url)
    const welcome = page.getByRole('region', { name: 'Welcome to Hearth' })
    await expect(welcome).toContainText(/found, version 2\.1\.332.*signed in/)
    await expect(welcome).not.toContainText('in a terminal')
    await expect(welcome.getByRole('button', { name: 'Try it' })).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('stand-in')
    await expectAccessible(page)
    await shoot(page, 'welcome-signed-in')
  })
})

test.describe('a client that does not say whether it is signed in', () => {
  test.use({ environment: client('exit 0') })

  test('is found, and the rest is said as what it is', async ({ page, hearth }) => {
    await page.goto(hearth.url)
    const welcome = page.getByRole('region', { name: 'Welcome to Hearth' })
    await expect(welcome).toContainText('whether it is signed in shows at the first turn')
    await expect(welcome).toContainText('If a message fails, run claude once in a terminal')
    await shoot(page, 'welcome-unknown')
  })
})

test.describe('a client that is named and does not run', () => {
  test.use({ environment: { of: () => ({ HEARTH_CLAUDE: '/nowhere/claude' }) } })

  test('is said to be named wrongly, and how to mend that', async ({ page, hearth }) => {
    await page.goto(hearth.url)
    const welcome = page.getByRole('region', { name: 'Welcome to Hearth' })
    await expect(welcome).toContainText('HEARTH_CLAUDE names /nowhere/claude')
    await expect(welcome).toContainText('Correct HEARTH_CLAUDE')
    await expectAccessible(page)
    await shoot(page, 'welcome-named-wrongly')
  })
})
