import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString(), jobs: true })
const { visit } = visitsOfFile(server)

const rowAt = (page: Page, place: number) => page.locator(`[role=listitem][aria-posinset="${place}"]`)

/** The list holds the rows in sight alone, and shows the others as it is scrolled. */
async function boxAt(page: Page, place: number) {
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollBy({ top: 600 }))
      return rowAt(page, place).count()
    })
    .toBe(1)
  return rowAt(page, place).getByRole('checkbox')
}

test('An administrator selects 200 entries, edits all of them but three, and takes it back; on a phone they save filters and edit what these find', async () => {
  await someItems(server.app, [
    ...Array.from({ length: 207 }, (_, i) => ({ name: `Essay ${i + 1}`, slug: `essay-${i + 1}` })),
    { name: 'A draft of a ballad', status: 'draft', rightsBasis: '' },
    { name: 'A ballad from next year', postDate: '2099-05-01' },
    { name: 'A ballad held back', status: 'restricted' },
    { name: 'A ballad that is gone', status: 'removed' },
  ])
  const admin = await aMember(server.app, { isAdmin: true })
  const unchanged = async (): Promise<string[]> =>
    (
      await server.app.db
        .selectFrom('items')
        .innerJoin('categories', 'categories.id', 'category_id')
        .select('items.name')
        .where('items.name', 'like', 'Essay %')
        .where('categories.name', '=', 'Literature')
        .orderBy('items.no')
        .execute()
    ).map(({ name }) => name)
  await visit({ theme: 'light' }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?search=essay')
    await page.getByRole('link', { name: 'Edit all 207 that match' }).waitFor()
    // The keys: a range of three, one of them taken back, and all of it.
    await rowAt(page, 1).getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('3 selected', { exact: true }).waitFor()
    await page.keyboard.press('Shift+ArrowUp')
    await page.getByText('2 selected', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('button', { name: 'Clear', exact: true }).count()).toBe(0)

    await rowAt(page, 1).getByRole('checkbox').click()
    await (await boxAt(page, 200)).click({ modifiers: ['Shift'] })
    await page.getByText('200 selected', { exact: true }).waitFor()
    await page.evaluate(() => window.scrollTo({ top: 0 }))
    await expectAccessible(page)
    // Other filters leave it as it is.
    await page.getByRole('button', { name: 'VIP', exact: true }).click()
    await page.getByText('200 selected, 200 of them not in this list').waitFor()
    await page.getByRole('button', { name: 'Edit 200 selected' }).click()

    await page.getByRole('heading', { name: 'Edit 200 selected entries' }).waitFor()
    await page.goBack()
    await page.getByText('200 selected, 200 of them not in this list').waitFor()
    await page.goForward()
    // The list has a field of that name, too.
    await page.getByRole('heading', { name: 'Edit 200 selected entries' }).waitFor()
    await page.getByLabel('Category', { exact: true }).selectOption('Art')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('200 entries found. 200 would change.').waitFor()
    const planned = page.getByRole('region', { name: 'Will change' }).locator('tbody tr')
    expect(await planned.filter({ hasText: 'Essay 21' }).textContent()).toBe('Essay 21CategoryLiteratureArt')
    for (const name of ['Essay 20', 'Essay 21', 'Essay 30']) await page.getByLabel(name, { exact: true }).uncheck()
    await page.getByText('3 entries switched off.').waitFor()
    await page.reload()
    await page.getByText('3 entries switched off.').waitFor()
    expect(await page.getByLabel('Essay 21', { exact: true }).isChecked()).toBe(false)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Change 197 entries' }).click()
    await page.getByRole('button', { name: 'Change them' }).click()
    await page.getByText('197 entries changed.').waitFor()
    await page.getByRole('button', { name: 'Switched off (3)' }).click()
    await page.getByRole('region', { name: 'Switched off' }).getByText('Essay 30').waitFor()
    const names = ['Essay 1', 'Essay 2', 'Essay 3', 'Essay 4', 'Essay 5', 'Essay 6', 'Essay 7']
    expect(await unchanged()).toEqual([...names, 'Essay 20', 'Essay 21', 'Essay 30'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo it' }).click()
    await page.getByText('197 entries undone.').waitFor()
    expect(await unchanged()).toHaveLength(207)
    await expectAccessible(page)
  })

  await visit({ width: 320, theme: 'dark', expects: [/status of 4(09|22)/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?search=ballad')
    for (const [name, standing] of [
      ['A draft of a ballad', 'Draft'],
      ['A ballad from next year', 'Scheduled'],
      ['A ballad held back', 'Hidden'],
      ['A ballad that is gone', 'Removed'],
    ] as const)
      await page.getByRole('listitem').filter({ hasText: name }).getByText(standing, { exact: true }).waitFor()
    expect(await page.getByRole('checkbox', { name: 'Select A ballad that is gone' }).isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Edit all 3 that match' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByLabel('Status', { exact: true }).selectOption('draft')
    await page.getByRole('button', { name: 'Save filters' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Please enter a name.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Ballads to finish')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const saved = page.getByRole('group', { name: 'Saved filters' }).getByRole('button', { name: 'Ballads to finish' })
    await saved.waitFor()
    expect(await saved.getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Clear Filters' }).click()
    await expect.poll(() => page.evaluate(() => location.search)).toBe('')
    await saved.click()
    await expect.poll(() => page.evaluate(() => location.search)).toBe('?search=ballad&status=draft')
    await expect.poll(() => page.getByLabel('Search by name').inputValue()).toBe('ballad')

    await page.getByLabel('Status', { exact: true }).selectOption('published')
    await page.getByRole('button', { name: 'Save filters' }).click()
    await page.getByLabel('Name', { exact: true }).fill('ballads to finish')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText("Another filter is called 'Ballads to finish'.").waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await saved.click()
    await page.getByRole('button', { name: 'Delete saved filter' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await saved.waitFor({ state: 'detached' })

    // All that the filters find is edited at once.
    await page.getByRole('button', { name: 'Clear Filters' }).click()
    await expect.poll(() => page.getByLabel('Search by name').inputValue()).toBe('')
    await page.getByLabel('Search by name').fill('ballad')
    await page.getByRole('link', { name: 'Edit all 3 that match' }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Choose at least one change.').waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('published')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('No rights basis is recorded.').waitFor()
    await expectAccessible(page)
  })
})
