import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { holdRequests, stopTimers, visitsOfFile } from '../harness/browser.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, post, remember, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

let admin: MadeMember

const count = 930
const dayMs = 86_400_000

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  const { app } = server
  admin = await aMember(app, { isAdmin: true })
  const newest = Date.now() - dayMs
  await someItems(
    app,
    Array.from({ length: count }, (_, place) => ({
      name: `Work ${String(place + 1).padStart(4, '0')}`,
      slug: `work-${place + 1}`,
      category: place === 7 ? 'Film' : 'Literature',
      postDate: new Date(newest - place * 60_000).toISOString(),
    })),
  )
  const reader = await aMember(app)
  const wanted = { title: 'A wanted work', description: 'Please.' }
  await post(server, '/recommendations', wanted, bearer(await signIn(server, reader)))
  await aMember(app, { name: 'Ida Wells', vipExpiresAt: new Date(Date.now() - dayMs).toISOString() })
})

const rows = (page: Page) => page.locator('.content-list').getByRole('listitem')
const standing = (page: Page) => page.locator('.content-page')

test('An administrator goes through a long list of content, whose pages come as their end draws near', async () => {
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (/^\/\w+content$/.test(pathname)) asked.push(`${pathname}${search}`)
    })
    await page.goto('/admin/settings?tab=western')
    await rows(page).first().waitFor()
    expect(asked).toEqual(['/westerncontent?sortOrder=DESC&limit=900'])
    await expect.poll(() => standing(page).textContent()).toMatch(/^Page 1 of 2/)
    expect(await rows(page).first().textContent()).toContain('Work 0001')
    // Only those from the 900 in the window stand in the page, and five beyond each edge.
    expect(await rows(page).count()).toBeLessThan(30)
    // All others are taken for 200 pixels high.
    const estimate = () =>
      page.locator('.content-list').evaluate((list) => {
        const measured = [...list.querySelectorAll('[role=listitem]')]
        const known = measured.reduce((sum, row) => sum + row.getBoundingClientRect().height, 0)
        return (list.getBoundingClientRect().height - known) / (900 - measured.length)
      })
    await expect.poll(estimate).toBeCloseTo(200, 0)
    expect(await page.getByText('No more content to load').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Add New Content' }).getAttribute('aria-expanded')).toBe('false')
    expect(await page.getByRole('region', { name: 'New entry' }).count()).toBe(0)

    // Near the end of what has come, and not before, the next page is asked for, once.
    const heights = (left: number) =>
      page.evaluate((share) => {
        const list = document.querySelector('.content-list') as HTMLElement
        const end = list.getBoundingClientRect().bottom + scrollY
        scrollTo(0, end - innerHeight - share * innerHeight)
      }, left)
    // Rows are lower than they were taken for: the end comes nearer as they are measured.
    const restAt = (left: number) =>
      expect
        .poll(async () => {
          await heights(left)
          await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
          return page.locator('.content-list').evaluate((list) => list.getBoundingClientRect().bottom / innerHeight - 1)
        })
        .toBeCloseTo(left, 1)
    const second = await holdRequests(page, /westerncontent.*page=2/)
    await heights(12)
    await expect.poll(() => rows(page).last().textContent()).toMatch(/Work 0[5-9]/)
    for (const left of [12, 10, 8, 6, 5, 4.5, 4, 3.75, 3.5, 3.25, 3, 2.75, 2.5]) await restAt(left)
    expect(second.count()).toBe(0)
    await heights(1.2)
    await second.arrived(1)
    await heights(0)
    second.release()
    await expect.poll(() => rows(page).last().textContent()).toMatch(/Work 09/)
    await expect
      .poll(async () => {
        await heights(0)
        return rows(page).last().textContent()
      })
      .toContain('Work 0930')
    await expect.poll(() => page.getByText('No more content to load').count()).toBe(1)
    await expect.poll(() => standing(page).textContent()).toMatch(/^Page 2 of 2/)
    expect(second.count()).toBe(1)

    // Another tab begins at its first page.
    const tabs = page.getByRole('group', { name: 'Section' }).getByRole('button')
    expect((await tabs.allTextContents()).map((name) => name.toLowerCase())).toEqual([
      'all',
      'asian',
      'western',
      'vip',
      'banned',
      'unknown',
    ])
    for (const name of ['vip', 'asian']) {
      await page.getByRole('button', { name: new RegExp(`^${name}$`, 'i') }).click()
      await page.getByText('No content found', { exact: true }).waitFor()
      await expect.poll(() => asked.at(-1)).toBe(`/${name}content?sortOrder=DESC&limit=900`)
    }
    await page.getByRole('button', { name: 'Western', exact: true }).click()
    await expect.poll(() => standing(page).textContent()).toMatch(/^Page 1 of 2/)

    await page.getByLabel('Category').selectOption('Film')
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(await rows(page).first().textContent()).toContain('Work 0008')
    await page.getByRole('searchbox').fill('work 0009')
    await page.getByText('No content found', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear Filters' }).click()
    await expect.poll(() => standing(page).textContent()).toMatch(/^Page 1 of 2/)
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
    expect(new URL(page.url()).search).toBe('?tab=western')
    // The search is sent 300 ms after the last letter.
    await stopTimers(page, new Date().toISOString())
    const before = asked.length
    await page.getByRole('searchbox').fill('work 0010')
    await page.clock.runFor(290)
    expect(asked).toHaveLength(before)
    await page.clock.runFor(20)
    await expect.poll(() => asked.at(-1)).toBe('/westerncontent?sortOrder=DESC&limit=900&search=work+0010')
  })
})

const edit = (page: Page, name: string) => rows(page).filter({ hasText: name }).getByRole('button', { name: /^Edit/ })

test('What fails in the administration says so in its own sentence, and goes on when it is tried again', async () => {
  const failing = { status: 500, json: { error: 'A defect.', message: 'A defect.' } }
  await visit({ theme: 'dark', expects: [/status of 500/, /ERR_INTERNET_DISCONNECTED/] }, async (page) => {
    await remember(page, server, admin)
    const fails = (address: RegExp, method = 'GET') =>
      page.route(address, (route) => (route.request().method() === method ? route.fulfill(failing) : route.fallback()))

    /** Opens a page whose first call fails, and which has this to show once it is tried again. */
    const openAgain = async (path: string, address: RegExp, sentence: string, shown: string): Promise<void> => {
      await fails(address)
      await page.goto(path)
      await page.getByText(sentence, { exact: true }).waitFor()
      await page.unroute(address)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText(shown).first().waitFor()
      await page.getByText(sentence, { exact: true }).waitFor({ state: 'detached' })
    }
    const heads = (name: string) =>
      page.getByRole('region', { name, exact: true }).locator('thead th').allTextContents()

    for (const [path, address, sentence, shown] of [
      [
        '/admin-vip-disabled',
        /\/auth\/vip-disabled-users/,
        'Failed to load disabled VIP users. Please try again.',
        'No disabled VIP users found',
      ],
      ['/admin/rights', /\/api\/rights\?/, 'The rights could not be loaded', 'Open the content'],
      ['/admin/stats', /\/api\/stats$/, 'Failed to load statistics. Please try again.', 'Total Users'],
      ['/admin/notices', /\/api\/notices$/, 'The notices could not be loaded', 'No notice is waiting.'],
    ] as const)
      await openAgain(path, address, sentence, shown)
    await page.context().setOffline(true)
    await page.getByText(/^You are offline\. This list is from/).waitFor()
    await expectAccessible(page)
    await page.context().setOffline(false)
    await page.getByText(/^You are offline\./).waitFor({ state: 'detached' })

    const notLoaded = 'Failed to load recommendations. Please try again later.'
    await openAgain('/admin/requests', /\/recommendations/, notLoaded, 'A wanted work')
    expect(await heads('Requests')).toEqual(['Title', 'Description', 'Votes', 'Status', 'Date', 'Actions'])

    const noUsers = 'Failed to load VIP users. Please try again.'
    await openAgain('/admin-vip-users', /\/auth\/vip-users/, noUsers, 'Ida Wells')
    expect(await heads('VIP users')).toEqual(['User', 'Status', 'Expiration', 'Actions'])
    await fails(/\/auth\/renew-vip/, 'PUT')
    await page.getByRole('button', { name: 'Give 30 days' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('dialog').getByText('Failed to renew VIP access. Please try again.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    const again = await holdRequests(page, /\/auth\/vip-users/)
    again.release()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await again.arrived(1)

    const noContent = 'Failed to fetch content. Please try again later.'
    await openAgain('/admin/settings?tab=western', /\/westerncontent/, noContent, 'Work 0001')
    // A draft stays when a save fails.
    await fails(/\/westerncontent/, 'POST')
    await page.getByRole('button', { name: 'Add New Content' }).click()
    await page.getByLabel('Name', { exact: true }).fill('A new work')
    await page.getByRole('region', { name: 'New entry' }).getByLabel('Category').selectOption('Film')
    await page.getByLabel('Mega', { exact: true }).fill('https://mega.nz/file/new')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Failed to add content. Please try again.').waitFor()
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('A new work')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('region', { name: 'New entry' }).waitFor({ state: 'detached' })
    // Cancel has emptied it.
    await page.getByRole('button', { name: 'Add New Content' }).click()
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('')

    await fails(/\/westerncontent/, 'PUT')
    await fails(/\/westerncontent/, 'DELETE')
    const first = rows(page).filter({ hasText: 'Work 0001' })
    await edit(page, 'Work 0001').click()
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Work 0001')
    await page.getByLabel('Name', { exact: true }).fill('Another name')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Failed to update content. Please try again.').waitFor()
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another name')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await first.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('Failed to delete content. Please try again.').waitFor()
    await page.getByRole('dialog').getByText('A defect.').waitFor()
    // The same without a network, in the dialog.
    await page.route(/\/westerncontent/, (route) =>
      route.request().method() === 'DELETE' ? route.abort('internetdisconnected') : route.fallback(),
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('Network error. Please check your connection.').waitFor()
    await page.getByRole('dialog').getByText('Failed to delete content. Please try again.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await first.waitFor()
  })

  await visit({ expects: [/status of 500/, /ERR_FAILED/] }, async (page) => {
    await page.goto('/support')
    await page.getByLabel('Name').fill('Jane Reader')
    await page.getByLabel('Email').fill('jane@readers.example')
    await page.getByLabel('Inquiry').fill('Where?')
    const send = page.getByRole('button', { name: 'Send inquiry' })
    const isSupport = /\/support$/
    await page.route(isSupport, (route) =>
      route.request().method() === 'POST' ? route.fulfill(failing) : route.fallback(),
    )
    await send.click()
    await page
      .locator('.notice-failed', { hasText: 'There was an error sending your inquiry. Please try again.' })
      .waitFor()
    await page.unroute(isSupport)
    await page.route(isSupport, (route) =>
      route.request().method() === 'POST' ? route.abort('aborted') : route.fallback(),
    )
    await send.click()
    await page.locator('.notice-failed', { hasText: 'An error occurred. Please try again later.' }).waitFor()
    await expect.poll(() => page.getByLabel('Inquiry').inputValue()).toBe('Where?')
  })
})
