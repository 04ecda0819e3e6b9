import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { accountMails } from '../../src/features/accounts/account-mails.ts'
import { recordAuditEvent } from '../../src/features/office/audit/record-audit-event.server.ts'
import { recordJobFailure } from '../../src/features/site/home/record-job-failure.server.ts'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, remember, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { holdRequests, visitsOfFile } from '../harness/browser.ts'

let admin: MadeMember

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  admin = await aMember(server.app, { isAdmin: true, name: 'Ada Admin' })
  await someItems(server.app, [{ name: 'Moby Dick' }])
  // More than a page of the audit log.
  await server.app.db.transaction().execute(async (trx) => {
    for (let i = 0; i < 60; i += 1) await recordAuditEvent(trx, { action: 'sessions.ended', by: 'operator' })
  })
  await recordJobFailure(server.app, { name: 'mail', reason: 'The mail server does not answer.' })
  const { id: userId, email, name } = admin
  for (const _ of ['one', 'other'])
    await server.app.mail.queue(server.app.db, accountMails.welcome, { userId, email, name })
  await server.database.run(
    `update pgboss.job set state = 'failed', completed_on = now(), output = '{"message":"paper jam"}' where name = 'mail'`,
  )
})

async function fitsAt(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  await expectAccessible(page)
}

test('An administrator begins the day at home, looks at the statistics, and reads in the audit log who did what, and tries a call from the reference', async () => {
  await server.request('/western?search=a+whale+of+a+book')
  await server.app.searchMisses.flush()
  const headers = bearer(await signIn(server, admin))
  const gateway = (await server.request('/api/gateway', { headers })).json() as Record<string, unknown>
  const saved = await server.request('/api/gateway', {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...gateway, waitSeconds: 12 }),
  })
  expect(saved.status).toBe(200)

  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin')
    await page.getByText('One thing needs you.').waitFor()
    await page.getByText('An email failed and will not be tried again').waitFor()
    await page.getByText('The mail server does not answer.').waitFor()
    const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })
    await page.getByRole('heading', { name: day.format(), level: 1 }).waitFor()
    expect(await page.title()).toMatch(/^Administration/)
    const nav = page.getByRole('navigation', { name: 'Administration' })
    expect(await nav.getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBe('page')
    await expectAccessible(page)

    // The line leads to the failed jobs: one is tried again, and the other discarded.
    await page.getByRole('link', { name: /^Open: An email failed/ }).click()
    const jobs = page.getByRole('region', { name: 'Jobs: Failed' }).locator('tbody tr')
    await expect.poll(() => jobs.filter({ hasText: 'paper jam.' }).count()).toBe(2)
    await expectAccessible(page)
    await jobs.first().getByRole('button', { name: 'Try again' }).click()
    await page.getByText('“Email: welcome” is tried now.').waitFor()
    await expect.poll(() => jobs.count()).toBe(1)
    await jobs.first().getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Discard it' }).click()
    await page.getByText('No job has failed in the last seven days.').waitFor()
    await page.getByText('“Email: welcome” is discarded.').waitFor()
    await page.getByRole('link', { name: 'Show what waits' }).click()
    await page.getByRole('region', { name: 'Jobs: Waiting' }).getByText('paper jam.').waitFor()
    await expectAccessible(page)

    // One search leads anywhere: by keys from any page, and the stroke where the page has no search of its own.
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Find an entry, member, notice or setting' })
    await box.fill('moby')
    await page.getByRole('option', { name: /^Moby Dick/ }).waitFor()
    await expectAccessible(page)
    await box.press('Escape')
    await box.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await box.fill('nothing of the kind')
    await page.getByText('Nothing has “nothing of the kind”.').waitFor()
    await box.fill('stat')
    await page.getByRole('option', { name: 'Statistics', selected: true }).waitFor()
    await box.press('ArrowDown')
    await box.press('ArrowUp')
    await box.press('Enter')
    await page.waitForURL('**/admin/stats')
    await page.keyboard.press('Control+k')
    await box.fill('moby')
    await page.getByRole('option', { name: /^Moby Dick/ }).click()
    await page.waitForURL('**/admin/settings?edit=*')
    await page.goto('/admin/people')
    const own = page.getByRole('searchbox')
    await own.waitFor()
    await page.keyboard.press('/')
    expect(await own.evaluate((field) => field === document.activeElement)).toBe(true)

    await nav.getByRole('link', { name: 'Statistics' }).click()
    await page.getByRole('img', { name: /^All users by day: 1 in the end/ }).waitFor()
    await page.getByText('a whale of a book').waitFor()
    const main = page.getByRole('main')
    for (const label of ['Total Users', 'Total VIPs', 'Content Requests', 'Users Last Month'])
      await main.getByText(label, { exact: true }).first().waitFor()
    for (const [name, path] of [
      ['Manage Content', '/admin/settings'],
      ['Manage VIP Users', '/admin-vip-users'],
      ['View Requests', '/admin/requests'],
    ] as const)
      expect(await main.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(path)
    const asked = await holdRequests(page, /\/api\/stats/)
    asked.release()
    await main.getByRole('button', { name: 'Refresh' }).click()
    await asked.arrived(2)
    await page.unrouteAll({ behavior: 'wait' })
    // A search that found nothing leads to a new entry, or to another title of one.
    await page.getByRole('link', { name: 'Add an entry: a whale of a book' }).click()
    await page.getByRole('heading', { name: 'New entry' }).waitFor()
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('a whale of a book')
    await page.getByRole('button', { name: 'Cancel' }).first().click()
    await nav.getByRole('link', { name: 'Statistics' }).click()
    await page.getByRole('button', { name: 'Also known as: a whale of a book' }).click()
    await page.getByRole('dialog').getByLabel('Entry').fill('moby')
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /^Moby Dick/ })
      .click()
    await page.getByRole('dialog', { name: 'Edit an entry' }).getByRole('heading', { name: 'Moby Dick' }).waitFor()
    await expect.poll(() => page.getByLabel('Also known as').inputValue()).toBe('a whale of a book')
    await page.goto('/admin/stats')
    await page.getByRole('button', { name: 'VIPs', exact: true }).click()
    await page.getByText('Nothing yet since').first().waitFor()
    expect(new URL(page.url()).search).toBe('?chart=vips')
    await page.getByRole('button', { name: 'Members', exact: true }).click()
    await page.waitForURL('**/admin/stats')
    await page.getByLabel('Range').selectOption('12m')
    await page.getByRole('img', { name: /^All users by month/ }).waitFor()
    expect(new URL(page.url()).search).toBe('?range=12m')
    await page.getByText('Table: User growth').click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV: User growth' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv.split('\n').slice(0, 1)).toEqual(['\uFEFFMonth,New users,All users'])
    expect(csv.trim().split('\n')).toHaveLength(13)
    await expectAccessible(page)

    await nav.getByRole('link', { name: 'Audit log' }).click()
    const log = page.getByRole('region', { name: 'Audit log' })
    const rows = log.locator('.audit-act')
    const settings = rows.filter({ hasText: "Saved the gateway's settings" })
    // A line unfolds, by the keyboard too.
    expect(await settings.getByText('before: 5').count()).toBe(0)
    await settings.getByRole('button', { name: "Saved the gateway's settings" }).focus()
    await page.keyboard.press('Enter')
    await settings.getByText('before: 5').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Kind of action').selectOption('settings')
    await page.getByRole('button', { name: 'Filter' }).click()
    await expect.poll(() => rows.count()).toBe(3)
    await rows.filter({ hasText: 'Retried a job' }).waitFor()
    await rows.filter({ hasText: 'Discarded a job' }).waitFor()
    expect(new URL(page.url()).search).toBe('?group=settings')
    await page.locator('.audit-list:not([aria-busy="true"])').waitFor()
    await rows.first().getByRole('link', { name: 'Ada Admin' }).click()
    await expect.poll(() => rows.filter({ hasText: 'Signed in' }).count()).toBeGreaterThan(0)
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save these as CSV' }).click()
    expect(await readFile(await (await file).path(), 'utf8')).toContain('Ada Admin')
    await page.getByLabel('Person', { exact: true }).fill('nobody@readers.example')
    await page.keyboard.press('Enter')
    await page.getByText('No event matches these filters.').waitFor()
    await expectAccessible(page)
    await page.goBack()
    await rows.filter({ hasText: 'Signed in' }).first().waitFor()

    // Older events follow, those of one act in one line, and days bound what is shown.
    await nav.getByRole('link', { name: 'Audit log' }).click()
    await settings.waitFor()
    const before = await rows.count()
    await page.getByRole('button', { name: 'Load more' }).click()
    await rows.filter({ hasText: /and \d+ more/ }).waitFor()
    expect(await rows.count()).toBeGreaterThanOrEqual(before)
    await page.getByLabel('About', { exact: true }).fill('waitseconds')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Clear all' }).click()
    // The fields begin anew with the address.
    await expect.poll(() => rows.count()).toBeGreaterThan(1)
    const [from, until] = [page.getByLabel('From'), page.getByLabel('Until')]
    for (const [first, last, query] of [
      ['2099-01-01', '', '?from=2099-01-01'],
      ['', '2000-01-01', '?to=2000-01-01'],
    ] as const) {
      await from.fill(first)
      await until.fill(last)
      // The sentence may stand there from the round before, and the fields too.
      const asked = page.waitForRequest(
        (request) => request.url().includes(`/api/`) && request.url().endsWith(query.slice(1)),
      )
      await page.getByRole('button', { name: 'Filter' }).click()
      await asked
      await page.getByText('No event matches these filters.').waitFor()
      expect(new URL(page.url()).search).toBe(query)
    }
    await from.fill('2000-01-01')
    await until.fill('2099-01-01')
    await page.getByRole('button', { name: 'Filter' }).click()
    await rows.filter({ hasText: "Saved the gateway's settings" }).waitFor()
  })

  await visit({ width: 320, theme: 'dark' }, async (page) => {
    const entry = (name: RegExp) => page.locator('details.reference-route').filter({ hasText: name })
    const steps = entry(/^DELETE \/api\/admin\/first-steps/)
    await page.goto('/docs')
    await steps.locator('summary').click()
    // Nothing to try without a session.
    await steps.getByText('Example').waitFor()
    expect(await page.getByRole('button', { name: /^Call/ }).count()).toBe(0)

    await remember(page, server, admin)
    await page.goto('/admin/audit')
    const rows = page.getByRole('region', { name: 'Audit log' }).locator('.audit-act')
    await rows.first().waitFor()
    await fitsAt(page, 320)
    // The navigation folds into a menu, which the keyboard opens and closes.
    const menu = page.getByRole('button', { name: /^Administration: Audit log/ })
    await menu.focus()
    await page.keyboard.press('Enter')
    const home = page.getByRole('link', { name: 'Home', exact: true }).and(page.locator('.admin-nav a'))
    await home.waitFor()
    await page.keyboard.press('Escape')
    await home.waitFor({ state: 'hidden' })
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.locator('.admin-nav').getByRole('link', { name: 'Statistics' }).click()
    await page.getByRole('img', { name: /^All users by day/ }).waitFor()
    expect(await page.getByRole('button', { name: /^Administration: Statistics/ }).getAttribute('aria-expanded')).toBe(
      'false',
    )
    await fitsAt(page, 320)
    await page.goto('/admin')
    // A first step is skipped with a reason, and taken back.
    await page.getByText(/^\d of 9 done\. Next: Name the site$/).waitFor()
    await page.getByRole('button', { name: 'Skip', exact: true }).click()
    await page.getByRole('button', { name: 'Skip', exact: true }).last().click()
    await page.getByText('Please say why.').waitFor()
    await page.getByLabel('Why').fill('The name stays.')
    await page.keyboard.press('Enter')
    await page.getByText(/^\d of 9 done, 1 skipped\. Next: Give the site its address$/).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText('Skipped: The name stays.').waitFor()
    await fitsAt(page, 320)
    await page.getByRole('button', { name: 'Take back: Name the site' }).click()
    await page.getByText(/^\d of 9 done\. Next: Name the site$/).waitFor()
    await fitsAt(page, 768)

    // A call is tried from the reference, one entry at a time; a write asks first.
    await page.goto('/docs#getApiAdminSearch')
    const search = entry(/^GET \/api\/admin\/search/)
    await search.getByLabel('q', { exact: true }).fill('moby')
    await search.getByRole('button', { name: 'Call' }).click()
    await search.getByText('Status 200').waitFor()
    expect(await search.getByRole('region', { name: 'Answer', exact: true }).textContent()).toContain('"Moby Dick"')
    await expectAccessible(page, { within: 'details.reference-route[open]' })
    await steps.locator('summary').click()
    expect(await search.getAttribute('open')).toBeNull()
    await steps.getByLabel('name', { exact: true }).fill('agent')
    await steps.getByRole('button', { name: 'Call' }).click()
    await page.getByRole('dialog').getByText('DELETE /api/admin/first-steps/agent/skipped').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Call' }).click()
    await steps.getByText('Status 204').waitFor()
  })
})
