import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { drainWebhooks, sandboxServerOfFile } from '../harness/sandbox.ts'
import { aMember, remember } from '../harness/members.ts'
import { aBuyer, aSubscriber, behindProxy, type Buyer } from '../harness/purchases.ts'
import { visitsOfFile } from '../harness/browser.ts'

let admin: Buyer
let payer: Awaited<ReturnType<typeof aSubscriber>>

const server = sandboxServerOfFile({ env: behindProxy, now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

const at = (days: number): string => new Date(server.clock.now() + days * 86_400_000).toISOString()
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

beforeAll(async () => {
  admin = await aBuyer(server, { name: 'Ada Admin', isAdmin: true })
  payer = await aSubscriber(server, { name: 'Petra 紅樓 Payer' })
  await drainWebhooks(server)
})

test('An administrator renews one VIP and disables another, with the mouse and by keyboard alone', async () => {
  const { app } = server
  await aMember(app, { name: 'Clara Barton', vipExpiresAt: at(20) })
  await aMember(app, { name: 'Ida Wells', vipExpiresAt: at(-3) })
  await aMember(app, { name: 'Lewis Hine', vipExpiresAt: at(-40) })
  await aMember(app, { name: 'Free Reader' })

  await visit({ theme: 'light', expects: [/503/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin-vip-users')
    const table = page.getByRole('region', { name: 'VIP users', exact: true })
    const row = (name: string) => table.locator('tbody tr').filter({ hasText: name })
    await row('Clara Barton').waitFor()
    expect(await page.title()).toMatch(/^VIP Users Management/)
    // Active memberships have no actions, and everything says how it stands.
    expect(await row('Clara Barton').getByRole('button').count()).toBe(0)
    expect(await row('Ida Wells').textContent()).toContain('Expired')
    await expectAccessible(page)

    // Asked, and not done.
    await row('Ida Wells').getByRole('button', { name: 'Give 30 days' }).click()
    await dialog(page, 'Renew for 30 days').getByRole('button', { name: 'Cancel' }).click()
    expect(await row('Ida Wells').textContent()).toContain('Expired')
    await row('Ida Wells').getByRole('button', { name: 'Give 30 days' }).click()
    await expectAccessible(page)
    await dialog(page, 'Renew for 30 days').getByRole('button', { name: 'Confirm' }).click()
    await dialog(page, 'Success').getByText('VIP access was renewed for 30 days.').waitFor()
    await dialog(page, 'Success').getByRole('button', { name: 'Close' }).click()
    await row('Ida Wells').filter({ hasText: 'Active' }).waitFor()

    // By keyboard alone, from the search on; the first answer fails.
    await page.route('**/auth/disable-user/**', (route) =>
      route.fulfill({ status: 503, json: { error: 'Stripe is away.', message: 'Stripe is away.' } }),
    )
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('lewis')
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1)
    const more = row('Lewis Hine').getByRole('button', { name: /^More.*Lewis Hine/ })
    for (let steps = 0; steps < 12 && !(await more.evaluate((one) => one === document.activeElement)); steps += 1)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.getByRole('menuitem').allTextContents())
      .toEqual(['Give 1 year', 'Disable VIP', 'Open billing'])
    await page.keyboard.press('D')
    await page.keyboard.press('Enter')
    const asking = dialog(page, 'Disable VIP')
    await asking.waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await asking.getByText('Failed to disable VIP access. Please try again.').waitFor()
    await asking.getByText('Stripe is away.').waitFor()
    await page.unroute('**/auth/disable-user/**')
    await asking.getByRole('button', { name: 'Confirm' }).focus()
    await page.keyboard.press('Enter')
    await dialog(page, 'Success').getByText('VIP access was disabled.').waitFor()
    await page.keyboard.press('Enter')
    await row('Lewis Hine').filter({ hasText: 'Disabled' }).waitFor()
    // The focus stays in the list.
    await expect.poll(() => table.evaluate((one) => one === document.activeElement)).toBe(true)

    // A search finds who was never a VIP, and the filter stands in the address.
    await page.getByRole('searchbox').fill('free reader')
    await row('Free Reader').getByText('Not defined').waitFor()
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByText('No users found', { exact: true }).waitFor()
    await page.getByRole('searchbox').fill('')
    await row('Clara Barton').waitFor()
    await page.getByLabel('Filter').selectOption('expired')
    await page.getByText('No users found', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?filter=expired')

    await page.getByRole('link', { name: 'Disabled VIP Users' }).click()
    const disabled = page.getByRole('region', { name: 'Disabled VIP users' })
    await disabled.getByRole('link', { name: 'Lewis Hine' }).waitFor()
    // The order stands in the address too, and the way back leads through what was chosen.
    const byName = page.waitForRequest(/\/auth\/vip-disabled-users\?.*sort=name/)
    await page.getByLabel('Sort').selectOption('By name')
    await byName
    expect(new URL(page.url()).search).toBe('?sort=name')
    await page.goBack()
    await expect.poll(() => page.getByLabel('Sort').inputValue()).toBe('')
    await page.goBack()
    await page.getByText('No users found', { exact: true }).waitFor()
    await expect.poll(() => page.getByLabel('Filter').inputValue()).toBe('expired')
    await page.goForward()
    await disabled.getByRole('link', { name: 'Lewis Hine' }).waitFor()
    expect(await disabled.locator('thead').textContent()).toBe('UserStatusLast VIP DateActions')
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await disabled.getByRole('button', { name: /^More.*Lewis Hine/ }).click()
    await page.getByRole('menuitem', { name: 'Give 1 year' }).click()
    await dialog(page, 'Renew for 1 year').getByRole('button', { name: 'Confirm' }).click()
    await dialog(page, 'Success').getByText('VIP access was renewed for 1 year.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('No disabled VIP users found', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Back to VIP Users' }).click()
    await row('Lewis Hine').filter({ hasText: 'Active' }).waitFor()
  })
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
    const question = dialog(page, 'Allow purchases again')
    await question.getByText('Petra').waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Allow purchases' }).click()
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
