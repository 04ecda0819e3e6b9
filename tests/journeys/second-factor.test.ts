import { readFile } from 'node:fs/promises'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { type VisitorOptions, visitsOfFile } from '../harness/browser.ts'
import { ageProof, aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile({ now: new Date().toISOString(), env: { REQUIRE_ADMIN_SECOND_FACTOR: '1' } })
const { visit: visitAs } = visitsOfFile(server)

/** Browsers know passkeys at names alone. */
const siteUrl = (): string => server.url.replace('127.0.0.1', 'localhost')

const visit = (story: (page: Page) => Promise<void>, overrides: VisitorOptions = {}): Promise<void> =>
  visitAs({ site: siteUrl(), expects: [/status of 4(01|03|04|09|22)/], ...overrides }, story)

const section = (page: Page) => page.getByRole('region', { name: 'Two-step sign-in' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const codesDialog = (page: Page) => dialog(page, 'Your recovery codes')
const secondStep = (page: Page) => page.getByRole('heading', { name: "Confirm it's you", level: 1 })
const code = (page: Page) => page.getByLabel('Code', { exact: true })

const expectFocus = (field: ReturnType<Page['locator']>) =>
  expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)

const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('Token') ?? sessionStorage.getItem('Token'))

/** A device that holds passkeys, and shows its owner's finger when it is asked. */
async function anAuthenticator(page: Page): Promise<{ showFinger: (isRight: boolean) => Promise<void> }> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    showFinger: async (isRight) => {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isRight })
    },
  }
}

/** The app's code for this secret now. Each code works once: the clock goes on to the next. */
function nextCode(secret: string): string {
  server.clock.advance(30_000)
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now() })
}

/** Leaves a session of this browser in it, as signing in with 'Remember me' does. */
async function arrive(page: Page, { name, email, password }: MadeMember): Promise<void> {
  await page.goto('/favicon.svg')
  const answer = await post(
    server,
    '/auth/login',
    { email, password, remember: true },
    { 'user-agent': await page.evaluate(() => navigator.userAgent) },
  )
  expect(answer.status).toBe(200)
  const { token } = answer.json() as { token: string }
  await page.evaluate((session) => Object.assign(localStorage, session), { name, email, Token: token })
}

async function openAccount(page: Page): Promise<void> {
  await page.goto('/account/security')
  await section(page).getByRole('heading', { name: 'Passkeys' }).waitFor()
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}

/** The first step of a sign-in, by the keyboard. */
async function typePassword(page: Page, { email, password }: MadeMember): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** The recovery codes, once they are shown. */
async function shownCodes(page: Page): Promise<string[]> {
  const codes = codesDialog(page).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(10)
  return codes.allInnerTexts()
}

/** Sets an authenticator app up on the account page. @returns its secret, and the recovery codes */
async function setUpApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await section(page).getByRole('button', { name: 'Set up an authenticator app' }).click()
  const opened = dialog(page, 'Set up an authenticator app')
  const secret = (await opened.locator('code').innerText()).replaceAll(' ', '')
  await code(page).fill(nextCode(secret))
  await page.keyboard.press('Enter')
  const codes = await shownCodes(page)
  await codesDialog(page).getByRole('button', { name: 'I have saved them' }).click()
  await codesDialog(page).waitFor({ state: 'detached' })
  return { secret, codes }
}

test('A member adds a passkey, keeps the recovery codes, and signs in with it by the keyboard alone', () =>
  visit(async (page) => {
    const member = await aMember(server.app, { name: 'Jane Reader' })
    const elsewhere = await signIn(server, member)
    await arrive(page, member)
    const authenticator = await anAuthenticator(page)
    await openAccount(page)
    await section(page).getByText('Off. Your password alone signs you in.').waitFor()

    // A finger that the device does not know ends the question of the browser; the name stays.
    await section(page).getByRole('button', { name: 'Add a passkey' }).click()
    const adding = dialog(page, 'Add a passkey')
    const name = adding.getByLabel('Name', { exact: true })
    await expect.poll(() => name.inputValue()).toMatch(/^Chrome.* on Linux$/)
    await name.fill('Laptop')
    await authenticator.showFinger(false)
    await page.keyboard.press('Enter')
    await adding.getByText('The passkey was not added').waitFor()
    await expect.poll(() => name.inputValue()).toBe('Laptop')
    await expectAccessible(page)
    await authenticator.showFinger(true)
    await adding.getByRole('button', { name: 'Add passkey' }).click()

    // The codes are shown once: closing them by mistake asks, until they are saved.
    await codesDialog(page).waitFor()
    const codes = await shownCodes(page)
    expect(new Set(codes).size).toBe(10)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const closing = dialog(page, 'Close without saving the codes?')
    await closing.getByText("They can't be shown again. You would have to make new ones.").waitFor()
    await closing.getByRole('button', { name: 'Close without saving' }).waitFor()
    await closing.getByRole('button', { name: 'Back to the codes' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      codesDialog(page).getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('recovery-codes-localhost.txt')
    const text = await readFile(await file.path(), 'utf8')
    for (const one of [...codes, member.email]) expect(text).toContain(one)
    await codesDialog(page).getByText('Saved as recovery-codes-localhost.txt.').waitFor()
    await page.keyboard.press('Escape')
    await codesDialog(page).waitFor({ state: 'detached' })
    await section(page).getByText('The passkey “Laptop” was added.').waitFor()
    await section(page).getByText('10 codes left.').waitFor()
    await section(page).getByText('On. A second step').waitFor()
    expect((await server.request('/auth/status', { headers: bearer(elsewhere) })).status).toBe(401)

    // The same device holds one already; that one gets another name.
    await section(page).getByRole('button', { name: 'Add another passkey' }).click()
    await adding.getByRole('button', { name: 'Add passkey' }).click()
    await adding.getByText('This device already has a passkey for your account.').waitFor()
    await adding.getByRole('button', { name: 'Cancel' }).click()
    await section(page).getByRole('button', { name: 'Rename Laptop' }).click()
    await dialog(page, 'Rename passkey').getByLabel('Name', { exact: true }).fill('Work laptop')
    await page.keyboard.press('Enter')
    await section(page).getByText('The passkey was renamed “Work laptop”.').waitFor()
    await section(page).getByText('Not used to sign in yet').waitFor()
    await expectAccessible(page)

    await signOut(page)
    // A slow run is no older than the server's clock, which stands still.
    await page.clock.install({ time: server.clock.now() })
    await page.goto('/login?next=%2Faccount%2Fsecurity')
    await typePassword(page, member)
    await secondStep(page).waitFor()
    const use = page.getByRole('button', { name: 'Use your passkey' })
    await expectFocus(use)
    expect(await storedToken(page)).toBeNull()
    await expectAccessible(page)
    await authenticator.showFinger(false)
    await page.keyboard.press('Enter')
    await page.getByText("No passkey was used because your browser's prompt was closed.").waitFor()
    await expectFocus(use)
    // They come back to it after the server has forgotten its question: a new one is asked for.
    server.clock.advance(6 * 60_000)
    await page.clock.fastForward(6 * 60_000)
    await authenticator.showFinger(true)
    await page.keyboard.press('Enter')
    await page.getByText('Login successful! Redirecting...').waitFor()
    await page.waitForURL('**/account/security')
    await section(page).getByText('Last used just now').waitFor()
  }))

test('A member signs in with the code of an app and, once each, with recovery codes, proves with either factor who they are, and removes the last', () =>
  visit(
    async (page) => {
      const member = await aMember(server.app)
      await arrive(page, member)
      await openAccount(page)

      // A code that is wrong, and one that is none, are told beside the field.
      await section(page).getByRole('button', { name: 'Set up an authenticator app' }).click()
      const setting = dialog(page, 'Set up an authenticator app')
      await setting.getByRole('img', { name: /^QR code/ }).waitFor()
      await expectFocus(code(page))
      expect(await setting.getByRole('link', { name: 'Open in your app' }).count()).toBe(0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      await code(page).fill('12345')
      await page.keyboard.press('Enter')
      await setting.getByText('Type the six digits that your app shows.').waitFor()
      await code(page).fill('000 000')
      await page.keyboard.press('Enter')
      await expect.poll(() => code(page).getAttribute('aria-invalid')).toBe('true')
      await expectFocus(code(page))
      expect([await code(page).getAttribute('inputmode'), await code(page).getAttribute('autocomplete')]).toEqual([
        'numeric',
        'one-time-code',
      ])
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await dialog(page, 'Discard what you typed?').getByRole('button', { name: 'Discard' }).click()
      await setting.waitFor({ state: 'detached' })

      // On a telephone the app is on the device that shows the code: it is opened, and no keyboard covers it.
      const client = await page.context().newCDPSession(page)
      await client.send('Emulation.setTouchEmulationEnabled', { enabled: true })
      await section(page).getByRole('button', { name: 'Set up an authenticator app' }).click()
      const inApp = setting.getByRole('link', { name: 'Open in your app' })
      expect(await inApp.getAttribute('href')).toMatch(/^otpauth:/)
      await expectFocus(inApp)
      await expectAccessible(page)
      await setting.getByRole('button', { name: 'Cancel' }).click()
      await client.send('Emulation.setTouchEmulationEnabled', { enabled: false })
      const { secret, codes } = await setUpApp(page)

      await signOut(page)
      await page.goto('/login')
      await page.getByLabel('Remember me').check()
      await typePassword(page, member)
      await expectFocus(code(page))
      await expectAccessible(page)
      await code(page).fill('000000')
      await page.keyboard.press('Enter')
      await expect.poll(() => code(page).getAttribute('aria-invalid')).toBe('true')
      await expectFocus(code(page))

      // The way back keeps the address and the choice, not the password.
      await page.getByRole('button', { name: 'Use another account' }).click()
      await expectFocus(page.getByLabel('Password', { exact: true }))
      await expect.poll(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe(member.email)
      await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
      expect(await page.getByLabel('Remember me').isChecked()).toBe(true)
      await typePassword(page, member)
      const right = nextCode(secret)
      await code(page).fill(`${right.slice(0, 3)} ${right.slice(3)}`)
      await page.keyboard.press('Enter')
      await page.getByText('Login successful! Redirecting...').waitFor()
      await page.waitForURL(`${siteUrl()}/`)
      expect(await page.evaluate(() => localStorage.getItem('Token'))).not.toBeNull()

      const [first = '', second = ''] = codes
      for (const [typed, works] of [
        [first, true],
        [first, false],
        [second.toUpperCase().replaceAll('-', ''), true],
      ] as const) {
        await signOut(page)
        await page.goto('/login')
        await typePassword(page, member)
        // By the keyboard: behind the field and its button.
        await expectFocus(code(page))
        await page.keyboard.press('Tab')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        const field = page.getByLabel('Recovery code', { exact: true })
        await expectFocus(field)
        expect(await field.getAttribute('aria-invalid')).toBe('false')
        await field.fill(typed)
        await page.keyboard.press('Enter')
        if (works) await page.getByText('Login successful! Redirecting...').waitFor()
        else {
          await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
          await expectFocus(field)
        }
      }
      await openAccount(page)
      await section(page).getByText('8 codes left.').waitFor()

      // Few are left: new ones end those from before.
      await server.app.db
        .deleteFrom('recovery_codes')
        .where('user_id', '=', member.id)
        .where('code_hash', 'in', (from) =>
          from.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', member.id).limit(6),
        )
        .execute()
      await openAccount(page)
      await section(page).getByText('Only 2 recovery codes are left.').waitFor()
      await expectAccessible(page)
      await section(page).getByRole('button', { name: 'Make new recovery codes' }).click()
      await dialog(page, 'Make new recovery codes').getByRole('button', { name: 'Make new codes' }).click()
      const renewed = await shownCodes(page)
      expect(renewed.filter((one) => codes.includes(one))).toEqual([])
      expect(renewed).toHaveLength(10)
      await codesDialog(page).getByRole('button', { name: 'I have saved them' }).click()
      await codesDialog(page).waitFor({ state: 'detached' })

      // A proof that is too old is answered by a code or by a passkey.
      await anAuthenticator(page)
      const proof = dialog(page, "Confirm it's you")
      const press = (name: string) => section(page).getByRole('button', { name, exact: true }).click()

      // 'Current password' stays the first thing that is asked for.
      await ageProof(server.app, member, 16)
      await press('Add a passkey')
      await dialog(page, 'Add a passkey').getByRole('button', { name: 'Add passkey' }).click()
      await expectFocus(proof.getByLabel('Current password', { exact: true }))
      await proof.getByRole('button', { name: 'Use your authenticator app' }).click()
      await expectFocus(proof.getByLabel('Code', { exact: true }))
      await expectAccessible(page)
      await page.keyboard.type('000000')
      await page.keyboard.press('Enter')
      await expect.poll(() => proof.getByLabel('Code', { exact: true }).getAttribute('aria-invalid')).toBe('true')
      await proof.getByLabel('Code', { exact: true }).fill(nextCode(secret))
      await page.keyboard.press('Enter')
      await section(page)
        .getByText(/^The passkey “.*” was added\.$/)
        .waitFor()
      expect(await codesDialog(page).count()).toBe(0)

      await ageProof(server.app, member, 16)
      await press('Remove authenticator app')
      await dialog(page, 'Remove authenticator app').getByRole('button', { name: 'Remove' }).click()
      await proof.getByRole('button', { name: 'Use your passkey' }).click()
      await section(page).getByText('The authenticator app was removed.').waitFor()

      await section(page)
        .getByRole('button', { name: /^Remove Chrome/ })
        .click()
      const removing = dialog(page, 'Remove passkey')
      await removing.getByText('Two-step sign-in will be off').waitFor()
      await expectAccessible(page)
      await removing.getByRole('button', { name: 'Remove' }).click()
      await section(page).getByText('Two-step sign-in is off: your password alone signs you in.').waitFor()
      await expectFocus(section(page).getByRole('heading', { name: 'Two-step sign-in' }))
      await section(page).getByRole('button', { name: 'Add a passkey' }).waitFor()
      expect(await section(page).getByRole('heading', { name: 'Recovery codes' }).count()).toBe(0)
      await signIn(server, member)
    },
    { width: 320, height: 640, theme: 'dark' },
  ))

test('An administrator without a second factor is led to set one up, and then administers; they help a member who has lost theirs', () =>
  visit(
    async (page) => {
      const admin = await aMember(server.app, { isAdmin: true, name: 'Ada Keeper' })
      const member = await aMember(server.app, { name: 'Leo Lost' })
      await arrive(page, admin)
      // One link leads to the administration, and the page behind it says what is missing.
      await page.goto('/')
      const inMenu = async (): Promise<(string | null)[]> => {
        await page.getByRole('button', { name: /^Account menu of/ }).click()
        const group = page.getByRole('group', { name: 'Admin Controls' })
        await group.waitFor()
        return Promise.all((await group.getByRole('menuitem').all()).map((item) => item.getAttribute('href')))
      }
      expect(await inMenu()).toEqual(['/admin'])
      await page.keyboard.press('Escape')
      await page.setViewportSize({ width: 390, height: 800 })
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      const mobile = page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Admin Panel' })
      expect(await mobile.getAttribute('href')).toBe('/admin')
      await page.keyboard.press('Escape')
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByRole('banner').getByRole('link', { name: 'Admin Panel' }).click()
      await page.waitForURL('**/admin')
      await page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor()
      await expect.poll(() => page.title()).toMatch(/^Set up two-step sign-in/)

      await page.goto('/account')
      await page.getByText('You are an administrator. Set up two-step sign-in to open the administration.').waitFor()
      await page.goto('/admin/people?role=member')
      await page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Set it up' }).click()
      await page.waitForURL('**/account/security#two-step-sign-in')
      const reason = section(page).getByText('Administrators of this site need two-step sign-in.')
      await reason.waitFor()
      await expectFocus(section(page).getByRole('heading', { name: 'Two-step sign-in' }))
      await setUpApp(page)
      await expect.poll(() => page.getByText('You are an administrator.').count()).toBe(0)
      await reason.waitFor({ state: 'detached' })
      // The last one of an administrator stays.
      await section(page).getByText('Your only second step. Add another before you remove it.').waitFor()
      expect(
        await section(page)
          .getByRole('button', { name: /^Remove/ })
          .count(),
      ).toBe(0)
      await section(page).getByRole('link', { name: 'Go on to the administration' }).click()
      await page.waitForURL('**/admin/people?role=member')
      await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()

      // A member who has lost phone and codes.
      const visitor = await signIn(server, member)
      const headers = { ...bearer(visitor), 'content-type': 'application/json' }
      const setup = await server.request('/auth/totp', { method: 'POST', headers, body: '{}' })
      const { secret } = setup.json() as { secret: string }
      const confirmed = await server.request('/auth/totp/confirm', {
        method: 'POST',
        headers,
        body: JSON.stringify({ code: nextCode(secret) }),
      })
      expect(confirmed.status).toBe(201)
      await page.goto(`/admin/people/${member.id}`)
      const factors = page.locator('section', { has: page.getByRole('heading', { name: 'Two-step sign-in' }) })
      await factors.getByText('An authenticator app. 10 recovery codes are left.').waitFor()
      await factors.getByRole('button', { name: 'Remove two-step sign-in' }).click()
      const asking = dialog(page, 'Remove two-step sign-in')
      await asking.getByText(member.email).waitFor()
      await asking.getByRole('button', { name: 'Remove two-step sign-in' }).click()
      await factors.getByText('Their password alone signs them in.').waitFor()
      expect((await server.request('/auth/status', { headers: bearer(visitor) })).status).toBe(401)
      await signIn(server, member)
    },
    { theme: 'light' },
  ))
