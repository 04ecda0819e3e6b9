import { sql } from 'kysely'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { adminPaths } from '../harness/admin-pages.ts'
import { formPath, noticeForms } from '../../src/features/notices/intake/notice-forms.ts'
import { expectAccessible } from '../harness/axe.ts'
import { expectEachControlIsReached } from '../harness/focus.ts'
import { aFullCatalogue } from '../harness/catalogue.ts'
import { someItems } from '../harness/items.ts'
import { aMember, type MadeMember, remember } from '../harness/members.ts'
import { type TestServer, serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

/** With everything that a header can show. */
let owner: MadeMember

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await aFullCatalogue(server.app)
  // So that an entry has neighbours of every kind.
  await someItems(
    server.app,
    ['1', '2', '3'].map((number) => ({
      name: `Essays, ${number}`,
      slug: `essays-${number}`,
      creators: 'Michel de Montaigne',
      ...(number === '3' ? {} : { series: 'Essays', seriesNumber: number, tags: 'Essays; France', language: 'fr' }),
      postDate: '2024-02-02',
    })),
  )
  await someNotices(server.app)
  owner = await aMember(server.app, { name: 'Olga Owner of the Library', isVip: true, isAdmin: true })
})

/** So that the public figures have something to tell: one notice that was decided and one that waits. */
async function someNotices({ db }: TestServer['app']): Promise<void> {
  for (const [n, status] of [
    [1, 'decided'],
    [2, 'received'],
  ] as const)
    await sql`
      with added as (
        insert into notices (id, reference, kind, status, outcome, holds, token_digest)
        values (gen_random_uuid(), ${`N-0000-000${n}`}, 'copyright', ${status}, ${n === 1 ? 'keep' : null},
                ${n === 1 ? 'none' : 'holds'}, sha256(${status}::text::bytea))
        returning id)
      insert into notice_decisions (id, notice_id, outcome, ground, legal_ground, facts, explanation, category, source_type,
                                    automated_decision)
      select gen_random_uuid(), id, 'keep', 'illegal', 'Law', 'Facts.', 'Because.', 'OTHER', 'ARTICLE_16', 'NOT_AUTOMATED'
        from added where ${n === 1}::boolean`.execute(db)
}

const pages = [
  '/',
  '/asian',
  '/western',
  '/western?month=03&category=Film&dateFilter=7days',
  '/western?search=voinich%20manuscrit',
  '/banned',
  '/unknown',
  '/western/everything',
  '/western/essays-1',
  '/asian/hong-lou-meng',
  '/banned/lady-chatterley',
  '/unknown/voynich-manuscript',
  '/western/no-such-entry',
  '/go/everything/linkG',
  '/no/such/page',
  '/plans',
  '/terms',
  '/privacy',
  '/success?session_id=made-up',
  '/cancel',
  '/support',
  '/transparency',
  '/dmca',
  '/report?entry=/western/everything',
  `/report/track/${'x'.repeat(43)}`,
  '/docs',
  '/feeds',
  '/account',
  '/account/security',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/reset-password?token=made-up',
  '/confirm-address',
  '/confirm-address?token=made-up',
]

/** They are looked at with all their faults. */
const forms = [...noticeForms.map(formPath), '/report/counter-notice'].map(
  (path) => `${path}?entry=/western/everything`,
)

/**
 * A list that goes on while one tabs through it, and a calendar whose day in reach follows the focus: keyboard.test.ts and
 * overviews.test.ts go around them with little in them.
 */
const aroundElsewhere = new Set(['/admin/settings', '/admin/calendar'])

/** The pages of the VIP area, as a VIP sees them. */
const vipPages = [
  '/vip',
  '/vip-western',
  '/vip-banned?region=western',
  '/vip-unknown?search=gala',
  '/vip-asian?search=secrt%20gala%20nothing',
  '/vip-western/secret-gala',
  '/vip-banned/no-such-entry',
]

const isLight = (page: Page) => page.locator('body').evaluate((body) => body.classList.contains('light-mode'))
const documentWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** Opens a page, and waits until it no longer asks the server who looks at it. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect.poll(() => page.locator('#main .spinner').count(), { message: path }).toBe(0)
}

async function openMenu(page: Page, width: number): Promise<void> {
  if (width === 320) {
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('dialog').waitFor()
  } else {
    await page.getByRole('button', { name: /^Account menu of / }).click()
    await page.getByRole('menu').waitFor()
  }
}

/** Loaded once: as it stands on a wide screen, then on narrower ones in the other theme; `onPhone` is called on the narrowest. */
async function expectFitEverywhere(
  page: Page,
  {
    widths = [320],
    whole = false,
    onPhone,
  }: { widths?: number[]; whole?: boolean; onPhone?: () => Promise<void> } = {},
): Promise<void> {
  expect(await isLight(page), page.url()).toBe(true)
  await expectAccessible(page, { whole })
  const theme = page.getByRole('button', { name: 'Dark theme' }).first()
  await theme.click()
  for (const narrow of widths) {
    await page.setViewportSize({ width: narrow, height: 640 })
    // Charts follow the window a moment later.
    await expect.poll(() => documentWidth(page), { message: `${page.url()} at ${narrow}` }).toBeLessThanOrEqual(narrow)
  }
  expect(await isLight(page), page.url()).toBe(false)
  await expectAccessible(page)
  await onPhone?.()
  // For the next page.
  await page.setViewportSize({ width: 1280, height: 700 })
  await page.evaluate(() => localStorage.setItem('theme', 'light'))
}

test('Every page that a visitor can open passes axe on a wide screen and on a phone, and none is wider than 320 pixels, nor at twice the text size', async () => {
  await visit({ theme: 'light', expects: [/404/] }, async (page) => {
    const onPhone = () => expectApartAtTwiceTheSize(page)
    for (const path of pages) {
      await open(page, path)
      await expectFitEverywhere(page, { whole: ['/western', '/docs'].includes(path), onPhone })
    }
    for (const path of forms) {
      await open(page, path)
      await expectEachControlIsReached(page)
      await page.locator('main form button[type="submit"]').first().press('Enter')
      await page.locator('main [aria-invalid="true"]').first().waitFor()
      await expectFitEverywhere(page, { widths: [768, 320], onPhone })
    }
  })
  await visit({ theme: 'dark', width: 320, height: 640 }, async (page) => {
    await page.goto('/asian?search=zzz')
    await expectApartAtTwiceTheSize(page)
    await openMenu(page, 320)
    await expectAccessible(page)
  })
})

/** With the text at 200 % no page is wider than the screen, and nothing of the header and the toolbar lies on another. */
async function expectApartAtTwiceTheSize(page: Page): Promise<void> {
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
  await expect.poll(() => documentWidth(page), { message: page.url() }).toBe(320)
  const boxes = await page
    .locator(
      '.brand-name, .brand-section, .site-tools > :visible, .toolbar > :visible, .admin-nav-toggle > :visible, .admin-search:visible',
    )
    .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().toJSON() as DOMRect))
  for (const [index, one] of boxes.entries()) {
    expect(one.width, page.url()).toBeGreaterThan(20)
    for (const other of boxes.slice(index + 1)) {
      const isApart =
        one.right <= other.left + 1 ||
        other.right <= one.left + 1 ||
        one.bottom <= other.top + 1 ||
        other.bottom <= one.top + 1
      expect(isApart, `${page.url()}: ${JSON.stringify([one, other])}`).toBe(true)
    }
  }
  const areWhole = await page
    .locator('.shelves a')
    .evaluateAll((links) => links.every((link) => link.scrollWidth <= link.clientWidth))
  expect(areWhole, `${page.url()}: no name of a shelf lies on the next one`).toBe(true)
  await page.evaluate(() => (document.documentElement.style.fontSize = ''))
}

test('The headers and the guards of members, and every page of the administration, pass axe in both themes, on a wide screen and on a phone, stand still, and the keyboard comes to each control', async () => {
  await visit({ theme: 'light', height: 700, expects: [/ERR_FAILED/, /404/] }, async (page) => {
    await page.addInitScript(watchShifts)
    await page.goto('/vip')
    await page.getByText('You are not a VIP to access this page.').waitFor()
    await expectFitEverywhere(page)

    await remember(page, server, owner)
    for (const path of ['/western', '/vip', '/vip-unknown', '/admin/settings']) {
      await page.goto(path)
      await expectMenusFit(page)
    }
    for (const path of [...vipPages, ...adminPaths(owner)]) {
      const isVip = vipPages.includes(path)
      await open(page, path)
      await page.locator('h1').waitFor()
      await expect
        .poll(() => page.locator('#main :is(.spinner, [aria-busy="true"])').count(), { message: path })
        .toBe(0)
      if (!isVip) expect(await shifted(page), path).toBeLessThan(0.01)
      // The header and the navigation of the administration alone are more than this.
      if (!isVip && !aroundElsewhere.has(path)) expect(await expectEachControlIsReached(page), path).toBeGreaterThan(20)
      await expectFitEverywhere(page, {
        widths: [768, 320],
        // The navigation of the administration is the same on all of its pages.
        ...(isVip || path === '/admin/people' ? { onPhone: () => expectApartAtTwiceTheSize(page) } : {}),
      })
    }
    await page.route('**/auth/*', (route) => route.abort())
    await page.goto('/admin/stats')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await expectFitEverywhere(page)
    await page.unrouteAll({ behavior: 'wait' })

    await page.setViewportSize({ width: 320, height: 700 })
    for (const path of [
      '/admin',
      '/admin/settings',
      '/admin/links',
      '/admin/people',
      '/admin/billing',
      '/admin/jobs',
    ]) {
      await page.goto(path)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await shifted(page), path).toBeLessThan(0.01)
    }
  })
})

/** The menu of the header, open, on a wide screen in one theme and on a phone in the other. */
async function expectMenusFit(page: Page): Promise<void> {
  // The header knows who they are.
  await page.locator('.member-header:not(.is-waiting)').waitFor()
  for (const [width, isLightThere] of [
    [1280, true],
    [320, false],
  ] as const) {
    await page.setViewportSize({ width, height: 700 })
    await openMenu(page, width)
    expect(await documentWidth(page), page.url()).toBeLessThanOrEqual(width)
    // The switch lies below an open menu.
    await page.evaluate((isLightThere) => document.body.classList.toggle('light-mode', isLightThere), isLightThere)
    await expectAccessible(page, { within: 'header, [role="menu"], [role="dialog"]' })
    await page.keyboard.press('Escape')
  }
  await page.setViewportSize({ width: 1280, height: 700 })
}

/** In the page: adds up how far its parts are moved by what comes later. */
function watchShifts(): void {
  const seen = { moved: 0 }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.moved += (entry as unknown as { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}

const shifted = (page: Page) => page.evaluate(() => (window as unknown as { seen: { moved: number } }).seen.moved)
