import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible } from '../harness/axe.ts'
import { aMember, remember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { visitsOfFile } from '../harness/browser.ts'

const server = serverOfFile({ now: new Date().toISOString(), jobs: true })
const { visit } = visitsOfFile(server)

const head = 'name,category,contentType,link,rightsBasis,evidence,permitsDownload,people'
const good = 'The good work,Literature,western,https://mega.nz/file/good,public_domain,Printed in 1890.,true,none'
const wrong = 'The wrong work,Literature,eastern,https://mega.nz/file/wrong,public_domain,Printed in 1890.,true,none'
const held = 'The held work,Letters,western,https://mega.nz/file/held,,Printed in 1890.,true,none'

const fileOf = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\n')}\n`),
})

test('An administrator imports a file with errors: header, check, import, rejects file, and the mended rows; another one is stopped, and one discarded', async () => {
  const admin = await aMember(server.app, { isAdmin: true })
  await visit({ width: 768, theme: 'light', expects: [/status of 400/] }, async (page) => {
    await remember(page, server, admin)
    await page.goto('/admin/import')
    const file = page.getByLabel('CSV or JSON lines, at most 200 MB')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('Choose a file first.').waitFor()

    // A misspelt column would be lost: the whole file is refused, with what was probably meant.
    await file.setInputFiles(fileOf('works.csv', head.replace('category', 'catgory'), good))
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText("The column 'catgory' is not known. Did you mean 'category'?").waitFor()
    await expectAccessible(page)

    await file.setInputFiles(fileOf('works.csv', head, good, wrong, held))
    // It was about the file before.
    await page.getByText("The column 'catgory'").waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('8 columns, all of them known.').waitFor()
    // The next step alone is filled.
    expect(await page.locator('main .button-solid').allTextContents()).toEqual(['Check every row'])
    const choices = page.getByRole('group', { name: 'Publish or keep as drafts?' })
    expect(await choices.getByRole('radio').count()).toBe(2)
    await page.getByLabel('Publish what passes the checks.').check()
    await page.getByRole('button', { name: 'Check every row' }).click()
    await page.getByText('3 rows: 1 would be new, 0 would be changed, 0 unchanged, 2 rejected.').waitFor()
    const problems = page.getByRole('list', { name: 'Problems' }).locator('summary')
    expect(await problems.nth(0).textContent()).toContain('1 rowcontentTypecontentType is "eastern". Use one of:')
    // The missing category stands above, with the button that creates it, and nowhere else.
    await page.getByRole('button', { name: 'Import 1 of 3' }).waitFor()
    await page.getByRole('list', { name: 'Categories that are missing' }).getByText('Letters').waitFor()
    // Its row has another problem, which is told at once.
    expect(await problems.count()).toBe(2)
    await problems.nth(0).click()
    await page.getByRole('cell', { name: 'The wrong work' }).waitFor()
    expect(await server.app.db.selectFrom('items').select('id').execute()).toEqual([])
    await expectAccessible(page)

    // The findings survive a reload.
    await page.reload()
    await page.getByText('3 rows: 1 would be new').waitFor()
    await page.getByRole('button', { name: 'Create this category and check again' }).click()
    await page.getByText('Category created.').waitFor()
    await page.getByText('3 rows: 2 would be new, 0 would be changed, 0 unchanged, 1 rejected.').waitFor()
    await page.getByText('No rights basis is recorded.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import 2 of 3' }).click()
    await page.getByText('3 rows: 2 new, 0 changed, 0 unchanged, 1 rejected.').waitFor()
    await page.getByText('1 now published; 1 stayed a draft, for the reasons below.').waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the rejects file' }).click(),
    ])
    const rejects = await readFile(await download.path(), 'utf8')
    expect(rejects.split('\n')[0]).toBe(`${head},line,reason`)
    expect(rejects).toContain('The wrong work')
    expect(rejects).toMatch(/(,"?|\| )No rights basis is recorded\./)

    const mended = rejects.replace('eastern', 'western').replace('/held,,', '/held,public_domain,')
    await file.setInputFiles(fileOf('mended.csv', mended.trim()))
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('heading', { name: 'mended.csv' }).waitFor()
    await page.getByLabel('Publish what passes the checks.').check()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('2 rows: 1 new, 1 changed, 0 unchanged, 0 rejected.').waitFor()
    await page.getByRole('region', { name: 'Past imports' }).getByText('mended.csv').waitFor()

    const [exported] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    expect(exported.suggestedFilename()).toMatch(/^catalogue-\d{4}-\d{2}-\d{2}\.csv$/)
    expect((await readFile(await exported.path(), 'utf8')).trim().split('\n')).toHaveLength(4)

    // Stopping an import asks first, and says afterwards what stays.
    await upload(page, 'long.csv')
    // As if it were in the midst of its rows.
    const tally = { created: 1, updated: 0, unchanged: 0, rejected: 0, published: 0, held: 0 }
    await server.app.db
      .updateTable('imports')
      .set({ state: 'importing', tally: JSON.stringify(tally) })
      .where('file_name', '=', 'long.csv')
      .execute()
    await page.reload()
    await page.getByRole('button', { name: 'Stop the import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Stop the import?' })
    await dialog.getByText('upload the file again for the rest.').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Stop the import' }).click()
    await page.getByText('The import was stopped. The rows imported so far stay;').waitFor()
    // The focus is not lost with the buttons of one that is discarded.
    await upload(page, 'given-up.csv')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.locator('h3:focus', { hasText: 'given-up.csv' }).waitFor()
    await page.getByText('Nothing was imported.').waitFor()

    await page.goto('/western')
    await page.getByText('The held work').waitFor()
  })
})

async function upload(page: Page, name: string): Promise<void> {
  await page.getByLabel('CSV or JSON lines, at most 200 MB').setInputFiles(fileOf(name, head, good))
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('heading', { name }).waitFor()
}
