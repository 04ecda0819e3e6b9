import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectEachControlIsReached } from '../harness/focus.ts'
import { someItems } from '../harness/items.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString(), jobs: true })
const { visit } = visitsOfFile(server)

/** Goes there with the Tab key, and sees that the focus can be seen. */
async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await wanted.waitFor()
  for (let steps = 0; steps < 150; steps += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) {
      expect(await isFocusSeen(page), `the focus on ${String(wanted)} is seen`).toBe(true)
      return
    }
    await page.keyboard.press(key)
  }
  throw new Error(`The keyboard does not come to ${String(wanted)}.`)
}

/** An outline on what has the focus, or, where that is drawn by what stands around it, there. */
const isFocusSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const outlined = (element: Element | null): boolean => {
      if (element === null) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    }
    const active = document.activeElement
    return active !== null && active !== document.body && (outlined(active) || outlined(active.parentElement))
  })

/** The letters of an option choose it in a closed menu, as soon as no other begins so. */
async function choose(page: Page, menu: Locator, option: string): Promise<void> {
  await tabTo(page, menu)
  await page.keyboard.type(option)
  await expect.poll(() => menu.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.label)).toBe(option)
}

async function press(page: Page, button: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, button)
  await page.keyboard.press(key)
}

test('The content screen is worked with the keyboard alone', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await someItems(server.app, [{ name: 'Walden' }, { name: 'Middlemarch' }])
  await visit({ theme: 'light', expects: [/status of 422/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/settings?tab=western')
    const rows = page.locator('.content-list').getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)
    // As on every other page of the administration (accessibility.test.ts).
    await expectEachControlIsReached(page)

    // Filter.
    await tabTo(page, page.getByRole('searchbox', { name: 'Search by name' }))
    await page.keyboard.type('walden')
    await expect.poll(() => rows.count()).toBe(1)
    await press(page, page.getByRole('button', { name: 'Clear Filters' }))
    await expect.poll(() => rows.count()).toBe(2)

    // Open, fill and save a draft; the focus comes back to the form.
    await tabTo(page, page.getByRole('button', { name: 'Add New Content' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    const form = page.locator('.content-form')
    await tabTo(page, form.getByLabel('Name', { exact: true }))
    await page.keyboard.type('Portrait of a sitter')
    await choose(page, form.getByLabel('Category'), 'Literature')
    await tabTo(page, form.getByLabel('Mega', { exact: true }))
    await page.keyboard.type('https://mega.nz/file/portrait')
    await choose(page, form.getByLabel('Basis'), 'Public domain')
    await tabTo(page, form.getByLabel('Evidence', { exact: true }))
    await page.keyboard.type('Painted in 1890.')
    await press(page, form.getByLabel('They permit downloads'), 'Space')
    await press(page, form.getByRole('button', { name: 'Save draft' }))
    await page.getByText('Saved as a draft.').waitFor()

    // Evidence: the field for a file is reached, and opens with Enter.
    const chosen = page.waitForEvent('filechooser')
    await tabTo(page, form.getByLabel('Add a file'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    const chooser = await chosen
    await chooser.setFiles({ name: 'Opinion.txt', mimeType: 'text/plain', buffer: Buffer.from('Free.') })
    await page.getByText('Opinion.txt is stored.').waitFor()
    await tabTo(page, form.getByLabel('Add a file'))

    // A refused publication leads to the field that is missing; a person and their consent are added there.
    await press(page, form.getByRole('button', { name: 'Publish' }))
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('people')
    await choose(page, form.getByRole('combobox', { name: 'People' }), 'Shows people who can be identified')
    await press(page, form.getByRole('button', { name: 'Add a person' }))
    await tabTo(page, form.getByLabel('Pseudonym'), 'Shift+Tab')
    await page.keyboard.type('The sitter')
    await tabTo(page, form.getByLabel('Evidence of the consent'))
    await page.keyboard.type('A form of 1890.')
    await choose(page, form.getByLabel('Adult at production'), 'Verified')
    await press(page, form.getByLabel('Agreed to publication'), 'Space')
    await press(page, form.getByLabel('Agreed to downloads'), 'Space')
    await press(page, form.getByRole('button', { name: 'Publish' }))
    await page.getByText('Saved and published.').waitFor()
    // The button that was pressed has gone: the focus is on what stands in its place.
    await expect.poll(() => form.evaluate((element) => element.contains(document.activeElement))).toBe(true)

    // A dialog takes the focus, Escape gives it back.
    await press(page, form.getByRole('button', { name: /^Record a withdrawal/ }))
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Record a withdrawal')
    await press(page, form.getByRole('button', { name: 'Close', exact: true }))
    await form.waitFor({ state: 'detached' })

    // Edit another one, and delete it: the dialog names it, and the focus is not lost.
    const walden = rows.filter({ hasText: 'Walden' })
    await press(page, walden.getByRole('button', { name: /^Edit.*Walden/ }))
    await tabTo(page, form.getByLabel('Name', { exact: true }))
    await page.keyboard.press('End')
    await page.keyboard.type(', or Life in the Woods')
    await press(page, form.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Saved and published.').waitFor()
    await press(page, form.getByRole('button', { name: 'Close', exact: true }))
    await press(page, walden.getByRole('button', { name: /^Delete/ }))
    await dialog.getByText('Walden, or Life in the Woods').waitFor()
    await press(page, dialog.getByRole('button', { name: 'Delete' }))
    await expect.poll(() => rows.count()).toBe(2)
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
  })
})

test('Other screens of the administration are reached and worked with the keyboard, on a telephone too, where the first entry of a list stands well above the end of the screen', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({ theme: 'dark', width: 320, height: 640 }, async (page) => {
    await remember(page, server, admin)

    for (const [path, first] of [
      ['/admin/settings?tab=western', page.locator('.content-list').getByRole('listitem').first()],
      ['/admin/people', page.getByRole('region', { name: 'People' }).locator('tbody tr').first()],
    ] as const) {
      await page.goto(path)
      await first.waitFor()
      await expect.poll(async () => (await first.boundingBox())?.y ?? Infinity, { message: path }).toBeLessThan(480)
    }
    // Folded tools open with the keyboard on a telephone; rows are records there, and nothing is beyond the edge.
    await press(page, page.getByRole('button', { name: 'Filters' }))
    await tabTo(page, page.getByLabel('Role'))
    const row = page.getByRole('row').nth(1)
    expect(
      await row
        .getByRole('cell')
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content)),
    ).toEqual(['none', '"Role"', '"Member since"', '"Last seen"', 'none'])
    expect(await page.locator('.data-frame.is-more-after').count()).toBe(0)

    // A table that goes on beyond its edge scrolls.
    await page.setViewportSize({ width: 680, height: 640 })
    const table = page.getByRole('region', { name: 'People' })
    await table.waitFor()
    await table.locator('table').evaluate((element) => element.style.setProperty('min-width', '60rem'))
    await tabTo(page, table)
    await expect.poll(() => page.locator('.data-frame.is-more-after').count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => table.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)
    await expect.poll(() => page.locator('.data-frame.is-more-before').count()).toBe(1)
    await page.setViewportSize({ width: 320, height: 640 })

    await page.goto('/admin/categories')
    await press(page, page.getByRole('button', { name: 'Add a category' }))
    const dialog = page.getByRole('dialog')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Add a category')

    await page.goto('/admin/import')
    // Asked for before the way there: the browser hands choosers over only some time after somebody waits for one.
    const chosen = page.waitForEvent('filechooser')
    await tabTo(page, page.getByLabel('CSV or JSON lines, at most 200 MB'))
    await page.keyboard.press('Enter')
    const chooser = await chosen
    await chooser.setFiles({ name: 'works.csv', mimeType: 'text/csv', buffer: Buffer.from('name\n') })
    await press(page, page.getByRole('button', { name: 'Remove works.csv' }))
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('file')
    await page.getByText('or drop it here').waitFor()
  })
})
