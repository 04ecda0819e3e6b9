import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { holdRequests, restingScroll, type VisitorOptions, visitsOfFile } from '../harness/browser.ts'
import { anItem } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

let member: MadeMember
let vip: MadeMember
let admin: MadeMember
let lateVip: MadeMember

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })
const { visit: visitAs } = visitsOfFile(server)

beforeAll(async () => {
  await anItem(server.app, { name: 'Offered', slug: 'offered', contentType: 'western' })
  await server.app.listing.catchUp()
  member = await aMember(server.app, { name: 'Mina Member' })
  vip = await aMember(server.app, { name: 'Vera Vip', isVip: true })
  lateVip = await aMember(server.app, { name: 'Lou Late', isVip: true })
  admin = await aMember(server.app, { name: 'Ada Admin', isAdmin: true })
})

const visit = (story: (page: Page) => Promise<void>, overrides: VisitorOptions = {}): Promise<void> =>
  visitAs(overrides, story)

/** Another person at this browser: they have signed in before and are remembered. */
const become = (page: Page, who: MadeMember): Promise<string> => remember(page, server, who)

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('Token'))
const statusOf = async (token: string) => (await server.request('/auth/status', { headers: bearer(token) })).status

const notVip = 'You are not a VIP to access this page.'
const notAdmin = 'You are not an administrator to access this page.'
const main = (page: Page) => page.getByRole('main')
const said = (page: Page, text: string) => page.getByText(text, { exact: true })
const vipAsian = (page: Page) => page.getByRole('link', { name: /^VIP ASIAN PREMIUM/ })
const signInLink = (page: Page) => main(page).getByRole('link', { name: 'Sign in' })

async function expectSignedIn(page: Page, { name }: MadeMember): Promise<void> {
  const isNarrow = (page.viewportSize()?.width ?? 0) <= 768
  await page
    .locator('.site-header')
    .getByRole(isNarrow ? 'link' : 'button', { name: `${isNarrow ? 'Account' : 'Account menu'} of ${name}` })
    .waitFor()
}

async function openAccountMenu(page: Page, { name }: MadeMember): Promise<void> {
  await page.getByRole('button', { name: `Account menu of ${name}` }).click()
  await page.getByRole('menu').waitFor()
}

async function logOut(page: Page, who: MadeMember): Promise<void> {
  await openAccountMenu(page, who)
  await page.getByRole('menuitem', { name: 'Logout' }).click()
}

/** Another page of the site, without loading it anew. */
async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
  await page.waitForURL(`**${path}`)
}

test('A guest stands before closed doors, a free member passes none, a VIP one, an administrator both, and an upgrade is offered to whom it would help', () =>
  visit(
    async (page) => {
      await page.goto('/chooser')
      for (const path of ['/vip-asian/a-slug', '/admin/people']) {
        const address = `${path}?from=here`
        await goWithin(page, address)
        await main(page)
          .locator(`a[href="/login?next=${encodeURIComponent(address)}"]`)
          .waitFor()
        await said(page, path.startsWith('/vip') ? notVip : notAdmin).waitFor()
      }
      // An upgrade is offered to visitors and free members until they close it, and never to a VIP.
      const panel = page.getByRole('complementary', { name: 'Upgrade to VIP' })
      const offer = panel.getByRole('link', { name: 'Unlock VIP Access' })
      await page.goto('/western/offered')
      await offer.waitFor()

      await become(page, member)
      await page.goto('/western/offered')
      await offer.waitFor()
      await goWithin(page, '/vip-banned')
      await said(page, notVip).waitFor()
      // The header stays the usual one in the area that they may not enter.
      await page.locator('nav[aria-label="Main"]').getByText('Plans').waitFor()
      await goWithin(page, '/admin/stats')
      await said(page, notAdmin).waitFor()
      await page.getByRole('button', { name: 'Sign in with another account' }).click()
      await page.waitForURL('**/login?next=%2Fadmin%2Fstats')
      await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
      expect(await storedToken(page)).toBeNull()

      await become(page, vip)
      await page.goto('/western/offered')
      // The header knows by then that they are a VIP.
      await page.locator('.member-header:not(.is-waiting)').waitFor()
      expect(await panel.count()).toBe(0)
      await goWithin(page, '/vip')
      await vipAsian(page).waitFor()
      await goWithin(page, '/admin/settings')
      await said(page, notAdmin).waitFor()

      await become(page, admin)
      await page.goto('/vip')
      await vipAsian(page).waitFor()
      await goWithin(page, '/admin/settings')
      await page.getByRole('button', { name: 'Add New Content' }).waitFor()

      await page.evaluate(() => localStorage.clear())
      await page.goto('/western/offered')
      await panel.getByRole('button', { name: 'Close this offer' }).click()
      await panel.waitFor({ state: 'hidden' })
      await page.reload()
      await page.getByRole('heading', { name: 'Offered' }).waitFor()
      expect(await panel.isVisible()).toBe(false)
    },
    { expects: [/404/] },
  ))

test('The menu of the account is used with the keyboard alone, and on a phone it fills the screen, and Escape, Back and a link close it', () =>
  visit(async (page) => {
    await become(page, admin)
    await page.goto('/western')
    const button = page.getByRole('button', { name: 'Account menu of Ada Admin' })
    const menu = page.getByRole('menu')
    const expectFocus = (label: string) =>
      expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(label)
    // Closed by a click elsewhere.
    await openAccountMenu(page, admin)
    await main(page).click({ position: { x: 5, y: 5 } })
    await menu.waitFor({ state: 'detached' })
    await button.focus()
    for (const [key, label] of [
      ['Enter', 'Your Account'],
      ['ArrowUp', 'Logout'],
      ['ArrowDown', 'Your Account'],
      ['End', 'Logout'],
      ['Home', 'Your Account'],
      ['v', 'VIP Content'],
    ] as const) {
      await page.keyboard.press(key)
      await expectFocus(label)
    }
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowUp')
    await expectFocus('Logout')
    await page.keyboard.press('Tab')
    await menu.waitFor({ state: 'detached' })
    await button.focus()
    await page.keyboard.press('ArrowDown')
    await expectFocus('Your Account')
    await page.keyboard.type('vvv')
    await expectFocus('View Stats')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/stats')
    await menu.waitFor({ state: 'detached' })

    await goWithin(page, '/vip-western')
    await page.locator('.brand-section', { hasText: 'VIP WESTERN' }).waitFor()
    expect(await page.locator('.site-header').evaluate((header) => getComputedStyle(header).position)).toBe('sticky')
    await page.setViewportSize({ width: 390, height: 800 })
    const account = page.getByRole('link', { name: /^Account of / })
    await account.waitFor()
    const sheet = page.getByRole('dialog', { name: 'VIP MENU', exact: true })
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Menu', exact: true }).click()
      await sheet.waitFor()
    }
    await open()
    await expect.poll(() => sheet.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 })
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    const isAt = (path: string): void => expect(new URL(page.url()).pathname).toBe(path)
    isAt('/vip-western')
    await open()
    await page.goBack()
    await sheet.waitFor({ state: 'hidden' })
    isAt('/vip-western')
    await open()
    await sheet.getByRole('link', { name: 'VIP Banned' }).click()
    await page.waitForURL('**/vip-banned')
    await sheet.waitFor({ state: 'hidden' })
    await page.goBack()
    await page.waitForURL('**/vip-western')
    expect(await sheet.isVisible()).toBe(false)
    await account.click()
    await page.waitForURL('**/account')

    // Signing out from the menu leads home.
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(`${server.url}/`)
    await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Login' }).waitFor()
    expect(await storedToken(page)).toBeNull()
  }))

test('Every entry is asked for anew: a lost right is refused, a rejected token is removed, and a failure of the network is no rejection', () =>
  visit(
    async (page) => {
      const token = await become(page, lateVip)
      await page.goto('/vip')
      await vipAsian(page).waitFor()
      const setDisabled = (isDisabled: boolean) =>
        server.app.db.updateTable('users').set({ vip_disabled: isDisabled }).where('id', '=', lateVip.id).execute()
      // Its list has come: from here on nothing is asked before the click.
      await page.getByRole('heading', { name: 'No VIP Content Found' }).waitFor()
      await page.waitForLoadState('networkidle')
      await setDisabled(true)
      await vipAsian(page).click()
      await said(page, notVip).waitFor()
      expect(await storedToken(page)).toBe(token)
      await setDisabled(false)
      await page.goBack()
      await vipAsian(page).waitFor()

      await page.route('**/auth/*', (route) => route.abort())
      await page.goto('/vip')
      await page.getByText('Network error. Please check your connection.').waitFor()
      expect(await page.getByText(notVip).count()).toBe(0)
      expect(await storedToken(page)).toBe(token)
      // The header asks for the profile again by itself, which would grant access as well.
      await page.route('**/auth/dashboard', (route) => route.abort())
      await page.unroute('**/auth/*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await vipAsian(page).waitFor()
      expect(await storedToken(page)).toBe(token)
      await page.unrouteAll({ behavior: 'wait' })

      // The profile is asked for once, and a failure is only logged.
      let requested = 0
      await page.route('**/auth/dashboard', (route) => {
        requested += 1
        return route.fulfill({ status: 500, json: { error: 'x', message: 'x' } })
      })
      const logged = page.waitForEvent('console', (message) => message.text() === 'The profile could not be loaded.')
      await page.goto('/western')
      await logged
      await goWithin(page, '/banned')
      await page.locator('.brand-section', { hasText: 'BANNED' }).waitFor()
      await restingScroll(page)
      expect(requested).toBe(1)
      expect(await page.locator('nav[aria-label="Main"]').getByText('VIP Content').count()).toBe(0)
      expect(await storedToken(page)).toBe(token)
      await page.unrouteAll({ behavior: 'wait' })

      // An answer that a newer request has superseded is dropped.
      await become(page, member)
      await page.goto('/chooser')
      await expectSignedIn(page, member)
      const held = await holdRequests(page, '**/auth/status')
      await goWithin(page, '/admin/settings')
      await held.arrived(1)
      await main(page).getByText('Loading...').waitFor({ state: 'attached' })
      const calledOff = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/auth/status'))
      await goWithin(page, '/chooser')
      await calledOff
      held.release({ json: { isVip: true, isAdmin: true } })
      await page.unrouteAll({ behavior: 'wait' })
      await goWithin(page, '/vip')
      await said(page, notVip).waitFor()

      await page.evaluate(() => localStorage.setItem('Token', 'no-such-token'))
      await page.goto('/vip-asian')
      await said(page, notVip).waitFor()
      await signInLink(page).waitFor()
      const kept = await page.evaluate(() => ['Token', 'name', 'email'].map((key) => localStorage.getItem(key)))
      expect(kept).toEqual([null, null, null])
    },
    { expects: [/401|403|500|ERR_FAILED/] },
  ))

test('A member never sees the header of a guest, signs out of all tabs at once, and without a connection too', () =>
  visit(
    async (page) => {
      const token = await become(page, vip)
      const other = await page.context().newPage()
      await other.goto('/vip')
      await vipAsian(other).waitFor()
      await page.goto('/western')
      await expectSignedIn(page, vip)
      await logOut(page, vip)
      await page.waitForURL(`${server.url}/`)
      await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
      await page.locator('.site-header').getByRole('link', { name: 'Login' }).waitFor()
      await said(other, notVip).waitFor()
      await signInLink(other).waitFor()
      expect(await storedToken(other)).toBeNull()
      await other.close()
      await expect.poll(() => statusOf(token)).toBe(401)

      const second = await become(page, member)
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
      for (const path of ['/chooser', '/western']) {
        await page.goto(path)
        await expectSignedIn(page, member)
        await page.locator('.member-header:not(.is-waiting)').waitFor()
        await restingScroll(page)
        const seen = await page.evaluate(() => (window as unknown as { seen: { guest: number; moved: number } }).seen)
        expect(seen, path).toEqual({ guest: 0, moved: 0 })
      }

      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await logOut(page, member)
      await page.waitForURL(`${server.url}/`)
      await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
      const notice = page.getByText('You are signed out in this browser, but the server could not be told.')
      await notice.waitFor()
      expect(await storedToken(page)).toBeNull()
      expect(await statusOf(second)).toBe(200)
      await page.context().setOffline(false)
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await notice.waitFor({ state: 'detached' })
    },
    { expects: [/ERR_INTERNET_DISCONNECTED/] },
  ))
