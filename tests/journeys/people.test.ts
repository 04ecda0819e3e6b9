import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, openBrowser, visitAs } from '../harness/browser.ts'
import { aMember, remember, signIn } from '../harness/members.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([openTestServer({ now: new Date().toISOString(), jobs: true }), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

test('An administrator imports members, helps one, shares the work with another, and erases a third on request', async () => {
  const { app } = server
  const admin = await aMember(app, { isAdmin: true, name: 'Ada Keeper' })
  const helper = await aMember(app, { name: 'Hedy Helper' })
  const leaving = await aMember(app, { name: 'Leo Leaving', email: 'leo@readers.example' })
  await signIn(server, helper)

  await visitAs(browser, server.url, { theme: 'dark', expects: [/409/] }, async (page) => {
    await remember(page, server, admin)
    const dialog = page.getByRole('dialog')
    const press = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()

    await page.goto('/admin/people/import')
    const file = 'email,name,createdAt,vipUntil\nnew@readers.example,Nell New,2020-01-01,\nno address,Bad,,\n'
    await page
      .getByLabel('File of members')
      .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await press('Check the file')
    await page.getByText('Checked, not imported: 1 new, 1 rejected.').waitFor()
    await page.getByText('Please enter a valid email address').waitFor()
    await expectAccessible(page)
    await press('Import 1 member')
    await dialog.getByRole('button', { name: 'Import 1 member' }).click()
    await page.getByText('Imported: 1 imported, 1 rejected.').waitFor()

    await page.getByRole('link', { name: 'Back to People' }).click()
    await page.getByRole('searchbox').fill('hedy')
    await expect.poll(() => page.locator('.data-table tbody tr').count()).toBe(1)
    await page.getByRole('link', { name: 'Hedy Helper' }).click()
    await page.getByRole('heading', { name: 'Hedy Helper' }).waitFor()
    await page.getByText('Not VIP: there has never been a membership.').waitFor()
    expect(await page.title()).toMatch(/^Hedy Helper/)

    // Somebody else was quicker with the note: what was typed stays, beside what they wrote.
    await page.getByLabel('What administrators should know').fill('Answers the letters.')
    await app.db
      .insertInto('member_notes')
      .values({ user_id: helper.id, note: 'Writes the letters.', version: 1, changed_at: new Date() })
      .execute()
    await press('Save note')
    await page.getByText(/^Somebody else has changed this note meanwhile/).waitFor()
    await page.getByText('Writes the letters.').waitFor()
    expect(await page.getByLabel('What administrators should know').inputValue()).toBe('Answers the letters.')
    await press('I have taken over what should stay')
    await press('Save note')
    await page.getByText('The note was saved.').waitFor()

    await press('Make an administrator')
    await dialog.getByText('Hedy Helper').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Make an administrator' }).click()
    await page.getByText('They are an administrator from their next sign-in on.').waitFor()
    await page.getByText('Not signed in anywhere.').waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)

    await page.goto(`/admin/people/${leaving.id}`)
    await press('Delete the account')
    const erase = dialog.getByRole('button', { name: 'Delete the account' })
    expect(await erase.isDisabled()).toBe(true)
    await dialog.getByLabel('Type their email address to confirm').fill('Leo@readers.example')
    await erase.click()
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Nell New' }).waitFor()
    expect(await page.getByRole('link', { name: 'Leo Leaving' }).count()).toBe(0)
  })
})
