import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { drainWebhooks, sandboxServerOfFile } from '../harness/sandbox.ts'
import { remember } from '../harness/members.ts'
import { aBuyer, aSubscriber, behindProxy, type Buyer } from '../harness/purchases.ts'
import { visitsOfFile } from '../harness/browser.ts'

let admin: Buyer
let payer: Awaited<ReturnType<typeof aSubscriber>>

const server = sandboxServerOfFile({ env: behindProxy, now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  admin = await aBuyer(server, { name: 'Ada Admin', isAdmin: true })
  payer = await aSubscriber(server, { name: 'Petra 紅樓 Payer' })
  await drainWebhooks(server)
})

test('An administrator finds a member, heals what differs from Stripe, has everything compared, and lets a member buy again', () =>
  visit({ theme: 'dark', expects: [/404 \(Not Found\)/] }, async (page) => {
    const { control } = server.sandbox
    const notices = page.getByRole('main').getByRole('status')
    const expectFit = async (): Promise<void> => {
      // Wide tables scroll within themselves.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      await expectAccessible(page)
    }
    await remember(page, server, admin)
    control.faults.webhooks = 'never'
    await control.cancel(payer.subscription, 'period_end')
    control.faults.webhooks = 'on'

    await page.goto('/admin/billing')
    await page.getByRole('heading', { name: 'Billing', exact: true }).waitFor()
    await page.getByText('TEST MODE').waitFor()
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByText('Nobody has this in their name or email.').waitFor()
    await page.getByRole('searchbox').fill('紅樓 pay')
    await page.getByText('1 member found.').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('紅樓 pay')
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Petra' }).click()
    await page.getByText('VIP through a paid plan that renews on').waitFor()
    await page.getByText(/^\d+ differences from Stripe$/).waitFor()
    const row = page.getByRole('row', { name: /^renews by itself differs/ })
    expect(await row.getByRole('cell').allTextContents()).toEqual(['yes', 'no'])
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Re-sync now' }).click()
    await notices.getByText(/^\d+ differences were fixed\.$/).waitFor()
    await page.getByText('VIP through a paid plan that was cancelled and ends on').waitFor()
    await page.getByText('No differences', { exact: true }).waitFor()
    expect(await page.getByText('differs', { exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Back to Billing' }).click()
    await page.getByRole('searchbox').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Petra' }).waitFor()

    // Everything compared, on the narrowest screen and in the other theme.
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate(() => localStorage.setItem('theme', 'light'))
    await page.goto('/admin/billing')
    await page.getByRole('button', { name: 'Reconcile now' }).click()
    await notices.getByText(/^\d+ members? compared, 0 differences found\.$/).waitFor()
    await page.getByText('No differences', { exact: true }).waitFor()
    await expectFit()

    // After a lost dispute.
    const [invoice] = control.invoicesOf(payer.customer)
    await control.closeDispute(await control.openDispute(invoice?.id ?? ''), 'lost')
    await drainWebhooks(server)
    await page.goto(`/admin/billing/${payer.id}`)
    await page.getByText('This member cannot buy').waitFor()
    await page.getByRole('button', { name: 'Allow purchases again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Allow purchases again' })
    await dialog.getByText('Petra').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Allow purchases' }).click()
    await notices.getByText('This member can buy again.').waitFor()
    await expect.poll(() => page.getByText('This member cannot buy').count()).toBe(0)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await expectFit()

    // A member who is not there is told as such, and Stripe that is away hides nothing of ours.
    await page.goto('/admin/billing/00000000-0000-7000-8000-000000000000')
    await page.getByRole('heading', { name: 'There is no such member' }).waitFor()
    control.faults.api = 'down'
    try {
      await page.goto(`/admin/billing/${payer.id}`)
      await page.getByText('Stripe does not answer. This is our own state alone.').waitFor()
      await page.getByRole('columnheader', { name: 'Ours' }).waitFor()
      expect(await page.getByRole('columnheader', { name: "Stripe's", exact: true }).count()).toBe(0)
    } finally {
      control.faults.api = 'none'
    }
  }))
