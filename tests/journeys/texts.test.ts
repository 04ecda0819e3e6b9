import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, remember, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString(), jobs: true })
const { visit } = visitsOfFile(server)

const row = (page: Page, label: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label }) })
const preview = (page: Page) => page.getByRole('dialog').getByRole('region', { name: 'Preview' })

async function open(page: Page, label: string): Promise<void> {
  await row(page, label).getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('dialog').getByLabel(label, { exact: true }).waitFor()
}

async function change(page: Page, label: string, text: string): Promise<void> {
  await open(page, label)
  await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(text)
  const [firstLine = ''] = text.replace(/^# /, '').split('\n')
  await preview(page).getByText(firstLine, { exact: true }).waitFor()
  await save(page)
  await row(page, label).getByText('Changed', { exact: true }).waitFor()
}

async function save(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test('An administrator sets the words of the site: texts that visitors read, prohibited names and categories; what another one saves meanwhile is told', async () => {
  await someItems(server.app, [
    { name: 'Sonnets' },
    { name: 'Sonnets without rights', status: 'draft', rightsBasis: '' },
  ])
  const [admin, other] = [await aMember(server.app, { isAdmin: true }), await aMember(server.app, { isAdmin: true })]
  const line = 'Line under the name'
  await visit({ theme: 'light', expects: [/status of 4(09|22)/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/texts')
    await change(page, line, 'a library of old books')
    await change(page, 'VIP community link', 'https://vips.example/')
    await change(page, 'Access denied', 'This shelf is for members who pay.')
    await change(page, 'VIP Benefits', 'A key to every room')
    await change(page, 'Terms of Service', '# House rules\n\nBe kind to the books.')
    await open(page, 'Terms of Service')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await visit({ theme: 'dark' }, async (visitor) => {
      await visitor.goto('/terms')
      await visitor.getByRole('heading', { name: 'House rules' }).waitFor()
      await visitor.getByText('Be kind to the books.', { exact: true }).waitFor()
      await visitor.getByRole('contentinfo').getByText('a library of old books').waitFor()
      await visitor.goto('/vip')
      await visitor.getByText('This shelf is for members who pay.').waitFor()
      await remember(visitor, server, await aMember(server.app, { isVip: true }))
      await visitor.goto('/account')
      await visitor.getByText('A key to every room').waitFor()
      await visitor.goto('/vip')
      const community = visitor.getByRole('link', { name: /^VIP Discord/ }).first()
      expect(await community.getAttribute('href')).toBe('https://vips.example/')
    })

    // Both change one text: the second sees both, and loses nothing that they typed.
    await open(page, line)
    const field = page.getByRole('dialog').getByLabel(line, { exact: true })
    await field.fill('my own line')
    const headers = { ...bearer(await signIn(server, other)), 'content-type': 'application/json' }
    const theirs = JSON.stringify({ value: 'the line of somebody else', version: 1 })
    expect((await server.request('/api/texts/brand.line', { method: 'PUT', headers, body: theirs })).status).toBe(200)
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').getByText('the line of somebody else').waitFor()
    await page.getByText('Somebody else has saved this text meanwhile.').waitFor()
    await expect.poll(() => field.inputValue()).toBe('my own line')
    await expectAccessible(page)
    // The texts are opened again before they are here anew.
    const isClosedAgain = Promise.withResolvers<void>()
    await page.route('**/api/texts', async (route) => {
      await isClosedAgain.promise
      await route.continue()
    })
    await save(page)

    // The keyboard alone takes the first text back, and stays in the field as the button goes.
    await row(page, line).getByRole('button', { name: /^Edit/ }).press('Enter')
    await page.getByRole('button', { name: 'Restore the original text' }).press('Enter')
    await expect.poll(() => field.inputValue()).toBe('premium content platform')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    isClosedAgain.resolve()
    await expect.poll(() => row(page, line).getByText('Changed', { exact: true }).count()).toBe(0)
    await page.goto('/plans')
    await page.getByRole('contentinfo').getByText('premium content platform').waitFor()
    await keepNames(page)
  })
})

/** The prohibited names, which another administrator has changed meanwhile, and the categories, which obey them. */
async function keepNames(page: Page): Promise<void> {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('button', { name: 'Dark theme' }).first().click()
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/admin/prohibited-names')
  const refused = page.getByLabel('Refused everywhere')
  await refused.fill('Smuggled  Goods\n\nlooted')
  await page.getByText('38 built in').click()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await press('Save')
  await page.getByText('Saved, and in force.').waitFor()
  await expect.poll(() => refused.inputValue()).toBe('looted\nsmuggled goods')

  // As another administrator's save does.
  await server.app.db.updateTable('prohibited_lists').set({ version: 7 }).execute()
  await server.app.db.insertInto('prohibited_terms').values({ term_folded: 'pilfered' }).execute()
  await page.getByLabel('Sexual words').fill('gaudy')
  await press('Save')
  await page.getByText('Refused everywhere: looted, pilfered, smuggled goods').waitFor()
  await expect.poll(() => page.getByLabel('Sexual words').inputValue()).toBe('gaudy')
  await press('Save')
  await page.getByText('Saved, and in force.').waitFor()
  await page.getByLabel('Words for minors').fill('x')
  await press('Save')
  await page.getByText('Each term must have 2 to 60 characters, with two letters or digits among them.').waitFor()
  await expectAccessible(page)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/admin/categories')
  const table = page.getByRole('region', { name: 'Categories' })
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  await press('Add a category')
  await name.fill('Gaudy')
  await press('Add')
  await page.getByText("The category 'Gaudy' is not allowed: it holds nothing but 'gaudy'.").waitFor()
  await expectAccessible(page)
  await name.fill('Poetry')
  await press('Add')
  await page.getByText("The category 'Poetry' is added.").waitFor()
  await press('Rename Poetry')
  await name.fill('Verse')
  await press('Rename')
  await page.getByText("'Poetry' is now 'Verse'.").waitFor()

  await press('Merge Literature')
  await press('Merge')
  await page.getByText('Please choose the category to merge it into.').waitFor()
  await page.getByLabel('Merge into').selectOption('Verse')
  await press('Merge')
  await page.getByText("'Literature' is being merged into 'Verse'.").waitFor()
  await table.getByRole('row', { name: /^Verse 2 1/ }).waitFor()
  await table.getByRole('cell', { name: 'Literature', exact: true }).waitFor({ state: 'detached' })

  await press('Remove TikTok')
  await press('Remove')
  await page.getByText("The category 'TikTok' is removed.").waitFor()
  const needed = table.getByRole('row', { name: /Banned/ }).first()
  expect(await needed.getByRole('button').count()).toBe(0)
  await expectAccessible(page)
}
