import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, openBrowser, visitAs } from '../harness/browser.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([openTestServer({ now: new Date().toISOString() }), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const form = (page: Page) => page.getByRole('region', { name: /New entry|The Tale|Walden/ })
const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test('An administrator drafts an entry, is refused for missing rights, adds them, and it is live', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visitAs(browser, server.url, { theme: 'light', expects: [/status of 422/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western')
    await page.getByRole('heading', { name: 'No content found' }).waitFor()
    expect(await page.title()).toMatch(/^Content/)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Add New Content' }).click()
    await form(page).getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Please fill in all required fields (name, mega link, category)').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name')
    await page.getByLabel('Name', { exact: true }).fill('The Tale of Genji')
    await form(page).getByLabel('Category').selectOption('Literature')
    await page.getByLabel('Mega', { exact: true }).fill('https://mega.nz/file/genji')
    await expectAccessible(page)

    // What was typed survives a reload.
    await page.reload()
    await page.getByText('What you typed before is here again.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('The Tale of Genji')
    await form(page).getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Saved as a draft.').waitFor()
    await rowOf(page, 'No rights basis is recorded.').waitFor()

    await form(page).getByRole('button', { name: 'Publish' }).click()
    await page.getByText('4 reasons stand against it. Nothing was saved.').waitFor()
    await page.getByText('No rights basis is recorded. Record on which basis the work may be distributed.').waitFor()
    await page
      .getByText('It is not stated whether people are shown. State none, not_identifiable or identifiable.')
      .waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('rights.basis')
    await expectAccessible(page)
    await page.getByLabel('Basis').selectOption('public_domain')
    await page.getByLabel('Evidence', { exact: true }).fill('Its author died about 1014.')
    await page.getByLabel('They permit downloads').check()
    await page.getByLabel('People').selectOption('none')
    await page
      .getByLabel('Add a file')
      .setInputFiles({ name: 'Opinion.txt', mimeType: 'text/plain', buffer: Buffer.from('Free.') })
    await page.getByText('Opinion.txt is stored.').waitFor()
    await form(page).getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Saved and published.').waitFor()
    await expect.poll(() => rowOf(page, 'No rights basis').count()).toBe(0)
    await page.getByRole('link', { name: 'See it on the site' }).click()
    await page.getByRole('heading', { name: 'The Tale of Genji', level: 1 }).waitFor()
  })

  await visitAs(browser, server.url, { hasScripts: false }, async (page) => {
    await page.goto('/western')
    await page.getByRole('link', { name: /The Tale of Genji/ }).waitFor()
  })

  await visitAs(browser, server.url, { width: 320, theme: 'dark' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western')
    await rowOf(page, 'The Tale of Genji')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByText('Are you sure you want to delete this content?').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await rowOf(page, 'The Tale of Genji').getByRole('button', { name: /^Edit/ }).click()
    await form(page).waitFor()
    await page.getByText('Opinion.txt').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)
    await rowOf(page, 'The Tale of Genji')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No content found' }).waitFor()
  })
})

test('Two administrators edit one entry, and the second chooses field by field whose version stands', async () => {
  await someItems(server.app, [{ name: 'Walden', category: 'Literature' }])
  const [first, second] = [await aMember(server.app, { isAdmin: true }), await aMember(server.app, { isAdmin: true })]
  const open = async (page: Page, admin: typeof first): Promise<void> => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western')
    await rowOf(page, 'Walden').getByRole('button', { name: /^Edit/ }).click()
    await page.getByLabel('Name', { exact: true }).waitFor()
  }
  await visitAs(browser, server.url, { theme: 'dark', expects: [/status of 409/] }, async (mine) => {
    await open(mine, second)
    await mine.getByLabel('Name', { exact: true }).fill('Walden; or, Life in the Woods')
    await mine.getByLabel('Holder').fill('Nobody')

    await visitAs(browser, server.url, {}, async (theirs) => {
      await open(theirs, first)
      await theirs.getByLabel('Name', { exact: true }).fill('Walden, 1854')
      await theirs.getByLabel('Licence').fill('CC0-1.0')
      await form(theirs).getByRole('button', { name: 'Save', exact: true }).click()
      await theirs.getByText('Saved and published.').waitFor()
    })

    await form(mine).getByRole('button', { name: 'Save', exact: true }).click()
    await mine.getByRole('heading', { name: 'Somebody else has saved this entry meanwhile' }).waitFor()
    const field = (name: string) => mine.getByRole('group', { name, exact: true })
    expect(await field('Name').textContent()).toContain('Walden, 1854')
    expect(await field('Name').getByLabel('Keep mine').isChecked()).toBe(true)
    // What only they have changed is theirs, unless I say otherwise; what is the same does not stand here.
    expect(await field('Licence').getByLabel('Take theirs').isChecked()).toBe(true)
    expect(await field('Category').count()).toBe(0)
    await expectAccessible(mine)
    await field('Name').getByLabel('Take theirs').check()
    await mine.getByRole('button', { name: 'Save with these choices' }).click()
    await mine.getByText('Saved and published.').waitFor()
    expect(await mine.getByLabel('Name', { exact: true }).inputValue()).toBe('Walden, 1854')
  })
  const stored = await server.app.db
    .selectFrom('items')
    .select(['name', 'rights_holder', 'rights_licence', 'version'])
    .where('slug', '=', 'walden')
    .executeTakeFirstOrThrow()
  expect(stored).toEqual({ name: 'Walden, 1854', rights_holder: 'Nobody', rights_licence: 'CC0-1.0', version: 3 })
})
