import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { holdRequests, stopTimers, type VisitorOptions, visitsOfFile } from '../harness/browser.ts'
import { aMember, bearer, type MadeMember, type MemberOverrides, post, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

const now = '2024-03-15T12:00:00Z'

const server = serverOfFile({ now })
const { visit: visitAs } = visitsOfFile(server)

const visit = (story: (page: Page) => Promise<void>, overrides: VisitorOptions = {}): Promise<void> =>
  visitAs({ now, ...overrides }, story)

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

/** Leaves a session in this browser; the next page that is opened finds it. */
async function keep(page: Page, { name, email }: MadeMember, token: string): Promise<void> {
  await page.goto('/favicon.svg')
  await page.evaluate((session) => Object.assign(localStorage, session), { name, email, Token: token })
}

/** A member, signed in, with the account page open before them. */
async function aSignedInMember(
  page: Page,
  overrides: MemberOverrides = {},
): Promise<{ member: MadeMember; token: string }> {
  const member = await aMember(server.app, overrides)
  const token = await signInOn('Firefox on Linux', member)
  await keep(page, member, token)
  await openAccount(page, member)
  return { member, token }
}

async function openAccount(page: Page, { name }: MadeMember): Promise<void> {
  await page.goto('/account')
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

/** Rare settings stand behind one link of the account page. */
async function openSecurity(page: Page): Promise<void> {
  await part(page, 'Account Security').getByRole('link').click()
  await page.getByRole('heading', { name: 'Security and data', level: 1 }).waitFor()
}

const statusOf = async (token: string): Promise<number> =>
  (await server.request('/auth/status', { headers: bearer(token) })).status

const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('Token') ?? sessionStorage.getItem('Token'))

const expectFocus = (field: ReturnType<Page['locator']>) =>
  expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)

const noData = 'User not found or unable to fetch user data.'
const nobody = 'Sign in to see this page'
const main = (page: Page) => page.getByRole('main')
const part = (page: Page, name: string) => page.getByRole('region', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const rows = (page: Page) => part(page, 'Sessions').getByRole('listitem')
const networkFailure = 'Network error. Please check your connection.'

async function openPasswordDialog(page: Page) {
  await part(page, 'Account Security').getByRole('button', { name: 'Change Password' }).click()
  const opened = dialog(page, 'Change Password')
  await opened.waitFor()
  return {
    opened,
    password: opened.getByLabel('New Password', { exact: true }),
    confirmation: opened.getByLabel('Confirm Password', { exact: true }),
    submit: opened.getByRole('button', { name: 'Change Password' }),
  }
}

async function openDeleteDialog(page: Page) {
  await part(page, 'Account Actions').getByRole('button', { name: 'Delete Account' }).click()
  const opened = dialog(page, 'Delete Account')
  await opened.waitFor()
  return {
    opened,
    field: opened.getByRole('textbox'),
    submit: opened.getByRole('button', { name: 'Delete Account' }),
  }
}

test('The account page asks a stranger to sign in, waits for its answer, survives a lost connection, and believes no unknown token', () =>
  visit(
    async (page) => {
      const member = await aMember(server.app, { name: 'Jane Reader' })
      const nameHeading = page.getByRole('heading', { name: member.name, level: 1 })
      await page.goto('/account')
      await page.getByRole('heading', { name: nobody }).waitFor()
      await expectAccessible(page)
      await main(page).getByRole('link', { name: 'Sign in' }).click()
      await page.getByLabel('Email', { exact: true }).fill(member.email)
      await page.getByLabel('Password', { exact: true }).fill(member.password)
      await page.getByRole('button', { name: 'Sign In' }).click()
      await page.waitForURL('**/account')
      await nameHeading.waitFor()

      await main(page).getByText(member.email, { exact: true }).waitFor()
      await main(page).getByText('Member since March 15, 2024').waitFor()
      await main(page).getByText('Free Member', { exact: true }).waitFor()
      expect(await part(page, 'Subscription Status').locator('dl').innerText()).toBe('Current Plan\nFree Account')
      expect(await page.title()).toBe('Your Account · Daybook')
      const contact = part(page, 'Contact & Support')
      expect(await contact.getByRole('link', { name: 'Discord' }).getAttribute('target')).toBe('_blank')
      const copyright = contact.getByRole('link', { name: 'dmca@example.org' })
      expect(await copyright.getAttribute('href')).toBe('mailto:dmca@example.org')
      await expectAccessible(page)
      const cards = await main(page)
        .locator('section')
        .evaluateAll((parts) => parts.map((each) => each.querySelector('h2')?.textContent))
      expect(cards).toEqual([
        'Subscription Status',
        'Your reading',
        'Account Security',
        'Private Feed',
        'App Passwords',
        'Contact & Support',
        'Account Actions',
      ])
      await openSecurity(page)
      expect(await page.title()).toBe('Security and data · Daybook')
      await rows(page).first().waitFor()
      await expectAccessible(page)
      await main(page).getByRole('link', { name: 'Your Account' }).click()
      await nameHeading.waitFor()
      await page.setViewportSize({ width: 390, height: 780 })
      await page.getByRole('button', { name: 'Dark theme' }).first().click()
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      await expectAccessible(page)

      const token = await storedToken(page)
      const held = await holdRequests(page, '**/auth/dashboard')
      await page.reload()
      await main(page).getByText('Loading...').waitFor()
      expect(await page.getByText(noData).count()).toBe(0)
      held.release()
      await nameHeading.waitFor()
      await expect.poll(() => main(page).getByText('Loading...').count()).toBe(0)
      await page.unrouteAll({ behavior: 'wait' })

      await page.route('**/auth/**', (route) => route.abort('internetdisconnected'))
      await page.goto('/account')
      await page.getByRole('heading', { name: noData }).waitFor()
      await page.getByText(networkFailure).waitFor()
      expect(await main(page).getByRole('link', { name: 'Sign in' }).count()).toBe(0)
      expect(await storedToken(page)).toBe(token)
      await expectAccessible(page)
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('button', { name: 'Try again' }).click()
      await nameHeading.waitFor()

      await page.evaluate(() => sessionStorage.clear())
      await keep(page, member, 'x'.repeat(43))
      await page.goto('/account')
      await page.getByRole('heading', { name: nobody }).waitFor()
      await main(page).getByRole('link', { name: 'Sign in' }).waitFor()
      expect(await storedToken(page)).toBeNull()
    },
    { expects: [/401|ERR_INTERNET_DISCONNECTED/] },
  ))

test('A member changes the password in a dialog that keeps what was typed, says what is wrong, and ends the other sessions', () =>
  visit(
    async (page) => {
      const { member, token } = await aSignedInMember(page)
      const other = await signIn(server, member)
      const { opened, password, confirmation, submit } = await openPasswordDialog(page)
      await opened.getByText(member.email).waitFor()
      expect(await opened.locator('input[autocomplete=username]').inputValue()).toBe(member.email)
      await expectFocus(password)

      // With something typed, a click beside the dialog does nothing, and the page behind it stays where it is.
      const scrolled = await page.evaluate(() => scrollY)
      await page.mouse.move(5, 5)
      await page.mouse.wheel(0, 600)
      await password.fill('seven77')
      await page.mouse.click(5, 5)
      expect(await password.inputValue()).toBe('seven77')
      expect(await page.evaluate(() => scrollY)).toBe(scrolled)

      await confirmation.fill('seven77')
      await submit.click()
      await opened.getByText('Password must be at least 8 characters long').waitFor()
      expect(await password.getAttribute('aria-invalid')).toBe('true')
      await expectFocus(password)
      expect(await password.inputValue()).toBe('seven77')
      await password.fill('nine blue herons')
      await confirmation.fill('nine blue heron')
      await submit.click()
      await opened.getByText('Passwords do not match').waitFor()
      await expectFocus(confirmation)
      await expectAccessible(page)
      // Common passwords are known to the server alone.
      await password.fill('password1')
      await confirmation.fill('password1')
      await submit.click()
      await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
      expect(await statusOf(other)).toBe(200)

      // Sent once, however often it is clicked; while it is under way, Escape would hide how it went.
      const held = await holdRequests(page, '**/reset-password/account')
      await password.fill('nine blue herons')
      await confirmation.fill('nine blue herons')
      await submit.dblclick()
      await page.keyboard.press('Escape')
      held.release({ status: 502, body: '' })
      await opened.getByText('Failed to change password').waitFor()
      expect(held.count()).toBe(1)
      await page.unrouteAll({ behavior: 'wait' })
      await page.route('**/reset-password/account', (route) => route.abort('internetdisconnected'))
      await submit.click()
      await opened.getByText('An unknown error occurred').waitFor()
      await opened.getByText(networkFailure).waitFor()
      expect(await password.inputValue()).toBe('nine blue herons')
      expect(await storedToken(page)).toBe(token)
      await page.unrouteAll({ behavior: 'wait' })

      await stopTimers(page, now)
      await submit.click()
      await opened.getByText('Password changed successfully!').waitFor()
      await page.clock.runFor(1_900)
      expect(await password.inputValue()).toBe('nine blue herons')
      await page.clock.runFor(200)
      await opened.waitFor({ state: 'detached' })
      await page.clock.resume()
      expect(await statusOf(other)).toBe(401)
      // The session goes on under another token.
      expect(await statusOf(token)).toBe(401)
      expect(await statusOf((await storedToken(page)) ?? '')).toBe(200)
      await signIn(server, { email: member.email, password: 'nine blue herons' })

      // The fields are empty again; Escape asks and closes, the focus comes back, and with nothing to lose a click beside closes.
      const again = await openPasswordDialog(page)
      expect([await again.password.inputValue(), await again.confirmation.inputValue()]).toEqual(['', ''])
      await again.password.fill('ten')
      await page.keyboard.press('Escape')
      const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await question.waitFor({ state: 'detached' })
      expect(await again.password.inputValue()).toBe('ten')
      await page.keyboard.press('Escape')
      await question.getByRole('button', { name: 'Discard' }).click()
      await opened.waitFor({ state: 'detached' })
      await expectFocus(part(page, 'Account Security').getByRole('button', { name: 'Change Password' }))
      await openPasswordDialog(page)
      // Not yet while it may be the second click of a double click.
      await page.locator('dialog[closedby="any"]').waitFor()
      await page.mouse.click(5, 5)
      await opened.waitFor({ state: 'detached' })
    },
    { expects: [/422|502|ERR_INTERNET_DISCONNECTED/] },
  ))

test('A member sees their sessions, ends one and then all others, takes their data along, and signs out in every tab', () =>
  visit(
    async (page) => {
      const { member, token } = await aSignedInMember(page, { isVip: true })
      const onMac = await signInOn('Safari on macOS', member)
      const others = [await signIn(server, member), await signIn(server, member)]
      await openSecurity(page)
      await expect.poll(() => rows(page).count()).toBe(4)
      const here = rows(page).first()
      expect(await here.innerText()).toMatch(
        /^Firefox on Linux\s+This device\s+Signed in March 15, 2024\s+Last seen just now/,
      )
      expect(await rows(page).getByText('This device').count()).toBe(1)
      expect(await here.getByText('just now').getAttribute('title')).toMatch(/^March 15, 2024 at \d+:\d\d\s[AP]M$/)

      // One that could not be ended is ended at the next try.
      await page.context().setOffline(true)
      const end = page.getByRole('button', { name: /^End session of Safari on macOS/ })
      await end.click()
      await part(page, 'Sessions').getByText(networkFailure).waitFor()
      expect(await rows(page).count()).toBe(4)
      await page.context().setOffline(false)
      await end.click()
      await page.getByText('The session of Safari on macOS has ended.').waitFor()
      await expect.poll(() => rows(page).count()).toBe(3)
      expect(await Promise.all([onMac, token, ...others].map(statusOf))).toEqual([401, 200, 200, 200])

      await page.getByRole('button', { name: 'End all other sessions' }).click()
      await page.getByText('All other sessions have ended.').waitFor()
      await expect.poll(() => rows(page).count()).toBe(1)
      expect(await page.getByRole('button', { name: 'End all other sessions' }).count()).toBe(0)
      expect(await Promise.all([token, ...others].map(statusOf))).toEqual([200, 401, 401])

      // All that is kept of them, with nothing in it that opens anything.
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

      const otherTab = await page.context().newPage()
      await otherTab.goto('/account')
      await otherTab.getByRole('button', { name: 'Sign Out' }).waitFor()
      await openAccount(page, member)
      await part(page, 'Account Actions').getByRole('button', { name: 'Sign Out' }).click()
      await page.waitForURL(`${server.url}/`)
      const kept = await page.evaluate(() => ['Token', 'name', 'email'].map((key) => localStorage.getItem(key)))
      expect(kept).toEqual([null, null, null])
      await otherTab.getByRole('heading', { name: nobody }).waitFor()
      const onward = otherTab.getByRole('main').getByRole('link', { name: 'Sign in' })
      expect(await onward.getAttribute('href')).toBe('/login?next=/account')
      await otherTab.close()
      await expect.poll(() => statusOf(token)).toBe(401)

      // From the list too.
      const second = await signIn(server, member)
      await keep(page, member, second)
      await openAccount(page, member)
      await openSecurity(page)
      await page.getByRole('button', { name: 'End this session' }).click()
      await page.waitForURL(`${server.url}/`)
      expect(await storedToken(page)).toBeNull()
      await expect.poll(() => statusOf(second)).toBe(401)
    },
    { expects: [/ERR_INTERNET_DISCONNECTED/] },
  ))

test('A member deletes the account only by writing that they mean it, nothing of it stays, and the last administrator is kept', () =>
  visit(
    async (page) => {
      const { member, token } = await aSignedInMember(page, { isVip: true })
      const first = await openDeleteDialog(page)
      await first.opened.getByText(member.email).waitFor()
      await first.opened.getByText('your VIP membership, and what is left of it: 30 days').waitFor()
      expect(await first.submit.isDisabled()).toBe(true)
      await first.field.fill('delete my acount')
      expect(await first.submit.isDisabled()).toBe(true)
      await page.keyboard.press('Enter')
      await first.opened.getByText('Please type the confirmation text correctly').waitFor()
      expect(await statusOf(token)).toBe(200)
      await expectAccessible(page)
      await first.field.fill('Delete MY account')
      await expect.poll(() => first.submit.isDisabled()).toBe(false)
      await stopTimers(page, now)
      await first.submit.click()
      await first.opened.getByText('Account successfully deleted. Redirecting...').waitFor()
      await page.clock.runFor(1_900)
      expect(new URL(page.url()).pathname).toBe('/account')
      await page.clock.runFor(200)
      await page.waitForURL(`${server.url}/`)
      await page.clock.resume()
      await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
      const kept = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
      for (const key of ['Token', 'name', 'email']) expect(kept).not.toHaveProperty(key)
      expect(await statusOf(token)).toBe(401)
      const { name, email, password } = member
      expect((await post(server, '/auth/login', { email, password })).status).toBe(401)
      expect((await post(server, '/auth/register', { name, email, password })).status).toBe(201)

      // Also in the browser of a member who has left the page meanwhile.
      await aSignedInMember(page)
      await page.getByRole('banner').getByRole('link', { name: 'Daybook' }).click()
      await page.waitForURL(`${server.url}/`)
      await page.goBack()
      const second = await openDeleteDialog(page)
      await second.field.fill('delete my account')
      await stopTimers(page, now)
      await second.submit.click()
      await second.opened.getByText('Account successfully deleted. Redirecting...').waitFor()
      await page.evaluate(() => history.forward())
      await second.opened.waitFor({ state: 'detached' })
      await page.clock.runFor(2_100)
      await expect.poll(() => storedToken(page)).toBeNull()
      await page.clock.resume()

      const last = await aSignedInMember(page, { isAdmin: true })
      await server.app.db
        .updateTable('users')
        .set({ is_safety_officer: true })
        .where('id', '=', last.member.id)
        .execute()
      await server.app.db.deleteFrom('users').where('is_admin', '=', true).where('id', '<>', last.member.id).execute()
      const third = await openDeleteDialog(page)
      await third.field.fill('delete my account')
      await third.submit.click()
      await third.opened.getByText('Failed to delete account').waitFor()
      await third.opened.getByText(/last administrator/).waitFor()
      expect(await third.field.inputValue()).toBe('delete my account')
      expect(await statusOf(last.token)).toBe(200)
      await third.opened.getByRole('button', { name: 'Cancel' }).click()
      await third.opened.waitFor({ state: 'detached' })
    },
    { expects: [/409/] },
  ))

test('a private feed is made, shown once, read, replaced and ended', async () => {
  await visit(async (page) => {
    await aSignedInMember(page)
    const part = page.getByRole('region', { name: 'Private Feed' })
    const confirm = async (open: string, button: string): Promise<void> => {
      await part.getByRole('button', { name: open }).click()
      await page.getByRole('dialog').getByRole('button', { name: button }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const shown = async (): Promise<string> => (await part.getByText('.rss').innerText()).trim()
    await confirm('Create a private feed', 'Create it')
    await part.getByText('not read yet.').waitFor()
    const first = await shown()
    expect((await server.request(new URL(first).pathname)).status).toBe(200)
    await expectAccessible(page)

    await confirm('Replace address', 'Replace it')
    await expect.poll(shown).not.toBe(first)
    expect((await server.request(new URL(first).pathname)).status).toBe(404)
    const second = await shown()
    expect((await server.request(new URL(second).pathname)).status).toBe(200)

    await page.reload()
    await part.getByText('last read').waitFor()
    expect(await part.innerText()).not.toContain('/feeds/private/')
    await confirm('End private feed', 'End it')
    await part.getByText('Your private feed has ended.').waitFor()
    await part.getByRole('button', { name: 'Create a private feed' }).waitFor()
    expect((await server.request(new URL(second).pathname)).status).toBe(404)
  })
})
