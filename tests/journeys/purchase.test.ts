import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visitAs } from '../harness/browser.ts'
import { eventsHandled, openSandboxServer, type SandboxServer } from '../harness/sandbox.ts'

const start = '2024-03-15T12:00:00Z'
const email = 'nora@readers.example'
const password = 'a quiet reading room'

let server: SandboxServer
let browser: Browser

beforeAll(async () => {
  server = await openSandboxServer({ now: start })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const main = (page: Page) => page.getByRole('main')
const status = (page: Page) => page.getByRole('region', { name: 'Subscription Status' })

/** The time that the site, the sandbox and the browser have. */
async function setTime(page: Page, instant: string): Promise<void> {
  server.clock.set(instant)
  await page.clock.setFixedTime(instant)
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login?next=/account')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await main(page).getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/account')
}

test(
  'a new visitor registers, buys the monthly plan, is VIP, cancels, and stays VIP until the period ends',
  { timeout: 240_000 },
  () => {
    // The way to the payment page, and the browser's own word on the session that has lapsed within the month.
    const expects = [new RegExp(`^call to ${server.sandbox.url}/`), /status of 401/]
    return visitAs(browser, server.url, { expects }, async (page) => {
      await setTime(page, start)
      await page.goto('/')
      await page.getByRole('link', { name: 'VIP ACCESS' }).click()
      await main(page).getByRole('button', { name: 'Get VIP Access' }).click()

      await page.waitForURL('**/register?**')
      await page.getByLabel('Full Name').fill('Nora Newcomer')
      await page.getByLabel('Email Address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByLabel('Confirm Password').fill(password)
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Create Account' }).click()
      await page.waitForURL('**/plans**')
      await main(page).getByRole('button', { name: 'Get VIP Access' }).click()

      await page.waitForURL(`${server.sandbox.url}/**`)
      await page.getByText('TEST MODE: no card is charged').waitFor()
      await page.getByRole('button', { name: 'Pay $12.00' }).click()
      await page.waitForURL(`${server.url}/success?**`)
      await main(page).getByRole('heading', { name: 'Welcome to VIP Access!' }).waitFor()
      await page.getByRole('banner').getByRole('link', { name: 'VIP Content' }).waitFor()

      await page.goto('/account')
      await status(page).getByText('VIP by a paid plan that renews on April 15, 2024.').waitFor()
      const opened = page.context().waitForEvent('page')
      await main(page).getByRole('button', { name: 'Manage Subscription' }).click()
      const portal = await opened
      await portal.waitForURL(`${server.sandbox.url}/**`)
      await portal.getByRole('button', { name: 'Cancel at period end' }).click()
      await portal.getByRole('button', { name: 'Keep the membership' }).waitFor()
      await portal.close()
      await server.sandbox.control.idle()
      await eventsHandled(server.app)
      const cancelled = 'VIP by a paid plan that was cancelled and ends on April 15, 2024.'
      await page.goto('/account')
      await status(page).getByText(cancelled).waitFor()

      // The last minute that was paid for, and the first that was not.
      await setTime(page, '2024-04-15T11:59:00Z')
      await server.sandbox.control.tick()
      await signIn(page)
      await status(page).getByText(cancelled).waitFor()
      await page.goto('/vip')
      await main(page).getByRole('heading', { name: 'VIP Content' }).waitFor()

      await setTime(page, '2024-04-15T12:00:00Z')
      await page.goto('/vip')
      await main(page).getByText('You are not a VIP to access this page.').waitFor()
      await server.sandbox.control.tick()
      await server.sandbox.control.idle()
      await eventsHandled(server.app)
      await page.goto('/account')
      await status(page).getByText('Free Account', { exact: true }).waitFor()
      await status(page).getByText('Not VIP: the membership ended on April 15, 2024.').waitFor()
      const rows = await server.app.db.selectFrom('payments').select(['status', 'amount_cents']).execute()
      expect(rows).toEqual([{ status: 'paid', amount_cents: 1_200 }])
    })
  },
)
