import { sql } from 'kysely'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { holdRequests, openBrowser, visitAs } from '../harness/browser.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let browser: Browser
/** Plays the file hosts: where a form leads, no test can stand in between. */
let fileHosts: Server

const target = 'http://one.example/file/a1#the-key'

beforeAll(async () => {
  fileHosts = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>The file</title><h1>The file</h1>')
  })
  await new Promise<void>((listening) => fileHosts.listen(0, '127.0.0.1', listening))
  const address = `127.0.0.1:${(fileHosts.address() as AddressInfo).port}`
  const hosts = ['One', 'Two', 'Three'].map((label) => ({ label, domains: [`${label.toLowerCase()}.example`] }))
  ;[server, browser] = await Promise.all([
    openTestServer({
      now: '2024-03-15T12:00:00Z',
      env: { GATEWAY_WAIT_SECONDS: '2', FILE_HOSTS: JSON.stringify(hosts) },
    }),
    openBrowser({ 'one.example': address, 'two.example': address }),
  ])
  await someItems(server.app, [
    {
      name: 'The Tower',
      contentType: 'western',
      link: target,
      linkG: 'http://two.example/d/b1',
      linkP: 'https://files.example.org/c1',
    },
  ])
})
afterAll(async () => {
  await browser.close()
  await server.close()
  fileHosts.closeAllConnections()
  fileHosts.close()
})

/** Leaving the site is the story; the host's own favicon is not. */
const callOfFileHost = /^call to http:\/\/(one|two)\.example\//

/** The tab that a click opens. */
async function tabOf(page: Page, click: () => Promise<unknown>): Promise<Page> {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), click()])
  await tab.waitForLoadState()
  return tab
}
const download = (page: Page, host: string) => page.getByRole('link', { name: new RegExp(`Download from ${host}`) })
const counted = async (tier: 'free' | 'vip'): Promise<number> =>
  (await server.app.db.selectFrom('download_events').select('id').where('tier', '=', tier).execute()).length

test('A free visitor waits at the gateway, with JavaScript and without, a VIP does not, and an administrator switches it off for all', async () => {
  await visitAs(browser, server.url, { expects: [callOfFileHost, /410/] }, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/western/the-tower')
    await download(page, 'One').getByText('Opens after a 2-second wait').waitFor()
    await page.getByText('Upgrade to VIP').waitFor()
    const tab = await tabOf(page, () => download(page, 'One').click())
    expect(new URL(tab.url()).pathname).toMatch(/^\/go\/[\w-]+$/)
    await tab.getByRole('heading', { name: 'The Tower' }).waitFor()
    await tab.getByRole('link', { name: 'Become VIP' }).waitFor()
    // Disabled until the wait is over; the click waits for that.
    const button = tab.getByRole('button', { name: 'Continue to One' })
    await expectAccessible(tab)
    await button.click()
    await tab.getByRole('heading', { name: 'The file' }).waitFor()
    expect(tab.url()).toBe(target)
    expect(await counted('free')).toBe(1)
    // A ticket leads there once.
    await tab.goBack()
    await tab.getByRole('heading', { name: 'This download link has been used' }).waitFor()
    await tab.getByRole('link', { name: 'Back to the entry' }).click()
    await tab.waitForURL('**/western/the-tower')
    await tab.close()

    // As a VIP they have direct links at once.
    await remember(page, server, await aMember(server.app, { name: 'Vera', isVip: true }))
    await page.goto('/western/the-tower')
    await download(page, 'One').getByText('Direct link for VIPs').waitFor()
    expect(await page.getByText('Upgrade to VIP').isVisible()).toBe(false)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Copy link of One' }).click()
    await page.getByText('Link copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(target)
    const file = await tabOf(page, () => download(page, 'One').click())
    expect(file.url()).toBe(target)
    await file.close()
    await expect.poll(() => counted('vip')).toBe(1)
    // The session ends in this browser, as by another tab.
    await page.evaluate(() => {
      localStorage.clear()
      window.dispatchEvent(new StorageEvent('storage', { key: 'Token', storageArea: localStorage }))
    })
    await download(page, 'One').getByText('Opens after a 2-second wait').waitFor()
    expect(await download(page, 'One').getAttribute('href')).toBe('/go/the-tower/link')
    expect(await page.content()).not.toContain(target)
  })

  // The server says 403 to who is too early, and the browser tells its console.
  const withoutScripts = { hasScripts: false, expects: [callOfFileHost, /403/], width: 320, height: 640 }
  await visitAs(browser, server.url, withoutScripts, async (page) => {
    await page.goto('/western/the-tower')
    expect(await page.getByRole('button', { name: /Copy link/ }).count()).toBe(0)
    const tab = await tabOf(page, () => download(page, 'Two').click())
    await tab.getByText('Wait 2 seconds, then press the button.').waitFor()
    // However long the machine takes: the wait is not over.
    await sql`update gateway_tickets set ready_at = now() + interval '9 minutes' where served_at is null`.execute(
      server.app.db,
    )
    await tab.getByRole('button', { name: 'Continue to Two' }).click()
    await tab.getByText(/That was too early\. Please wait \d+ seconds, then press the button again\./).waitFor()
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await sql`update gateway_tickets set ready_at = now() where served_at is null`.execute(server.app.db)
    await tab.getByRole('button', { name: 'Continue to Two' }).click()
    await tab.getByRole('heading', { name: 'The file' }).waitFor()
    expect(await counted('free')).toBe(2)
    await tab.close()

    await visitAs(browser, server.url, {}, async (admin) => {
      await remember(admin, server, await aMember(server.app, { isAdmin: true }))
      await admin.goto('/admin/gateway')
      await admin.getByText('Gateway is on: local').waitFor()
      const wait = admin.getByLabel('Wait, in seconds')
      await wait.fill('3')
      await admin.getByRole('link', { name: 'Categories', exact: true }).click()
      await admin
        .getByRole('dialog', { name: 'Discard what you typed?' })
        .getByRole('button', { name: 'Keep editing' })
        .click()
      await expect.poll(() => wait.inputValue()).toBe('3')
      // Text typed while a save is under way stays, for the next.
      const save = admin.getByRole('button', { name: 'Save', exact: true })
      const held = await holdRequests(admin, '**/api/gateway')
      await save.click()
      await held.arrived(1)
      await wait.fill('4')
      held.release()
      await admin.getByText('Saved. It takes effect on every instance within a second.').waitFor()
      await expect.poll(() => wait.inputValue()).toBe('4')
      const [answer] = await Promise.all([admin.waitForResponse('**/api/gateway'), save.click()])
      expect(answer.status()).toBe(200)
      await admin.getByRole('button', { name: 'Switch off now' }).click()
      const dialog = admin.getByRole('dialog', { name: 'Switch the gateway off?' })
      await dialog.getByText('Every download becomes a direct link at once, for everybody.').waitFor()
      await dialog.getByRole('button', { name: 'Switch off' }).click()
      await admin.getByText('Gateway is off: downloads are direct links.').waitFor()
      await expect.poll(() => admin.getByLabel('off', { exact: true }).isChecked()).toBe(true)
      await expect.poll(() => wait.inputValue()).toBe('4')
    })
    await page.reload()
    await expect.poll(() => download(page, 'One').getAttribute('href')).toBe(target)
  })
})
