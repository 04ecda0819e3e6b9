import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { rowNames, type VisitorOptions, waitForFirstRow, visitsOfFile } from '../harness/browser.ts'
import { type ItemOverrides, someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'

const works: ItemOverrides[] = [
  { name: 'Emma', creators: 'Jane Austen', language: 'en', year: '1815', category: 'Literature', linkFormat: 'EPUB' },
  { name: 'Lettres', creators: 'George Sand', language: 'fr', year: '1812', category: 'Letters', linkFormat: 'PDF' },
  { name: 'Persuasion', creators: 'Jane Austen', language: 'en', year: '1817', category: 'Literature' },
  { name: 'Dom Casmurro', creators: 'Machado de Assis', language: 'pt-BR', year: '1899', category: 'Literature' },
]

/** As their rows name them. */
const [emma, lettres, persuasion] = ['Emma\tJane Austen', 'Lettres\tGeorge Sand', 'Persuasion\tJane Austen'] as const

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })
const { visit: visitAs } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(
    server.app,
    works.map((work, i) => ({ ...work, postDate: `2024-02-0${9 - i}` })),
  )
})

const visit = (story: (page: Page) => Promise<void>, overrides: VisitorOptions = {}): Promise<void> =>
  visitAs(overrides, story)

const expectRows = (page: Page, names: string[]) => expect.poll(() => rowNames(page)).toEqual(names)
const options = (page: Page, label: string) => page.getByLabel(label, { exact: true }).locator('option').allInnerTexts()

test('A visitor narrows a list by category, language and decade, whose menus count what there is', () =>
  visit(async (page) => {
    await page.goto('/western')
    await waitForFirstRow(page, emma)
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter')
    await expect
      .poll(() => options(page, 'Language'))
      .toEqual(['Any language', 'English (2)', 'French (1)', 'Portuguese (1)', 'Brazilian Portuguese (1)'])
    expect(await options(page, 'Decade of the work')).toEqual(['Any decade', '1890s (1)', '1810s (3)'])
    expect(await options(page, 'Format')).toEqual(['Any format', 'EPUB (1)', 'PDF (1)'])
    expect(await options(page, 'Category')).toEqual(['All Categories', 'Letters (1)', 'Literature (3)'])
    await expectAccessible(page)

    await page.getByLabel('Decade of the work', { exact: true }).selectOption('1810')
    await expectRows(page, [emma, lettres, persuasion])
    // Counts are of what the other filters leave.
    await expect.poll(() => options(page, 'Language')).toEqual(['Any language', 'English (2)', 'French (1)'])
    await page.getByLabel('Language', { exact: true }).selectOption('en')
    await expectRows(page, [emma, persuasion])
    expect(new URL(page.url()).search).toBe('?language=en&decade=1810')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Remove filter English' }).click()
    await expectRows(page, [emma, lettres, persuasion])
    await page.goBack()
    await expectRows(page, [emma, persuasion])
  }))

test('The creator on the details leads to the list of their works, on a phone in the dark', async () => {
  await visit(
    async (page) => {
      await page.goto('/western/emma')
      await page.getByRole('link', { name: 'Jane Austen' }).first().click()
      await expectRows(page, [emma, persuasion])
      await page.getByRole('link', { name: 'Remove filter Jane Austen' }).waitFor()
      await page.getByRole('button', { name: 'Filters 1' }).click()
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByLabel('Language', { exact: true }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Show 2 entries' }).click()
      await expectRows(page, [emma, persuasion])
    },
    { width: 320, height: 640, theme: 'dark' },
  )
})

test('A list without results and its shelves stay while their scripts are on the way', () =>
  visit(async (page) => {
    const release = Promise.withResolvers<void>()
    await page.route(/\/assets\/(empty-list|shelf-nav)/, async (route) => {
      await release.promise
      await route.continue()
    })
    await page.goto('/western?search=nowhere')
    // The page is alive: its menus of values come with its script.
    await page.getByRole('button', { name: 'More', exact: true }).waitFor()
    const heading = page.getByRole('heading', { name: 'No Content Found' })
    const shelf = page.locator('.shelves').getByRole('link', { name: /^Asian/ })
    expect(await heading.isVisible()).toBe(true)
    expect(await shelf.isVisible()).toBe(true)
    release.resolve()
    await page.getByRole('link', { name: 'Clear all filters' }).click()
    await waitForFirstRow(page, emma)
  }))
