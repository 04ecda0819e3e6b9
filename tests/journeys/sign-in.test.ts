import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { holdRequests, stopTimers, type VisitorOptions, visitsOfFile } from '../harness/browser.ts'
import { waitForEmail } from '../harness/emails.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

const now = '2024-03-15T12:00:00Z'

const server = serverOfFile({ now, jobs: true })
const { visit: visitAs, visitor } = visitsOfFile(server)

const visit = (story: (page: Page) => Promise<void>, overrides: VisitorOptions = {}): Promise<void> =>
  visitAs({ now, ...overrides }, story)

const path = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

type Store = 'localStorage' | 'sessionStorage'

/** A session as a store of the browser holds it. */
function stored(
  page: Page,
  store: Store,
): Promise<{ token: string | null; name: string | null; email: string | null }> {
  return page.evaluate((name) => {
    const [token, ofName, email] = ['Token', 'name', 'email'].map((key) => window[name].getItem(key))
    return { token: token ?? null, name: ofName ?? null, email: email ?? null }
  }, store)
}

const nothing = { token: null, name: null, email: null }

const clearStores = (page: Page): Promise<void> =>
  page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })

/** The sentence that a field is described by while it is wrong. */
async function errorOf(page: Page, label: string): Promise<string> {
  const field = page.getByLabel(label, { exact: true })
  if ((await field.getAttribute('aria-invalid')) !== 'true') return ''
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ')
  return page.evaluate(
    (all) => all.map((id) => document.querySelector(`#${CSS.escape(id)}[role=alert]`)?.textContent ?? '').join(''),
    ids,
  )
}

function hasFocus(page: Page, label: string): Promise<boolean> {
  return page.getByLabel(label, { exact: true }).evaluate((field) => field === document.activeElement)
}

const expectFocus = (page: Page, label: string) => expect.poll(() => hasFocus(page, label)).toBe(true)

async function fillLogin(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

const main = (page: Page) => page.getByRole('main')
const heading = (page: Page, name: string) => page.getByRole('heading', { name })
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign In' })
const createButton = (page: Page) => page.getByRole('button', { name: 'Create Account' })
const signedIn = (page: Page) => page.getByText('Login successful! Redirecting...')
const networkFailure = (page: Page) => page.getByText('Network error. Please check your connection.')

interface Typed {
  name: string
  email: string
  password: string
  confirmation: string
}

async function fillRegistration(page: Page, typed: Typed): Promise<void> {
  await page.getByLabel('Full Name').fill(typed.name)
  await page.getByLabel('Email Address').fill(typed.email)
  await page.getByLabel('Password', { exact: true }).fill(typed.password)
  await page.getByLabel('Confirm Password').fill(typed.confirmation)
  await page.getByRole('checkbox').check()
}

function typedIn(page: Page): Promise<Typed> {
  return page.evaluate(() => {
    const values = new FormData(document.querySelector('form') as HTMLFormElement)
    const of = (name: string): string => values.get(name) as string
    return { name: of('name'), email: of('email'), password: of('password'), confirmation: of('confirmation') }
  })
}

/** Counts the calls to a path of the HTTP interface. */
function countCalls(page: Page, pathname: string): { count: number } {
  const calls = { count: 0 }
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === pathname) calls.count += 1
  })
  return calls
}

const password = 'seven grey herons'

test('A visitor who registers is told what is wrong beside its field, loses nothing that was typed, and has one account and is signed in', () =>
  visit(
    async (page) => {
      const calls = countCalls(page, '/auth/register')
      const typed = { name: 'Anna', email: 'rules@readers.example', password, confirmation: 'seven grey heron' }
      await page.goto('/register')
      await heading(page, 'Join Daybook').waitFor()
      await fillRegistration(page, typed)
      await createButton(page).click()
      await expect.poll(() => errorOf(page, 'Confirm Password')).toBe('Passwords do not match')
      await expectFocus(page, 'Confirm Password')
      expect(await page.locator('[aria-invalid=true]').count()).toBe(1)
      await expectAccessible(page)
      await page.getByLabel('Confirm Password').fill(password)
      const terms = page.getByRole('checkbox')
      await terms.uncheck()
      await createButton(page).click()
      await page.getByText('Please accept the terms and conditions').waitFor()
      expect(await terms.getAttribute('aria-invalid')).toBe('true')
      await expect.poll(() => terms.evaluate((box) => box === document.activeElement)).toBe(true)
      typed.confirmation = password
      expect(await typedIn(page)).toEqual(typed)
      expect(calls.count).toBe(0)

      // The address is taken, in whatever letters.
      await aMember(server.app, { email: 'taken@readers.example' })
      await fillRegistration(page, { ...typed, email: 'TAKEN@READERS.EXAMPLE' })
      await createButton(page).click()
      await expect.poll(() => errorOf(page, 'Email Address')).not.toBe('')
      await expectFocus(page, 'Email Address')
      expect(await typedIn(page)).toEqual({ ...typed, email: 'TAKEN@READERS.EXAMPLE' })
      expect(await createButton(page).isEnabled()).toBe(true)

      // One account, however often they click.
      const email = 'Anna.New@readers.example'
      await fillRegistration(page, { ...typed, name: ' Anna Łund ', email })
      calls.count = 0
      await stopTimers(page, now)
      await createButton(page).dblclick()
      await page.getByText('Account created successfully! Logging you in...').waitFor()
      await expect.poll(async () => (await stored(page, 'sessionStorage')).email).toBe(email)
      await page.clock.runFor(900)
      expect(path(page)).toBe('/register')
      await page.clock.runFor(200)
      await page.waitForURL(`${server.url}/`)
      await page.clock.resume()
      expect(calls.count).toBe(1)
      const { token, ...rest } = await stored(page, 'sessionStorage')
      expect(rest).toEqual({ name: 'Anna Łund', email })
      expect(await stored(page, 'localStorage')).toEqual(nothing)
      const status = await server.request('/auth/status', { headers: bearer(token ?? '') })
      expect(status.json()).toEqual({ isAdmin: false, isVip: false, needsSecondFactor: false })
      expect((await waitForEmail(server.app, { to: email })).text).toContain('Anna Łund')

      // The account stands but signing in fails: one step leads on.
      await clearStores(page)
      await page.route('**/auth/login', (route) =>
        route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":"x","message":"x"}' }),
      )
      await page.goto('/register?next=%2Funknown')
      const stranded = 'stranded@readers.example'
      await fillRegistration(page, { ...typed, email: stranded })
      await createButton(page).click()
      await page.getByText('Account created but automatic login failed.').waitFor()
      expect(await createButton(page).count()).toBe(0)
      await page.unrouteAll({ behavior: 'wait' })
      const onward = main(page).getByRole('link', { name: 'Sign in', exact: true })
      await expect.poll(() => onward.evaluate((link) => link === document.activeElement)).toBe(true)
      await onward.click()
      await page.waitForURL('**/login?next=%2Funknown')
      await expect.poll(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe(stranded)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await signInButton(page).click()
      await page.waitForURL('**/unknown')
    },
    { expects: [/409|503/] },
  ))

test('A member signs in after every failure without typing anything twice, is led back to the page that asked, and stays signed in with the browser alone unless they want to be remembered', () =>
  visit(
    async (page) => {
      const member = await aMember(server.app, { name: 'Jane Reader', email: 'jane@readers.example' })
      const unknown = await post(server, '/auth/login', { email: 'nobody@readers.example', password })
      expect(unknown.status).toBe(401)
      const calls = countCalls(page, '/auth/login')
      const [email, secret] = [
        page.getByLabel('Email', { exact: true }),
        page.getByLabel('Password', { exact: true }),
      ] as const
      // From the beginning: a browser under load may let a call pass that comes right after its route.
      let isGatewayBad = false
      await page.route('**/auth/login', (route) =>
        isGatewayBad ? route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }) : route.continue(),
      )
      // The way back is carried along from page to page.
      const back = '?next=%2Fwestern%3Fmonth%3D03'
      await page.goto(`/login${back}`)
      await main(page).getByRole('link', { name: 'Create an account' }).click()
      await page.waitForURL(`**/register${back}`)
      await main(page).getByRole('link', { name: 'Sign in' }).click()
      await page.waitForURL(`**/login${back}`)

      // Told before anything is sent.
      await email.fill(member.email)
      await page.keyboard.press('Enter')
      await expect.poll(() => errorOf(page, 'Password')).toBe('Password is required')
      expect(calls.count).toBe(0)

      // A wrong password, shown while it is typed and hidden when it is sent: the same words as for an unknown address.
      await secret.fill(password)
      expect(await secret.getAttribute('type')).toBe('password')
      await page.getByRole('button', { name: 'Show password' }).click()
      expect(await secret.getAttribute('type')).toBe('text')
      await secret.press('Enter')
      await page
        .getByRole('status')
        .getByText((unknown.json() as { message: string }).message)
        .waitFor()
      await expect.poll(() => secret.getAttribute('type')).toBe('password')
      expect([await email.inputValue(), await secret.inputValue()]).toEqual([member.email, password])
      await expectFocus(page, 'Password')
      await expectAccessible(page)
      // The wrong one is selected: what is typed takes its place.
      await page.keyboard.type(member.password)
      await expect.poll(() => secret.inputValue()).toBe(member.password)

      // A failure that says nothing, and no connection.
      isGatewayBad = true
      await page.keyboard.press('Enter')
      await page.getByText('Login failed. Please try again.').waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await signInButton(page).click()
      await networkFailure(page).waitFor()
      await expect.poll(() => signInButton(page).evaluate((button) => button === document.activeElement)).toBe(true)
      await expect.poll(() => secret.inputValue()).toBe(member.password)
      await page.context().setOffline(false)

      // Asked once, however often they click; the good news stands for a while.
      calls.count = 0
      const held = await holdRequests(page, '**/auth/login')
      await stopTimers(page, now)
      await signInButton(page).dblclick()
      const busy = page.getByRole('button', { name: 'Signing in...' })
      await busy.waitFor()
      expect(await busy.isDisabled()).toBe(true)
      await secret.press('Enter')
      held.release()
      await signedIn(page).waitFor()
      expect(await page.getByText('Network error.').count()).toBe(0)
      await page.clock.runFor(1_400)
      expect(path(page)).toBe(`/login${back}`)
      await page.clock.runFor(200)
      await page.waitForURL('**/western?month=03')
      await page.clock.resume()
      expect([calls.count, held.count()]).toEqual([1, 1])
      await page.unrouteAll({ behavior: 'wait' })
      // Behind it stands the page before the form, not the form.
      await page.goBack()
      await page.waitForURL(`**/register${back}`)

      const session = await stored(page, 'sessionStorage')
      expect(session).toEqual({
        token: expect.stringMatching(/.{40}/) as string,
        name: 'Jane Reader',
        email: member.email,
      })
      expect(await stored(page, 'localStorage')).toEqual(nothing)
      // In this tab alone: whatever a script of another tab asks or offers, no tab gives or takes a session.
      const another = await page.context().newPage()
      await another.goto('/login')
      await heading(another, 'Welcome Back').waitFor()
      const heard = await another.evaluate(async () => {
        const channel = new BroadcastChannel('session')
        const messages: unknown[] = []
        channel.addEventListener('message', ({ data }) => messages.push(data))
        const stranger = { token: 'stranger', name: 'Stranger', email: 'stranger@readers.example' }
        const kinds = ['ask', 'offer', 'opened', 'closed'].map((kind) => ({ kind, session: stranger }))
        // A channel has no target: the rule means windows.
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        for (const message of [...kinds, { ended: 'stranger' }]) channel.postMessage(message)
        await fetch('/healthz')
        return messages
      })
      expect(heard).toEqual([])
      expect(await stored(another, 'sessionStorage')).toEqual(nothing)
      expect(await stored(page, 'sessionStorage')).toEqual(session)
      await page.getByRole('button', { name: /^Account menu/ }).waitFor()
      const storageState = await page.context().storageState()
      await visit(
        async (later) => {
          await later.goto('/login')
          await heading(later, 'Welcome Back').waitFor()
          await expect.poll(() => signInButton(later).isEnabled()).toBe(true)
          expect(await stored(later, 'sessionStorage')).toEqual(nothing)
        },
        { storageState },
      )

      // A remembered member is still signed in when the browser is opened again, until they sign out.
      await another.close()
      await clearStores(page)
      const other = await aMember(server.app, { email: 'remembered@readers.example' })
      await page.goto('/login')
      await fillLogin(page, other)
      await page.getByLabel('Remember me').check()
      await page.keyboard.press('Enter')
      await page.waitForURL(`${server.url}/`)
      const remembered = await stored(page, 'localStorage')
      expect(remembered.email).toBe(other.email)
      expect(await stored(page, 'sessionStorage')).toEqual(nothing)

      const { page: later, leave } = await visitor({
        now,
        storageState: await page.context().storageState(),
      })
      await later.goto('/login?next=/western')
      await heading(later, 'Already signed in').waitFor()
      await main(later).getByText(other.email).waitFor()
      await later.getByRole('link', { name: 'Continue' }).click()
      await later.waitForURL('**/western')
      await leave()

      for (const form of ['/login', '/register']) {
        await page.goto(form)
        await heading(page, 'Already signed in').waitFor()
        expect(await page.locator('form').count()).toBe(0)
      }
      await expectAccessible(page)
      await main(page).getByRole('button', { name: 'Sign Out' }).click()
      await heading(page, 'Join Daybook').waitFor()
      expect(await stored(page, 'localStorage')).toEqual(nothing)
      const statusOf = async () =>
        (await server.request('/auth/status', { headers: bearer(remembered.token ?? '') })).status
      await expect.poll(statusOf).toBe(401)

      // Nobody is led on who has gone elsewhere meanwhile.
      await main(page).getByRole('link', { name: 'Sign in' }).click()
      const slow = await holdRequests(page, '**/auth/login')
      await fillLogin(page, other)
      await signInButton(page).click()
      await slow.arrived(1)
      await page.getByRole('banner').getByRole('link', { name: 'Daybook' }).click()
      await page.waitForURL(`${server.url}/`)
      await heading(page, 'Choose Your Experience').waitFor()
      await stopTimers(page, now)
      slow.release()
      await expect.poll(async () => (await stored(page, 'sessionStorage')).email).toBe(other.email)
      await page.clock.runFor(5_000)
      expect(path(page)).toBe('/')
    },
    { expects: [/401|502|ERR_INTERNET_DISCONNECTED/] },
  ))

test('A member who has forgotten the password chooses another by the link of an email, which works once and is never passed on', () =>
  visit(
    async (page) => {
      const member = await aMember(server.app, { email: 'oblivious@readers.example' })
      const oldToken = await signIn(server, member)
      const askForLink = page.getByRole('button', { name: 'Send Reset Link' })
      const linkSent = page.getByText('Password reset link sent!')
      await page.goto('/login')
      await page.getByLabel('Email', { exact: true }).fill(member.email)
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await page.waitForURL('**/forgot-password')
      await expect.poll(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe(member.email)
      await askForLink.click()
      await linkSent.waitFor()

      const email = await waitForEmail(server.app, { to: member.email })
      const link = new URL(email.links.find((each) => each.includes('/reset-password')) ?? '')
      const token = link.searchParams.get('token') ?? ''
      expect(token).not.toBe('')
      const reported: string[] = []
      page.on('request', (request) => {
        if (request.isNavigationRequest()) return
        reported.push(request.url(), request.headers()['referer'] ?? '')
      })
      await page.goto(link.pathname + link.search)
      await page.getByLabel('New Password').waitFor()
      // Once read, the token stands neither in the address bar nor in what is called from there.
      await expect.poll(() => path(page)).toBe('/reset-password')
      await page.reload()
      expect(path(page)).toBe('/reset-password')

      const fields = [page.getByLabel('New Password'), page.getByLabel('Confirm Password')] as const
      const send = page.getByRole('button', { name: 'Reset Password' })
      await send.click()
      await expectFocus(page, 'New Password')
      await fields[0].fill(password)
      await fields[1].fill('seven grey heron')
      await send.click()
      await expect.poll(() => errorOf(page, 'Confirm Password')).toBe("Passwords don't match.")
      for (const field of fields) await field.fill('heron')
      await send.click()
      await expect.poll(() => errorOf(page, 'New Password')).toBe('Password must be at least 8 characters long')

      // The link is kept for another try when the network fails.
      for (const field of fields) await field.fill(password)
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await page.keyboard.press('Enter')
      await page.getByText('Error resetting password. Please try again.').waitFor()
      await page.context().setOffline(false)
      const sent = page.waitForRequest('**/reset-password')
      await page.keyboard.press('Enter')
      expect((await sent).postDataJSON()).toEqual({ token, password })
      await page.getByText('Password reset successfully.').waitFor()
      expect(reported.filter((each) => each.includes(token))).toEqual([])
      expect((await server.request('/auth/status', { headers: bearer(oldToken) })).status).toBe(401)
      await main(page).getByRole('link', { name: 'Sign in' }).click()
      await page.waitForURL('**/login')
      await fillLogin(page, { email: member.email, password })
      await signInButton(page).click()
      await page.waitForURL(`${server.url}/`)

      // The link has done its work.
      await page.goto(link.pathname + link.search)
      for (const field of fields) await field.fill('eight grey herons')
      await send.click()
      await page.getByRole('status').getByRole('link', { name: 'Send a new link' }).click()
      await page.waitForURL('**/forgot-password')

      // Nobody can tell here whether an address has an account.
      await clearStores(page)
      await page.getByLabel('Email', { exact: true }).fill('nobody-at-all@readers.example')
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await page.keyboard.press('Enter')
      await page.getByText('Error sending reset email. Please try again.').waitFor()
      await networkFailure(page).waitFor()
      await page.context().setOffline(false)
      await askForLink.click()
      await linkSent.waitFor()
      await expectAccessible(page)

      await page.goto('/reset-password')
      await heading(page, 'Token ausente na URL.').waitFor()
      await main(page).getByText('Open the whole link from the email again, or request a new one.').waitFor()
      await main(page).getByRole('link', { name: 'Send a new link' }).click()
      await page.waitForURL('**/forgot-password')
    },
    { expects: [/4\d\d|ERR_INTERNET_DISCONNECTED/] },
  ))
