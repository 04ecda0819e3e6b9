import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, openBrowser, visitAs, type VisitorWish } from '../harness/browser.ts'
import { settled } from '../harness/equal-to-stripe.ts'
import { remember } from '../harness/members.ts'
import { aBuyer, aSubscriber, behindProxy, type Buyer } from '../harness/purchases.ts'
import { openSandboxServer, type SandboxServer } from '../harness/sandbox.ts'

let server: SandboxServer
let browser: Browser
let admin: Buyer
let payer: Awaited<ReturnType<typeof aSubscriber>>

beforeAll(async () => {
  server = await openSandboxServer({ env: behindProxy, now: new Date().toISOString() })
  admin = await aBuyer(server, { name: 'Ada Admin', isAdmin: true })
  payer = await aSubscriber(server, { name: 'Petra 紅樓 Payer' })
  await settled(server)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const visit = (wish: VisitorWish, story: (page: Page) => Promise<void>): Promise<void> =>
  visitAs(browser, server.url, wish, async (page) => {
    await remember(page, server, admin)
    await story(page)
  })

const notices = (page: Page) => page.getByRole('main').getByRole('status')

test('an administrator finds a member, sees what differs from Stripe, and heals it', () =>
  visit({ theme: 'dark' }, async (page) => {
    const { control } = server.sandbox
    control.faults.webhooks = 'never'
    await control.cancel(payer.subscription, 'period_end')
    control.faults.webhooks = 'on'

    await page.goto('/admin/billing')
    await page.getByRole('heading', { name: 'Billing', exact: true }).waitFor()
    await page.getByText('TEST MODE').waitFor()
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByText('Nobody has that in the name or the address.').waitFor()
    await page.getByRole('searchbox').fill('紅樓 pay')
    await page.getByText('1 member found.').waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('紅樓 pay')
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Petra' }).click()
    await page.getByText('VIP by a paid plan that renews on').waitFor()
    await page.getByText(/^\d+ differences to Stripe$/).waitFor()
    const row = page.getByRole('row', { name: /^renews by itself differs/ })
    expect(await row.getByRole('cell').allTextContents()).toEqual(['yes', 'no'])
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Re-sync now' }).click()
    await notices(page)
      .getByText(/^\d+ differences were healed\.$/)
      .waitFor()
    await page.getByText('VIP by a paid plan that was cancelled and ends on').waitFor()
    await page.getByText('Equal to Stripe', { exact: true }).waitFor()
    expect(await page.getByText('differs', { exact: true }).count()).toBe(0)

    await page.getByRole('link', { name: 'Back to Billing' }).click()
    await page.getByRole('searchbox').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Petra' }).waitFor()
  }))

test('an administrator has everything compared, and sees how it went', () =>
  visit({ width: 320, height: 640 }, async (page) => {
    await page.goto('/admin/billing')
    await page.getByRole('button', { name: 'Reconcile now' }).click()
    await notices(page)
      .getByText(/^\d+ members? compared, 0 differences found\.$/)
      .waitFor()
    await page.getByText('Equal to Stripe', { exact: true }).waitFor()
    // Wide tables scroll within themselves.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  }))

test('after a lost dispute an administrator lets the member buy again', async () => {
  const { control } = server.sandbox
  const [invoice] = control.invoicesOf(payer.customer)
  await control.closeDispute(await control.openDispute(invoice?.id ?? ''), 'lost')
  await settled(server)
  await visit({ width: 320, height: 640 }, async (page) => {
    await page.goto(`/admin/billing/${payer.id}`)
    await page.getByText('This member cannot buy').waitFor()
    await page.getByRole('button', { name: 'Allow purchases again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Allow purchases again' })
    await dialog.getByText('Petra').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Allow purchases' }).click()
    await notices(page).getByText('This member may buy again.').waitFor()
    expect(await page.getByText('This member cannot buy').count()).toBe(0)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
  })
})

test('a member who is not there is told as such, and Stripe that is away hides nothing of ours', () =>
  visit({ expects: [/404 \(Not Found\)/] }, async (page) => {
    await page.goto('/admin/billing/00000000-0000-7000-8000-000000000000')
    await page.getByRole('heading', { name: 'There is no such member' }).waitFor()
    server.sandbox.control.faults.api = 'down'
    try {
      await page.goto(`/admin/billing/${payer.id}`)
      await page.getByText('Stripe does not answer, or refuses our key.').waitFor()
      await page.getByRole('columnheader', { name: 'Ours' }).waitFor()
      expect(await page.getByRole('columnheader', { name: "Stripe's", exact: true }).count()).toBe(0)
    } finally {
      server.sandbox.control.faults.api = 'none'
    }
  }))
