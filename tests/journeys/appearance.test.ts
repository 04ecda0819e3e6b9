import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { holdRequests, visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString() })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(server.app, [{ name: 'The Moonstone' }])
})

test('An administrator changes the looks of the site after seeing them, and a visitor closes the announcement for good', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/appearance')
    const preview = page.getByRole('img', { name: 'Preview in the dark theme' })
    await preview.waitFor()
    await page.getByLabel('VIP', { exact: true }).fill('#00ffcc')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('VIP: marks would have 2.9 : 1 in the light theme; 3 : 1 is needed.').waitFor()
    await page.getByRole('button', { name: /^Restore\s*: VIP/ }).click()
    await page.getByLabel('Western', { exact: true }).fill('#00aa55')
    await page.getByText(/^Text \d+\.\d : 1 light, /).waitFor()
    await page.getByLabel('Text of link 1').fill('Reading club')
    await page.getByLabel('Address of link 1').fill('/terms')
    await page.getByLabel('Text', { exact: true }).fill('Twelve new shelves')
    await expect.poll(() => preview.textContent()).toContain('Twelve new shelves')
    expect(await page.locator('.announcement').count()).toBe(0)
    await expectAccessible(page)
    const held = await holdRequests(page, '**/api/appearance')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await held.arrived(1)
    // Text that is typed before a picture goes up during the save stays, and the save is not over with the picture.
    await page.getByLabel('Text', { exact: true }).fill('Thirteen')
    const buffer = await sharp({ create: { width: 36, height: 36, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await page
      .getByLabel('Picture in place of the ribbon')
      .setInputFiles({ name: 'm.png', mimeType: 'image/png', buffer })
    await page.getByRole('button', { name: 'Go back to the ribbon' }).waitFor()
    await page.getByRole('button', { name: 'Saving...', exact: true }).waitFor()
    held.release()
    await page.getByText('Saved. Every page shows it within a second.').waitFor()
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('Thirteen')
    await page.getByLabel('Text', { exact: true }).fill('Twelve new shelves')
    await page.getByRole('button', { name: 'Go back to the ribbon' }).click()
    // Here at once.
    await page.locator('.announcement').getByText('Twelve new shelves').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reading club' }).waitFor()

    // A name is changed beside it, by the dialog of the texts.
    const other = await page.context().newPage()
    await other.goto('/admin/categories')
    // A double click selects no words, neither of the button nor of the dialog that comes under the pointer.
    await page.getByRole('button', { name: /^Edit\s*: Name of the site/ }).dblclick()
    await page.getByRole('dialog').getByLabel('Name of the site').waitFor()
    expect(await page.evaluate(() => document.getSelection()?.toString())).toBe('')
    await page.getByRole('dialog').getByLabel('Name of the site').fill('The Reading Room')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.locator('.brand-name', { hasText: 'The Reading Room' }).waitFor()
    // Other tabs follow with their next page.
    const navigation = other.getByRole('navigation', { name: 'Administration' })
    await navigation.getByRole('link', { name: 'Import' }).first().click()
    await other.locator('.brand-name', { hasText: 'The Reading Room' }).waitFor()
    await other.close()
  })

  await visit({ theme: 'dark', width: 320 }, async (page) => {
    await page.goto('/western')
    await page.locator('.announcement').getByText('Twelve new shelves').waitFor()
    expect(
      await page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--color-western-text').trim()),
    ).toMatch(/^oklch\(0\.81 /)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Close the announcement' }).click()
    await page.locator('.announcement').waitFor({ state: 'detached' })
    await page.goto('/')
    await page.getByRole('heading').first().waitFor()
    expect(await page.locator('.announcement').isVisible()).toBe(false)
  })

  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/appearance')
    await page.getByRole('button', { name: 'Restore the defaults' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('.announcement').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByLabel('Western', { exact: true }).inputValue()).toBe('')
  })
})
