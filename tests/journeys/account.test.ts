import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visitAs, expectAccessible, openBrowser, type VisitorWish } from '../harness/browser.ts'
import { aMember, bearer, type MadeMember, type MemberWish, post, signIn } from '../harness/members.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

const now = '2024-03-15T12:00:00Z'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await openTestServer({ now })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const visit = (story: (page: Page) => Promise<void>, wish: VisitorWish = {}): Promise<void> =>
  visitAs(browser, server.url, wish, async (page) => {
    await page.clock.setFixedTime(now)
    await story(page)
  })

const userAgents = {
  'Firefox on Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Safari on macOS':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
}

/** A session of a device, as the sign-in page opens it. */
async function signInOn(device: keyof typeof userAgents, { email, password }: MadeMember): Promise<string> {
  const answer = await post(server, '/auth/login', { email, password }, { 'user-agent': userAgents[device] })
  expect(answer.status).toBe(200)
  return (answer.json() as { token: string }).token
}

async function keep(page: Page, { name, email }: MadeMember, token: string): Promise<void> {
  await page.goto('/favicon.svg')
  await page.evaluate(
    (session) => {
      for (const [key, value] of Object.entries(session)) localStorage.setItem(key, value)
    },
    { name, email, Token: token },
  )
}

/** A member, signed in, with the account page open before him. */
async function aSignedInMember(page: Page, wish: MemberWish = {}): Promise<{ member: MadeMember; token: string }> {
  const member = await aMember(server.app, wish)
  const token = await signInOn('Firefox on Linux', member)
  await keep(page, member, token)
  await page.goto('/account')
  await page.getByRole('heading', { name: member.name, level: 1 }).waitFor()
  return { member, token }
}

const statusOf = async (token: string): Promise<number> =>
  (await server.ask('/auth/status', { headers: bearer(token) })).status

const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('Token') ?? sessionStorage.getItem('Token'))

const noData = 'User not found or unable to fetch user data.'
const main = (page: Page) => page.getByRole('main')
const part = (page: Page, name: string) => page.getByRole('region', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const rows = (page: Page) => part(page, 'Sessions').getByRole('listitem')

async function openPasswordDialog(page: Page) {
  await part(page, 'Account Security').getByRole('button', { name: 'Change Password' }).click()
  const asked = dialog(page, 'Change Password')
  await asked.waitFor()
  return {
    asked,
    password: asked.getByLabel('New Password', { exact: true }),
    confirmation: asked.getByLabel('Confirm Password', { exact: true }),
    submit: asked.getByRole('button', { name: 'Change Password' }),
  }
}

async function openDeleteDialog(page: Page) {
  await part(page, 'Account Actions').getByRole('button', { name: 'Delete Account' }).click()
  const asked = dialog(page, 'Delete Account')
  await asked.waitFor()
  return {
    asked,
    field: asked.getByRole('textbox'),
    submit: asked.getByRole('button', { name: 'Delete Account' }),
  }
}

describe.each([
  { device: 'a wide screen', width: 1280, height: 800, theme: 'light' },
  { device: 'a phone, in the dark', width: 390, height: 780, theme: 'dark' },
] as const)('the account page on $device', ({ width, height, theme }) => {
  const screen = { width, height, theme }

  test('shows a free member who he is, and the way to a membership', () =>
    visit(async (page) => {
      const { member } = await aSignedInMember(page, { name: 'Jane Reader' })
      await main(page).getByText(member.email, { exact: true }).waitFor()
      await main(page).getByText('Member since March 15, 2024').waitFor()
      await main(page).getByText('Free Member', { exact: true }).waitFor()
      expect(await main(page).getByText('Administrator').count()).toBe(0)
      expect(await main(page).locator('svg.portrait-drawn').textContent()).toBe('JR')
      const status = part(page, 'Subscription Status')
      expect(await status.locator('dl').innerText()).toBe('Current Plan\nFree Account')
      expect(await status.getByText('VIP Benefits').count()).toBe(0)
      expect(await status.getByRole('link', { name: 'Upgrade to VIP' }).getAttribute('href')).toBe('/plans')
      const contact = part(page, 'Contact & Support')
      expect(await contact.getByRole('link', { name: 'Discord' }).getAttribute('target')).toBe('_blank')
      expect(await contact.getByRole('link', { name: 'dmca@example.org' }).getAttribute('href')).toBe(
        'mailto:dmca@example.org',
      )
      await expectAccessible(page)
      expect(await page.title()).toBe('Your Account · Daybook')
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }, screen))

  test.each([
    { left: '30 days', vipExpiresAt: '2024-04-14T12:00:00Z' },
    { left: '1 day', vipExpiresAt: '2024-03-15T12:00:01Z' },
  ])('shows a VIP what he has, and that it expires in $left', ({ left, vipExpiresAt }) =>
    visit(async (page) => {
      await aSignedInMember(page, { name: '曹雪芹', vipExpiresAt })
      await main(page).getByText('VIP Member', { exact: true }).waitFor()
      expect(await main(page).locator('svg.portrait-drawn').textContent()).toBe('曹')
      const status = part(page, 'Subscription Status')
      await status.getByText('VIP Subscription', { exact: true }).waitFor()
      expect(await status.locator('dd').nth(1).innerText()).toMatch(new RegExp(`^${left} on (March|April) \\d+, 2024$`))
      expect(await status.getByRole('listitem').allTextContents()).toEqual([
        'Unlimited premium content',
        'Early access',
        'Ad-free',
        'Priority support',
        'Exclusive downloads',
        'HD streaming',
      ])
      expect(await status.getByRole('link', { name: 'Change Plan' }).getAttribute('href')).toBe('/plans')
      await expectAccessible(page)
    }, screen),
  )

  test('shows an administrator that he is one, and a membership that is over as a free account', () =>
    visit(async (page) => {
      await aSignedInMember(page, { isAdmin: true, vipExpiresAt: '2024-03-01T12:00:00Z' })
      await main(page).getByText('Administrator', { exact: true }).waitFor()
      await main(page).getByText('Free Member', { exact: true }).waitFor()
      expect(await part(page, 'Subscription Status').locator('dl').innerText()).toBe(
        'Current Plan\nFree Account\nVIP until\nMarch 1, 2024',
      )
    }, screen))

  test('changes the password after what was wrong has been said, and ends the other sessions', () =>
    visit(
      async (page) => {
        const { member, token } = await aSignedInMember(page)
        const other = await signIn(server, member)
        await page.reload()
        await expect.poll(() => rows(page).count()).toBe(2)
        const { asked, password, confirmation, submit } = await openPasswordDialog(page)
        await asked.getByText(member.email).waitFor()
        expect(await asked.locator('input[autocomplete=username]').inputValue()).toBe(member.email)
        expect(await password.evaluate((field) => field === document.activeElement)).toBe(true)

        await password.fill('seven77')
        await confirmation.fill('seven77')
        await submit.click()
        await asked.getByText('Password must be at least 8 characters long').waitFor()
        expect(await password.getAttribute('aria-invalid')).toBe('true')
        expect(await password.evaluate((field) => field === document.activeElement)).toBe(true)
        expect(await password.inputValue()).toBe('seven77')

        await password.fill('nine blue herons')
        await confirmation.fill('nine blue heron')
        await submit.click()
        await asked.getByText('Passwords do not match').waitFor()
        expect(await confirmation.evaluate((field) => field === document.activeElement)).toBe(true)
        await expectAccessible(page)

        // Common passwords are known to the server alone.
        await password.fill('password1')
        await confirmation.fill('password1')
        await submit.click()
        await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
        expect(await statusOf(other)).toBe(200)

        await password.fill('nine blue herons')
        await confirmation.fill('nine blue herons')
        await submit.click()
        await asked.getByText('Password changed successfully!').waitFor()
        const told = performance.now()
        expect(await password.inputValue()).toBe('nine blue herons')
        await asked.waitFor({ state: 'detached' })
        expect(performance.now() - told).toBeGreaterThan(1_500)

        expect(await statusOf(other)).toBe(401)
        expect(await statusOf(token)).toBe(200)
        await signIn(server, { email: member.email, password: 'nine blue herons' })
        await expect.poll(() => rows(page).count()).toBe(1)
        // The fields are empty again.
        const again = await openPasswordDialog(page)
        expect([await again.password.inputValue(), await again.confirmation.inputValue()]).toEqual(['', ''])
      },
      { ...screen, expects: [/422/] },
    ))

  test('sends a new password once, however often it is clicked, and says so when no answer comes', () =>
    visit(
      async (page) => {
        const { token } = await aSignedInMember(page)
        let calls = 0
        await page.route('**/reset-password/account', async (route) => {
          calls += 1
          await new Promise((wake) => setTimeout(wake, 500))
          await route.abort('internetdisconnected')
        })
        const { asked, password, confirmation, submit } = await openPasswordDialog(page)
        await password.fill('nine blue herons')
        await confirmation.fill('nine blue herons')
        await submit.dblclick()
        // While it is under way, Escape would hide how it went.
        await page.keyboard.press('Escape')
        await asked.getByText('An unknown error occurred').waitFor()
        await asked.getByText('Network error. Please check your connection.').waitFor()
        expect(calls).toBe(1)
        expect(await password.inputValue()).toBe('nine blue herons')
        expect(await storedToken(page)).toBe(token)
        await page.unrouteAll({ behavior: 'wait' })
        await submit.click()
        await asked.getByText('Password changed successfully!').waitFor()
      },
      { ...screen, expects: [/ERR_INTERNET_DISCONNECTED/] },
    ))

  test('keeps what was typed in a dialog from a click beside it; Escape closes it, and the focus comes back', () =>
    visit(async (page) => {
      await aSignedInMember(page)
      const { asked, password } = await openPasswordDialog(page)
      const scrolled = await page.evaluate(() => scrollY)
      await page.mouse.move(5, 5)
      await page.mouse.wheel(0, 600)
      await password.fill('nine blue herons')
      await page.mouse.click(5, 5)
      await page.waitForTimeout(300)
      expect(await password.inputValue()).toBe('nine blue herons')
      expect(await page.evaluate(() => scrollY)).toBe(scrolled)
      await page.keyboard.press('Escape')
      await asked.waitFor({ state: 'detached' })
      const opener = part(page, 'Account Security').getByRole('button', { name: 'Change Password' })
      expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)

      // With nothing to lose a click beside it is enough.
      await openPasswordDialog(page)
      await page.mouse.click(5, 5)
      await asked.waitFor({ state: 'detached' })
    }, screen))

  test('deletes the account only for whoever writes that he means it, and leaves nothing behind', () =>
    visit(async (page) => {
      const { member, token } = await aSignedInMember(page, { isVip: true })
      const { asked, field, submit } = await openDeleteDialog(page)
      await asked.getByText(member.email).waitFor()
      await asked.getByText('your VIP membership, and what is left of it: 30 days').waitFor()
      expect(await submit.isDisabled()).toBe(true)
      await field.fill('delete my acount')
      expect(await submit.isDisabled()).toBe(true)
      await page.keyboard.press('Enter')
      await asked.getByText('Please type the confirmation text correctly').waitFor()
      expect(await statusOf(token)).toBe(200)
      await expectAccessible(page)

      await field.fill('Delete MY account')
      expect(await submit.isDisabled()).toBe(false)
      await submit.click()
      await asked.getByText('Account successfully deleted. Redirecting...').waitFor()
      const told = performance.now()
      await page.waitForURL(`${server.url}/`)
      expect(performance.now() - told).toBeGreaterThan(1_500)
      await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
      const kept = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
      for (const key of ['Token', 'name', 'email']) expect(kept).not.toHaveProperty(key)

      expect(await statusOf(token)).toBe(401)
      const { name, email, password } = member
      expect((await post(server, '/auth/login', { email, password })).status).toBe(401)
      expect((await post(server, '/auth/register', { name, email, password })).status).toBe(201)
    }, screen))

  test('forgets the deleted account also in the browser of a member who has left the page meanwhile', () =>
    visit(async (page) => {
      await aSignedInMember(page)
      await page.getByRole('banner').getByRole('link', { name: 'Daybook' }).click()
      await page.waitForURL(`${server.url}/`)
      await page.goBack()
      const { asked, field, submit } = await openDeleteDialog(page)
      await field.fill('delete my account')
      await submit.click()
      await asked.getByText('Account successfully deleted. Redirecting...').waitFor()
      await page.evaluate(() => history.forward())
      await asked.waitFor({ state: 'detached' })
      await expect.poll(() => storedToken(page)).toBeNull()
    }, screen))

  test('lists the sessions, ends one of them, and then all others', () =>
    visit(async (page) => {
      const { member, token } = await aSignedInMember(page)
      const onMac = await signInOn('Safari on macOS', member)
      const others = [await signIn(server, member), await signIn(server, member)]
      await page.reload()
      await expect.poll(() => rows(page).count()).toBe(4)
      const here = rows(page).first()
      expect(await here.innerText()).toMatch(
        /^Firefox on Linux\s+This device\s+Signed in March 15, 2024\s+Last seen just now/,
      )
      expect(await rows(page).getByText('This device').count()).toBe(1)
      expect(await here.getByText('just now').getAttribute('title')).toMatch(/^March 15, 2024 at \d+:\d\d\s[AP]M$/)

      await page.getByRole('button', { name: /^End session of Safari on macOS/ }).click()
      await page.getByText('The session of Safari on macOS has ended.').waitFor()
      expect(await rows(page).count()).toBe(3)
      expect(await Promise.all([onMac, token, ...others].map(statusOf))).toEqual([401, 200, 200, 200])

      await page.getByRole('button', { name: 'End all other sessions' }).click()
      await page.getByText('All other sessions have ended.').waitFor()
      expect(await rows(page).count()).toBe(1)
      expect(await page.getByRole('button', { name: 'End all other sessions' }).count()).toBe(0)
      expect(await Promise.all([token, ...others].map(statusOf))).toEqual([200, 401, 401])

      await page.getByRole('button', { name: 'End this session' }).click()
      await page.waitForURL(`${server.url}/`)
      expect(await storedToken(page)).toBeNull()
      expect(await statusOf(token)).toBe(401)
    }, screen))

  test('says which session could not be ended, and ends it at the next try', () =>
    visit(
      async (page) => {
        const { member } = await aSignedInMember(page)
        const onMac = await signInOn('Safari on macOS', member)
        await page.reload()
        await expect.poll(() => rows(page).count()).toBe(2)
        await page.context().setOffline(true)
        const end = page.getByRole('button', { name: /^End session of Safari on macOS/ })
        await end.click()
        await part(page, 'Sessions').getByText('Network error. Please check your connection.').waitFor()
        expect(await rows(page).count()).toBe(2)
        await page.context().setOffline(false)
        await end.click()
        await expect.poll(() => rows(page).count()).toBe(1)
        expect(await statusOf(onMac)).toBe(401)
      },
      { ...screen, expects: [/ERR_INTERNET_DISCONNECTED/] },
    ))

  test('saves the own data as a file, with nothing in it that opens anything', () =>
    visit(async (page) => {
      const { member, token } = await aSignedInMember(page, { isVip: true })
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download my data' }).click(),
      ])
      expect(file.suggestedFilename()).toBe('my-data-2024-03-15.json')
      const text = await readFile(await file.path(), 'utf8')
      expect(JSON.parse(text)).toMatchObject({
        account: { name: member.name, email: member.email, isVip: true, createdAt: '2024-03-15T12:00:00.000Z' },
        sessions: [{ device: 'Firefox on Linux', isCurrent: true }],
      })
      for (const secret of [token, member.password, 'argon2']) expect(text).not.toContain(secret)
      await page.getByText('Saved as my-data-2024-03-15.json.').waitFor()
    }, screen))

  test('signs out: here, on the server, and in the other tab', () =>
    visit(async (page) => {
      const { token } = await aSignedInMember(page)
      const otherTab = await page.context().newPage()
      await otherTab.goto('/account')
      await otherTab.getByRole('button', { name: 'Sign Out' }).waitFor()
      await part(page, 'Account Actions').getByRole('button', { name: 'Sign Out' }).click()
      await page.waitForURL(`${server.url}/`)
      expect(await page.evaluate(() => ['Token', 'name', 'email'].map((key) => localStorage.getItem(key)))).toEqual([
        null,
        null,
        null,
      ])
      await otherTab.getByRole('heading', { name: noData }).waitFor()
      expect(await otherTab.getByRole('main').getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
        '/login?next=/account',
      )
      expect(await statusOf(token)).toBe(401)
    }, screen))

  test('signs out here without a connection too, and says that the server does not know', () =>
    visit(
      async (page) => {
        const { token } = await aSignedInMember(page)
        // The way home is fetched ahead.
        await page.waitForLoadState('networkidle')
        await page.context().setOffline(true)
        await part(page, 'Account Actions').getByRole('button', { name: 'Sign Out' }).click()
        await page.waitForURL(`${server.url}/`)
        await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
        await page.getByText(/the server could not be told/).waitFor()
        expect(await storedToken(page)).toBeNull()
        await page.context().setOffline(false)
        expect(await statusOf(token)).toBe(200)
      },
      { ...screen, expects: [/ERR_INTERNET_DISCONNECTED/] },
    ))

  test('asks whoever has not signed in to do so, and comes back', () =>
    visit(async (page) => {
      const member = await aMember(server.app)
      await page.goto('/account')
      await page.getByRole('heading', { name: noData }).waitFor()
      await expectAccessible(page)
      await main(page).getByRole('link', { name: 'Sign in' }).click()
      await page.getByLabel('Email', { exact: true }).fill(member.email)
      await page.getByLabel('Password', { exact: true }).fill(member.password)
      await page.getByRole('button', { name: 'Sign In' }).click()
      await page.waitForURL('**/account')
      await page.getByRole('heading', { name: member.name, level: 1 }).waitFor()
    }, screen))

  test('treats a token that the server does not know as none, and removes it', () =>
    visit(
      async (page) => {
        await keep(page, await aMember(server.app), 'x'.repeat(43))
        await page.goto('/account')
        await page.getByRole('heading', { name: noData }).waitFor()
        await main(page).getByRole('link', { name: 'Sign in' }).waitFor()
        expect(await storedToken(page)).toBeNull()
      },
      { ...screen, expects: [/401/] },
    ))

  test('says so when the server cannot be reached, keeps the session, and tries again', () =>
    visit(
      async (page) => {
        const member = await aMember(server.app)
        const token = await signIn(server, member)
        await keep(page, member, token)
        await page.route('**/auth/**', (route) => route.abort('internetdisconnected'))
        await page.goto('/account')
        await page.getByRole('heading', { name: noData }).waitFor()
        await page.getByText('Network error. Please check your connection.').waitFor()
        expect(await main(page).getByRole('link', { name: 'Sign in' }).count()).toBe(0)
        expect(await storedToken(page)).toBe(token)
        await expectAccessible(page)
        await page.unrouteAll({ behavior: 'wait' })
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('heading', { name: member.name, level: 1 }).waitFor()
      },
      { ...screen, expects: [/ERR_INTERNET_DISCONNECTED/] },
    ))
})

describe('the account page', () => {
  test('waits with a spinner', () =>
    visit(async (page) => {
      const member = await aMember(server.app)
      await keep(page, member, await signIn(server, member))
      let isOpen = false
      await page.route('**/auth/dashboard', async (route) => {
        await expect.poll(() => isOpen).toBe(true)
        await route.continue()
      })
      await page.goto('/account')
      await main(page).getByText('Loading...').waitFor()
      expect(await page.getByText(noData).count()).toBe(0)
      isOpen = true
      await page.getByRole('heading', { name: member.name, level: 1 }).waitFor()
      await expect.poll(() => main(page).getByText('Loading...').count()).toBe(0)
    }))

  test('keeps the last administrator, and says why', () =>
    visit(
      async (page) => {
        const { member, token } = await aSignedInMember(page, { isAdmin: true })
        await server.app.db.deleteFrom('users').where('is_admin', '=', true).where('id', '<>', member.id).execute()
        const { asked, field, submit } = await openDeleteDialog(page)
        await field.fill('delete my account')
        await submit.click()
        await asked.getByText('Failed to delete account').waitFor()
        await asked.getByText(/last administrator/).waitFor()
        expect(await field.inputValue()).toBe('delete my account')
        expect(await statusOf(token)).toBe(200)
        await asked.getByRole('button', { name: 'Cancel' }).click()
        await asked.waitFor({ state: 'detached' })
      },
      { expects: [/409/] },
    ))

  test('is the same for everyone before it asks, is not indexed, and says that it needs a script', () =>
    visit(
      async (page) => {
        const response = await page.goto('/account?next=/elsewhere')
        expect(response?.status()).toBe(200)
        expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
        await page.getByText('This page needs JavaScript to ask the server who you are.').waitFor()
      },
      { hasScripts: false },
    ))
})
