import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

/** The result of a save is read without scrolling, however long the form is. */
const waitInSight = async (words: Locator) => {
  await words.waitFor()
  const isInSight = () =>
    words.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= window.innerHeight
    })
  await expect.poll(isInSight).toBe(true)
}

const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test('An entry is edited beside the list, which keeps its place; nothing typed is left without a question', async () => {
  await someItems(
    server.app,
    Array.from({ length: 40 }, (_, place) => ({
      name: `Essay ${String(place + 1).padStart(2, '0')}`,
      contentType: 'unknown',
      category: 'Unknown',
    })),
  )
  const admin = await aMember(server.app, { isAdmin: true })
  const panel = (page: Page) => page.getByRole('dialog', { name: 'Edit an entry' })
  const edit = (page: Page, name: string) => rowOf(page, name).getByRole('button', { name: /^Edit/ })
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=unknown')
    await edit(page, 'Essay 36').scrollIntoViewIfNeeded()
    const placeOf = async (name: string) => (await edit(page, name).boundingBox())?.y ?? 0
    const before = await placeOf('Essay 36')
    await edit(page, 'Essay 36').click()
    await panel(page).getByLabel('Name', { exact: true }).waitFor()
    expect(Math.abs((await placeOf('Essay 36')) - before)).toBeLessThan(200)
    await expectAccessible(page)

    // Saved, the row says so beside it.
    await panel(page).getByLabel('Name', { exact: true }).fill('Essay 36, revised')
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await waitInSight(panel(page).getByText('Saved and published.'))
    await rowOf(page, 'Essay 36, revised').waitFor()

    // Another entry, and Back to the one before: typed text asks first, and stays.
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await panel(page).getByLabel('Licence').fill('CC0-1.0')
    await edit(page, 'Essay 35').click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    await expect.poll(() => panel(page).getByLabel('Licence').inputValue()).toBe('CC0-1.0')
    await panel(page).getByLabel('Licence').press('Escape')
    await question.waitFor()
    await expectAccessible(page)
    // This key closes the question alone.
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await edit(page, 'Essay 35').click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await panel(page).getByRole('heading', { name: 'Essay 35' }).waitFor()
    await page.goBack()
    await page.getByText('Your unsaved changes are back.').waitFor()
    await expect.poll(() => panel(page).getByLabel('Licence').inputValue()).toBe('CC0-1.0')
    // Its own button needs no question.
    await panel(page).getByRole('button', { name: 'Cancel' }).click()
    await panel(page).waitFor({ state: 'detached' })
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Edit: Essay 36, revised')

    // The address of the panel can be sent, and Back closes it.
    await edit(page, 'Essay 37').click()
    await panel(page).getByRole('heading', { name: 'Essay 37' }).waitFor()
    const address = page.url()
    await page.goBack()
    await panel(page).waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Edit: Essay 37')
    await page.goto(address)
    await panel(page).getByRole('heading', { name: 'Essay 37' }).waitFor()
    await panel(page).getByRole('button', { name: 'Close the panel' }).click()
    await panel(page).waitFor({ state: 'detached' })
  })

  await visit({ width: 320, theme: 'dark', expects: [/ERR_CONNECTION_RESET/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=unknown')
    await edit(page, 'Essay 38').click()
    await panel(page).getByLabel('Name', { exact: true }).waitFor()
    const box = await panel(page).boundingBox()
    expect([box?.x, box?.width]).toEqual([0, 320])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    // The server goes away: it is said where the button is, and nothing typed is lost.
    await page.route('**/unknowncontent/*', (route) => route.abort('connectionreset'))
    const name = panel(page).getByLabel('Name', { exact: true })
    await name.fill('Essay 38, revised')
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await waitInSight(panel(page).getByText('Failed to update content. Please try again.'))
    await expectAccessible(page)
    await expect.poll(() => name.inputValue()).toBe('Essay 38, revised')
    await name.fill('Essay 38')
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit: Essay 38')
  })
})
