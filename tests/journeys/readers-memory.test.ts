import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

/* A reader saves, leaves, comes back and sees what is new (docs/spec/readers-memory.md). */

const dayMs = 86_400_000
const dayAgo = (days: number): string => new Date(server.clock.now() - days * dayMs).toISOString().slice(0, 10)

const server = serverOfFile({ now: new Date().toISOString(), jobs: true })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(server.app, [
    { name: 'Walden', postDate: dayAgo(5), creators: 'Henry David Thoreau' },
    { name: 'Middlemarch', postDate: dayAgo(6) },
  ])
})

const rows = (page: Page) => page.locator('.entries li > a')
const rowOf = (page: Page, name: string) => page.locator('.entries li', { hasText: name })
const savedButton = (page: Page, name: string) => rowOf(page, name).getByRole('button', { name: `Save ${name}` })

test('a guest who saves signs in first and finds it saved, leaves, comes back, and sees what is new since', async () => {
  const member = await aMember(server.app)
  await visit({ theme: 'light' }, async (page) => {
    await page.goto('/western/middlemarch')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Email', { exact: true }).fill(member.email)
    await page.getByLabel('Password', { exact: true }).fill(member.password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.getByRole('heading', { name: 'Middlemarch' }).waitFor()
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()

    await page.goto('/western')
    await rows(page).filter({ hasText: 'Walden' }).focus()
    await page.keyboard.press('s')
    await page.getByText('Saved to your account.').waitFor()
    expect(await savedButton(page, 'Walden').getAttribute('aria-pressed')).toBe('true')
    // The button of the row that has the focus is the next stop of the Tab key.
    await page.keyboard.press('Tab')
    expect(await savedButton(page, 'Walden').evaluate((one) => one === document.activeElement)).toBe(true)
    for (const isSaved of ['false', 'true']) {
      await savedButton(page, 'Middlemarch').click()
      await expect.poll(() => savedButton(page, 'Middlemarch').getAttribute('aria-pressed')).toBe(isSaved)
    }
    expect(await page.locator('.since').count()).toBe(0)
    await expectAccessible(page)

    await rows(page).filter({ hasText: 'Middlemarch' }).click()
    await page.getByRole('button', { name: 'Saved', exact: true }).click()
    await page.getByText('Removed from your saved entries.').waitFor()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('img', { name: /^A code with the address/ }).waitFor()
    await expectAccessible(page)

    await page.goto('/account/saved')
    await page.getByRole('link', { name: 'Walden' }).waitFor()
    expect(await page.locator('.readers-list > li').count()).toBe(1)
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Walden' }).waitFor()
  })

  // The next day, on another device.
  server.clock.advance(dayMs)
  await someItems(server.app, [{ name: 'Moby Dick', postDate: dayAgo(0) }])
  await visit({ theme: 'dark' }, async (page) => {
    await remember(page, server, member)
    await page.goto('/western')
    await page.locator('.since').waitFor()
    const order = await page.locator('.entries :is(li > a > span, .since)').allTextContents()
    expect(order.map((text) => text.split(':')[0])).toEqual([
      'Moby Dick',
      '↑ New since your last visit',
      'Walden\tHenry David Thoreau',
      'Middlemarch',
    ])
    expect(await page.locator('.entries li > a > b').allTextContents()).toEqual(['NEW'])
    expect(await savedButton(page, 'Walden').getAttribute('aria-pressed')).toBe('true')
    await expectAccessible(page)
    // A reload and Back keep it.
    await page.reload()
    await page.locator('.since').waitFor()
    await rows(page).first().click()
    await page.getByRole('heading', { name: 'Moby Dick' }).waitFor()
    await page.goBack()
    await page.locator('.since').waitFor()

    await page.goto('/western?search=moby')
    await page.getByRole('button', { name: 'Save this search' }).click()
    await page.getByRole('link', { name: 'Your saved searches' }).click()
    const card = page.getByRole('article', { name: '“moby” · Western' })
    await card.getByLabel('Digest by email').selectOption('Every day')
    await card.getByLabel('At').selectOption('07:00')
    await card.getByText(/^Next on /).waitFor()
    await expectAccessible(page)
    await page.goto('/account/history')
    await page.getByText('No downloads yet.').waitFor()
    await expectAccessible(page)
  })
})
