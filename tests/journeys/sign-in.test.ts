import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visitAs, expectAccessible, openBrowser, type VisitorWish } from '../harness/browser.ts'
import { waitForLetter } from '../harness/letters.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await openTestServer({ now: '2024-03-15T12:00:00Z', jobs: true })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const visit = (story: (page: Page) => Promise<void>, wish: VisitorWish = {}): Promise<void> =>
  visitAs(browser, server.url, wish, story)

const path = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

type Store = 'localStorage' | 'sessionStorage'

/** What a store of the browser holds of a session. */
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

/** The sentence that a field is described by while it is wrong. */
async function problemOf(page: Page, label: string): Promise<string> {
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

async function fillLogin(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign In' })
const createButton = (page: Page) => page.getByRole('button', { name: 'Create Account' })

interface Typed {
  name: string
  email: string
  password: string
  confirmation: string
}

async function fillRegistration(page: Page, typed: Typed, { hasAccepted = true } = {}): Promise<void> {
  await page.getByLabel('Full Name').fill(typed.name)
  await page.getByLabel('Email Address').fill(typed.email)
  await page.getByLabel('Password', { exact: true }).fill(typed.password)
  await page.getByLabel('Confirm Password').fill(typed.confirmation)
  if (hasAccepted) await page.getByRole('checkbox').check()
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

describe.each([
  { device: 'a wide screen', width: 1280 },
  { device: 'a phone', width: 390 },
])('on $device', ({ width }) => {
  const screen = { width, height: 844 }
  const address = (name: string): string => `${name}-${width}@readers.example`

  describe('who registers', () => {
    test('is signed in and led on after a second; the session ends with the browser', () =>
      visit(async (page) => {
        const email = address('Anna.New')
        await page.goto('/register')
        await page.getByRole('heading', { name: 'Join Daybook' }).waitFor()
        await fillRegistration(page, { name: ' Anna Łund ', email, password, confirmation: password })
        await createButton(page).click()
        await page.getByText('Account created successfully! Logging you in...').waitFor()
        const toldAt = Date.now()
        await page.waitForURL(`${server.url}/`)
        expect(Date.now() - toldAt).toBeGreaterThan(600)
        const { token, ...rest } = await stored(page, 'sessionStorage')
        expect(rest).toEqual({ name: 'Anna Łund', email })
        expect(await stored(page, 'localStorage')).toEqual(nothing)
        const status = await server.ask('/auth/status', { headers: bearer(token ?? '') })
        expect(status.json()).toEqual({ isAdmin: false, isVip: false })
        expect((await waitForLetter(server.app, { to: email })).text).toContain('Anna Łund')
      }, screen))

    test('is told each rule beside its field, in order, and loses nothing that was typed', () =>
      visit(async (page) => {
        const calls = countCalls(page, '/auth/register')
        await page.goto('/register')
        const say = async (label: string, sentence: string): Promise<void> => {
          await createButton(page).click()
          await expect.poll(() => problemOf(page, label)).toBe(sentence)
          expect(await hasFocus(page, label)).toBe(true)
          expect(await page.locator('[aria-invalid=true]').count()).toBe(1)
        }
        await page.getByLabel('Full Name').fill('   ')
        await say('Full Name', 'Name is required')
        await page.getByLabel('Full Name').fill('Anna')
        await say('Email Address', 'Email is required')
        await page.getByLabel('Email Address').fill('anna at home')
        await say('Email Address', 'Please enter a valid email address')
        await page.getByLabel('Email Address').fill(address('rules'))
        await page.getByLabel('Password', { exact: true }).fill('12345')
        await say('Password', 'Password must be at least 6 characters')
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByLabel('Confirm Password').fill('seven grey heron')
        await say('Confirm Password', 'Passwords do not match')
        await expectAccessible(page)
        await page.getByLabel('Confirm Password').fill(password)
        await createButton(page).click()
        const terms = page.getByRole('checkbox')
        await page.getByText('Please accept the terms and conditions').waitFor()
        expect(await terms.getAttribute('aria-invalid')).toBe('true')
        expect(await terms.evaluate((box) => box === document.activeElement)).toBe(true)
        expect(await typedIn(page)).toEqual({
          name: 'Anna',
          email: address('rules'),
          password,
          confirmation: password,
        })
        expect(calls.count).toBe(0)
      }, screen))

    test('is told beside the field that the address is taken, in whatever letters', () =>
      visit(
        async (page) => {
          const { email } = await aMember(server.app, { email: address('taken') })
          await page.goto('/register')
          const typed = { name: 'Anna', email: email.toUpperCase(), password, confirmation: password }
          await fillRegistration(page, typed)
          await createButton(page).click()
          await expect.poll(() => problemOf(page, 'Email Address')).not.toBe('')
          expect(await hasFocus(page, 'Email Address')).toBe(true)
          expect(await typedIn(page)).toEqual(typed)
          expect(await createButton(page).isEnabled()).toBe(true)
        },
        { ...screen, expects: [/409/] },
      ))

    test('is told when the account stands and signing in failed, and signs in with one step', () =>
      visit(
        async (page) => {
          const email = address('stranded')
          await page.route('**/auth/login', (route) =>
            route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":"x","message":"x"}' }),
          )
          await page.goto('/register?next=%2Funknown')
          await fillRegistration(page, { name: 'Anna', email, password, confirmation: password })
          await createButton(page).click()
          await page.getByText('Account created but automatic login failed.').waitFor()
          expect(await createButton(page).count()).toBe(0)
          await page.unrouteAll({ behavior: 'wait' })
          const onward = page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true })
          expect(await onward.evaluate((link) => link === document.activeElement)).toBe(true)
          await onward.click()
          await page.waitForURL('**/login?next=%2Funknown')
          expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(email)
          await page.getByLabel('Password', { exact: true }).fill(password)
          await signInButton(page).click()
          await page.waitForURL('**/unknown')
        },
        { ...screen, expects: [/503/] },
      ))

    test('makes one account, however often he clicks', () =>
      visit(async (page) => {
        const calls = countCalls(page, '/auth/register')
        await page.goto('/register')
        await fillRegistration(page, { name: 'Anna', email: address('twice'), password, confirmation: password })
        await createButton(page).dblclick()
        await page.waitForURL(`${server.url}/`)
        expect(calls.count).toBe(1)
      }, screen))

    test('reads the terms beside the form', () =>
      visit(async (page) => {
        await page.goto('/register')
        for (const [name, hash] of [
          ['Terms of Service', '#terms'],
          ['Privacy Policy', '#privacy'],
        ] as const) {
          const link = page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) })
          expect(await link.getAttribute('href')).toBe(`/plans${hash}`)
          expect(await link.getAttribute('target')).toBe('_blank')
        }
      }, screen))
  })

  describe('who signs in', () => {
    test('without being remembered has a session in all tabs, which ends with the browser', () =>
      visit(async (page) => {
        const member = await aMember(server.app, { name: 'Jane Reader', email: address('jane') })
        await page.goto('/login')
        await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
        await fillLogin(page, member)
        await signInButton(page).click()
        await page.getByText('Login successful! Redirecting...').waitFor()
        const toldAt = Date.now()
        await page.waitForURL(`${server.url}/`)
        expect(Date.now() - toldAt).toBeGreaterThan(1_000)
        const session = await stored(page, 'sessionStorage')
        expect(session).toEqual({
          token: expect.stringMatching(/.{40}/) as string,
          name: 'Jane Reader',
          email: member.email,
        })
        expect(await stored(page, 'localStorage')).toEqual(nothing)

        const another = await page.context().newPage()
        await another.goto('/login')
        await another.getByRole('heading', { name: 'Already signed in' }).waitFor()
        expect(await stored(another, 'sessionStorage')).toEqual(session)

        const reopened = await browser.newContext({
          baseURL: server.url,
          storageState: await page.context().storageState(),
        })
        const later = await reopened.newPage()
        await later.goto('/login')
        await later.getByRole('heading', { name: 'Welcome Back' }).waitFor()
        await later.waitForTimeout(500)
        expect(await signInButton(later).isEnabled()).toBe(true)
        expect(await stored(later, 'sessionStorage')).toEqual(nothing)
        await reopened.close()
      }, screen))

    test('to be remembered is still signed in when the browser is opened again', () =>
      visit(async (page) => {
        const member = await aMember(server.app, { email: address('remembered') })
        await page.goto('/login')
        await fillLogin(page, member)
        await page.getByLabel('Remember me').check()
        await page.keyboard.press('Enter')
        await page.waitForURL(`${server.url}/`)
        const session = await stored(page, 'localStorage')
        expect(session.email).toBe(member.email)
        expect(await stored(page, 'sessionStorage')).toEqual(nothing)

        const reopened = await browser.newContext({
          baseURL: server.url,
          storageState: await page.context().storageState(),
        })
        const later = await reopened.newPage()
        await later.goto('/login?next=/western')
        await later.getByRole('heading', { name: 'Already signed in' }).waitFor()
        await later.getByRole('main').getByText(member.email).waitFor()
        await later.getByRole('link', { name: 'Continue' }).click()
        await later.waitForURL('**/western')
        await reopened.close()
      }, screen))

    test('and is signed in already is told so, and can sign out', () =>
      visit(
        async (page) => {
          const member = await aMember(server.app, { email: address('already') })
          const token = await signIn(server, member)
          await page.goto('/login')
          await page.evaluate(
            ([key, email]) => {
              localStorage.setItem('Token', key as string)
              localStorage.setItem('name', 'Jane Reader')
              localStorage.setItem('email', email as string)
            },
            [token, member.email],
          )
          for (const form of ['/login', '/register']) {
            await page.goto(form)
            await page.getByRole('heading', { name: 'Already signed in' }).waitFor()
            expect(await page.locator('form').count()).toBe(0)
          }
          await expectAccessible(page)
          await page.goto('/login')
          await page.getByRole('main').getByRole('button', { name: 'Sign Out' }).click()
          await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
          expect(await stored(page, 'localStorage')).toEqual(nothing)
          await expect.poll(async () => (await server.ask('/auth/status', { headers: bearer(token) })).status).toBe(401)
        },
        { ...screen, expects: [/401/] },
      ))

    test('with a wrong password is told so, keeps what was typed, and goes on with the password', () =>
      visit(
        async (page) => {
          const member = await aMember(server.app, { email: address('forgetful') })
          const { status, json } = await post(server, '/auth/login', { email: address('nobody'), password })
          expect(status).toBe(401)
          await page.goto('/login')
          await fillLogin(page, { email: member.email, password })
          await signInButton(page).click()
          // The same as for an address that nobody has.
          await page
            .getByRole('status')
            .getByText((json() as { message: string }).message)
            .waitFor()
          expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(member.email)
          expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
          expect(await hasFocus(page, 'Password')).toBe(true)
          await expectAccessible(page)
          await page.keyboard.type(member.password)
          await page.keyboard.press('Enter')
          await page.getByText('Login successful! Redirecting...').waitFor()
        },
        { ...screen, expects: [/401/] },
      ))

    test('and has typed nothing is told what is missing, before anything is sent', () =>
      visit(async (page) => {
        const calls = countCalls(page, '/auth/login')
        await page.goto('/login')
        await signInButton(page).click()
        await expect.poll(() => problemOf(page, 'Email')).toBe('Email is required')
        expect(await hasFocus(page, 'Email')).toBe(true)
        await page.getByLabel('Email', { exact: true }).fill('jane@')
        await page.keyboard.press('Enter')
        await expect.poll(() => problemOf(page, 'Email')).toBe('Please enter a valid email address')
        await page.getByLabel('Email', { exact: true }).fill(address('jane'))
        await page.keyboard.press('Enter')
        await expect.poll(() => problemOf(page, 'Password')).toBe('Password is required')
        expect(calls.count).toBe(0)
      }, screen))

    test('without a connection is told so, keeps what was typed, and succeeds when it is back', () =>
      visit(
        async (page) => {
          const member = await aMember(server.app, { email: address('offline') })
          await page.goto('/login')
          await page.waitForLoadState('networkidle')
          await fillLogin(page, member)
          await page.context().setOffline(true)
          await signInButton(page).click()
          await page.getByText('Network error. Please check your connection.').waitFor()
          expect(await signInButton(page).evaluate((button) => button === document.activeElement)).toBe(true)
          expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(member.password)
          await page.context().setOffline(false)
          await page.keyboard.press('Enter')
          await page.getByText('Login successful! Redirecting...').waitFor()
          expect(await page.getByText('Network error.').count()).toBe(0)
          await page.waitForURL(`${server.url}/`)
        },
        { ...screen, expects: [/ERR_INTERNET_DISCONNECTED/] },
      ))

    test('is told when the server fails in a way that says nothing', () =>
      visit(
        async (page) => {
          await page.route('**/auth/login', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
          await page.goto('/login')
          await fillLogin(page, { email: address('jane'), password })
          await signInButton(page).click()
          await page.getByText('Login failed. Please try again.').waitFor()
        },
        { ...screen, expects: [/502/] },
      ))

    test('is asked for once, however often he clicks, and sees that it works', () =>
      visit(async (page) => {
        const member = await aMember(server.app, { email: address('hasty') })
        const calls = countCalls(page, '/auth/login')
        await page.route('**/auth/login', async (route) => {
          await new Promise((wake) => setTimeout(wake, 700))
          await route.continue()
        })
        await page.goto('/login')
        await fillLogin(page, member)
        await signInButton(page).dblclick()
        const busy = page.getByRole('button', { name: 'Signing in...' })
        await busy.waitFor()
        expect(await busy.isDisabled()).toBe(true)
        await page.getByLabel('Password', { exact: true }).press('Enter')
        await page.waitForURL(`${server.url}/`)
        expect(calls.count).toBe(1)
        await page.unrouteAll({ behavior: 'wait' })
      }, screen))

    test('is returned to the page that asked, also by way of registering, and Back does not lead to the form', () =>
      visit(async (page) => {
        const member = await aMember(server.app, { email: address('returning') })
        await page.goto('/banned')
        await page.goto('/login?next=%2Fwestern%3Fmonth%3D03')
        const register = page.getByRole('main').getByRole('link', { name: 'Create an account' })
        await expect.poll(() => register.getAttribute('href')).toBe('/register?next=%2Fwestern%3Fmonth%3D03')
        await register.click()
        await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
        await page.waitForURL('**/login?next=%2Fwestern%3Fmonth%3D03')
        await fillLogin(page, member)
        await signInButton(page).click()
        await page.waitForURL('**/western?month=03')
        await page.goBack()
        expect(path(page)).not.toMatch(/^\/login/)
      }, screen))

    test('and goes elsewhere before the answer is there is signed in, and left where he is', () =>
      visit(async (page) => {
        const member = await aMember(server.app, { email: address('wandering') })
        let answer = (): void => undefined
        const held = new Promise<void>((resolve) => (answer = resolve))
        await page.route('**/auth/login', async (route) => {
          await held
          await route.continue()
        })
        await page.goto('/login?next=/asian')
        await fillLogin(page, member)
        await signInButton(page).click()
        await page.getByRole('banner').getByRole('link', { name: 'Daybook' }).click()
        await page.waitForURL(`${server.url}/`)
        answer()
        await expect.poll(async () => (await stored(page, 'sessionStorage')).email).toBe(member.email)
        await page.waitForTimeout(2_000)
        expect(path(page)).toBe('/')
      }, screen))

    test('can look at the password while typing it, and it is hidden when it is sent', () =>
      visit(
        async (page) => {
          await page.goto('/login')
          await fillLogin(page, { email: address('nobody'), password })
          const field = page.getByLabel('Password', { exact: true })
          expect(await field.getAttribute('type')).toBe('password')
          await page.getByRole('button', { name: 'Show password' }).click()
          expect(await field.getAttribute('type')).toBe('text')
          await field.press('Enter')
          await expect.poll(() => field.getAttribute('type')).toBe('password')
          expect(await field.inputValue()).toBe(password)
          await page
            .getByRole('status')
            .getByText(/password/i)
            .waitFor()
        },
        { ...screen, expects: [/401/] },
      ))
  })

  describe('who has forgotten the password', () => {
    test("asks for a link, chooses another by the mail's link, and signs in with it", () =>
      visit(
        async (page) => {
          const member = await aMember(server.app, { email: address('oblivious') })
          const oldToken = await signIn(server, member)
          await page.goto('/login')
          await page.getByLabel('Email', { exact: true }).fill(member.email)
          await page.getByRole('link', { name: 'Forgot password?' }).click()
          await page.waitForURL('**/forgot-password')
          expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(member.email)
          await page.getByRole('button', { name: 'Send Reset Link' }).click()
          await page.getByText('Password reset link sent!').waitFor()

          const letter = await waitForLetter(server.app, { to: member.email })
          const link = new URL(letter.links.find((each) => each.includes('/reset-password')) ?? '')
          const token = link.searchParams.get('token') ?? ''
          expect(token).not.toBe('')
          const told: string[] = []
          page.on('request', (request) => {
            if (request.isNavigationRequest()) return
            told.push(request.url(), request.headers()['referer'] ?? '')
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
          await expect.poll(() => hasFocus(page, 'New Password')).toBe(true)
          await fields[0].fill(password)
          await fields[1].fill('seven grey heron')
          await send.click()
          await expect.poll(() => problemOf(page, 'Confirm Password')).toBe("Passwords don't match.")
          await expectAccessible(page)
          for (const field of fields) await field.fill('heron')
          await send.click()
          await expect.poll(() => problemOf(page, 'New Password')).toBe('Password must be at least 8 characters long')
          for (const field of fields) await field.fill(password)
          await send.click()
          await page.getByText('Password reset successfully.').waitFor()
          expect(told.filter((each) => each.includes(token))).toEqual([])
          expect((await server.ask('/auth/status', { headers: bearer(oldToken) })).status).toBe(401)

          await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
          await fillLogin(page, { email: member.email, password })
          await signInButton(page).click()
          await page.waitForURL(`${server.url}/`)

          // The link has done its work.
          await page.goto(link.pathname + link.search)
          for (const field of fields) await field.fill('eight grey herons')
          await send.click()
          const refused = page.getByRole('status').getByRole('link', { name: 'Send a new link' })
          await refused.click()
          await page.waitForURL('**/forgot-password')
        },
        { ...screen, expects: [/4\d\d/] },
      ))

    test('cannot tell whether an address has an account', () =>
      visit(async (page) => {
        await page.goto('/forgot-password')
        await page.getByRole('button', { name: 'Send Reset Link' }).click()
        await expect.poll(() => problemOf(page, 'Email')).toBe('Email is required')
        await page.getByLabel('Email', { exact: true }).fill(address('nobody-at-all'))
        await page.keyboard.press('Enter')
        await page.getByText('Password reset link sent!').waitFor()
        await expectAccessible(page)
      }, screen))

    test('is told when the link could not be asked for, and can try again', () =>
      visit(
        async (page) => {
          await page.goto('/forgot-password')
          await page.waitForLoadState('networkidle')
          await page.getByLabel('Email', { exact: true }).fill(address('nobody-at-all'))
          await page.context().setOffline(true)
          await page.keyboard.press('Enter')
          await page.getByText('Error sending reset email. Please try again.').waitFor()
          await page.getByText('Network error. Please check your connection.').waitFor()
          await page.context().setOffline(false)
          await page.getByRole('button', { name: 'Send Reset Link' }).click()
          await page.getByText('Password reset link sent!').waitFor()
        },
        { ...screen, expects: [/ERR_INTERNET_DISCONNECTED/] },
      ))

    test('and comes without a token is told so, and what to do', () =>
      visit(async (page) => {
        await page.goto('/reset-password')
        await page.getByRole('heading', { name: 'Token ausente na URL.' }).waitFor()
        await expectAccessible(page)
        await page.getByRole('link', { name: 'Send a new link' }).click()
        await page.waitForURL('**/forgot-password')
      }, screen))

    test('keeps the link for another try when the network fails', () =>
      visit(
        async (page) => {
          await page.goto('/reset-password?token=made-up')
          await expect.poll(() => path(page)).toBe('/reset-password')
          await page.waitForLoadState('networkidle')
          await page.getByLabel('New Password').fill(password)
          await page.getByLabel('Confirm Password').fill(password)
          await page.context().setOffline(true)
          await page.keyboard.press('Enter')
          await page.getByText('Error resetting password. Please try again.').waitFor()
          await page.context().setOffline(false)
          const answer = page.waitForRequest('**/reset-password')
          await page.keyboard.press('Enter')
          expect((await answer).postDataJSON()).toEqual({ token: 'made-up', password })
          await page.getByRole('link', { name: 'Send a new link' }).waitFor()
        },
        { ...screen, expects: [/ERR_INTERNET_DISCONNECTED|400/] },
      ))
  })
})

test.each(['//other.example/', '/.//other.example/', '/login'])('nobody is led to %s after signing in', (next) =>
  visit(async (page) => {
    const member = await aMember(server.app)
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await fillLogin(page, member)
    await signInButton(page).click()
    await page.waitForURL((url) => url.pathname !== '/login')
    expect(page.url()).toBe(`${server.url}/`)
  }),
)

test.each(['/login', '/register', '/forgot-password', '/reset-password'])(
  'without JavaScript %s says that it needs it, and offers nothing that does not work',
  (form) =>
    visit(
      async (page) => {
        await page.goto(form)
        await page.getByText('This form needs JavaScript. Please allow it for this site.').waitFor()
        expect(await page.locator('form').isVisible()).toBe(false)
      },
      { hasScripts: false },
    ),
)
