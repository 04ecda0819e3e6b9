import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { someItems } from '../../../../tests/harness/items.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { exportItems, type ExportQuery } from './export-items.server.ts'
import { openImportFile } from './import-file.server.ts'
import { importItems } from './import-items.server.ts'

let test: TestApp
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-export-'))
  test = await openTestApp({ env: { SITE_TIME_ZONE: 'America/Sao_Paulo' } })
  await someItems(test.app, [
    { name: 'Plain', postDate: '2024-03-05', externalId: 'p' },
    {
      name: 'Comma, "quote"',
      slug: 'quoted',
      postDate: '2024-03-05T18:30:00.250Z',
      validFrom: '2024-01-01',
      validTo: '2030-12-31',
    },
    {
      name: '紅樓夢',
      contentType: 'vip-asian',
      rightsBasis: 'license',
      rightsHolder: 'X',
      licence: 'MIT',
      validTo: '2030-06-01T12:00:00Z',
    },
    {
      name: 'Everything',
      linkG: 'https://gofile.io/d/e',
      linkMV4: 'https://pixeldrain.com/u/e',
      rating: 'mature',
      people: 'not_identifiable',
    },
    { name: '=HYPERLINK("https://example.org")', slug: 'formula', rightsHolder: "'+1", licence: '@a', evidence: '-1' },
    { name: 'Waiting', status: 'draft', evidence: '' },
    { name: 'Gone', status: 'removed' },
  ])
})
afterAll(async () => {
  await test.close()
  await rm(directory, { recursive: true, force: true })
})

async function exported(query: ExportQuery): Promise<string> {
  let text = ''
  await exportItems(test.app, query, (chunk) => {
    text += chunk
    return Promise.resolve()
  })
  return text
}

it('writes days as days, and the last day on which rights hold', async () => {
  const lines = (await exported({ format: 'jsonl' }))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.map(({ name }) => name)).toEqual([
    'Plain',
    'Comma, "quote"',
    '紅樓夢',
    'Everything',
    '=HYPERLINK("https://example.org")',
    'Waiting',
  ])
  expect(lines[0]).toMatchObject({ postDate: '2024-03-05', permitsDownload: true, slug: 'plain' })
  expect(lines[1]).toMatchObject({
    postDate: '2024-03-05T18:30:00.250Z',
    validFrom: '2024-01-01',
    validTo: '2030-12-31',
  })
  expect(lines[2]).toMatchObject({ validTo: '2030-06-01T12:00:00.000Z' })
})

it.each(['csv', 'jsonl'] as const)('changes nothing when its %s is imported again', async (format) => {
  const before = await test.app.db.selectFrom('items').selectAll().orderBy('no').execute()
  const path = join(directory, `catalogue.${format}`)
  await writeFile(path, await exported({ format }))
  const tally = await importItems(test.app, await openImportFile(path), {
    publish: false,
    createCategories: false,
    dryRun: false,
  })
  expect(tally).toMatchObject({ unchanged: 6, created: 0, updated: 0, rejected: 0 })
  expect(await test.app.db.selectFrom('items').selectAll().orderBy('no').execute()).toEqual(before)
})

it('has no cell that a spreadsheet takes for a formula', async () => {
  const text = await exported({ format: 'csv' })
  expect(text).toContain(`"'=HYPERLINK(""https://example.org"")"`)
  expect(text.match(/(?:^|,)"?[=+@-].*/gm)).toBeNull()
})

it('writes the items of one status when that is asked', async () => {
  expect((await exported({ format: 'csv', status: 'draft' })).split('\n').filter((line) => line !== '')).toHaveLength(2)
  expect(await exported({ format: 'jsonl', status: 'removed' })).toMatch(/^\{"name":"Gone"/)
})
