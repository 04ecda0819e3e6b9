import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { expectEachControlIsReached } from '../harness/focus.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: '2026-11-15T12:00:00Z' })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(server.app, [
    { name: 'Walden', postDate: '2026-11-10' },
    { name: 'Walden', slug: 'walden-2', status: 'draft', postDate: '2026-11-11' },
    ...['One', 'Two', 'Three', 'Four'].map((name) => ({ name, postDate: '2026-12-24' })),
  ])
})

test('An administrator goes through the calendar by keyboard, opens an entry and moves it to another day', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/calendar?month=2026-11')
    await page.getByRole('heading', { name: 'November 2026' }).waitFor()
    await expectAccessible(page)
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-day'))
    await page.locator('[data-day="2026-11-15"]').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('2026-11-07')
    await page.keyboard.press('PageDown')
    await page.getByRole('heading', { name: 'December 2026' }).waitFor()
    const day = page.locator('[data-day="2026-12-24"]')
    await day.getByRole('button', { name: '1 more on December 24, 2026' }).click()
    await day.getByRole('link', { name: 'Scheduled: Four' }).click()
    const panel = page.getByRole('dialog', { name: 'Edit an entry' })
    await panel.getByLabel('Post date').fill('2026-12-26')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByText('Saved. Scheduled for December 26, 2026.').waitFor()
    await page.locator('[data-day="2026-12-26"]').getByRole('link', { name: 'Scheduled: Four' }).waitFor()
    await panel.getByRole('button', { name: 'Close', exact: true }).click()
    await panel.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?month=2026-12')
  })
  await visit({ width: 320, theme: 'dark' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/calendar?month=2026-12')
    await page.getByRole('heading', { name: 'December 24, 2026' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^2025.*December 2025$/ }).click()
    await page.getByText('Nothing is posted in this month.').waitFor()
    // As on every other page of the administration (accessibility.test.ts).
    await expectEachControlIsReached(page)
    await page.getByRole('link', { name: 'This month' }).click()
    await page.getByRole('heading', { name: 'November 10, 2026' }).waitFor()
    await page.goto('/admin/duplicates')
    await page.getByText('1 group', { exact: true }).waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await page.getByRole('link', { name: /^Open.*Walden, Draft/ }).click()
    await page.getByRole('dialog', { name: 'Edit an entry' }).getByRole('heading', { name: 'Walden' }).waitFor()
  })
})
