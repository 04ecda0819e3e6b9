import { sql } from 'kysely'
import { link, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteAllItems, someItems } from '../../../../tests/harness/items.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { openImportFile } from './import-file.server.ts'
import { importBatch, importItems } from './import-items.server.ts'
import { type ImportOptions, openImportRun } from './open-import-run.server.ts'
import type { ImportTally } from './import-schema.ts'
import { itemColumns } from '../item/item.ts'
import { openRejectsFile, type RejectedRow } from './rejects-file.server.ts'

let test: TestApp
let directory: string
beforeAll(async () => {
  test = await openTestApp()
  directory = await mkdtemp(join(tmpdir(), 'daybook-import-'))
})
afterAll(async () => {
  await test.close()
  await rm(directory, { recursive: true, force: true })
})
beforeEach(async () => {
  await deleteAllItems(test.app)
})

interface Outcome extends ImportTally {
  /** The reasons for the rows, by line. */
  reasons: Record<number, string>
}

const nothing: ImportTally = { created: 0, updated: 0, unchanged: 0, rejected: 0, published: 0, held: 0 }

async function importText(
  text: string,
  options: Partial<ImportOptions> = {},
  name = 'catalogue.csv',
): Promise<Outcome> {
  const path = join(directory, name)
  await writeFile(path, text)
  const rejected: RejectedRow[] = []
  const tally = await importItems(
    test.app,
    await openImportFile(path),
    { publish: false, createCategories: false, dryRun: false, ...options },
    { onProgress: (progress) => void rejected.push(...progress.rejected) },
  )
  return { ...tally, reasons: Object.fromEntries(rejected.map(({ row, reasons }) => [row.line, reasons.join(' | ')])) }
}

const header =
  'name,slug,category,contentType,link,externalId,rightsBasis,rightsHolder,evidence,permitsDownload,permitsPaidAccess,people'
/** A row of that header that may be published; a wish replaces single cells. */
function row(overrides: Record<string, string> = {}): string {
  const cells: Record<string, string> = {
    name: 'Poems',
    category: 'Literature',
    contentType: 'western',
    link: 'https://mega.nz/poems',
    rightsBasis: 'public_domain',
    evidence: 'Published in 1890.',
    permitsDownload: 'true',
    people: 'none',
    ...overrides,
  }
  return header
    .split(',')
    .map((column) =>
      /[",\r\n]/.test(cells[column] ?? '') ? `"${cells[column]?.replaceAll('"', '""')}"` : cells[column],
    )
    .join(',')
}
const csv = (...rows: string[]) => `${[header, ...rows].join('\n')}\n`

const items = () => test.app.db.selectFrom('items').selectAll().orderBy('no').execute()
const slugs = async () => (await items()).map(({ slug }) => slug)

describe('importItems', () => {
  it('brings a row with only the four required columns in as a draft', async () => {
    expect(await importText('name,category,contentType,link\nA work,Film,banned,https://mega.nz/a\n')).toEqual({
      ...nothing,
      created: 1,
      reasons: {},
    })
    expect(await items()).toMatchObject([
      { name: 'A work', slug: 'a-work', status: 'draft', content_type: 'banned', region: 'western' },
    ])
  })

  it('publishes, when that is asked, what passes the gate, with its clearance', async () => {
    expect(await importText(csv(row()), { publish: true })).toMatchObject({ created: 1, published: 1, held: 0 })
    const [item] = await items()
    expect(item).toMatchObject({ status: 'published', rights_attested_by: 'operator', cleared_version: 1 })
    const clearance = await test.app.db
      .selectFrom('clearances')
      .selectAll()
      .where('item_id', '=', item?.id as string)
      .executeTakeFirst()
    expect(clearance).toMatchObject({ version: 1, fingerprint: item?.fingerprint, cleared_by: 'operator' })
  })

  it('keeps a row that the gate refuses as a draft, and says all reasons', async () => {
    const outcome = await importText(csv(row({ contentType: 'vip', rightsBasis: 'license' })), { publish: true })
    expect(outcome).toMatchObject({ created: 1, published: 0, held: 1, rejected: 0 })
    expect(outcome.reasons[2]).toMatch(/^rights\.holder_missing: .+ \| rights\.no_paid_access: .+/)
    expect(await items()).toMatchObject([{ status: 'draft' }])
  })

  it('changes nothing when the same file comes again', async () => {
    const text = csv(
      row({ externalId: 'a' }),
      row({ externalId: 'b' }),
      row({ slug: 'own-slug' }),
      row({ link: 'https://mega.nz/2' }),
      row({ people: 'identifiable', name: 'Faces' }),
    )
    expect(await importText(text, { publish: true })).toMatchObject({ created: 5, published: 4, held: 1 })
    const before = await items()
    const { version } = await test.app.db.selectFrom('catalogue_state').select('version').executeTakeFirstOrThrow()
    expect(await importText(text, { publish: true })).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 5,
      published: 0,
      held: 1,
    })
    expect(await items()).toEqual(before)
    expect(
      (await test.app.db.selectFrom('catalogue_state').select('version').executeTakeFirstOrThrow()).version,
    ).toEqual(version)
  })

  it('knows a row by what it says alone: a column that was not there yet changes no digest', async () => {
    await importText(csv(row()))
    const [item] = await items()
    // It stands in databases: with another one, a file that was imported before would undo what was edited since.
    expect(item?.import_digest).toBe('gEb3QKWfkc_JXgiVzS-n1w')
  })

  it('knows a row by its externalId and keeps the slug when the name changes', async () => {
    await importText(csv(row({ externalId: 'a' })), { publish: true })
    expect(await importText(csv(row({ externalId: 'a', name: 'Collected poems' })))).toMatchObject({
      updated: 1,
      published: 1,
    })
    expect(await items()).toMatchObject([
      { name: 'Collected poems', searched: 'collected poems\x1f\x1f', slug: 'poems', version: 2, cleared_version: 2 },
    ])
  })

  it('knows a row without externalId by its slug, and lets it take one later', async () => {
    await importText(csv(row({ slug: 'mine' })))
    expect(await importText(csv(row({ slug: 'mine', name: 'Renamed', externalId: 'x' })))).toMatchObject({ updated: 1 })
    expect(await importText(csv(row({ name: 'Renamed again', externalId: 'x' })))).toMatchObject({ updated: 1 })
    expect(await items()).toMatchObject([{ name: 'Renamed again', slug: 'mine', external_id: 'x', version: 3 }])
  })

  it('keeps works of one name apart', async () => {
    const text = csv(
      row({ externalId: 'a' }),
      row({ externalId: 'b' }),
      row({ link: 'https://mega.nz/c' }),
      row({ link: 'https://mega.nz/d' }),
    )
    expect(await importText(text)).toMatchObject({ created: 4, rejected: 0 })
    expect(await slugs()).toEqual(['poems', 'poems-2', 'poems-3', 'poems-4'])
    expect(await importText(text)).toMatchObject({ unchanged: 4 })
  })

  it('rejects a second row about the same item with other content, and passes over one with the same', async () => {
    const outcome = await importText(
      csv(
        row({ externalId: 'a' }),
        row({ externalId: 'a' }),
        row({ externalId: 'a', name: 'Prose' }),
        row({ slug: 'poems', name: 'Drama' }),
      ),
    )
    expect(outcome).toMatchObject({ created: 1, unchanged: 1, rejected: 2 })
    expect(outcome.reasons[4]).toMatch(/line 2/)
    expect(outcome.reasons[5]).toMatch(/line 2/)
    expect(await items()).toMatchObject([{ name: 'Poems' }])
  })

  it('refuses a slug that another item has, and a change of an item\u2019s slug', async () => {
    await importText(csv(row({ externalId: 'a' })))
    expect((await importText(csv(row({ externalId: 'b', slug: 'poems' })))).reasons[2]).toMatch(
      /belongs to the item with the externalId 'a'/,
    )
    expect((await importText(csv(row({ externalId: 'a', slug: 'verses' })))).reasons[2]).toMatch(/never changes/)
  })

  it('changes nothing of the columns that a file leaves out; an empty cell empties the field', async () => {
    const whole = {
      externalId: 'a',
      name: 'Poems',
      category: 'Literature',
      contentType: 'asian',
      link: 'https://mega.nz/p',
    }
    const full = {
      ...whole,
      rating: 'mature',
      licence: 'CC0-1.0',
      rightsBasis: 'public_domain',
      permitsDownload: 'true',
      validFrom: '2020-01-01',
      validTo: '2099-12-31',
      linkG: 'https://gofile.io/d/p',
    }
    const file = (cells: Record<string, string>) =>
      `${Object.keys(cells).join(',')}\n${Object.values(cells).join(',')}\n`
    await importText(file(full))
    expect(await importText(file({ ...whole, name: 'Verses' }))).toMatchObject({ updated: 1, rejected: 0 })
    expect(await items()).toMatchObject([
      {
        name: 'Verses',
        region: 'asian',
        rating: 'mature',
        rights_licence: 'CC0-1.0',
        rights_basis: 'public_domain',
        permits_download: true,
        rights_valid_from: new Date('2020-01-01'),
        rights_valid_until: new Date('2100-01-01'),
        link_g: full.linkG,
      },
    ])
    expect(await importText(file({ ...whole, name: 'Verses' }))).toMatchObject({ unchanged: 1 })

    expect(await importText(file({ ...whole, contentType: 'western', licence: '', validTo: '' }))).toMatchObject({
      updated: 1,
    })
    expect(await items()).toMatchObject([
      { region: 'western', rating: 'mature', rights_licence: null, rights_valid_from: null, rights_valid_until: null },
    ])
    const line = JSON.stringify({ ...whole, contentType: 'western', rating: null })
    expect(await importText(line, {}, 'catalogue.jsonl')).toMatchObject({ updated: 1 })
    expect(await items()).toMatchObject([{ rating: 'general', rights_basis: 'public_domain', link_g: full.linkG }])
  })

  it('leaves a published item as it was when its changed row may not be published', async () => {
    await importText(csv(row({ externalId: 'a' })), { publish: true })
    const outcome = await importText(csv(row({ externalId: 'a', name: 'New name', evidence: '' })))
    expect(outcome).toMatchObject({ updated: 0, rejected: 1 })
    expect(outcome.reasons[2]).toMatch(/rights\.evidence_missing/)
    expect(await items()).toMatchObject([{ name: 'Poems', status: 'published', version: 1 }])
  })

  it('publishes drafts of an earlier import without writing their content anew', async () => {
    await importText(csv(row({ externalId: 'a' })))
    await test.app.db.updateTable('items').set({ name: 'Edited', searched: 'edited\x1f' }).execute()
    expect(await importText(csv(row({ externalId: 'a' })), { publish: true })).toMatchObject({
      updated: 1,
      published: 1,
    })
    expect(await items()).toMatchObject([{ name: 'Edited', status: 'published' }])
  })

  it('brings neither a removed nor a restricted item back', async () => {
    const text = csv(row({ externalId: 'a' }), row({ externalId: 'b' }))
    await importText(text, { publish: true })
    await test.app.db.updateTable('items').set({ status: 'removed' }).where('external_id', '=', 'a').execute()
    await test.app.db.updateTable('items').set({ status: 'restricted' }).where('external_id', '=', 'b').execute()
    const outcome = await importText(text, { publish: true })
    expect(outcome).toMatchObject({ rejected: 1, unchanged: 1, held: 1 })
    expect(outcome.reasons[2]).toMatch(/^item\.removed/)
    expect(outcome.reasons[3]).toMatch(/^item\.restricted/)
    expect((await items()).map(({ status }) => status)).toEqual(['removed', 'restricted'])
  })

  it('keeps a row whose type and category do not go together as a draft, and says why', async () => {
    const text = csv(
      row({ contentType: 'banned', externalId: 'a' }),
      row({ contentType: 'vip-unknown', permitsPaidAccess: 'true', externalId: 'b' }),
    )
    const outcome = await importText(text, { publish: true })
    expect(outcome).toMatchObject({ created: 2, published: 0, held: 2 })
    expect(outcome.reasons[2]).toMatch(/^category\.type: .*'banned' needs the category 'Banned'/)
    expect(outcome.reasons[3]).toMatch(/^category\.type: .*'VIP Unknown' or 'Unknown'/)
    // As drafts they are fine.
    expect(await importText(text)).toMatchObject({ unchanged: 2, rejected: 0 })
  })

  it.each([null, 'notice'] as const)(
    'changes nothing of an item that is restricted by people (%s), however its row has changed',
    async (restriction) => {
      await importText(csv(row({ externalId: 'a' })), { publish: true })
      await test.app.db.updateTable('items').set({ status: 'restricted', restriction }).execute()
      const before = await items()

      const changed = csv(row({ externalId: 'a', evidence: 'Published in 1891.' }))
      const requested = await importText(changed, { publish: true })
      expect(requested).toMatchObject({ updated: 0, unchanged: 1, published: 0, held: 1 })
      expect(requested.reasons[2]).toMatch(/^item\.restricted: .+ is held.+ Lift the restriction where it was made\.$/)
      const notRequested = await importText(changed)
      expect(notRequested).toMatchObject({ updated: 0, rejected: 1, held: 0 })
      expect(notRequested.reasons[2]).toMatch(/^item\.restricted/)
      const faulty = await importText(csv(row({ externalId: 'a', evidence: '' })), { publish: true })
      expect(faulty.reasons[2]).toMatch(/^item\.restricted: .+ \| rights\.evidence_missing/)
      expect(await items()).toEqual(before)
    },
  )

  it.each(['rights_lapsed', 'consent'] as const)(
    'brings an item that was restricted for its %s back when the gate lets it',
    async (restriction) => {
      await importText(csv(row({ externalId: 'a' })), { publish: true })
      await test.app.db.updateTable('items').set({ status: 'restricted', restriction }).execute()
      const refused = await importText(csv(row({ externalId: 'a', evidence: '' })), { publish: true })
      expect(refused).toMatchObject({ updated: 1, published: 0, held: 1 })
      expect(await items()).toMatchObject([{ status: 'restricted', restriction, rights_evidence: null }])

      expect(await importText(csv(row({ externalId: 'a', name: 'Verses' })))).toMatchObject({
        updated: 1,
        published: 0,
      })
      expect(await items()).toMatchObject([{ name: 'Verses', status: 'restricted', restriction }])
      expect(await importText(csv(row({ externalId: 'a', name: 'Verses' })), { publish: true })).toMatchObject({
        updated: 1,
        published: 1,
      })
      expect(await items()).toMatchObject([{ name: 'Verses', status: 'published', restriction: null }])
    },
  )

  it('restricts what has lapsed before it computes the months in another time zone', async () => {
    await using elsewhere = await openTestApp()
    const { db } = elsewhere.app
    const [lapsed] = await someItems(elsewhere.app, [{ postDate: '2024-03-01', validTo: '2999-12-31' }])
    // No statement may publish what has lapsed, so time is made to pass behind the trigger's back.
    await sql`alter table items disable trigger check_item_in_time`.execute(db)
    await sql`update items set lapses_at = now() - interval '1 minute', rights_valid_until = now() - interval '1 minute',
                     cleared_version = null, status = 'draft'`.execute(db)
    await sql`with saved as (update items set version = version + 1 returning id, version, fingerprint)
              insert into clearances (item_id, version, fingerprint, checks, cleared_by)
              select id, version, fingerprint, '[]', 'test' from saved`.execute(db)
    await sql`update items set status = 'published', cleared_version = version, lapses_at = rights_valid_until`.execute(
      db,
    )
    await sql`alter table items enable trigger check_item_in_time`.execute(db)

    const path = join(directory, 'elsewhere.csv')
    await writeFile(path, csv(row({ name: 'New' })))
    const app = { ...elsewhere.app, config: { ...elsewhere.app.config, timeZone: 'America/Sao_Paulo' } }
    const options = { publish: false, createCategories: false, dryRun: false }
    expect(await importItems(app, await openImportFile(path), options)).toMatchObject({ created: 1 })
    expect(
      await db
        .selectFrom('items')
        .select(['status', 'restriction', 'post_month'])
        .where('id', '=', lapsed?.id as string)
        .execute(),
    ).toEqual([{ status: 'restricted', restriction: 'rights_lapsed', post_month: 2 }])
  })

  it('goes on after rows that are wrong, and names their line', async () => {
    const outcome = await importText(
      csv(
        row({ name: 'Two\r\nlines', externalId: 'a' }),
        row({ link: 'x' }),
        '',
        'too,few',
        row({ category: 'Nowhere' }),
        row({ externalId: 'b' }),
      ),
    )
    expect(outcome).toMatchObject({ created: 2, rejected: 3 })
    expect(Object.keys(outcome.reasons)).toEqual(['4', '6', '7'])
    expect(outcome.reasons[4]).toMatch(/^link is not a web address/)
    expect(outcome.reasons[6]).toBe('The row has 2 cells, the header has 12.')
    expect(outcome.reasons[7]).toMatch(/let the import create categories/)
  })

  it('creates categories when that is asked, but none with a prohibited term', async () => {
    const outcome = await importText(
      csv(
        row({ category: 'Cartography', externalId: 'a' }),
        row({ category: 'cartography', externalId: 'b' }),
        row({ category: 'Leaked tapes' }),
      ),
      {
        createCategories: true,
      },
    )
    expect(outcome).toMatchObject({ created: 2, rejected: 1 })
    expect(outcome.reasons[4]).toMatch(/^term\.prohibited/)
    const names = await test.app.db.selectFrom('categories').select('name').execute()
    expect(names.filter(({ name }) => /cartography|leaked/i.test(name))).toEqual([{ name: 'Cartography' }])
  })

  it('holds a name that makes a prohibited pair with its category', async () => {
    const outcome = await importText(
      csv(
        row({ category: 'Teen Fiction', name: 'The Naked Truth' }),
        row({ category: 'Teen Fiction', externalId: 'a' }),
        row({ name: 'The Naked and the Dead', externalId: 'b' }),
      ),
      { createCategories: true, publish: true },
    )
    expect(outcome).toMatchObject({ created: 3, published: 2, held: 1 })
    expect(outcome.reasons[2]).toContain("Name and category together hold 'teen' beside 'naked'.")
  })

  it('tells all problems of a row in one dry run: what is told once its category is there was told before', async () => {
    await importText(csv(row({ name: 'Known', externalId: 'known' })), { publish: true })
    await test.app.db.updateTable('items').set({ status: 'restricted', restriction: 'notice' }).execute()
    const text = csv(
      row({ category: 'Numismatics', externalId: 'a', evidence: '', people: 'identifiable' }),
      row({ category: 'Numismatics', externalId: 'b', contentType: 'eastern' }),
      row({ category: 'Numismatics', name: 'Other', externalId: 'a' }),
      row({ name: 'Third', externalId: 'a', permitsDownload: 'false' }),
      row({ category: 'Numismatics', name: 'Changed', externalId: 'known', rightsBasis: '' }),
      row({ category: 'Numismatics', externalId: 'known2', slug: 'known' }),
      row({ category: 'Numismatics', externalId: 'c' }),
    )
    const options = { dryRun: true, publish: true }
    const outcome = await importText(text, options)
    const missing =
      "category.missing: The category 'Numismatics' does not exist. Create it first, or let the import create categories."
    const twice = expect.stringMatching(/^The same item stands in line 2 already/) as string
    const codes = Object.values(outcome.reasons).map((reasons) =>
      reasons.split(' | ').map((reason) => /^[a-zA-Z]+\.[a-z_]+(?=:)/.exec(reason)?.[0] ?? reason),
    )
    expect(outcome.reasons[2]?.startsWith(missing)).toBe(true)
    const lacks = 'category.missing'
    expect(codes).toEqual([
      [lacks, 'rights.evidence_missing', 'consent.missing'],
      [expect.stringMatching(/^contentType is "eastern"/), lacks],
      [lacks, twice],
      [twice, 'rights.no_download'],
      [lacks, 'item.restricted', 'rights.missing'],
      [lacks, expect.stringMatching(/^slug 'known' belongs to the item/)],
      [lacks],
    ])
    expect(outcome).toMatchObject({ created: 0, rejected: 7, held: 0 })
    const again = await importText(text, { ...options, createCategories: true })
    const told = new Set(
      Object.entries(outcome.reasons).flatMap(([line, all]) => all.split(' | ').map((r) => line + r)),
    )
    const news = Object.entries(again.reasons).flatMap(([line, all]) => all.split(' | ').map((r) => line + r))
    expect(news.filter((one) => !told.has(one))).toEqual([])
    expect(again).toMatchObject({ created: 2 })
  })

  it('writes nothing in a dry run, and reports what it would do', async () => {
    const text = csv(
      row({ externalId: 'a' }),
      row({ externalId: 'a', name: 'Other' }),
      row({ category: 'Numismatics', externalId: 'c', evidence: '' }),
    )
    const outcome = await importText(text, { dryRun: true, publish: true, createCategories: true })
    expect(outcome).toMatchObject({ created: 2, published: 1, held: 1, rejected: 1 })
    expect(await items()).toEqual([])
    expect(await test.app.db.selectFrom('categories').select('id').where('name', '=', 'Numismatics').execute()).toEqual(
      [],
    )
  })

  it('reads JSON lines, with their own kinds of value', async () => {
    const work = {
      name: 'A work',
      category: 'Film',
      contentType: 'western',
      link: 'https://mega.nz/a',
      rightsBasis: 'own_work',
      evidence: 'mine',
      people: 'none',
    }
    const text = [
      { ...work, permitsDownload: true, rightsHolder: null },
      { ...work, colour: 'red' },
      { ...work, name: ['x'] },
    ].map((one) => JSON.stringify(one))
    const outcome = await importText([...text, '{"name":', '[1]', ''].join('\n'), { publish: true }, 'catalogue.jsonl')
    expect(outcome).toMatchObject({ created: 1, published: 1, rejected: 4 })
    expect(outcome.reasons[2]).toMatch(/^The key 'colour' is not known/)
    expect(outcome.reasons[4]).toBe('The line is not JSON.')
  })

  it('imports thousands of rows, each once', async () => {
    const text = csv(
      ...Array.from({ length: 2_500 }, (_, i) => row({ name: `Work ${i % 1_250}`, externalId: `n${i}` })),
    )
    expect(await importText(text, { publish: true })).toMatchObject({ created: 2_500, published: 2_500 })
    expect(new Set(await slugs()).size).toBe(2_500)
    expect(await slugs()).toContain('work-7-2')
  })

  it('knows each of many works of one name, by their link alone', async () => {
    const text = (works: number): string =>
      csv(...Array.from({ length: works }, (_, i) => row({ link: `https://mega.nz/${i}` })))
    expect(await importText(text(1_200))).toMatchObject({ created: 1_200 })
    expect(await importText(text(2_300))).toMatchObject({ created: 1_100, unchanged: 1_200 })
    expect(await slugs()).toEqual(['poems', ...Array.from({ length: 2_299 }, (_, i) => `poems-${i + 2}`)])
    expect(await importText(text(2_300))).toMatchObject({ unchanged: 2_300 })
  })

  it('takes time in proportion to its rows, also when all have one name', async () => {
    const run = openImportRun(test.app, { publish: false, createCategories: false, dryRun: true })
    let probes = 0
    const { get } = run.seen
    run.seen.get = (key) => {
      probes += 1
      return get.call(run.seen, key)
    }
    const path = join(directory, 'equal.csv')
    const count = 3_000
    await writeFile(path, csv(...Array.from({ length: count }, (_, i) => row({ externalId: `e${i}` }))))
    const rows = []
    for await (const one of (await openImportFile(path)).rows) rows.push(one)
    for (let at = 0; at < count; at += 500) await importBatch(test.app, run, rows.slice(at, at + 500))
    expect(run.tally.created).toBe(count)
    expect(probes).toBeLessThan(10 * count)
  })

  it('stops between two batches when it is asked to', async () => {
    const path = join(directory, 'long.csv')
    await writeFile(path, csv(...Array.from({ length: 2_500 }, (_, i) => row({ externalId: `s${i}` }))))
    const stop = new AbortController()
    const stopped = importItems(
      test.app,
      await openImportFile(path),
      { publish: false, createCategories: false, dryRun: false },
      { signal: stop.signal, onProgress: () => stop.abort() },
    )
    await expect(stopped).rejects.toMatchObject({ code: 'import.stopped' })
    expect((await items()).length).toBe(1_000)
  })
})

describe('The sample file', () => {
  const root = join(import.meta.dirname, '../../../..')

  it('is imported and published whole by the command that the README shows, and the dry run says so beforehand', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8')
    const commands = [...readme.matchAll(/^ {4}npm run daybook -- import (\S+) (.+)$/gm)]
    expect(commands.map(([, file]) => file)).toEqual(['demo/sample.csv', 'demo/sample.csv'])
    const [dry, real] = commands.map(([, , flags]) => (flags as string).split(' '))
    expect(dry).toEqual([...(real as string[]), '--dry-run'])

    const text = await readFile(join(root, 'demo/sample.csv'), 'utf8')
    const options = { publish: real?.includes('--publish') === true, createCategories: true }
    const wanted = { ...nothing, created: 8, published: 8, reasons: {} }
    expect(await importText(text, { ...options, dryRun: true })).toEqual(wanted)
    expect(await items()).toEqual([])
    expect(await importText(text, options)).toEqual(wanted)
    expect((await items()).map(({ status }) => status)).toEqual(Array(8).fill('published'))
  })

  it('has the columns of the format in their order', async () => {
    const [first = ''] = (await readFile(join(root, 'demo/sample.csv'), 'utf8')).split('\n')
    expect(first.split(',')).toEqual(itemColumns)
  })
})

describe('openImportFile', () => {
  async function refusalOf(text: string, name = 'refused.csv'): Promise<string> {
    return importText(text, {}, name).then(
      () => '',
      (error: Error) => error.message,
    )
  }

  it('refuses columns it does not know, that are missing, or that stand there twice', async () => {
    expect(await refusalOf('name,category,contentType,link,colour\n')).toMatch(
      /a column that is not known: 'colour'\. Known columns: name, slug/,
    )
    expect(await refusalOf('name,category\n')).toMatch(/The header lacks 'contentType', 'link'\./)
    expect(await refusalOf('name,name,category,contentType,link\n')).toMatch(/'name' twice/)
    expect(await refusalOf('')).toMatch(/is empty/)
  })

  it('refuses a header out of bounds, and names twenty of many columns that it does not know', async () => {
    const columns = Array.from({ length: 190 }, (_, no) => `c${no}`)
    expect(await refusalOf(`${header},${columns.slice(0, 21).join(',')}\n`)).toMatch(/'c18', 'c19' and 1 more\. Known/)
    expect(await refusalOf(`${columns.join(',')},${columns.join(',')}\n`)).toBe(
      'The first line of the file names 380 columns; a file has up to 200.',
    )
    expect(await refusalOf(`name,${'x'.repeat(61)}\n`)).toMatch(/column 2 is longer than 60 characters/)
    expect(await refusalOf(`name,"${'x\n'.repeat(50_000)}"\n`)).toMatch(/is longer than 64 KiB/)
  })

  it('reads past a byte order mark, Windows line ends and quotation marks inside a cell', async () => {
    const text = `\ufeff${csv(row({ name: 'The 12" record' }))
      .replaceAll('"', '')
      .replace('12 record', '12" record')
      .replaceAll('\n', '\r\n')}`
    expect(await importText(text)).toMatchObject({ created: 1, rejected: 0 })
    expect(await items()).toMatchObject([{ name: 'The 12" record' }])
  })

  it('says where a quotation mark is not closed; the rows before it are in', async () => {
    const long = Array.from({ length: 1_000 }, (_, i) => row({ externalId: `q${i}` }))
    expect(await refusalOf(csv(...long, `"${row({ externalId: 'last' })}`))).toMatch(
      /from line 1002 on: a quotation mark/,
    )
    expect((await items()).length).toBe(1_000)
  })

  it.each(['', '"\n",,,,'])('does not fill the memory with the cells of a row that never ends, of %j', async (cell) => {
    const endless = `${cell},`.repeat(6_000_000 / (cell.length + 1))
    expect(await refusalOf(csv(row(), endless))).toMatch(/from line 3 on: the row there does not end within 4,000,000/)
    expect(await refusalOf(endless)).toBe('The first line of the file is longer than 64 KiB.')
  })

  it('names a few of the faults of a row, not a hundred thousand', async () => {
    const keys = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, 1]))
    const outcome = await importText(JSON.stringify(keys), {}, 'keys.jsonl')
    expect(outcome.reasons[1]?.match(/is not known/g)).toHaveLength(20)
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]))
    const refused = await importText(JSON.stringify(many), {}, 'keys.jsonl')
    expect(refused.reasons[1]).toBe('The line has 50,000 keys; a row has up to 200.')
  })

  it('takes a file with a header alone as an empty catalogue', async () => {
    expect(await importText(csv())).toEqual({ ...nothing, reasons: {} })
  })
})

describe('openRejectsFile', () => {
  it('writes the rows with line and reason, and can be imported when mended', async () => {
    const path = join(directory, 'source.csv')
    const rejectsPath = join(directory, 'rejects.csv')
    const unproven = row({ externalId: 't', evidence: '' })
    await writeFile(
      path,
      csv(row({ name: 'Fine, "quoted"', link: 'x', externalId: 'r' }), row({ externalId: 's' }), unproven),
    )
    const file = await openImportFile(path)
    const rejects = await openRejectsFile(rejectsPath, { path, file })
    await importItems(
      test.app,
      file,
      { publish: true, createCategories: false, dryRun: false },
      { onProgress: ({ rejected }) => rejects.add(rejected) },
    )
    await rejects.close()
    const text = await readFile(rejectsPath, 'utf8')
    expect(text.split('\n')[0]).toBe(`${header},line,reason`)
    expect(text.split('\n')[1]).toMatch(/^"Fine, ""quoted""",.*,2,"?link is not a web address/)
    // A reason of the gate has no code before it either.
    expect(text.split('\n')[2]).toMatch(/,4,"?[A-Z][a-z]* /)
    expect(await importText(text.replace(',x,', ',https://mega.nz/x,'))).toMatchObject({ created: 1, rejected: 0 })
  })

  it('never overwrites the file that is imported', async () => {
    const path = join(directory, 'same.csv')
    await writeFile(path, csv())
    const other = join(directory, 'other-name.csv')
    await link(path, other)
    for (const name of [path, other]) {
      await expect(openRejectsFile(name, { path, file: await openImportFile(path) })).rejects.toMatchObject({
        code: 'import.rejects',
        message: `The rejects file ${name} is the file that is imported. Choose another name.`,
      })
    }
  })

  it('leaves an imported file alone that has the name of a partial one', async () => {
    const path = join(directory, 'keep.csv.part')
    await writeFile(path, csv(row({ link: 'x' })))
    const rejects = await openRejectsFile(join(directory, 'keep.csv'), { path, file: await openImportFile(path) })
    await rejects.close()
    expect(await readFile(path, 'utf8')).toBe(csv(row({ link: 'x' })))
  })
})
