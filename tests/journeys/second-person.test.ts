import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString(), env: { REQUIRE_SECOND_PERSON: '1' } })
const { visit } = visitsOfFile(server)

const form = (page: Page) => page.getByRole('region', { name: /New entry|The Tale/ })
const verifyButton = (page: Page) => form(page).getByRole('button', { name: 'Verify the rights' })
const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

test('One administrator records the rights of an entry, another verifies them as they are by then, and it is published', async () => {
  const first = await aMember(server.app, { isAdmin: true, name: 'Jane Reader' })
  await visit({ theme: 'light', expects: [/status of 422/] }, async (page) => {
    await remember(page, server, first)
    await page.goto('/admin')
    await page.getByText('Nothing can be published until there is a second administrator').waitFor()

    await page.goto('/admin/settings?tab=western&edit=new')
    await page.getByLabel('Name', { exact: true }).fill('The Tale of Genji')
    await form(page).getByLabel('Category').selectOption('Literature')
    await page.getByLabel('Mega', { exact: true }).fill('https://mega.nz/file/genji')
    await page.getByLabel('Basis').selectOption('public_domain')
    await page.getByLabel('Evidence', { exact: true }).fill('Its author died about 1014.')
    await page.getByLabel('They permit downloads').check()
    await page.getByLabel('People').selectOption('none')
    await form(page).getByRole('button', { name: 'Publish' }).click()
    await page
      .getByText('The rights were not verified by a second person. Save them unpublished first. Then another')
      .waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('rights.basis')
    await form(page).getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Saved as a draft.').waitFor()
    await form(page).getByText('Attested by Jane Reader on').waitFor()
    await form(page).getByText('You have recorded these rights: another administrator has to verify them.').waitFor()
    expect(await verifyButton(page).count()).toBe(0)
    await rowOf(page, 'The rights were not verified by a second person.').waitFor()
    await expectAccessible(page)
  })

  const second = await aMember(server.app, { isAdmin: true, name: 'Ana Second' })
  await visit({ width: 320, theme: 'dark', expects: [/status of 4(09|22)/] }, async (page) => {
    await remember(page, server, second)
    await page.goto('/admin')
    await page.getByRole('main').getByRole('link', { name: '1 entry to verify' }).click()
    await rowOf(page, 'The Tale of Genji').getByRole('button', { name: /^Edit/ }).click()
    await form(page).getByRole('button', { name: 'Publish' }).click()
    const reason = page.getByText('The rights were not verified by a second person. Another administrator than who')
    await reason.waitFor()

    // Unsaved changes would not be verified.
    const why = page.getByText('Save or discard your changes first: the rights are verified as they are stored.')
    await page.getByLabel('Licence').fill('CC0-1.0')
    await why.waitFor()
    expect(await verifyButton(page).getAttribute('aria-disabled')).toBe('true')
    await verifyButton(page).click({ force: true })
    // The form stands in one, and nothing is asked in another.
    expect(await page.getByRole('dialog').count()).toBe(1)
    await expectAccessible(page)
    await page.getByLabel('Licence').fill('')
    await why.waitFor({ state: 'detached' })

    // Somebody has changed meanwhile what would be verified: it is shown as it is now.
    await verifyButton(page).click()
    await server.app.db
      .updateTable('items')
      .set(({ eb }) => ({ version: eb('version', '+', 1), rights_evidence: 'Another proof.' }))
      .execute()
    await page.getByRole('dialog').getByRole('button', { name: 'Verify', exact: true }).click()
    const overtaken = page.getByText('Somebody else has changed this entry in the meantime.')
    await overtaken.waitFor()
    await expect.poll(() => page.getByLabel('Evidence', { exact: true }).inputValue()).toBe('Another proof.')

    // By keyboard alone: asked, left, asked again, and done.
    await verifyButton(page).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Verify the rights' })
    await dialog.waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Verify the rights')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Verify', exact: true }).focus()
    await page.keyboard.press('Enter')
    await form(page).getByText('Verified by Ana Second on').waitFor()
    await expect.poll(() => focused(page)).toContain('Verified by Ana Second on')
    for (const gone of [reason, overtaken]) await gone.waitFor({ state: 'detached' })
    expect(await verifyButton(page).count()).toBe(0)
    await expect.poll(() => rowOf(page, 'not verified by a second person').count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)

    await form(page).getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Saved and published.').waitFor()
  })
  expect((await server.search('search=genji')).items).toHaveLength(1)
})
