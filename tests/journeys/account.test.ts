import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { unlockAccount } from '../../src/features/accounts/sign-in/unlock-account.server.ts'
import { expectAccessible } from '../harness/axe.ts'
import { holdRequests, stopTimers, type VisitorOptions, visitsOfFile } from '../harness/browser.ts'
import { readEmails, waitForEmail } from '../harness/emails.ts'
import { ageProof, aMember, bearer, type MadeMember, type MemberOverrides, post, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

const now = '2024-03-15T12:00:00Z'

const server = serverOfFile({ now })
const { visit: visitAs, visitor } = visitsOfFile(server)

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

/** By the page of the sign-in, to an address of the account. */
async function signInHere(page: Page, { email, password }: MadeMember, next: string): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(next)}`)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL(`**${next}`)
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
const rows = (page: Page, name: 'Sessions' | 'Devices') => part(page, name).getByRole('listitem')
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
      await main(page).getByRole('link', { name: 'Sign in' }).click()
      await page.getByLabel('Email', { exact: true }).fill(member.email)
      await page.getByLabel('Password', { exact: true }).fill(member.password)
      await page.getByRole('button', { name: 'Sign In' }).click()
      await page.waitForURL('**/account')
      await nameHeading.waitFor()

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
      await rows(page, 'Sessions').first().waitFor()
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

test('A member changes the password in a dialog that keeps what was typed, stays signed in in every tab, and deletes the account in one of them', () =>
  visit(
    async (page) => {
      const { member, token } = await aSignedInMember(page, { isVip: true })
      const elsewhere = await signIn(server, member)
      const otherTab = await page.context().newPage()
      await openAccount(otherTab, member)
      const deletion = await openDeleteDialog(otherTab)
      await deletion.opened.getByText('your VIP membership, and what is left of it: 30 days').waitFor()
      await deletion.field.fill('delete my acount')
      expect(await deletion.submit.isDisabled()).toBe(true)
      await otherTab.keyboard.press('Enter')
      await deletion.opened.getByText('Please type the confirmation text correctly').waitFor()
      await expectAccessible(otherTab)

      const { opened, password, confirmation, submit } = await openPasswordDialog(page)
      await expect.poll(() => opened.locator('input[autocomplete=username]').inputValue()).toBe(member.email)
      await expectFocus(password)
      // With something typed, a click beside the dialog does nothing, and the page behind it stays where it is.
      const scrolled = await page.evaluate(() => scrollY)
      await page.mouse.move(5, 5)
      await page.mouse.wheel(0, 600)
      await password.fill('nine blue herons')
      await page.mouse.click(5, 5)
      expect(await page.evaluate(() => scrollY)).toBe(scrolled)
      await confirmation.fill('nine blue heron')
      await submit.click()
      await opened.getByText('Passwords do not match').waitFor()
      await expectFocus(confirmation)
      await expect.poll(() => password.inputValue()).toBe('nine blue herons')
      await expectAccessible(page)
      // Common passwords are known to the server alone.
      await password.fill('password1')
      await confirmation.fill('password1')
      await submit.click()
      await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')

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
      await page.unrouteAll({ behavior: 'wait' })

      // The proof has become too old: it is asked for, and a wrong one is told beside its field.
      await ageProof(server.app, member, 15)
      const proof = dialog(page, "Confirm it's you")
      const current = proof.getByLabel('Current password', { exact: true })
      await submit.click()
      await expectFocus(current)
      expect(await current.getAttribute('autocomplete')).toBe('current-password')
      await expect.poll(() => proof.locator('input[autocomplete=username]').inputValue()).toBe(member.email)
      await current.fill('not the password')
      await current.press('Enter')
      await proof.getByRole('alert').filter({ hasText: 'This is not your current password.' }).waitFor()
      await expectFocus(current)
      await expectAccessible(page)
      // Escape leaves the form as it was, with the reason.
      await page.keyboard.press('Escape')
      await proof.waitFor({ state: 'detached' })
      await opened.getByText('Your password was not confirmed, so nothing was done. Please try again.').waitFor()
      await expect.poll(() => password.inputValue()).toBe('nine blue herons')
      await expectFocus(submit)
      expect(await storedToken(page)).toBe(token)
      await page.keyboard.press('Enter')
      await current.fill(member.password)
      await current.press('Enter')
      await opened.getByText('Password changed successfully!').waitFor()
      // The session goes on under another token, and all others have ended.
      const renewed = (await storedToken(page)) ?? ''
      expect(await Promise.all([token, elsewhere, renewed].map(statusOf))).toEqual([401, 401, 200])
      await opened.waitFor({ state: 'detached' })
      await expectFocus(part(page, 'Account Security').getByRole('button', { name: 'Change Password' }))

      // The fields are empty again. The proof is fresh, and so nothing is asked; the good news stands for a while.
      await openPasswordDialog(page)
      expect([await password.inputValue(), await confirmation.inputValue()]).toEqual(['', ''])
      await password.fill('ten grey storks')
      await confirmation.fill('ten grey storks')
      await stopTimers(page, now)
      await submit.click()
      await opened.getByText('Password changed successfully!').waitFor()
      await page.clock.runFor(1_900)
      await expect.poll(() => password.inputValue()).toBe('ten grey storks')
      await page.clock.runFor(200)
      await opened.waitFor({ state: 'detached' })
      await page.clock.resume()
      // With nothing to lose a click beside closes; not yet while it may be the second click of a double click.
      await openPasswordDialog(page)
      await page.locator('dialog[closedby="any"]').waitFor()
      await page.mouse.click(5, 5)
      await opened.waitFor({ state: 'detached' })

      // The dialog of the other tab is as it was, and goes on under the new token.
      await expect.poll(() => deletion.field.inputValue()).toBe('delete my acount')
      await deletion.field.fill('Delete MY account')
      await expect.poll(() => deletion.submit.isDisabled()).toBe(false)
      await stopTimers(otherTab, now)
      await deletion.submit.click()
      await deletion.opened.getByText('Account successfully deleted. Redirecting...').waitFor()
      await otherTab.clock.runFor(1_900)
      expect(new URL(otherTab.url()).pathname).toBe('/account')
      await otherTab.clock.runFor(200)
      await otherTab.waitForURL(`${server.url}/`)
      await otherTab.clock.resume()
      await page.getByRole('heading', { name: nobody }).waitFor()
      const kept = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
      for (const key of ['Token', 'name', 'email']) expect(kept).not.toHaveProperty(key)
      const { name, email } = member
      expect((await post(server, '/auth/login', { email, password: 'ten grey storks' })).status).toBe(401)
      expect((await post(server, '/auth/register', { name, email, password: 'ten grey storks' })).status).toBe(201)
      await otherTab.close()

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
    },
    { expects: [/40[13]|422|502|ERR_INTERNET_DISCONNECTED/] },
  ))

test('A member signs in whatever strangers type, hears of a new device, forgets devices, ends sessions, takes their data along, and signs out in every tab', () =>
  visit(
    async (page) => {
      const member = await aMember(server.app, { name: 'Jane Reader', isVip: true })
      const { email, password } = member
      const security = '/account/security'
      await signInHere(page, member, security)
      await expect.poll(() => rows(page, 'Devices').count()).toBe(1)
      expect(await rows(page, 'Devices').first().innerText()).toMatch(
        /This device\s+Known since March 15, 2024\s+Last sign-in just now/,
      )
      expect(await page.getByRole('button', { name: 'Forget all other devices' }).count()).toBe(0)
      const statuses = new Set<number>()
      for (let i = 0; i < 15; i += 1)
        statuses.add((await post(server, '/auth/login', { email, password: 'a wrong password' })).status)
      expect([...statuses]).toEqual([401, 429])
      expect((await post(server, '/auth/login', { email, password })).status).toBe(429)
      await page.evaluate(() => sessionStorage.clear())
      await signInHere(page, member, security)
      const token = (await storedToken(page)) ?? ''

      await server.app.jobs.drain()
      expect((await readEmails(server.app)).filter(({ to }) => to === email)).toEqual([])
      await unlockAccount(server.app, { email })
      const onMac = await signInOn('Safari on macOS', member)
      const other = await visitor({ now })
      await signInHere(other.page, member, security)
      const elsewhere = (await storedToken(other.page)) ?? ''
      await other.leave()
      const told = await waitForEmail(server.app, { to: email, subject: 'Sign-in to Daybook from a new device' })
      expect(told.text).toContain('If this was you, there is nothing to do.')

      // A device that could not be forgotten is forgotten at the next try.
      await page.reload()
      await expect.poll(() => rows(page, 'Devices').count()).toBe(3)
      await page.context().setOffline(true)
      const forget = rows(page, 'Devices').nth(1).getByRole('button')
      await forget.click()
      await part(page, 'Devices').getByText(networkFailure).waitFor()
      expect(await rows(page, 'Devices').count()).toBe(3)
      await page.context().setOffline(false)
      await forget.click()
      await page.getByText('is forgotten. Sessions that are open there stay open.').waitFor()
      await expect.poll(() => rows(page, 'Devices').count()).toBe(2)
      await page.getByRole('button', { name: 'Forget all other devices' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('All other devices are forgotten.').waitFor()
      await expect.poll(() => rows(page, 'Devices').count()).toBe(1)
      await page.getByRole('button', { name: 'Forget this device' }).click()
      await page.getByText('No device is known.').waitFor()

      // The first of this browser, which it has let go without a word, is among the sessions.
      await expect.poll(() => rows(page, 'Sessions').count()).toBe(4)
      const here = rows(page, 'Sessions').first()
      expect(await here.innerText()).toMatch(
        /^Chrome.* on Linux\s+This device\s+Signed in March 15, 2024\s+Last seen just now/,
      )
      expect(await rows(page, 'Sessions').getByText('This device').count()).toBe(1)
      expect(await here.getByText('just now').getAttribute('title')).toMatch(/^March 15, 2024 at \d+:\d\d\s[AP]M$/)
      await page.getByRole('button', { name: /^End session of Safari on macOS/ }).click()
      await page.getByText('The session of Safari on macOS has ended.').waitFor()
      await expect.poll(() => rows(page, 'Sessions').count()).toBe(3)
      expect(await Promise.all([onMac, token, elsewhere].map(statusOf))).toEqual([401, 200, 200])
      await page.getByRole('button', { name: 'End all other sessions' }).click()
      await page.getByText('All other sessions have ended.').waitFor()
      await expect.poll(() => rows(page, 'Sessions').count()).toBe(1)
      expect(await page.getByRole('button', { name: 'End all other sessions' }).count()).toBe(0)
      expect(await Promise.all([token, elsewhere].map(statusOf))).toEqual([200, 401])
      await page.setViewportSize({ width: 390, height: 780 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      await expectAccessible(page)

      // All that is kept of them, with nothing in it that opens anything.
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download my data' }).click(),
      ])
      const text = await readFile(await file.path(), 'utf8')
      expect(JSON.parse(text)).toMatchObject({ account: { email, isVip: true }, sessions: [{ isCurrent: true }] })
      for (const secret of [token, password, 'argon2']) expect(text).not.toContain(secret)
      await page.getByText('Saved as my-data-2024-03-15.json.').waitFor()

      // From the list, and, with a session that all tabs have, from the account.
      await page.getByRole('button', { name: 'End this session' }).click()
      await page.waitForURL(`${server.url}/`)
      expect(await storedToken(page)).toBeNull()
      await expect.poll(() => statusOf(token)).toBe(401)
      const last = await signIn(server, member)
      await keep(page, member, last)
      await openAccount(page, member)
      const otherTab = await page.context().newPage()
      await openAccount(otherTab, member)
      await part(page, 'Account Actions').getByRole('button', { name: 'Sign Out' }).click()
      await page.waitForURL(`${server.url}/`)
      const kept = await page.evaluate(() => ['Token', 'name', 'email'].map((key) => localStorage.getItem(key)))
      expect(kept).toEqual([null, null, null])
      await otherTab.getByRole('heading', { name: nobody }).waitFor()
      const onward = otherTab.getByRole('main').getByRole('link', { name: 'Sign in' })
      expect(await onward.getAttribute('href')).toBe('/login?next=/account')
      await expect.poll(() => statusOf(last)).toBe(401)
    },
    { expects: [/ERR_INTERNET_DISCONNECTED/] },
  ))

test('A member makes an app password and a private feed, with which programs read the catalogue, and ends both', () =>
  visit(
    async (page) => {
      const { member } = await aSignedInMember(page)
      const { email, password } = member
      const section = page.getByRole('region', { name: 'App Passwords', exact: true })
      await section.getByRole('button', { name: 'New App Password' }).click()
      await page.getByRole('button', { name: 'Create password' }).click()
      await page.getByText('Name is required').waitFor()
      await page.getByLabel('Name', { exact: true }).fill('KOReader')
      await page.getByRole('button', { name: 'Create password' }).click()
      const made = page.getByRole('region', { name: 'The app password “KOReader”' })
      const shown = await made.innerText()
      expect(shown).toContain(`${server.url}/opds`)
      expect(shown).toContain(email)
      const [secret = ''] = /(?:[0-9a-f]{4}-){7}[0-9a-f]{4}/.exec(shown) ?? []
      const read = async (): Promise<number> => {
        const authorization = `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`
        return (await server.request('/opds', { headers: { authorization } })).status
      }
      expect(await read()).toBe(200)

      const feeds = part(page, 'Private Feed')
      const confirm = async (open: string, button: string): Promise<void> => {
        await feeds.getByRole('button', { name: open }).click()
        await page.getByRole('dialog').getByRole('button', { name: button }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      const address = async (): Promise<string> => (await feeds.getByText('.rss').innerText()).trim()
      const readFeed = async (url: string) => (await server.request(new URL(url).pathname)).status
      await confirm('Create a private feed', 'Create it')
      await feeds.getByText('not read yet.').waitFor()
      const first = await address()
      expect(await readFeed(first)).toBe(200)
      await expectAccessible(page)
      await confirm('Replace address', 'Replace it')
      await expect.poll(address).not.toBe(first)
      const second = await address()
      expect([await readFeed(first), await readFeed(second)]).toEqual([404, 200])

      // Each secret is shown once.
      await made.getByRole('button', { name: 'I have typed it in' }).click()
      await page.reload()
      const row = section.getByRole('listitem')
      await row.waitFor()
      expect(await row.innerText()).toMatch(/KOReader\s+Made March 15, 2024\s+Last used within the last hour/)
      await feeds.getByText('last read').waitFor()
      const html = await page.content()
      for (const once of [secret, '/feeds/private/']) expect(html).not.toContain(once)
      await confirm('End private feed', 'End it')
      await feeds.getByText('Your private feed has ended.').waitFor()
      expect(await readFeed(second)).toBe(404)

      // Meanwhile the proof of the sign-in is too old.
      await ageProof(server.app, member, 16)
      await row.getByRole('button', { name: /^End/ }).click()
      const proof = page.getByRole('dialog')
      await proof.getByLabel('Current password').fill(password)
      await proof.getByRole('button', { name: 'Confirm', exact: true }).click()
      await section.getByText('“KOReader” no longer works.').waitFor()
      expect(await row.count()).toBe(0)
      expect(await read()).toBe(401)
    },
    { expects: [/status of 403/] },
  ))
