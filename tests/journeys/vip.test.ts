import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { rowNames, type VisitorOptions, waitForFirstRow, visitsOfFile } from '../harness/browser.ts'
import { type ItemOverrides, someItems } from '../harness/items.ts'
import { aGrant, aMember, type MadeMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

const now = '2024-03-15T12:00:00Z'

/** Two pages of VIP Western, and a few of everything else. */
const western = Array.from({ length: 305 }, (_, i): ItemOverrides => ({
  name: `Evening ${String(i + 1).padStart(3, '0')}`,
  contentType: 'vip-western',
  category: i % 2 === 0 ? 'Film' : 'Music',
  postDate: new Date(Date.parse('2024-03-15T11:00:00Z') - i * 3_600_000).toISOString(),
}))
const others: ItemOverrides[] = [
  {
    name: 'Nocturne',
    slug: 'nocturne',
    contentType: 'vip-asian',
    category: 'Music',
    postDate: '2024-03-14',
    link: 'https://mega.nz/file/nocturne',
    linkG: 'https://gofile.io/d/nocturne',
    linkMV2: 'https://pixeldrain.com/u/nocturne',
  },
  {
    name: 'Burnt book',
    slug: 'burnt-book',
    contentType: 'vip-banned',
    region: 'western',
    category: 'VIP Banned',
    postDate: '2024-03-05',
    link: 'https://mega.nz/file/burnt',
  },
  {
    name: 'Burnt song',
    slug: 'burnt-song',
    contentType: 'vip-asian',
    category: 'VIP Banned',
    postDate: '2023-05-05',
  },
  { name: 'Gala', slug: 'gala', contentType: 'vip', region: 'asian', category: 'VIP Content', postDate: '2024-03-01' },
]

let vip: MadeMember

const server = serverOfFile({ now })
const { visit: visitAs } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(server.app, [...western, ...others])
  vip = await aMember(server.app, { name: 'Vera Vip', isVip: true })
})

const visit = (story: (page: Page) => Promise<void>, overrides: VisitorOptions = {}): Promise<void> =>
  visitAs({ now, ...overrides }, story)

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const entry = (page: Page, name: string) => page.locator('#entries').getByRole('link', { name })
const denied = (page: Page) => page.getByText('You are not a VIP to access this page.')
const rows = (page: Page) => page.locator('#entries .entries a')
const title = (page: Page, text: string) => expect.poll(() => page.title()).toBe(`${text} · Daybook`)

test('A VIP goes from shelf to shelf, filters, opens an entry with its direct links, copies one, and finds their place again', () =>
  visit(
    async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
      await remember(page, server, vip)
      await page.goto('/vip')
      await heading(page, 'VIP Content').waitFor()
      await entry(page, 'Gala').waitFor()
      expect(await rowNames(page)).toEqual(['Gala'])
      await title(page, 'VIP Content')
      // Its covers are asked for with the session.
      const view = page.getByRole('group', { name: 'View' })
      await view.getByRole('button', { name: 'Covers' }).click()
      const cover = page.locator('.entries li > a > img')
      await expect.poll(() => cover.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
      expect(await cover.getAttribute('src')).toMatch(/^data:image\/svg\+xml/)
      await view.getByRole('button', { name: 'Lines' }).click()

      await page.getByRole('link', { name: /^VIP WESTERN PREMIUM/ }).click()
      await waitForFirstRow(page, 'Evening 001')
      await title(page, 'VIP Western')
      await page.getByText('305 entries', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Load More Content' }).click()
      await expect.poll(() => rows(page).count()).toBe(305)
      await page.getByRole('searchbox').fill('nocturne')
      // Every VIP type is searched, and the row leads to the page of its own.
      await waitForFirstRow(page, 'Nocturne')
      await title(page, '“nocturne” · VIP Western')
      await page.goBack()
      await expect.poll(() => rows(page).count()).toBe(305)
      await page.goForward()
      await entry(page, 'Nocturne').click()
      await page.waitForURL('**/vip-asian/nocturne')
      await heading(page, 'Nocturne').waitFor()
      await title(page, 'Nocturne')
      await page.getByText('VIP ASIAN EXCLUSIVE').waitFor()
      await page.getByText('Enjoy instant access to premium Asian content as a VIP member.').waitFor()
      const downloads = page.getByRole('region', { name: 'Download Options' }).getByRole('link')
      expect(await downloads.evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href))).toEqual([
        'https://mega.nz/file/nocturne',
        'https://gofile.io/d/nocturne',
        'https://pixeldrain.com/u/nocturne',
      ])
      const last = downloads.last()
      expect(await last.getAttribute('rel')).toBe('noopener noreferrer nofollow')
      expect(await last.getAttribute('target')).toBe('_blank')
      await page.getByRole('button', { name: 'Copy link of Pixeldrain alternate' }).click()
      await page.getByRole('status').getByText('Copied').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://pixeldrain.com/u/nocturne')
      await page.getByRole('link', { name: 'Back to the results' }).click()
      await page.waitForURL('**/vip-western?search=nocturne')

      // The filters of an address are read once the page is alive, without a word in the console.
      await page.goto('/vip-banned?region=western&month=03&sort=oldest')
      await waitForFirstRow(page, 'Burnt book')
      expect(await rowNames(page)).toEqual(['Burnt book'])
      expect(await page.locator('.entries h2').allTextContents()).toEqual(['VIP Banned - March 5, 2024'])
      await page.locator('select[name=region]').selectOption('asian')
      await page.locator('select[name=month]').selectOption('')
      await waitForFirstRow(page, 'Burnt song')
      expect(await rows(page).first().locator('em').textContent()).toBe('ASIAN')
      await rows(page).first().click()
      await heading(page, 'Burnt song').waitFor()
      expect(page.url()).toBe(`${server.url}/vip-banned/burnt-song`)
      await page.getByText('ASIAN', { exact: true }).waitFor()

      // Asked at another page than its own it is led to its own.
      await page.goto('/vip-asian/burnt-book')
      await page.waitForURL('**/vip-banned/burnt-book')
      await heading(page, 'Burnt book').waitFor()
      await page.goto('/vip-unknown/nothing')
      await heading(page, 'Content Not Found').waitFor()
      await page.getByText("The VIP Unknown content you're looking for doesn't exist or has been removed.").waitFor()
      await page.route('**/vip-asiancontent/*', (route) => route.fulfill({ status: 500, json: {} }))
      await page.goto('/vip-banned/burnt-book')
      await page.getByText('Failed to load VIP content details. Please try again later.').waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('button', { name: 'Try again' }).click()
      await heading(page, 'Burnt book').waitFor()
    },
    { expects: [/404/, /500/] },
  ))

test('A membership that ends while a page is open closes it, and after signing out nothing of the VIP area comes back', () =>
  visit(
    async (page) => {
      const late = await aMember(server.app, { name: 'Lou Late', vipExpiresAt: '2024-03-15T12:30:00Z' })
      await remember(page, server, late)
      await page.goto('/vip-western')
      await waitForFirstRow(page, 'Evening 001')
      // The calls for counts have come: the next call is that of the button.
      await page.waitForLoadState('networkidle')
      server.clock.set('2024-03-15T12:30:00Z')
      await page.getByRole('button', { name: 'Load More Content' }).click()
      await denied(page).waitFor()
      expect(await page.content()).not.toContain('Evening')
      await title(page, 'Access Denied')
      await aGrant(server.app, late.id, '2024-03-15T13:00:00Z')
      await page.goto('/vip-asian/nocturne')
      await heading(page, 'Nocturne').waitFor()
      await page.goto('/vip-asian')
      await entry(page, 'Nocturne').waitFor()
      // It ends once more, on the way to an entry: whichever call is told first, the page is closed.
      server.clock.set('2024-03-15T13:00:00Z')
      await entry(page, 'Nocturne').click()
      await denied(page).waitFor()
      expect(await page.content()).not.toContain('mega.nz/')

      await remember(page, server, vip)
      await page.goto('/vip-asian')
      await entry(page, 'Nocturne').click()
      await heading(page, 'Nocturne').waitFor()
      // A page that the browser has frozen shows nothing before the session has been looked at.
      const asked = page.waitForRequest('**/auth/status')
      const isShown = () => page.evaluate(() => document.documentElement.checkVisibility({ visibilityProperty: true }))
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
      // With reduced motion, a change of visibility takes effect with the next frame.
      await expect.poll(isShown).toBe(false)
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
      await expect.poll(isShown).toBe(true)
      await asked
      await heading(page, 'Nocturne').waitFor()
      await page.evaluate(() => {
        dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
        // As from a page that has taken its place meanwhile: this one is told nothing.
        for (const key of ['Token', 'name', 'email']) localStorage.removeItem(key)
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      })
      await denied(page).waitFor()
      expect(await page.content()).not.toContain('mega.nz/')

      // A session that was ended elsewhere.
      await remember(page, server, vip)
      await page.goto('/vip-western')
      await waitForFirstRow(page, 'Evening 001')
      await page.waitForLoadState('networkidle')
      await server.app.db.deleteFrom('sessions').where('user_id', '=', vip.id).execute()
      await page.getByRole('button', { name: 'Load More Content' }).click()
      await denied(page).waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
      expect(await page.content()).not.toContain('Evening')

      await remember(page, server, vip)
      await page.goto('/vip-western?search=evening%200')
      await waitForFirstRow(page, 'Evening 001')
      await page.getByRole('button', { name: 'Account menu of Vera Vip' }).click()
      await page.getByRole('menuitem', { name: 'Logout' }).click()
      await heading(page, 'Choose Your Experience').waitFor()
      await page.goBack()
      await denied(page).waitFor()
      const left = await page.evaluate(() => document.body.outerHTML + JSON.stringify([localStorage, sessionStorage]))
      expect(left).not.toMatch(/Evening|mega\.nz\/|Music/)

      // The next member at this browser begins with lists of their own.
      const requests: { path: string; bearer: string }[] = []
      page.on('request', (request) => {
        const { pathname: path } = new URL(request.url())
        if (path.startsWith('/universal-search/'))
          requests.push({ path, bearer: request.headers()['authorization'] ?? '' })
      })
      const token = await remember(page, server, vip)
      await page.goto('/vip-western')
      await waitForFirstRow(page, 'Evening 001')
      expect(requests.filter(({ path }) => path === '/universal-search/search')).toHaveLength(1)
      // The counts of the shelves as well.
      for (const { bearer } of requests) expect(bearer).toBe(`Bearer ${token}`)
    },
    { expects: [/401/, /403/, /404/] },
  ))
