import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { rowNames, waitForFirstRow, visitsOfFile } from '../harness/browser.ts'
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
const { visit } = visitsOfFile(server)

beforeAll(async () => {
  await someItems(
    server.app,
    works.map((work, i) => ({ ...work, postDate: `2024-02-0${9 - i}` })),
  )
})

const expectRows = (page: Page, names: string[]) => expect.poll(() => rowNames(page)).toEqual(names)
const options = (page: Page, label: string) => page.getByLabel(label, { exact: true }).locator('option').allInnerTexts()

const view = (page: Page, name: string) => page.getByRole('group', { name: 'View' }).getByRole('button', { name })
const covers = (page: Page) => page.locator('.entries li > a > img')
const expectCovers = (page: Page, count: number) =>
  expect
    .poll(() =>
      covers(page).evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length),
    )
    .toBe(count)

test('A visitor narrows a list by its menus, sees it as covers and as lines again, and goes on from an entry to the works of its creator on a phone', () =>
  visit({ theme: 'light' }, async (page) => {
    // A list without results and its shelves stay while their scripts are on the way.
    const release = Promise.withResolvers<void>()
    await page.route(/\/assets\/(empty-list|shelf-nav)/, async (route) => {
      await release.promise
      await route.continue()
    })
    await page.goto('/western?search=nowhere')
    // The page is alive: its menus of values come with its script.
    const more = page.getByRole('button', { name: 'More', exact: true })
    await more.waitFor()
    expect(await page.getByRole('heading', { name: 'No Content Found' }).isVisible()).toBe(true)
    expect(
      await page
        .locator('.shelves')
        .getByRole('link', { name: /^Asian/ })
        .isVisible(),
    ).toBe(true)
    release.resolve()
    await page.getByRole('link', { name: 'Clear all filters' }).click()
    await waitForFirstRow(page, emma)

    await more.press('Enter')
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

    // The choice of a view is remembered.
    expect(await covers(page).count()).toBe(0)
    await view(page, 'Covers').click()
    await expectCovers(page, 2)
    expect(await covers(page).first().getAttribute('src')).toMatch(/^\/covers\/[a-z]+$/)
    await expectAccessible(page)
    await page.reload()
    await expectCovers(page, 2)
    expect(await view(page, 'Covers').getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('link', { name: /^Emma/ }).click()
    await page.getByRole('heading', { name: 'Emma', level: 1 }).waitFor()
    await page.goBack()
    await expectCovers(page, 2)
    await view(page, 'Lines').press('Enter')
    await expect.poll(() => covers(page).count()).toBe(0)

    await page.getByRole('button', { name: 'Dark theme' }).first().click()
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/western/emma')
    await page.getByRole('link', { name: 'Jane Austen' }).first().click()
    await expectRows(page, [emma, persuasion])
    await page.getByRole('link', { name: 'Remove filter Jane Austen' }).waitFor()
    await page.getByRole('button', { name: 'Filters 1' }).click()
    await more.click()
    await page.getByLabel('Language', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Show 2 entries' }).click()
    await expectRows(page, [emma, persuasion])
    // There one button leads to the other view and keeps the focus.
    expect(await view(page, 'Lines').isVisible()).toBe(false)
    await view(page, 'Covers').press('Enter')
    await expectCovers(page, 2)
    await expect.poll(() => view(page, 'Lines').evaluate((one) => one === document.activeElement)).toBe(true)
    await expectAccessible(page)
  }))
