import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLinks } from '../../src/features/catalogue/links/check-links.server.ts'
import type { LinksForAdmin } from '../../src/features/catalogue/links/links-schema.ts'
import { expectAccessible } from '../harness/axe.ts'
import { openBrowser, visitAs } from '../harness/browser.ts'
import { type CountingServer, startHttp } from '../harness/hostile-server.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

const hourMs = 3_600_000

let host: CountingServer
let server: TestServer
let browser: Browser
const gone = new Set<string>()

beforeAll(async () => {
  host = await startHttp((request, response) => response.writeHead(gone.has(request.url ?? '') ? 404 : 200).end())
  ;[server, browser] = await Promise.all([
    openTestServer({
      now: new Date(Date.now() - 3 * hourMs).toISOString(),
      jobs: true,
      env: { LINK_CHECKS: 'on' },
      linkProbe: { allowed: [host.place], hostGapMs: 1, resolve: () => Promise.resolve(['127.0.0.1']) },
    }),
    openBrowser(),
  ])
  const at = (path: string): string => `http://files.example:${host.port}/${path}`
  await someItems(server.app, [
    { name: 'The mirrored work', link: at('first'), linkMV1: at('second') },
    { name: 'Another work', link: at('another') },
  ])
  await checkLinks(server.app)
  await server.app.listing.catchUp()
  server.clock.advance(3 * hourMs)
})
afterAll(async () => {
  await browser.close()
  await server.close()
  await host.close()
})

test('A visitor reports a dead link, an administrator has it checked, the next visitor gets the other mirror, and the host is replaced everywhere', async () => {
  gone.add('/first')
  await visitAs(browser, server.url, { width: 320, theme: 'dark' }, async (page) => {
    await page.goto('/western/the-mirrored-work')
    // The time is computed in the browser, of a page that is the same for everybody.
    await page.getByText('2 of 2 mirrors working, checked 3 hours ago').waitFor()
    await page.getByRole('button', { name: 'Report a dead link' }).click()
    await page.getByText('Thank you. The link has been reported.').waitFor()
    expect(await page.getByRole('button', { name: 'Report a dead link' }).count()).toBe(0)
    await expectAccessible(page)
  })

  const admin = await aMember(server.app, { isAdmin: true })
  const links = async () =>
    (await server.app.db.selectFrom('items').select('link').orderBy('no').execute()).map(({ link }) => link)
  await visitAs(browser, server.url, { theme: 'light', expects: [/status of 422/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/links')
    const rows = page.getByRole('region', { name: 'Links' }).locator('tbody tr')
    await page.getByText('3 working.', { exact: true }).waitFor()
    expect(await page.title()).toMatch(/^Links/)
    // Reported links come first.
    expect(await rows.first().textContent()).toContain('The mirrored work')
    // The first answer that shows the check has the counts of before it, as one that is read while the check ends.
    let torn = 0
    await page.route('**/api/links?*', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as LinksForAdmin
      if (answer.counts.suspect > 0 && torn === 0) {
        torn += 1
        answer.counts = { ...answer.counts, ok: 3, suspect: 0 }
      }
      await route.fulfill({ response, json: answer })
    })
    await rows.first().getByRole('button').click()
    await rows.filter({ hasText: 'In doubt' }).waitFor()
    await page.getByText('2 working, 1 in doubt.').waitFor()
    expect(torn).toBe(1)
    await page.unroute('**/api/links?*')
    // The second failure in a row.
    await rows.filter({ hasText: 'In doubt' }).getByRole('button').click()
    const dead = rows.filter({ hasText: 'Dead: not found (404)' })
    await dead.waitFor()
    await dead.getByRole('link', { name: 'Dead: files.example (opens in a new tab)' }).waitFor()
    await dead.getByRole('link', { name: 'Working: files.example (opens in a new tab)' }).waitFor()
    await page.getByLabel('State').selectOption('dead')
    await expect.poll(() => rows.count()).toBe(1)
    expect(new URL(page.url()).search).toBe('?state=dead')
    // The table is dimmed until the answer has come.
    await page.locator('.data-table:not([aria-busy="true"])').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Dark theme' }).first().click()
    await page.setViewportSize({ width: 320, height: 700 })
    // A wide table scrolls within itself.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 800 })

    await server.app.listing.catchUp()
    await visitAs(browser, server.url, { hasScripts: false }, async (next) => {
      await next.goto('/western/the-mirrored-work')
      await next.getByText(/1 of 2 mirrors working, checked on \w+ \d+, \d{4}/).waitFor()
      expect(await next.getByRole('link', { name: /^Download from/ }).getAttribute('href')).toMatch(/\/second$/)
      expect(await next.getByRole('button', { name: 'Report a dead link' }).isVisible()).toBe(false)
    })

    await page.getByRole('button', { name: /^files\.example 3/ }).click()
    await page.waitForURL(/host=files\.example/)
    await page.getByRole('button', { name: 'Replace this host by …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New host').fill('localhost')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('The new host must be a host that visitors can reach').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('New host').fill('new.example')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: 'Replace host: files.example, New host: new.example' }).waitFor()
    await page.getByText('2 entries found. 2 would change.').waitFor()
    await page.getByRole('button', { name: 'Change 2 entries' }).click()
    await page.getByRole('button', { name: 'Change them' }).click()
    await page.getByText('2 entries changed.').waitFor()
    expect(await links()).toEqual(['http://new.example/first', 'http://new.example/another'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo it' }).click()
    await page.getByText('2 entries undone.').waitFor()
    expect(await links()).toEqual([
      `http://files.example:${host.port}/first`,
      `http://files.example:${host.port}/another`,
    ])
  })
})
