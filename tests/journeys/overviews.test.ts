import { beforeAll, expect, test } from 'vitest'
import { restrictLapsedItems } from '../../src/features/catalogue/publishing/restrict-lapsed-items.server.ts'
import { expectAccessible } from '../harness/axe.ts'
import { expectEachControlIsReached } from '../harness/focus.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { writePastRules } from '../harness/past-rules.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  const [lapsed] = await someItems(server.app, [
    { name: 'The lapsed work of a creator with a very long name, volume two, part three', validTo: inDays(9) },
    ...Array.from({ length: 60 }, (_, place) => ({
      name: `Work ${place + 1}`,
      link: `https://mega.nz/file/work${place}`,
      validTo: inDays(3 + (place % 20)),
    })),
    { name: 'Walden', postDate: '2031-11-10' },
    { name: 'Walden', slug: 'walden-2', status: 'draft', postDate: '2031-11-11' },
    ...['One', 'Two', 'Three', 'Four'].map((name) => ({ name, postDate: '2031-12-24' })),
  ])
  await writePastRules(
    server.app,
    `update items set rights_valid_until = now() - interval '1 minute', lapses_at = now() - interval '1 minute'
      where id = '${lapsed?.id}'`,
  )
  await restrictLapsedItems(server.app)
})

test('An administrator reads which rights end, goes on in the list by the keyboard, and moves an entry in the calendar to another day', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin')
    await page.getByRole('link', { name: /^Renew: The rights of 60 entries end within 30 days/ }).click()
    await page.waitForURL('**/admin/rights?show=lapsing')
    await page.getByRole('button', { name: 'Ending soon (60)', pressed: true }).waitFor()
    const navigation = page.getByRole('navigation', { name: 'Administration' })
    await navigation.getByRole('link', { name: 'Rights 1 waiting' }).waitFor()
    const rows = page.locator('tbody tr')
    expect(await rows.count()).toBe(50)
    expect(await rows.first().textContent()).toMatch(/^Work 1\w+ \d+, \d{4}\d days$/)
    await page.getByRole('button', { name: 'Load more' }).press('Enter')
    await expect.poll(() => rows.count()).toBe(60)
    await page.getByText('That is the end of the list.').waitFor()
    await page.getByRole('link', { name: 'Work 1', exact: true }).press('Enter')
    await page.waitForURL('**/admin/settings?edit=*')
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Work 1')
    // Without filters, entries that need a hand come first.
    await navigation.getByRole('link', { name: 'Rights 1 waiting' }).click()
    await page.getByRole('button', { name: 'Taken off (1)', pressed: true }).waitFor()
    const lapsed = page.getByRole('region', { name: 'Entries taken offline' })
    await lapsed.getByText(/^The rights ended on [A-Z][a-z]+ \d+, \d{4}\.$/).waitFor()
    await expectAccessible(page)

    await page.goto('/admin/calendar?month=2031-11')
    await page.getByRole('heading', { name: 'November 2031' }).waitFor()
    await expectAccessible(page)
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-day'))
    await page.locator('[data-day="2031-11-15"]').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('2031-11-07')
    await page.keyboard.press('PageDown')
    await page.getByRole('heading', { name: 'December 2031' }).waitFor()
    const day = page.locator('[data-day="2031-12-24"]')
    await day.getByRole('button', { name: '1 more on December 24, 2031' }).click()
    await day.getByRole('link', { name: 'Scheduled: Four' }).click()
    const panel = page.getByRole('dialog', { name: 'Edit an entry' })
    await panel.getByLabel('Post date').fill('2031-12-26')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByText('Saved. Scheduled for December 26, 2031.').waitFor()
    await page.locator('[data-day="2031-12-26"]').getByRole('link', { name: 'Scheduled: Four' }).waitFor()
    await panel.getByRole('button', { name: 'Close', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?month=2031-12')

    // The same on a phone, in the other theme.
    await page.getByRole('button', { name: 'Dark theme' }).first().click()
    await page.setViewportSize({ width: 320, height: 700 })
    await page.getByRole('heading', { name: 'December 24, 2031' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^2030.*December 2030$/ }).click()
    await page.getByText('Nothing is posted in this month.').waitFor()
    // As on every other page of the administration (accessibility.test.ts).
    await expectEachControlIsReached(page)
    await page.goto('/admin/rights')
    await lapsed.waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await page.goto('/admin/duplicates')
    await page.getByText('1 group', { exact: true }).waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await page.getByRole('link', { name: /^Open.*Walden, Draft/ }).click()
    await panel.getByRole('heading', { name: 'Walden' }).waitFor()
  })
})
