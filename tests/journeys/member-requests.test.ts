import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { visitsOfFile } from '../harness/browser.ts'
import { aMember, type MadeMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

let member: MadeMember
let admin: MadeMember

const server = serverOfFile()
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  member = await aMember(server.app, { name: 'Mina Member' })
  admin = await aMember(server.app, { name: 'Ada Admin', isAdmin: true })
})

const profile = '/auth/dashboard'
const waiting = '/api/admin/waiting'
const access = '/auth/status'
/** Those of all shelves for the header, and those of the list for its years and menus. */
const countsOf = (type: string): string[] => [
  '/universal-search/facets',
  `/universal-search/facets?contentType=${type}`,
]
const listOf = (contentType: string): string =>
  `/universal-search/search?page=1&sortBy=postDate&sortOrder=DESC&limit=300&contentType=${contentType}`

/** Opens a page and tells which calls of the API it must have made once it is quiet: each of them once. */
async function expectCalls(page: Page, path: string, expected: string[]): Promise<void> {
  const calls: string[] = []
  const note = (request: { resourceType(): string; url(): string }): void => {
    const { pathname, search } = new URL(request.url())
    if (request.resourceType() === 'fetch' && !pathname.startsWith('/assets/')) calls.push(pathname + search)
  }
  page.on('request', note)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => new Set(calls).size, { message: path }).toBeGreaterThanOrEqual(expected.length)
  // The header comes last, with a script of its own.
  await page.getByRole('button', { name: /^Account menu of/ }).waitFor()
  await page.waitForLoadState('networkidle')
  page.off('request', note)
  expect(calls.toSorted(), path).toEqual(expected)
}

/** No page asks an address twice, and a guarded page has its own title. */
const everyAddressIsAskedOnce = () =>
  visit({}, async (page) => {
    await remember(page, server, admin)
    await expectCalls(page, '/account', ['/account/app-passwords', profile, '/pay/membership'])
    expect(await page.title()).toBe('Your Account · Daybook')
    await expectCalls(page, '/account/security', [
      profile,
      '/auth/devices',
      '/auth/factors',
      '/auth/sessions',
      '/pay/membership',
    ])
    await expectCalls(page, '/plans', [profile])
    await expectCalls(page, '/success', [profile, '/pay/membership'])
    await expectCalls(page, '/vip', ['/account/visit', profile, access, ...countsOf('vip'), listOf('vip')])
    expect(await page.title()).toBe('VIP Content · Daybook')
    await expectCalls(page, '/vip-asian', [
      '/account/visit',
      profile,
      access,
      ...countsOf('vip-asian'),
      listOf('vip-asian'),
    ])
    expect(await page.title()).toBe('VIP Asian · Daybook')
    const report = '/api/stats/report?range=30d'
    await expectCalls(page, '/admin/stats', [waiting, '/api/stats', report, profile, access])
    expect(await page.title()).toBe('Statistics · Daybook')
    await expectCalls(page, '/admin/billing', [
      waiting,
      '/api/billing/drift',
      '/api/billing/members?search=',
      profile,
      access,
    ])
    expect(await page.title()).toBe('Billing · Daybook')
    const own = `/api/billing/members/${member.id}`
    await expectCalls(page, `/admin/billing/${member.id}`, [waiting, own, profile, access])
    await page.getByRole('heading', { name: member.name, level: 1 }).waitFor()
    await expect.poll(() => page.title()).toBe('Mina Member: billing · Daybook')

    // From page to page, and out of the guarded part again.
    await page.getByRole('link', { name: 'Back to Billing' }).click()
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
    await expect.poll(() => page.title()).toBe('Billing · Daybook')
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
    expect(await page.title()).toBe('Choose Your Experience · Daybook')
    await page.goBack()
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
    await expect.poll(() => page.title()).toBe('Billing · Daybook')
  })

/** Nothing of one member is shown to the next, also when another tab signs in. */
const theNextMemberSeesNothingOfTheLast = () =>
  visit({}, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/billing')
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'In sync with Stripe' }).waitFor()
    await page.getByRole('button', { name: /^Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Your Account' }).click()
    await page.getByRole('heading', { name: admin.name, level: 1 }).waitFor()

    // Another tab signs out and in as somebody else; this one follows, and shows nothing of before on the way.
    const seen: string[] = []
    await page.exposeFunction('noteHeading', (heading: string) => seen.push(heading))
    await page.evaluate(() => {
      const look = (): void => {
        const { noteHeading } = window as unknown as { noteHeading: (text: string) => void }
        noteHeading(document.querySelector('h1')?.textContent ?? '')
      }
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    const other = await page.context().newPage()
    await other.goto('/account')
    await other.getByRole('main').getByRole('button', { name: 'Sign Out' }).click()
    await other.getByRole('heading', { name: 'Choose Your Experience' }).waitFor()
    await page.getByRole('heading', { name: 'Sign in to see this page' }).waitFor()
    seen.length = 0

    await other.goto('/login')
    await other.getByLabel('Email', { exact: true }).fill(member.email)
    await other.getByLabel('Password', { exact: true }).fill(member.password)
    await other.getByLabel('Remember me').check()
    await other.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('heading', { name: member.name, level: 1 }).waitFor()
    await page.getByText('Free Member', { exact: true }).first().waitFor()
    expect(seen).not.toContain(admin.name)
    expect(await page.getByText('Administrator', { exact: true }).count()).toBe(0)

    // The page that the administrator had open a moment ago.
    await page.goBack()
    await page.getByText('You are not an administrator to access this page.').waitFor()
    expect(await page.getByRole('heading', { name: 'In sync with Stripe' }).count()).toBe(0)
    expect(await page.title()).toBe('Access Denied · Daybook')
    await other.close()
  })

/** An answer that does not fit is told, and leaves the page in place. */
const anAnswerThatDoesNotFitIsTold = () =>
  visit({ expects: [/does not have its shape/] }, async (page) => {
    const token = await remember(page, server, admin)
    await page.route('**/api/billing/drift', (route) => route.fulfill({ json: { runs: 'many' } }))
    await page.goto('/admin/billing')
    await page.getByRole('heading', { name: 'The comparison with Stripe could not be loaded' }).waitFor()
    await page.getByText('An error occurred. Please try again.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'In sync with Stripe' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('Token'))).toBe(token)
  })

/** A request that is lost on the way is repeated. */
const aLostRequestIsRepeated = () =>
  visit({ expects: [/ERR_FAILED|503/] }, async (page) => {
    await remember(page, server, admin)
    let lost = 0
    await page.route('**/auth/sessions', (route) => {
      lost += 1
      if (lost === 1) return route.abort()
      if (lost === 2)
        return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { message: 'A moment, please.' } })
      return route.continue()
    })
    await page.goto('/account/security')
    await page.getByText('This device').waitFor()
    expect(lost).toBe(3)
    expect(await page.getByText('Your sessions could not be loaded.').count()).toBe(0)
  })

test('The pages of members ask for each thing once and repeat what is lost, have titles of their own, and show nothing of the member before', async () => {
  await everyAddressIsAskedOnce()
  await theNextMemberSeesNothingOfTheLast()
  await anAnswerThatDoesNotFitIsTold()
  await aLostRequestIsRepeated()
})
