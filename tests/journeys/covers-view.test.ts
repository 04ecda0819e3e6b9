import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(server.app, [
    ...['Walden', 'Hamlet', 'Faust'].map((name) => ({ name, postDate: '2024-01-02' })),
    { name: 'Of the house', contentType: 'vip', postDate: '2024-01-02' },
  ])
})

const button = (page: Page, name: string) => page.getByRole('group', { name: 'View' }).getByRole('button', { name })
const covers = (page: Page) => page.locator('.entries li > a > img')
const loaded = (page: Page): Promise<number> =>
  covers(page).evaluateAll((all) => all.filter((each) => (each as HTMLImageElement).naturalWidth > 0).length)

test('A list is shown as covers and as lines again; the choice is remembered, also on a narrow screen', async () => {
  await visit({ theme: 'light' }, async (page) => {
    await page.goto('/western')
    await button(page, 'Lines').waitFor()
    expect(await covers(page).count()).toBe(0)
    await button(page, 'Covers').click()
    await expect.poll(() => loaded(page)).toBe(3)
    expect(await covers(page).first().getAttribute('src')).toMatch(/^\/covers\/[a-z]+$/)
    await expectAccessible(page)
    await page.reload()
    await expect.poll(() => loaded(page)).toBe(3)
    expect(await button(page, 'Covers').getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('link', { name: /^Hamlet/ }).click()
    await page.getByRole('heading', { name: 'Hamlet', level: 1 }).waitFor()
    await page.goBack()
    await expect.poll(() => loaded(page)).toBe(3)
    await button(page, 'Lines').press('Enter')
    expect(await covers(page).count()).toBe(0)

    // On a narrow screen one button leads to the other view and keeps the focus.
    await page.getByRole('button', { name: 'Dark theme' }).first().click()
    await page.setViewportSize({ width: 320, height: 800 })
    await page.goto('/western')
    expect(await button(page, 'Lines').isVisible()).toBe(false)
    await button(page, 'Covers').press('Enter')
    await expect.poll(() => loaded(page)).toBe(3)
    await expect.poll(() => button(page, 'Lines').evaluate((each) => each === document.activeElement)).toBe(true)
    await expectAccessible(page)
  })
})

test('VIPs see the covers of their lists, which are asked for with the session', async () => {
  const vip = await aMember(server.app, { isVip: true })
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, vip)
    await page.goto('/vip')
    await button(page, 'Covers').click()
    await expect.poll(() => loaded(page)).toBe(1)
    expect(await covers(page).first().getAttribute('src')).toMatch(/^data:image\/svg\+xml/)
  })
})
