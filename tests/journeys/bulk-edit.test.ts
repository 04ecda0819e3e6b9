import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString(), jobs: true })
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(server.app, [
    { name: 'Sonnets' },
    { name: 'Sonnets, second part' },
    { name: 'Sonnets without rights', status: 'draft', rightsBasis: '' },
    { name: 'A ballad' },
  ])
})

const categories = async (): Promise<string[]> =>
  (
    await server.app.db
      .selectFrom('items')
      .innerJoin('categories', 'categories.id', 'category_id')
      .select('categories.name')
      .orderBy('items.no')
      .execute()
  ).map(({ name }) => name)

test('An administrator changes many entries after a preview, and takes it back', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({ width: 320, theme: 'dark', expects: [/status of 422/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/bulk-edit?tab=all&search=sonnets')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Choose at least one change.').waitFor()

    await page.getByLabel('Category', { exact: true }).selectOption('Music')
    await page.getByLabel('Status', { exact: true }).selectOption('published')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('3 entries found. 2 would change.').waitFor()
    await page.getByText('1 entry cannot be changed this way.').waitFor()
    const planned = page.getByRole('region', { name: 'Will change' }).locator('tbody tr')
    expect(await planned.allTextContents()).toEqual([
      'SonnetsCategoryLiteratureMusic',
      'Sonnets, second partCategoryLiteratureMusic',
    ])
    await page.getByRole('button', { name: 'Refused (1)' }).click()
    await page.getByText('No rights basis is recorded.').waitFor()
    await expectAccessible(page)
    expect(new Set(await categories())).toEqual(new Set(['Literature']))

    await page.getByRole('button', { name: 'Change 2 entries' }).click()
    await page.getByRole('button', { name: 'Change them' }).click()
    await page.getByText('2 entries changed.').waitFor()
    expect(await categories()).toEqual(['Music', 'Music', 'Literature', 'Literature'])

    // It is still there for who comes back to the page.
    await page.reload()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo it' }).click()
    await page.getByText('2 entries undone.').waitFor()
    expect(new Set(await categories())).toEqual(new Set(['Literature']))
    await expectAccessible(page)
  })
})

test('An administrator adds, renames, merges and removes categories', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({ theme: 'light', expects: [/status of 422/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/categories')
    const table = page.getByRole('region', { name: 'Categories' })
    await table.getByRole('cell', { name: 'Literature', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add a category' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Leaked things')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText("it holds the prohibited term 'leaked'").waitFor()
    await expectAccessible(page)
    await page.getByLabel('Name', { exact: true }).fill('Poetry')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText("The category 'Poetry' is added.").waitFor()
    await page.getByRole('button', { name: 'Rename Poetry' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Verse')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByText("'Poetry' is now 'Verse'.").waitFor()

    await page.getByRole('button', { name: 'Merge Literature' }).click()
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('Please choose the category to merge it into.').waitFor()
    await page.getByLabel('Merge into').selectOption('Verse')
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText("'Literature' is being merged into 'Verse'.").waitFor()
    await table.getByRole('row', { name: /^Verse 4 3/ }).waitFor()
    await table.getByRole('cell', { name: 'Literature', exact: true }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Remove TikTok' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText("The category 'TikTok' is removed.").waitFor()
    expect(
      await table
        .getByRole('row', { name: /Banned/ })
        .first()
        .getByRole('button')
        .count(),
    ).toBe(0)
    await expectAccessible(page)
  })
})
