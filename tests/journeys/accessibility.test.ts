import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor, expectAccessible, openBrowser } from '../harness/browser.ts'
import { aFullCatalogue } from '../harness/catalogue.ts'
import { aMember, type MadeMember, remember } from '../harness/members.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let browser: Browser
/** With everything that a header can show. */
let owner: MadeMember

beforeAll(async () => {
  server = await openTestServer({ now: '2024-03-15T12:00:00Z' })
  await aFullCatalogue(server.app)
  owner = await aMember(server.app, { name: 'Olga Owner of the Library', isVip: true, isAdmin: true })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const pages = [
  '/',
  '/asian',
  '/western',
  '/western?month=03&category=Film&dateFilter=7days',
  '/western?search=voinich%20manuscrit',
  '/banned',
  '/unknown',
  '/western/everything',
  '/asian/hong-lou-meng',
  '/banned/lady-chatterley',
  '/unknown/voynich-manuscript',
  '/western/no-such-entry',
  '/no/such/page',
  '/plans',
  '/success?session_id=made-up',
  '/cancel',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/reset-password?token=made-up',
]

test.each(['light', 'dark'] as const)('every page passes axe in the %s theme', { timeout: 300_000 }, async (theme) => {
  const { page, leave } = await aVisitor(browser, server.url, { theme, expects: [/404/] })
  for (const path of pages) {
    await page.goto(path)
    expect(await page.locator('body').evaluate((body) => body.classList.contains('light-mode'))).toBe(theme === 'light')
    await expectAccessible(page)
  }
  await leave()
})

test(
  'every page passes axe on a phone, and no page is wider than a screen of 320 pixels',
  { timeout: 300_000 },
  async () => {
    const { page, leave } = await aVisitor(browser, server.url, { width: 320, height: 640, expects: [/404/] })
    for (const path of pages) {
      await page.goto(path)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320)
      await expectAccessible(page)
    }
    await page.goto('/western')
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    await expectAccessible(page)
    await leave()
  },
)

test('the first key leads past the header to the content', async () => {
  const { page, leave } = await aVisitor(browser, server.url)
  await page.goto('/western')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await leave()
})

describe.each(['light', 'dark'] as const)('in the %s theme, on a wide screen and on a phone', (theme) => {
  test.each([1280, 320])('the header and the doors of members pass axe, %d pixels wide', async (width) => {
    const wish = { theme, width, height: 700, expects: [/ERR_FAILED/] }
    const expectFit = async (page: Page): Promise<void> => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await expectAccessible(page)
    }
    const openMenu = async (page: Page): Promise<void> => {
      if (width === 320) {
        await page.getByRole('link', { name: /^Account of / }).waitFor()
        await page.getByRole('button', { name: 'Menu', exact: true }).click()
        await page.getByRole('dialog').waitFor()
      } else {
        await page.getByRole('button', { name: /^Account menu of / }).click()
        await page.getByRole('menu').waitFor()
      }
    }

    const guest = await aVisitor(browser, server.url, wish)
    await guest.page.goto('/vip')
    await guest.page.getByText('You are not a VIP to access this page.').waitFor()
    await expectFit(guest.page)
    await guest.leave()

    const { page, leave } = await aVisitor(browser, server.url, wish)
    await remember(page, server, owner)
    for (const path of ['/western', '/vip', '/vip-unknown', '/admin/settings']) {
      await page.goto(path)
      await openMenu(page)
      await expectFit(page)
    }
    await page.route('**/auth/*', (route) => route.abort())
    await page.goto('/admin/stats')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await expectFit(page)
    await page.unrouteAll({ behavior: 'wait' })
    await leave()
  })
})
