import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, openBrowser, visitAs, type VisitorWish } from '../harness/browser.ts'
import { aMember, type MadeMember, type MemberWish, remember } from '../harness/members.ts'
import { openSandboxServer, type SandboxServer } from '../harness/sandbox.ts'

const now = '2024-03-15T12:00:00Z'

let server: SandboxServer
let browser: Browser

beforeAll(async () => {
  server = await openSandboxServer({ now })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** A visit that may lead to the sandbox, which stands where Stripe would. */
function visit(story: (page: Page) => Promise<void>, { expects = [], ...wish }: VisitorWish = {}): Promise<void> {
  const toSandbox = new RegExp(`^call to ${server.sandbox.url}/`)
  return visitAs(browser, server.url, { ...wish, expects: [toSandbox, ...expects] }, async (page) => {
    await page.clock.setFixedTime(now)
    await story(page)
  })
}

async function aSignedInMember(page: Page, wish: MemberWish = {}): Promise<MadeMember> {
  const member = await aMember(server.app, wish)
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

/** Pays on the sandbox's page. */
async function pay(page: Page): Promise<void> {
  await page.waitForURL(`${server.sandbox.url}/**`)
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL(`${server.url}/success?**`)
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
const paymentCall = '**/pay/session/*'

describe.each([
  { device: 'a wide screen', width: 1280, height: 800, theme: 'light' },
  { device: 'a phone, in the dark', width: 390, height: 780, theme: 'dark' },
] as const)('on $device', ({ width, height, theme }) => {
  const screen = { width, height, theme }

  test('a member buys a plan, is VIP at once, and manages it in the portal', { timeout: 240_000 }, () =>
    visit(async (page) => {
      await aSignedInMember(page, { name: 'Berta Buyer' })
      await page.goto('/plans')
      await button(page, 'Get Annual Plan').click()
      await pay(page)
      await heading(page, 'Welcome to VIP Access!').waitFor()
      for (const name of ['Premium Content', 'Ad-Free Experience', 'Priority Support']) {
        await heading(page, name).waitFor()
      }
      await expectAccessible(page)
      await main(page).getByRole('link', { name: 'Back to Homepage' }).waitFor()
      await main(page).getByRole('link', { name: 'VIP Content' }).click()
      await heading(page, 'VIP Content').waitFor()
      if (width > 768) {
        await page.getByRole('button', { name: 'Account menu of Berta Buyer' }).click()
        await page.getByText('VIP PREMIUM', { exact: true }).waitFor()
      }

      await page.goto('/account')
      await status(page).getByText('VIP Subscription', { exact: true }).waitFor()
      await status(page).getByText('VIP by a paid plan that renews on March 15, 2025.').waitFor()
      expect(await status(page).locator('dl').innerText()).toBe(
        'Current Plan\nVIP Subscription ANNUAL PREMIUM\nExpires in\n365 days\nRenews on\nMarch 15, 2025',
      )
      const payments = status(page).getByRole('list', { name: 'Payments' }).getByRole('listitem')
      expect(await payments.count()).toBe(1)
      expect(await payments.innerText()).toMatch(/^March 15, 2024\s+\$80\.00\s+ANNUAL PREMIUM\s*\S+\s+Paid$/)
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)

      const opened = page.context().waitForEvent('page')
      await button(page, 'Manage Subscription').click()
      const portal = await opened
      await portal.waitForURL(`${server.sandbox.url}/**`)
      await portal.getByRole('button', { name: 'Cancel at period end' }).click()
      await portal.getByRole('button', { name: 'Keep the membership' }).waitFor()
      await portal.close()
      await server.sandbox.control.idle()
      // The browser of a test never hides a page; coming back to the tab is told it so.
      await page.waitForTimeout(2_100)
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await status(page).getByText('Ends on', { exact: true }).waitFor()

      await page.goto('/plans')
      const own = main(page).getByRole('listitem').filter({ hasText: 'Your plan' })
      await own.getByText('ANNUAL PREMIUM', { exact: true }).waitFor()
      expect(await button(page, 'Manage Subscription').count()).toBe(2)
      expect(await button(page, 'Get VIP Access').count()).toBe(0)
      await expectAccessible(page)
    }, screen),
  )

  test('the plans tell all there is to tell, and lead to the texts of the operator', () =>
    visit(async (page) => {
      await page.goto('/plans')
      expect(await page.title()).toBe('VIP LOUNGE · Daybook')
      await heading(page, 'VIP LOUNGE').waitFor()
      for (const name of ['VIP ALL ACCESS', 'ANNUAL PREMIUM', 'FREE ACCESS', 'Why Choose VIP?']) {
        await heading(page, name).waitFor()
      }
      for (const text of ['$12.00 per month', '$6.66/mo', '$0.00 per month', 'billed $80.00/year', 'POPULAR']) {
        await main(page).getByText(text, { exact: true }).first().waitFor()
      }
      await main(page).getByText('50% savings').waitFor()
      const free = await main(page).locator('#free li').allTextContents()
      expect(free.slice(0, 4).filter((feature) => feature.startsWith('Not included'))).toEqual([])
      expect(free.slice(4).filter((feature) => !feature.startsWith('Not included: '))).toEqual([])
      expect(await main(page).locator('#free s').count()).toBe(free.length - 4)
      const footer = page.getByRole('contentinfo')
      for (const [link, title] of [
        ['Terms of Service', 'Terms of Service'],
        ['Privacy Policy', 'Privacy Policy'],
      ] as const) {
        await footer.getByRole('link', { name: link }).click()
        await expect
          .poll(() => heading(page, title).evaluate((h) => h.getBoundingClientRect().top))
          .toBeLessThan(height)
        const section = main(page).getByRole('region', { name: title })
        await section.getByText('Draft', { exact: true }).waitFor()
      }
      await main(page).getByRole('link', { name: 'Access Free Content' }).click()
      await page.waitForURL(`${server.url}/`)
    }, screen))

  test('a guest is sent to make an account, and comes back to the plan that he chose', () =>
    visit(async (page) => {
      await page.goto('/plans')
      await button(page, 'Get VIP Access').click()
      await page.waitForURL(`${server.url}/register?next=%2Fplans%23monthly`)
      await page.getByLabel('Full Name').fill('Gerda Guest')
      await page.getByLabel('Email Address').fill(`gerda-${width}@readers.example`)
      await page.getByLabel('Password', { exact: true }).fill('seven grey herons')
      await page.getByLabel('Confirm Password').fill('seven grey herons')
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Create Account' }).click()
      await page.waitForURL(`${server.url}/plans#monthly`)
      await button(page, 'Get VIP Access').click()
      await page.waitForURL(`${server.sandbox.url}/**`)
    }, screen))
})

describe('the way to the checkout', () => {
  test('leads to signing in whoever has no address stored, or a session that is over', () =>
    visit(
      async (page) => {
        await aSignedInMember(page)
        await page.evaluate(() => localStorage.removeItem('email'))
        await page.goto('/plans')
        await button(page, 'Get VIP Access').click()
        await page.waitForURL(`${server.url}/login?next=%2Fplans%23monthly`)
        await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()

        await aSignedInMember(page)
        await page.goto('/plans')
        await answer(page, checkoutCall, 401, { error: 'Please sign in first.', message: 'Please sign in first.' })
        await button(page, 'Get Annual Plan').click()
        await page.waitForURL(`${server.url}/login?next=%2Fplans%23annual`)
        expect(await storedToken(page)).toBeNull()
      },
      { expects: [/401/] },
    ))

  test('forgets a stored token that the server rejects', () =>
    visit(
      async (page) => {
        await page.goto('/favicon.svg')
        await page.evaluate(() =>
          Object.assign(localStorage, { Token: 'made-up', name: 'Nobody', email: 'a@b.example' }),
        )
        await page.goto('/plans')
        await expect.poll(() => storedToken(page)).toBeNull()
        await button(page, 'Get VIP Access').click()
        await page.waitForURL(`${server.url}/login?next=%2Fplans%23monthly`)
      },
      { expects: [/401/] },
    ))

  test('asks once, however often it is clicked, and says what it does meanwhile', () =>
    visit(
      async (page) => {
        await aSignedInMember(page)
        let calls = 0
        await page.route(checkoutCall, async (route) => {
          calls += 1
          await new Promise((wake) => setTimeout(wake, 800))
          await route.fulfill({ status: 503, json: { message: 'The payment service does not answer.' } })
        })
        await page.goto('/plans')
        await button(page, 'Get Annual Plan').dblclick()
        expect(await button(page, 'Processing...').isDisabled()).toBe(true)
        await button(page, 'Get VIP Access').click({ force: true })
        await main(page).getByText('The payment service does not answer.').waitFor()
        expect(calls).toBe(1)
        expect(await button(page, 'Get Annual Plan').isEnabled()).toBe(true)
        await expectAccessible(page)
      },
      { expects: [/503/] },
    ))

  test('tells when no answer came, and when nobody gave a reason', () =>
    visit(
      async (page) => {
        await aSignedInMember(page)
        await page.goto('/plans')
        await page.route(checkoutCall, (route) => route.abort('internetdisconnected'))
        await button(page, 'Get VIP Access').click()
        await main(page).getByText('Erro ao processar pagamento. Veja o console para detalhes.').waitFor()
        await page.unrouteAll({ behavior: 'wait' })
        await answer(page, checkoutCall, 502, {})
        await button(page, 'Get VIP Access').click()
        await main(page).getByText('Erro ao redirecionar para o Stripe.').waitFor()
      },
      { expects: [/ERR_INTERNET_DISCONNECTED/, /502/, /The checkout was not answered/] },
    ))

  test('names the portal to whoever has a subscription that this page does not know of yet', () =>
    visit(
      async (page) => {
        await aSignedInMember(page)
        await page.goto('/plans')
        const url = `${server.url}/cancel`
        await answer(page, checkoutCall, 409, { message: 'You have one already.', code: 'checkout.subscribed', url })
        await button(page, 'Get VIP Access').click()
        await main(page).getByText('You have one already.').waitFor()
        expect(path(page)).toBe('/plans')
        await expectAccessible(page)
        await main(page).getByRole('link', { name: 'Open the billing portal' }).click()
        await page.waitForURL(url)
      },
      { expects: [/409/] },
    ))

  test('is free again for whoever comes back from it', () =>
    visit(async (page) => {
      await aSignedInMember(page)
      await page.goto('/plans')
      await button(page, 'Get VIP Access').click()
      await page.waitForURL(`${server.sandbox.url}/**`)
      await page.goBack()
      await button(page, 'Get VIP Access').click()
      await page.waitForURL(`${server.sandbox.url}/**`)
    }))

  test('does not lead on whoever has gone elsewhere meanwhile', () =>
    visit(async (page) => {
      await aSignedInMember(page)
      await page.goto('/plans')
      await page.route(checkoutCall, async (route) => {
        await new Promise((wake) => setTimeout(wake, 1_000))
        await route.fulfill({ json: { url: `${server.url}/cancel` } }).catch(() => undefined)
      })
      await button(page, 'Get VIP Access').click()
      await main(page).getByRole('link', { name: 'Access Free Content' }).click()
      await page.waitForURL(`${server.url}/`)
      await page.waitForTimeout(1_500)
      expect(path(page)).toBe('/')
      await page.unrouteAll({ behavior: 'wait' })
    }))

  test('needs JavaScript, and says so; everything else can be read without', () =>
    visit(
      async (page) => {
        await page.goto('/plans')
        expect(await button(page, 'Get VIP Access').isVisible()).toBe(false)
        await main(page).getByText('please allow JavaScript').first().waitFor()
        await main(page).getByRole('link', { name: 'Access Free Content' }).waitFor()
        await heading(page, 'Privacy Policy').waitFor()
      },
      { hasScripts: false },
    ))
})

describe('the page after the payment', () => {
  const address = '/success?session_id=cs_test_made_up_1'

  test('asks until the payment is confirmed', () =>
    visit(async (page) => {
      await aSignedInMember(page)
      let calls = 0
      await page.route(paymentCall, (route) => {
        calls += 1
        return route.fulfill({ json: { state: calls < 3 ? 'confirming' : 'active' } })
      })
      await page.goto(address)
      await heading(page, 'Confirming your payment').waitFor()
      await expectAccessible(page)
      await heading(page, 'Welcome to VIP Access!').waitFor()
      expect(calls).toBe(3)
      await page.waitForTimeout(1_500)
      expect(calls).toBe(3)
    }))

  test('stops asking after a while, loses nothing, and looks again', () =>
    visit(async (page) => {
      await aSignedInMember(page)
      const asked = await answer(page, paymentCall, 200, { state: 'confirming' })
      await page.clock.install({ time: now })
      await page.goto(address)
      await heading(page, 'Confirming your payment').waitFor()
      for (let second = 0; second < 130; second += 1) await page.clock.runFor(1_000)
      await heading(page, 'The confirmation takes longer than usual').waitFor()
      expect(asked.calls).toBeGreaterThan(15)
      expect(asked.calls).toBeLessThan(35)
      await expectAccessible(page)
      await page.unrouteAll({ behavior: 'wait' })
      await answer(page, paymentCall, 200, { state: 'active' })
      await button(page, 'Look again').click()
      await page.clock.runFor(2_000)
      await heading(page, 'Welcome to VIP Access!').waitFor()
    }))

  test.each([
    { name: 'that failed', code: 200, json: { state: 'failed' }, title: 'This payment gives no membership' },
    { name: 'of somebody else', code: 404, json: {}, title: 'This payment was not found in your account.' },
    { name: 'that cannot be looked up', code: 503, json: {}, title: 'Your payment could not be looked up' },
  ])('tells of a payment $name', ({ code, json, title }) =>
    visit(
      async (page) => {
        await aSignedInMember(page)
        await answer(page, paymentCall, code, json)
        await page.goto(address)
        await heading(page, title).waitFor()
        await expectAccessible(page)
      },
      { expects: [/404/, /503/] },
    ),
  )

  test('tells nothing to who has not signed in, and leads him back', () =>
    visit(
      async (page) => {
        const member = await aMember(server.app)
        await page.goto(address)
        await heading(page, 'Sign in to see your payment').waitFor()
        await main(page).getByRole('link', { name: 'Sign in' }).click()
        await page.getByLabel('Email', { exact: true }).fill(member.email)
        await page.getByLabel('Password', { exact: true }).fill(member.password)
        await page.getByRole('button', { name: 'Sign In' }).click()
        await page.waitForURL(server.url + address)
        await heading(page, 'This payment was not found in your account.').waitFor()
      },
      { expects: [/404/] },
    ))

  test('tells whoever comes without a payment what he has', () =>
    visit(async (page) => {
      await aSignedInMember(page, { isVip: true })
      await page.goto('/success')
      await heading(page, 'You are VIP').waitFor()
      await main(page).getByText('VIP until April 14, 2024, given by an administrator.').waitFor()
      await aSignedInMember(page)
      await page.goto('/success')
      await heading(page, 'No membership is in force').waitFor()
    }))

  test('says after a cancelled one that nothing was charged, and what to do', () =>
    visit(async (page) => {
      await page.goto('/cancel')
      await heading(page, 'Payment Canceled').waitFor()
      await main(page).getByText('Nothing was charged.').waitFor()
      for (const tip of ['Try Again', 'Check Details', 'Contact Support']) {
        await main(page).getByText(tip, { exact: true }).waitFor()
      }
      const hrefs = await main(page)
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      expect(hrefs).toEqual(['/support', '/plans', '/'])
    }))
})

describe('the account page of a payer', () => {
  const membership = {
    isVip: true,
    reason: 'plan',
    sentence: 'VIP by a paid plan that renews on April 15, 2024.',
    planType: 'monthly',
    endsAt: '2024-04-15T12:00:00Z',
    renews: true,
    canManage: true,
    pastDueUntil: null,
    payments: [],
  }
  const payment = {
    number: 'ABCD-0001',
    planType: 'monthly',
    amountCents: 1_200,
    refundedCents: 0,
    currency: 'usd',
    status: 'paid',
    invoicedAt: '2024-03-15T12:00:00Z',
    paidAt: '2024-03-15T12:00:00Z',
  }
  const refusal = 'Erro ao acessar o portal de gerenciamento. Tente novamente.'

  test('warns of a payment that failed, and lists what was paid', () =>
    visit(async (page) => {
      await aSignedInMember(page, { isVip: true })
      await answer(page, '**/pay/membership', 200, {
        ...membership,
        reason: 'grace',
        sentence: 'VIP until March 20, 2024 although the last payment failed: until then the card can be updated.',
        endsAt: '2024-03-20T12:00:00Z',
        pastDueUntil: '2024-03-20T12:00:00Z',
        payments: [
          { ...payment, status: 'open', number: null },
          ...Array.from({ length: 7 }, (_, place) => ({
            ...payment,
            number: `ABCD-000${place}`,
            refundedCents: place === 0 ? 400 : place === 1 ? 1_200 : 0,
          })),
        ],
      })
      await page.goto('/account#billing')
      await status(page)
        .getByText(/^The last payment failed\. Update your card .* by March 20, 2024/)
        .waitFor()
      const rows = status(page).getByRole('list', { name: 'Payments' }).getByRole('listitem')
      expect(await rows.count()).toBe(6)
      await status(page).getByText('Not paid yet', { exact: true }).waitFor()
      await status(page).getByText('$4.00 refunded', { exact: true }).waitFor()
      await status(page).getByText('Refunded', { exact: true }).waitFor()
      await button(page, 'Show all 8 payments').click()
      expect(await rows.count()).toBe(8)
      await expectAccessible(page)
    }))

  test('stands without what cannot be learned of the membership', () =>
    visit(
      async (page) => {
        await aSignedInMember(page, { isVip: true })
        await answer(page, '**/pay/membership', 500, { message: 'An error occurred. Please try again.' })
        await page.goto('/account')
        await status(page).getByText('The details of your membership could not be loaded.').waitFor()
        await status(page).getByText('30 days').waitFor()
        await expectAccessible(page)
        await page.unrouteAll({ behavior: 'wait' })
        await button(page, 'Try again').click()
        await status(page).getByText('VIP until April 14, 2024, given by an administrator.').waitFor()
      },
      { expects: [/500/] },
    ))

  test('closes the tab again when the portal does not open, and says so', () =>
    visit(
      async (page) => {
        await aSignedInMember(page, { isVip: true })
        await page.goto('/account')
        const opened = page.context().waitForEvent('page')
        await button(page, 'Manage Subscription').click()
        const tab = await opened
        await status(page).getByText(refusal).waitFor()
        await status(page).getByText('There is no subscription to manage yet. Choose a plan first.').waitFor()
        await expect.poll(() => tab.isClosed()).toBe(true)
        await expectAccessible(page)
      },
      { expects: [/404/] },
    ))

  test('gives a link where the browser allows no new tab', () =>
    visit(async (page) => {
      await aSignedInMember(page)
      await page.addInitScript(() => {
        window.open = () => null
      })
      await answer(page, '**/pay/membership', 200, membership)
      await answer(page, portalCall, 200, { url: `${server.url}/cancel` })
      await page.goto('/account')
      await button(page, 'Manage Subscription').click()
      const link = status(page).getByRole('link', { name: 'Open the billing portal' })
      expect(await link.getAttribute('href')).toBe(`${server.url}/cancel`)
      expect(await link.getAttribute('target')).toBe('_blank')
    }))

  test('says before an account is deleted that its subscription is cancelled, and when it could not be', () =>
    visit(
      async (page) => {
        await aSignedInMember(page)
        await answer(page, '**/pay/membership', 200, membership)
        await answer(page, '**/auth/delete-account/*', 503, {
          message: 'Your subscription could not be cancelled, so nothing was deleted.',
        })
        await page.goto('/account')
        await status(page).getByText('Renews on', { exact: true }).waitFor()
        await button(page, 'Delete Account').click()
        const asked = page.getByRole('dialog', { name: 'Delete Account' })
        await asked.getByText('a paid subscription: it is cancelled at once, and you are not charged again').waitFor()
        await asked.getByRole('textbox').fill('delete my account')
        await asked.getByRole('button', { name: 'Delete Account' }).click()
        await asked.getByText('Failed to delete account').waitFor()
        await asked.getByText('Your subscription could not be cancelled, so nothing was deleted.').waitFor()
        expect(await storedToken(page)).not.toBeNull()
      },
      { expects: [/503/] },
    ))
})
