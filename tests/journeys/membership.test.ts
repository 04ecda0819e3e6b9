import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { holdRequests, stopTimers, type VisitorOptions, visitsOfFile } from '../harness/browser.ts'
import { drainWebhooks, sandboxServerOfFile } from '../harness/sandbox.ts'
import { aMember, type MadeMember, type MemberOverrides, remember } from '../harness/members.ts'

const now = '2024-03-15T12:00:00Z'

const server = sandboxServerOfFile({ now })
const { visit: visitAs } = visitsOfFile(server)

/** A visit that may lead to the sandbox, which stands where Stripe would. */
function visit(
  story: (page: Page) => Promise<void>,
  { expects = [], ...overrides }: VisitorOptions = {},
): Promise<void> {
  const toSandbox = new RegExp(`^call to ${server.sandbox.url}/`)
  return visitAs({ now, ...overrides, expects: [toSandbox, ...expects] }, story)
}

async function aSignedInMember(page: Page, overrides: MemberOverrides = {}): Promise<MadeMember> {
  const member = await aMember(server.app, overrides)
  await remember(page, server, member)
  return member
}

const path = (page: Page): string => {
  const { pathname, search, hash } = new URL(page.url())
  return pathname + search + hash
}
const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => main(page).getByRole('heading', { name, exact: true })
const status = (page: Page) => page.getByRole('region', { name: 'Subscription Status' })
const storedToken = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('Token'))
const atSandbox = (page: Page) => page.waitForURL(`${server.sandbox.url}/**`)

/** Pays on the sandbox's page. */
async function pay(page: Page, sum: string): Promise<void> {
  await atSandbox(page)
  await page.getByText('TEST MODE: no card is charged').waitFor()
  await page.getByRole('button', { name: `Pay ${sum}` }).click()
  await page.waitForURL(`${server.url}/success?**`)
  await heading(page, 'Welcome to VIP Access!').waitFor()
  expect(await page.title()).toBe('Welcome to VIP Access! · Daybook')
}

/** Cancels on the sandbox's page for the billing portal, which opens in another tab. */
async function cancelInPortal(page: Page): Promise<void> {
  const opened = page.context().waitForEvent('page')
  await button(page, 'Manage Subscription').click()
  const portal = await opened
  await atSandbox(portal)
  await portal.getByRole('button', { name: 'Cancel at period end' }).click()
  await portal.getByRole('button', { name: 'Keep the membership' }).waitFor()
  await portal.close()
  await drainWebhooks(server)
}

/** The answer of the site to one call, in the server's place. */
async function answer(page: Page, glob: string, status: number, json: unknown): Promise<{ calls: number }> {
  const counted = { calls: 0 }
  await page.route(glob, async (route) => {
    counted.calls += 1
    await route.fulfill({ status, json })
  })
  return counted
}

const checkoutCall = '**/pay/vip-payment'
const portalCall = '**/stripe-portal/create-portal-session'
const membershipCall = '**/pay/membership'
const paymentCall = '**/pay/session/*'

test('A new visitor registers, buys the monthly plan, is VIP, cancels, and stays VIP until the period ends', () =>
  visit(
    async (page) => {
      const [email, password] = ['nora@readers.example', 'a quiet reading room']
      /** The time that the site, the sandbox and the browser have. */
      const setTime = async (instant: string): Promise<void> => {
        server.clock.set(instant)
        await page.clock.setFixedTime(instant)
      }
      const signIn = async (): Promise<void> => {
        await page.goto('/login?next=/account')
        await page.getByLabel('Email').fill(email)
        await page.getByLabel('Password', { exact: true }).fill(password)
        await button(page, 'Sign In').click()
        await page.waitForURL('**/account')
      }
      try {
        await page.goto('/')
        await page.getByRole('link', { name: 'VIP ACCESS' }).click()
        await button(page, 'Get VIP Access').click()
        await page.waitForURL(`${server.url}/register?next=%2Fplans%23monthly`)
        await page.getByLabel('Full Name').fill('Nora Newcomer')
        await page.getByLabel('Email Address').fill(email)
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByLabel('Confirm Password').fill(password)
        await page.getByRole('checkbox').check()
        await button(page, 'Create Account').click()
        await page.waitForURL(`${server.url}/plans#monthly`)
        await button(page, 'Get VIP Access').click()
        await pay(page, '$12.00')
        await page.getByRole('banner').getByRole('link', { name: 'VIP Content' }).waitFor()

        await page.goto('/account')
        await status(page).getByText('VIP through a paid plan that renews on April 15, 2024.').waitFor()
        await cancelInPortal(page)
        const cancelled = 'VIP through a paid plan that was cancelled and ends on April 15, 2024.'
        await page.goto('/account')
        await status(page).getByText(cancelled).waitFor()

        // The last minute that was paid for, and the first that was not.
        await setTime('2024-04-15T11:59:00Z')
        await server.sandbox.control.tick()
        await signIn()
        await status(page).getByText(cancelled).waitFor()
        await page.goto('/vip')
        await heading(page, 'VIP Content').waitFor()
        await setTime('2024-04-15T12:00:00Z')
        await page.goto('/vip')
        await main(page).getByText('You are not a VIP to access this page.').waitFor()
        await server.sandbox.control.tick()
        await drainWebhooks(server)
        await page.goto('/account')
        await status(page).getByText('Free Account', { exact: true }).waitFor()
        await status(page).getByText('Not VIP: the membership ended on April 15, 2024.').waitFor()
        const rows = await server.app.db.selectFrom('payments').select(['status', 'amount_cents']).execute()
        expect(rows).toEqual([{ status: 'paid', amount_cents: 1_200 }])
      } finally {
        server.clock.set(now)
      }
    },
    // The session has lapsed within the month.
    { expects: [/status of 401/] },
  ))

test('A member is led to the checkout once, buys the annual plan, and manages it in the billing portal', () =>
  visit(
    async (page) => {
      await page.goto('/plans')
      await main(page).getByRole('link', { name: 'Access Free Content' }).click()
      await page.waitForURL(`${server.url}/`)

      // No address is stored, the token is unknown, or the session is over.
      const member = await aSignedInMember(page, { name: 'Berta Buyer' })
      await page.evaluate(() => localStorage.removeItem('email'))
      await page.goto('/plans')
      await button(page, 'Get VIP Access').click()
      await page.waitForURL(`${server.url}/login?next=%2Fplans%23monthly`)
      await page.evaluate(() => Object.assign(localStorage, { Token: 'made-up', name: 'Nobody', email: 'a@b.example' }))
      await page.goto('/plans')
      await expect.poll(() => storedToken(page)).toBeNull()
      await button(page, 'Get VIP Access').click()
      await page.waitForURL(`${server.url}/login?next=%2Fplans%23monthly`)
      await remember(page, server, member)
      await page.goto('/plans')
      await answer(page, checkoutCall, 401, { error: 'Please sign in first.', message: 'Please sign in first.' })
      await button(page, 'Get Annual Plan').click()
      await page.waitForURL(`${server.url}/login?next=%2Fplans%23annual`)
      await expect.poll(() => storedToken(page)).toBeNull()
      await page.unrouteAll({ behavior: 'wait' })

      // Asked once, however often it is clicked.
      await remember(page, server, member)
      await page.goto('/plans')
      const held = await holdRequests(page, checkoutCall)
      await button(page, 'Get Annual Plan').dblclick()
      await button(page, 'Processing...').waitFor()
      expect(await button(page, 'Processing...').isDisabled()).toBe(true)
      await button(page, 'Get VIP Access').click({ force: true })
      held.release({ status: 503, json: { message: 'The payment service does not answer.' } })
      await main(page).getByText('The payment service does not answer.').waitFor()
      expect(held.count()).toBe(1)
      await expect.poll(() => button(page, 'Get Annual Plan').isEnabled()).toBe(true)
      await page.unrouteAll({ behavior: 'wait' })

      // No answer came, or a subscription lives that this page does not know of yet.
      await page.route(checkoutCall, (route) => route.abort('internetdisconnected'))
      await button(page, 'Get VIP Access').click()
      await main(page).getByText('Erro ao processar pagamento. Veja o console para detalhes.').waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      const url = `${server.url}/cancel`
      await answer(page, checkoutCall, 409, { message: 'You have one already.', code: 'checkout.subscribed', url })
      await button(page, 'Get VIP Access').click()
      await main(page).getByText('You have one already.').waitFor()
      expect(path(page)).toBe('/plans')
      expect(await main(page).getByRole('link', { name: 'Open the billing portal' }).getAttribute('href')).toBe(url)
      await expectAccessible(page)
      await page.unrouteAll({ behavior: 'wait' })

      // Nobody is led on who has gone elsewhere meanwhile.
      const slow = await holdRequests(page, checkoutCall)
      await button(page, 'Get VIP Access').click()
      await slow.arrived(1)
      const calledOff = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/pay/vip-payment'))
      await main(page).getByRole('link', { name: 'Access Free Content' }).click()
      await page.waitForURL(`${server.url}/`)
      await calledOff
      slow.release({ json: { url } })
      await page.unrouteAll({ behavior: 'wait' })
      expect(path(page)).toBe('/')

      // Free again for whoever comes back from the checkout.
      await page.goto('/plans')
      await button(page, 'Get Annual Plan').click()
      await atSandbox(page)
      await page.goBack()
      await button(page, 'Get Annual Plan').click()
      await pay(page, '$80.00')
      for (const name of ['Premium Content', 'Direct Downloads', 'Priority Support'])
        await heading(page, name).waitFor()
      await main(page).getByRole('link', { name: 'Back to Homepage' }).waitFor()
      await expectAccessible(page)
      await main(page).getByRole('link', { name: 'VIP Content' }).click()
      await heading(page, 'VIP Content').waitFor()

      await page.goto('/account')
      await status(page).getByText('VIP through a paid plan that renews on March 15, 2025.').waitFor()
      const payments = status(page).getByRole('list', { name: 'Payments' }).getByRole('listitem')
      await expect.poll(() => payments.count()).toBe(1)
      expect(await payments.innerText()).toMatch(/^March 15, 2024\s+\$80\.00\s+ANNUAL PREMIUM\s*\S+\s+Paid$/)
      await page.setViewportSize({ width: 390, height: 780 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      await expectAccessible(page)
      await page.setViewportSize({ width: 1280, height: 800 })

      // The portal does not open, and its tab is closed again; then the browser allows no new tab.
      await answer(page, portalCall, 404, { message: 'There is no subscription to manage yet. Choose a plan first.' })
      const opened = page.context().waitForEvent('page')
      await button(page, 'Manage Subscription').click()
      const tab = await opened
      await status(page).getByText('There is no subscription to manage yet. Choose a plan first.').waitFor()
      await expect.poll(() => tab.isClosed()).toBe(true)
      await page.unrouteAll({ behavior: 'wait' })
      await answer(page, portalCall, 200, { url })
      const open = await page.evaluateHandle(() => {
        const own = window.open
        window.open = () => null
        return own
      })
      await button(page, 'Manage Subscription').click()
      const link = status(page).getByRole('link', { name: 'Open the billing portal' })
      expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([url, '_blank'])
      await page.evaluate((own) => (window.open = own), open)
      await page.unrouteAll({ behavior: 'wait' })

      // It opens, and they cancel there: this tab tells it when they come back to it.
      await cancelInPortal(page)
      // They were away for longer than a glance at another tab. The browser of a test never hides a page.
      await stopTimers(page, now)
      await page.clock.runFor(2_100)
      await page.clock.resume()
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await status(page).getByText('Expires in', { exact: true }).waitFor()

      // Deleting the account cancels the subscription; when that could not be done, nothing is deleted.
      await answer(page, '**/auth/delete-account/*', 503, {
        message: 'Your subscription could not be cancelled, so nothing was deleted.',
      })
      await button(page, 'Delete Account').click()
      const deletion = page.getByRole('dialog', { name: 'Delete Account' })
      await deletion.getByText('a paid subscription: it is cancelled at once, and you are not charged again').waitFor()
      await deletion.getByRole('textbox').fill('delete my account')
      await deletion.getByRole('button', { name: 'Delete Account' }).click()
      await deletion.getByText('Failed to delete account').waitFor()
      await deletion.getByText('Your subscription could not be cancelled, so nothing was deleted.').waitFor()
      expect(await storedToken(page)).not.toBeNull()
      await page.unrouteAll({ behavior: 'wait' })

      await page.goto('/plans')
      const own = main(page).getByRole('listitem').filter({ hasText: 'Your plan' })
      await own.getByText('ANNUAL PREMIUM', { exact: true }).waitFor()
      await expect.poll(() => button(page, 'Manage Subscription').count()).toBe(2)
      expect(await button(page, 'Get VIP Access').count()).toBe(0)
      await expectAccessible(page)
    },
    { expects: [/401|404|409|503/, /ERR_INTERNET_DISCONNECTED/, /The checkout was not answered/] },
  ))

test('The page after a payment asks until it is confirmed, loses nothing when that takes long, and tells only the payer; the account page stands without what it cannot learn', () =>
  visit(
    async (page) => {
      const address = '/success?session_id=cs_test_made_up_1'
      const welcome = heading(page, 'Welcome to VIP Access!')
      const confirming = heading(page, 'Confirming your payment')
      // A stranger signs in first, and comes back.
      const member = await aMember(server.app)
      await page.goto(address)
      await heading(page, 'Sign in to see your membership').waitFor()
      await main(page).getByRole('link', { name: 'Sign in' }).click()
      await page.getByLabel('Email', { exact: true }).fill(member.email)
      await page.getByLabel('Password', { exact: true }).fill(member.password)
      await button(page, 'Sign In').click()
      await page.waitForURL(server.url + address)
      await heading(page, 'This payment was not found in your account.').waitFor()
      await expectAccessible(page)
      for (const { code, json, title } of [
        { code: 200, json: { state: 'failed' }, title: 'This payment gives no membership' },
        { code: 503, json: {}, title: 'Your payment could not be looked up' },
      ]) {
        await answer(page, paymentCall, code, json)
        await page.goto(address)
        await heading(page, title).waitFor()
        expect(await page.title()).toBe(`${title} · Daybook`)
        await expectAccessible(page)
        await page.unrouteAll({ behavior: 'wait' })
      }

      // Confirmed at the third time of asking; then it is asked no more.
      let calls = 0
      const held = await holdRequests(page, paymentCall)
      await page.goto(address)
      await confirming.waitFor()
      await page.route(paymentCall, (route) => {
        calls += 1
        return route.fulfill({ json: { state: calls < 2 ? 'confirming' : 'active' } })
      })
      held.release({ json: { state: 'confirming' } })
      await welcome.waitFor()
      await stopTimers(page, now)
      await page.clock.runFor(20_000)
      expect([held.count(), calls]).toEqual([1, 2])
      await page.clock.resume()
      await page.unrouteAll({ behavior: 'wait' })

      // Late: it stops asking by itself after a while, and looks again when asked to.
      const requested = await answer(page, paymentCall, 200, { state: 'confirming' })
      await page.goto(address)
      await confirming.waitFor()
      await stopTimers(page, now)
      // Answers take the time of the machine, which does not stand still.
      await expect
        .poll(async () => {
          await page.clock.runFor(1_000)
          return heading(page, 'The confirmation takes longer than usual').count()
        })
        .toBe(1)
      expect(requested.calls).toBeGreaterThan(15)
      expect(requested.calls).toBeLessThan(35)
      await page.clock.resume()
      await expectAccessible(page)
      await page.unrouteAll({ behavior: 'wait' })
      await answer(page, paymentCall, 200, { state: 'active' })
      await button(page, 'Look again').click()
      await welcome.waitFor()
      await page.unrouteAll({ behavior: 'wait' })

      // Without a payment it tells what the member has.
      await page.goto('/success')
      await heading(page, 'No membership is in force').waitFor()
      await aSignedInMember(page, { isVip: true })
      await page.goto('/success')
      await heading(page, 'You are VIP').waitFor()
      const given = 'VIP until April 14, 2024, given by an administrator.'
      await main(page).getByText(given).waitFor()

      // The account page stands without what it cannot learn. There is no customer whose portal could open.
      await answer(page, membershipCall, 500, { message: 'An error occurred. Please try again.' })
      await page.goto('/account')
      await status(page).getByText('The details of your membership could not be loaded.').waitFor()
      await status(page).getByText('30 days').waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      await button(page, 'Try again').click()
      await status(page).getByText(given).waitFor()
      expect(await button(page, 'Manage Subscription').count()).toBe(0)
    },
    { expects: [/404|500|503/] },
  ))
