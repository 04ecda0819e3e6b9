import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visitAs, openBrowser, type VisitorWish } from '../harness/browser.ts'
import { aFullCatalogue } from '../harness/catalogue.ts'
import { aMember, bearer, type MadeMember, remember } from '../harness/members.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let browser: Browser
let member: MadeMember
let vip: MadeMember
let admin: MadeMember
let lateVip: MadeMember

beforeAll(async () => {
  server = await openTestServer({ now: '2024-03-15T12:00:00Z' })
  await aFullCatalogue(server.app)
  member = await aMember(server.app, { name: 'Mina Member' })
  vip = await aMember(server.app, { name: 'Vera Vip', isVip: true })
  lateVip = await aMember(server.app, { name: 'Lou Late', isVip: true })
  admin = await aMember(server.app, { name: 'Ada Admin', isAdmin: true })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** A visit of a guest, or of somebody who has signed in already and is remembered. */
const visit = (
  who: MadeMember | undefined,
  wish: VisitorWish,
  story: (page: Page, token: string) => Promise<void>,
): Promise<void> =>
  visitAs(browser, server.url, wish, async (page) =>
    story(page, who === undefined ? '' : await remember(page, server, who)),
  )

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('Token'))

/** All texts of one kind within the header, once it is the one that is expected. */
async function expectTexts(page: Page, selector: string, wanted: string[]): Promise<void> {
  const texts = () =>
    page
      .locator(selector)
      .evaluateAll((all) => all.map((each) => each.textContent?.replace(' (opens in a new tab)', '')))
  await expect.poll(texts).toEqual(wanted)
}

const notVip = 'You are not a VIP to access this page.'
const notAdmin = 'You are not an administrator to access this page.'
const vipPaths = [
  '/vip',
  '/vip-asian',
  '/vip-western',
  '/vip-banned',
  '/vip-unknown',
  '/vip/a-slug',
  '/vip-asian/a-slug',
  '/vip-western/a-slug',
  '/vip-banned/a-slug',
  '/vip-unknown/a-slug',
]
const adminPaths = ['/admin/settings', '/admin/stats', '/admin/requests', '/admin-vip-users', '/admin-vip-disabled']
const shut = 'This part of the library is not open yet.'

const wide: VisitorWish = { width: 1280, height: 800 }
const phone: VisitorWish = { width: 390, height: 800 }

describe.each([wide, phone])('on a screen of $width pixels', (screen) => {
  test('a guest stands before shut doors, is told why, and may sign in and come back', { timeout: 300_000 }, () =>
    visit(undefined, screen, async (page) => {
      for (const path of [...vipPaths, ...adminPaths]) {
        const response = await page.goto(`${path}?from=here`)
        expect(response?.status(), path).toBe(200)
        expect(await page.locator('meta[name=robots]').getAttribute('content'), path).toBe('noindex')
        await page.getByText(path.startsWith('/vip') ? notVip : notAdmin, { exact: true }).waitFor()
        const signInLink = page.getByRole('main').getByRole('link', { name: 'Sign in' })
        expect(await signInLink.getAttribute('href')).toBe(`/login?next=${encodeURIComponent(`${path}?from=here`)}`)
      }
      for (const feature of ['Premium Content', 'Full Access', 'Priority Support'])
        await page.getByText(feature, { exact: true }).waitFor()
      expect(await page.getByRole('link', { name: 'Become VIP' }).getAttribute('href')).toBe('/plans')
      expect(await page.getByRole('link', { name: 'Back to Homepage' }).getAttribute('href')).toBe('/')
    }),
  )

  test('a member who is no VIP passes no door', () =>
    visit(member, screen, async (page) => {
      for (const path of ['/vip', '/vip-banned', '/vip-asian/a-slug']) {
        await page.goto(path)
        await page.getByText(notVip, { exact: true }).waitFor()
      }
      await page.goto('/admin/stats')
      await page.getByText(notAdmin, { exact: true }).waitFor()
      expect(await page.getByRole('main').getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    }))

  test('a VIP enters the VIP part and nothing else', () =>
    visit(vip, screen, async (page) => {
      await page.goto('/vip')
      await page.getByRole('link', { name: /^VIP ASIAN PREMIUM/ }).waitFor()
      await page.getByRole('link', { name: /^VIP WESTERN PREMIUM/ }).click()
      await page.waitForURL('**/vip-western')
      await page.getByRole('heading', { name: shut }).waitFor()
      for (const path of vipPaths.slice(1)) {
        await page.goto(path)
        await page.getByRole('heading', { name: shut }).waitFor()
      }
      await page.goto('/admin/settings')
      await page.getByText(notAdmin, { exact: true }).waitFor()
    }))

  test('an administrator enters both', { timeout: 300_000 }, () =>
    visit(admin, screen, async (page) => {
      await page.goto('/vip')
      await page.getByRole('link', { name: /^VIP ASIAN PREMIUM/ }).waitFor()
      for (const path of ['/vip-asian/a-slug', ...adminPaths]) {
        await page.goto(path)
        await page.getByRole('heading', { name: shut }).waitFor()
      }
    }),
  )

  test('what nobody has built is not behind a door', () =>
    visit(admin, { ...screen, expects: [/404/] }, async (page) => {
      const response = await page.goto('/admin/no-such-page')
      expect(response?.status()).toBe(404)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    }))

  test('every entry is asked for anew', () =>
    visit(lateVip, screen, async (page, token) => {
      await page.goto('/vip')
      const asian = page.getByRole('link', { name: /^VIP ASIAN PREMIUM/ })
      await asian.waitFor()
      const setDisabled = (isDisabled: boolean) =>
        server.app.db.updateTable('users').set({ vip_disabled: isDisabled }).where('id', '=', lateVip.id).execute()
      await setDisabled(true)
      await asian.click()
      await page.getByText(notVip, { exact: true }).waitFor()
      expect(await storedToken(page)).toBe(token)
      await setDisabled(false)
      await page.goBack()
      await asian.waitFor()
    }))

  test('a rejected token is removed, and its bearer is a guest', () =>
    visit(member, { ...screen, expects: [/401/] }, async (page) => {
      await page.evaluate(() => localStorage.setItem('Token', 'no-such-token'))
      await page.goto('/vip-asian')
      await page.getByText(notVip, { exact: true }).waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
      expect(await page.evaluate(() => ['Token', 'name', 'email'].map((key) => localStorage.getItem(key)))).toEqual([
        null,
        null,
        null,
      ])
    }))

  test('a failure of the network is no rejection: the token stays, and one can try again', () =>
    visit(vip, { ...screen, expects: [/ERR_FAILED/] }, async (page, token) => {
      await page.route('**/auth/*', (route) => route.abort())
      await page.goto('/vip')
      await page.getByText('Network error. Please check your connection.').waitFor()
      expect(await page.getByText(notVip).count()).toBe(0)
      expect(await storedToken(page)).toBe(token)
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('link', { name: /^VIP ASIAN PREMIUM/ }).waitFor()
      expect(await storedToken(page)).toBe(token)
    }))

  test('an answer that a newer question has overtaken is dropped', () =>
    visit(member, screen, async (page) => {
      await page.goto('/chooser')
      await expectSignedIn(page, member)
      let isFirst = true
      await page.route('**/auth/status', async (route) => {
        if (!isFirst) return route.continue()
        isFirst = false
        await new Promise((wake) => setTimeout(wake, 2_000))
        await route.fulfill({ json: { isVip: true, isAdmin: true } }).catch(() => undefined)
      })
      await goWithin(page, '/admin/settings')
      await page.getByRole('main').getByText('Loading...').waitFor({ state: 'attached' })
      await goWithin(page, '/vip')
      await page.getByText(notVip, { exact: true }).waitFor()
      await page.waitForTimeout(2_500)
      await page.getByText(notVip, { exact: true }).waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }))

  test('signing out in one tab signs out the other', () =>
    visit(vip, screen, async (page, token) => {
      const other = await page.context().newPage()
      await other.goto('/vip')
      await other.getByRole('link', { name: /^VIP ASIAN PREMIUM/ }).waitFor()
      await page.goto('/western')
      await expectSignedIn(page, vip)
      await logOut(page, screen)
      await page.waitForURL(`${server.url}/`)
      await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
      await expectSignedOut(page, screen)
      await other.getByText(notVip, { exact: true }).waitFor()
      await other.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
      expect(await storedToken(other)).toBeNull()
      await expect.poll(async () => (await server.ask('/auth/status', { headers: bearer(token) })).status).toBe(401)
    }))

  test('signing out works without a connection, and says what could not be done', () =>
    visit(member, { ...screen, expects: [/ERR_INTERNET_DISCONNECTED/] }, async (page, token) => {
      await page.goto('/western')
      await expectSignedIn(page, member)
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await logOut(page, screen)
      await page.waitForURL(`${server.url}/`)
      await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
      const notice = page.getByText('You are signed out in this browser, but the server could not be told.')
      await notice.waitFor()
      expect(await storedToken(page)).toBeNull()
      expect((await server.ask('/auth/status', { headers: bearer(token) })).status).toBe(200)
      await page.context().setOffline(false)
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await notice.waitFor({ state: 'detached' })
    }))

  test('who has signed in never sees the header of a guest, and nothing moves', () =>
    visit(member, screen, async (page) => {
      await page.addInitScript(() => {
        const seen = { guest: 0, moved: 0 }
        Object.assign(window, { seen })
        const look = (): void => {
          const link = document.querySelector('a[href="/login"]')
          if (link?.checkVisibility({ visibilityProperty: true }) === true) seen.guest += 1
          requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.moved += (entry as unknown as { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
      })
      for (const path of ['/chooser', '/western', '/banned']) {
        await page.goto(path)
        await expectSignedIn(page, member)
        await page.waitForTimeout(300)
        const seen = await page.evaluate(() => (window as unknown as { seen: { guest: number; moved: number } }).seen)
        expect(seen, path).toEqual({ guest: 0, moved: 0 })
      }
    }))
})

describe('the header', () => {
  const mainLinks = '.site-header nav[aria-label="Main"] a'
  const community = 'Discord'

  test('of a guest', () =>
    visit(undefined, wide, async (page) => {
      await page.goto('/western')
      await expectTexts(page, mainLinks, ['Home', 'Banned', 'Unknown', 'Plans', community, 'Login', 'Register'])
      expect(await page.getByRole('link', { name: 'VIP ACCESS' }).getAttribute('href')).toBe('/plans')
    }))

  test('of a member', () =>
    visit(member, wide, async (page) => {
      await page.goto('/western')
      await expectTexts(page, mainLinks, ['Home', 'Banned', 'Unknown', 'Plans', community])
      await expectTexts(page, '.brand-section', ['WESTERN'])
      expect(await page.getByRole('link', { name: 'VIP ACCESS' }).getAttribute('href')).toBe('/plans')
      await page.getByRole('button', { name: 'Account menu of Mina Member' }).click()
      await page.getByText('Free Member', { exact: true }).waitFor()
      await expectTexts(page, '[role=menuitem]', ['Your Account', community, 'Logout'])
      // Only a guest is told that he is on the page of the plans.
      await page.goto('/plans')
      await expectSignedIn(page, member)
      await expectTexts(page, '.brand-section', [])
    }))

  test('of a VIP', () =>
    visit(vip, wide, async (page) => {
      await page.goto('/banned')
      await expectTexts(page, mainLinks, ['Home', 'Banned', 'Unknown', 'VIP Content', community])
      await expectTexts(page, '.brand-section', ['BANNED'])
      expect(await page.getByRole('link', { name: 'VIP ACCESS' }).getAttribute('href')).toBe('/vip')
      await page.getByRole('button', { name: 'Account menu of Vera Vip' }).click()
      await page.getByText('VIP Member', { exact: true }).waitFor()
      await expectTexts(page, '[role=menuitem]', ['Your Account', 'VIP Content', community, 'Logout'])
    }))

  test('of an administrator', () =>
    visit(admin, wide, async (page) => {
      await page.goto('/unknown')
      const links = ['Home', 'Banned', 'Unknown', 'Plans', 'Admin Panel', 'Statistics', 'Requests', community]
      await expectTexts(page, mainLinks, links)
      for (const [name, path] of [
        ['Admin Panel', '/admin/settings'],
        ['Statistics', '/admin/stats'],
        ['Requests', '/admin/requests'],
      ] as const)
        expect(await page.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(path)
      await page.getByRole('button', { name: 'Account menu of Ada Admin' }).click()
      await page.getByText('Admin', { exact: true }).waitFor()
      await page.getByText('Admin Controls', { exact: true }).waitFor()
      const items = ['Your Account', community, 'View Requests', 'View Stats', 'Admin Settings', 'Billing', 'Logout']
      await expectTexts(page, '[role=menuitem]', items)
    }))

  test('of the VIP part, for a VIP', () =>
    visit(vip, wide, async (page) => {
      await page.goto('/vip-western')
      await expectTexts(page, '.brand-section', ['VIP WESTERN'])
      const links = ['VIP Home', 'VIP Asian', 'VIP Western', 'VIP Banned', 'VIP Unknown', 'VIP Discord']
      await expectTexts(page, mainLinks, links)
      expect(await page.locator('.site-header').evaluate((header) => getComputedStyle(header).position)).toBe('sticky')
      await page.getByRole('button', { name: 'Account menu of Vera Vip' }).click()
      await page.getByText('VIP MEMBER', { exact: true }).waitFor()
      await expectTexts(page, '[role=menuitem]', ['VIP Account', 'VIP Asian', 'VIP Western', community, 'Logout'])
    }))

  test('of the VIP part, for an administrator', () =>
    visit(admin, wide, async (page) => {
      await page.goto('/vip')
      await expectTexts(page, '.brand-section', ['VIP'])
      await page.getByRole('button', { name: 'Account menu of Ada Admin' }).click()
      await page.getByText('ADMIN', { exact: true }).waitFor()
      await page.getByText('ADMIN CONTROLS', { exact: true }).waitFor()
      expect(await page.getByText('VIP MEMBER', { exact: true }).count()).toBe(0)
      await expectTexts(page, '[role=menuitem]', [
        'VIP Account',
        'VIP Asian',
        'VIP Western',
        community,
        'View Requests',
        'View Stats',
        'Admin Settings',
        'Billing',
        'Logout',
      ])
    }))

  test('stays the usual one in the VIP part for a member who may not enter it', () =>
    visit(member, wide, async (page) => {
      await page.goto('/vip-asian')
      await page.getByText(notVip, { exact: true }).waitFor()
      await expectTexts(page, mainLinks, ['Home', 'Banned', 'Unknown', 'Plans', community])
      await expectTexts(page, '.brand-section', ['VIP'])
    }))

  test('asks for the profile once, and a failure is only logged', () =>
    visit(vip, { ...wide, expects: [/500/] }, async (page, token) => {
      let asked = 0
      await page.route('**/auth/dashboard', (route) => {
        asked += 1
        return route.fulfill({ status: 500, json: { error: 'x', message: 'x' } })
      })
      const logged = page.waitForEvent('console', (message) => message.text() === 'The profile could not be loaded.')
      await page.goto('/western')
      await logged
      await expectTexts(page, mainLinks, ['Home', 'Banned', 'Unknown', 'Plans', community])
      await goWithin(page, '/banned')
      await page.waitForTimeout(300)
      expect(asked).toBe(1)
      expect(await storedToken(page)).toBe(token)
    }))
})

describe('the account menu', () => {
  test('is used with the keyboard alone', () =>
    visit(admin, wide, async (page) => {
      await page.goto('/western')
      const button = page.getByRole('button', { name: 'Account menu of Ada Admin' })
      const menu = page.getByRole('menu')
      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      await button.focus()
      await page.keyboard.press('Enter')
      expect(await focused()).toBe('Your Account')
      await page.keyboard.press('ArrowUp')
      expect(await focused()).toBe('Logout')
      await page.keyboard.press('ArrowDown')
      expect(await focused()).toBe('Your Account')
      await page.keyboard.press('End')
      expect(await focused()).toBe('Logout')
      await page.keyboard.press('Home')
      expect(await focused()).toBe('Your Account')
      await page.keyboard.press('v')
      expect(await focused()).toBe('View Requests')
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)

      await page.keyboard.press('ArrowUp')
      expect(await focused()).toBe('Logout')
      await page.keyboard.press('Tab')
      await menu.waitFor({ state: 'detached' })

      await button.focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.type('vv')
      expect(await focused()).toBe('View Stats')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/admin/stats')
      await menu.waitFor({ state: 'detached' })
    }))

  test('is closed by a click elsewhere', () =>
    visit(member, wide, async (page) => {
      await page.goto('/chooser')
      await page.getByRole('button', { name: 'Account menu of Mina Member' }).click()
      await page.getByRole('menu').waitFor()
      await page.getByRole('heading', { level: 1 }).click()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }))

  test.each([
    [768, '/western'],
    [390, '/vip'],
  ])('at %d pixels gives way to the account itself', (width, path) =>
    visit(path === '/vip' ? vip : member, { width, height: 800, expects: [/404/] }, async (page) => {
      await page.goto(path)
      await page.getByRole('link', { name: /^Account of / }).click()
      await page.waitForURL('**/account')
    }),
  )
})

describe('the menu on a phone', () => {
  test.each(['/western', '/vip-western'])('of %s is closed by Escape, by Back and by a link', (path) =>
    visit(path === '/western' ? member : vip, phone, async (page) => {
      await page.goto(path)
      await page.getByRole('link', { name: /^Account of / }).waitFor()
      const menu = page.getByRole('dialog', { name: path === '/western' ? 'Menu' : 'VIP MENU', exact: true })
      const open = async (): Promise<void> => {
        await page.getByRole('button', { name: 'Menu', exact: true }).click()
        await menu.waitFor()
      }
      await open()
      await expectTexts(
        page,
        'dialog nav a',
        path === '/western'
          ? ['Home', 'Banned', 'Unknown', 'Plans', 'Discord', 'Your Account']
          : ['VIP Home', 'VIP Asian', 'VIP Western', 'VIP Banned', 'VIP Unknown', 'VIP Discord', 'My VIP Account'],
      )
      await menu.getByRole('button', { name: 'Logout' }).waitFor()
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'hidden' })
      expect(new URL(page.url()).pathname).toBe(path)

      await open()
      await page.goBack()
      await menu.waitFor({ state: 'hidden' })
      expect(new URL(page.url()).pathname).toBe(path)

      await open()
      await menu.getByRole('link', { name: /Banned$/ }).click()
      await page.waitForURL('**/*banned')
      await menu.waitFor({ state: 'hidden' })
      await page.goBack()
      await page.waitForURL(`**${path}`)
      expect(await menu.isVisible()).toBe(false)
    }),
  )

  test('of the VIP part fills the screen', () =>
    visit(vip, phone, async (page) => {
      await page.goto('/vip')
      await page.getByRole('link', { name: /^Account of / }).waitFor()
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      const box = await page.getByRole('dialog', { name: 'VIP MENU' }).boundingBox()
      expect(box).toEqual({ x: 0, y: 0, width: 390, height: 800 })
      await page.getByRole('heading', { name: 'VIP MENU' }).waitFor()
    }))
})

async function expectSignedIn(page: Page, { name }: MadeMember): Promise<void> {
  const isNarrow = (page.viewportSize()?.width ?? 0) <= 768
  await page
    .locator('.site-header')
    .getByRole(isNarrow ? 'link' : 'button', { name: `${isNarrow ? 'Account' : 'Account menu'} of ${name}` })
    .waitFor()
}

async function expectSignedOut(page: Page, { width }: VisitorWish): Promise<void> {
  if (width === phone.width) {
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Login' }).waitFor()
  } else await page.locator('.site-header').getByRole('link', { name: 'Login' }).waitFor()
}

async function logOut(page: Page, { width }: VisitorWish): Promise<void> {
  if (width === phone.width) {
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
  } else {
    await page.getByRole('button', { name: /^Account menu of / }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
  }
}

/** Another page of the site, without loading it anew. */
async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
  await page.waitForURL(`**${path}`)
}
