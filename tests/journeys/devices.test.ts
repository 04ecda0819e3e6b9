import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { unlockAccount } from '../../src/features/accounts/sign-in/unlock-account.server.ts'
import { expectAccessible } from '../harness/axe.ts'
import { readEmails, waitForEmail } from '../harness/emails.ts'
import { aMember, type MadeMember, post } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const now = '2024-03-15T12:00:00Z'

const server = serverOfFile({ now })
const { visit, visitor } = visitsOfFile(server)

const devices = (page: Page) => page.getByRole('region', { name: 'Devices' })
const rows = (page: Page) => devices(page).getByRole('listitem')

async function signIn(page: Page, { email, password }: MadeMember): Promise<void> {
  await page.goto('/login?next=%2Faccount%2Fsecurity')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/account/security')
  await page.getByRole('heading', { name: 'Security and data', level: 1 }).waitFor()
}

test('A member signs in again whatever strangers type, hears of a new device by email, and forgets devices', () =>
  visit({ now, expects: [/ERR_INTERNET_DISCONNECTED/] }, async (page) => {
    const member = await aMember(server.app, { name: 'Jane Reader' })
    const { email, password } = member
    await signIn(page, member)
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(await rows(page).first().innerText()).toMatch(
      /This device\s+Known since March 15, 2024\s+Last sign-in just now/,
    )
    expect(await devices(page).getByRole('button', { name: 'Forget all other devices' }).count()).toBe(0)
    await page.goto('/account')
    await page.getByRole('region', { name: 'Account Actions' }).getByRole('button', { name: 'Sign Out' }).click()
    await page.waitForURL(`${server.url}/`)

    const statuses = new Set<number>()
    for (let i = 0; i < 15; i += 1) {
      statuses.add((await post(server, '/auth/login', { email, password: 'a wrong password' })).status)
    }
    expect([...statuses]).toEqual([401, 429])
    expect((await post(server, '/auth/login', { email, password })).status).toBe(429)
    await signIn(page, member)
    // Scripts of the page see nothing of it.
    expect(await page.evaluate(() => document.cookie)).toBe('')

    await server.app.jobs.drain()
    expect((await readEmails(server.app)).filter(({ to }) => to === email)).toEqual([])
    await unlockAccount(server.app, { email })
    await expect.poll(async () => (await post(server, '/auth/login', { email, password })).status).toBe(200)
    const other = await visitor({ now })
    await signIn(other.page, member)
    await expect.poll(() => rows(other.page).count()).toBe(3)
    await other.leave()
    const told = await waitForEmail(server.app, { to: email, subject: 'Sign-in to Daybook from a new device' })
    expect(told.text).toContain('If this was you, there is nothing to do.')

    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(3)
    await expectAccessible(page)
    await page.context().setOffline(true)
    await rows(page).nth(1).getByRole('button').click()
    await devices(page).getByText('Network error. Please check your connection.').waitFor()
    expect(await rows(page).count()).toBe(3)
    await page.context().setOffline(false)
    await rows(page).nth(1).getByRole('button').click()
    await devices(page).getByText('is forgotten. Sessions that are open there stay open.').waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)

    await page.setViewportSize({ width: 390, height: 780 })
    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Forget all other devices' }).focus()
    await page.keyboard.press('Enter')
    await devices(page).getByText('All other devices are forgotten.').waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.getByRole('button', { name: 'Forget this device' }).click()
    await devices(page).getByText('No device is known.').waitFor()
    await expectAccessible(page)
  }))
