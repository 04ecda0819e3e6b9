import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisitor, expectAccessible, openBrowser } from '../harness/browser.ts'
import { aFullCatalogue } from '../harness/catalogue.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await openTestServer({ now: '2024-03-15T12:00:00Z' })
  await aFullCatalogue(server.app)
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
