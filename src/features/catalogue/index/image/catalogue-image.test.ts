import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KyselyPlugin, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anItem, someItems } from '../../../../../tests/harness/items.ts'
import { sequence } from '../../../../../tests/harness/sequence.ts'
import { appOfFile } from '../../../../../tests/harness/test-app.ts'
import { anonymous, type Viewer } from '../../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../../app.ts'
import { readItem } from '../../details/read-item.server.ts'
import { listPage } from '../../search/list-page.server.ts'
import { freeShelves } from '../../shelves/free-shelves.ts'
import { CatalogueIndex } from '../catalogue-index.server.ts'
import { RecordFile } from './record-file.server.ts'

let dataDir: string
const opened: CatalogueIndex[] = []
let queries = 0
/** Which query fails, counted like `queries`. */
let failing = 0
const counter: KyselyPlugin = {
  transformQuery({ node }) {
    queries += 1
    if (queries === failing) throw new Error('The query fails.')
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}
const vip: Viewer = { ...anonymous, roles: new Set(['vip']) }

const test = appOfFile()
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'catalogue-image-'))
  queries = 0
})
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close()
  await test.app.db.deleteFrom('items').execute()
  rmSync(dataDir, { recursive: true })
})

/** The application with an index of its own, whose image lies in this test's folder, and whose queries are counted. */
async function openIndex(): Promise<CatalogueApp> {
  const { app } = test
  const db = app.db.withPlugin(counter)
  const maintenanceDb = app.maintenanceDb.withPlugin(counter)
  const own = { ...app, db, maintenanceDb, config: { ...app.config, dataDir } }
  const listing = new CatalogueIndex(own)
  await listing.open()
  opened.push(listing)
  return { ...own, listing }
}

/** As after a start of the process. */
async function reopen(): Promise<CatalogueApp> {
  for (const index of opened.splice(0)) await index.close()
  return openIndex()
}

const everything = { text: '', from: -Infinity, to: Infinity, ascending: false, skip: 0, limit: 1_000 }

/** Everything that callers can read of some catalogue. */
async function answersOf({ listing }: CatalogueApp, viewer: Viewer): Promise<unknown> {
  const found = listing.search(everything, viewer)
  const rows = await listing.readItems(found.itemNumbers, viewer)
  const items = []
  for (const { item } of rows) {
    const single = await listing.findItem(item.slug, viewer)
    items.push({ item, single: single?.item, body: single?.body(vip).toString(), health: single?.health })
  }
  const named = listing.search({ ...everything, text: 'whale', byFit: true }, viewer)
  return { total: found.total, items, named: { numbers: named.itemNumbers, total: named.total } }
}

/** The same of an index without an image, read from the database. */
async function answersOfDatabase(viewer: Viewer): Promise<unknown> {
  const listing = new CatalogueIndex(test.app)
  await listing.load()
  return answersOf({ ...test.app, listing }, viewer)
}

async function expectEqual(app: CatalogueApp): Promise<void> {
  for (const viewer of [anonymous, vip]) expect(await answersOf(app, viewer)).toEqual(await answersOfDatabase(viewer))
}

const imagePath = () => join(dataDir, 'image', '1', 'image')
const filesOf = (kind: string) => readdirSync(join(dataDir, 'image', '1')).filter((name) => name.startsWith(kind))

describe('the image of the catalogue', () => {
  it('answers lists, searches and details without a query, also after a restart', async () => {
    await someItems(
      test.app,
      Array.from({ length: 310 }, (_, i) => ({ name: `The Whale ${i}`, creators: 'Herman Melville' })),
    )
    let app = await openIndex()
    await app.listing.whenFilled()
    for (const isRestarted of [false, true]) {
      if (isRestarted) app = await reopen()
      await app.listing.whenFilled()
      queries = 0
      const shelf = freeShelves.western
      for (const search of [
        '',
        '?page=2',
        '?search=whale+7',
        '?search=melville&sort=mostRecent',
        '?search=nothing',
        '?sort=oldest',
      ]) {
        const { page } = await listPage(app, { shelf, search })
        expect(page.rows.length > 0, search).toBe(search !== '?search=nothing')
      }
      const slug = (
        await app.listing.readItems([app.listing.search(everything, anonymous).itemNumbers[3] as number], anonymous)
      )[0]?.item.slug as string
      expect((await readItem(app, { page: 'western', slug })).kind).toBe('found')
      expect(queries).toBe(0)
    }
    await expectEqual(app)
  })

  it('has what was edited as soon as that shows, and asks nothing more for it', async () => {
    await someItems(test.app, [{ name: 'The Whale' }, { name: 'Moby Dick' }])
    const app = await openIndex()
    await app.listing.whenFilled()
    await sql`update items set status = 'restricted' where name = 'Moby Dick'`.execute(test.app.db)
    await someItems(test.app, [{ name: 'The Other Whale' }])
    await app.listing.catchUp()
    queries = 0
    expect(await answersOf(app, anonymous)).toMatchObject({ total: 2, named: { total: 2 } })
    expect(queries).toBe(0)
    await expectEqual(app)
  })

  it('shows a removal also where what changed beside it cannot be read', async () => {
    await someItems(test.app, [{ name: 'The Whale' }, { name: 'Moby Dick' }])
    const app = await openIndex()
    await app.listing.whenFilled()
    const edit = async (name: string, status: string): Promise<void> => {
      await sql`update items set status = ${status} where name = ${name}`.execute(test.app.db)
      queries = 0
      await app.listing.catchUp()
    }
    await edit('Moby Dick', 'draft')
    await app.listing.whenFilled()
    failing = queries
    await edit('The Whale', 'restricted')
    expect(queries).toBe(failing)
    failing = 0
    expect(app.listing.search(everything, anonymous).total).toBe(0)
    await app.listing.whenFilled()
    await expectEqual(app)
  })

  it('begins with what was saved, and reads what has changed since', async () => {
    await someItems(test.app, [{ name: 'Stays' }, { name: 'Is renamed' }, { name: 'Goes' }])
    await openIndex().then(({ listing }) => listing.whenFilled())
    for (const index of opened.splice(0)) await index.close()
    await sql`update items set post_date = '2024-02-01' where name = 'Is renamed'`.execute(test.app.db)
    await test.app.db.deleteFrom('items').where('name', '=', 'Goes').execute()
    await anItem(test.app, { name: 'White Whale', postDate: '2024-03-01' })
    queries = 0
    const app = await openIndex()
    // State, feed, changed items, each kind of settings, and whether the gateway is idle: however many items there are.
    expect(queries).toBeLessThanOrEqual(11)
    await expectEqual(app)
    await app.listing.whenFilled()
    await expectEqual(app)
  })

  it('is the database\u2019s, after any edits, restarts and lost feeds', async () => {
    const random = sequence(11)
    const pick = (): ReturnType<typeof sql> => sql`(select no from items order by md5(no::text || ${random()}) limit 1)`
    let app = await openIndex()
    const { db } = test.app
    for (let step = 0; step < 60; step += 1) {
      const act = random()
      if (act < 0.35) await anItem(test.app, { name: `Whale ${step}`, postDate: `2024-0${1 + (step % 4)}-01` })
      else if (act < 0.5)
        await sql`update items set post_date = post_date - interval '9 days' where no = ${pick()}`.execute(db)
      else if (act < 0.6)
        await sql`update items set status = 'draft', cleared_version = null where no = ${pick()}`.execute(db)
      else if (act < 0.65) await sql`delete from items where no = ${pick()}`.execute(db)
      else if (act < 0.7)
        await sql`update categories set name = name || 's', name_folded = name_folded || 's' where name like 'Literature%'`.execute(
          db,
        )
      else if (act < 0.8) app = await reopen()
      else if (act < 0.85) await sql`delete from catalogue_changes where random() < 0.5`.execute(db)
      else await app.listing.whenFilled()
      if (step % 4 === 0) {
        await app.listing.catchUp()
        await expectEqual(app)
      }
    }
  })

  it('is made anew when it is torn, foreign, or of another history of the database', async () => {
    await someItems(test.app, [{ name: 'White Whale' }, { name: 'Another' }])
    const spoil: (() => Promise<void> | void)[] = [
      () => writeFileSync(imagePath(), readFileSync(imagePath()).subarray(0, -100)),
      () => writeFileSync(imagePath(), 'something else'),
      () => writeFileSync(join(dataDir, 'image', '1', filesOf('rows-')[0] as string), ''),
      () => writeFileSync(join(dataDir, 'image', '1', filesOf('details-')[0] as string), 'x'.repeat(5_000)),
      () => rmSync(join(dataDir, 'image', '1', filesOf('details-')[0] as string)),
      // The same version was reached at another instant, by other changes.
      async () => {
        await sql`update catalogue_changes set changed_at = changed_at + interval '1 microsecond'`.execute(test.app.db)
        await sql`alter table items disable trigger record_items_updated`.execute(test.app.db)
        await sql`update items set post_date = '2024-02-02' where name = 'Another'`.execute(test.app.db)
        await sql`alter table items enable trigger record_items_updated`.execute(test.app.db)
      },
    ]
    for (const wrong of spoil) {
      await openIndex().then(({ listing }) => listing.whenFilled())
      for (const index of opened.splice(0)) await index.close()
      await wrong()
      const app = await openIndex()
      await app.listing.whenFilled()
      await expectEqual(app)
    }
  })

  it('is made anew when what was read into it, and not listed yet, was undone', async () => {
    const { db } = test.app
    await someItems(test.app, [{ name: 'White Whale' }])
    const app = await openIndex()
    const { version } = app.listing
    await sql`update items set post_date = '2024-02-02'`.execute(db)
    await app.listing.whenFilled()
    expect(app.listing.version).toBe(version)
    await app.listing.close()
    // As a copy of the database from before the change is put back.
    await db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql`update items set post_date = '2024-01-01'`.execute(trx)
      await sql`delete from catalogue_changes where version > ${version}`.execute(trx)
      await sql`update catalogue_state set version = ${version}`.execute(trx)
    })
    await expectEqual(await reopen())
  })

  it('is made anew when the clock was put back behind it', async () => {
    const end = Date.now() + 3_600_000
    const before = test.app.clock.now()
    await someItems(test.app, [{ name: 'White Whale', validTo: new Date(end).toISOString() }, { name: 'Another' }])
    test.clock.set(new Date(end).toISOString())
    await expectEqual(await openIndex())
    test.clock.set(new Date(before).toISOString())
    await expectEqual(await reopen())
  })

  it('takes what a full disk refused once there is room', async () => {
    await someItems(test.app, [{ name: 'White Whale' }, { name: 'Another' }])
    const full = vi.spyOn(RecordFile.prototype, 'write').mockImplementation(() => {
      throw Object.assign(new Error('There is no room.'), { code: 'ENOSPC' })
    })
    const app = await openIndex()
    await expectEqual(app)
    full.mockRestore()
    await app.listing.whenFilled()
    expect(statSync(join(dataDir, 'image', '1', filesOf('rows-')[0] as string)).size).toBeGreaterThan(0)
    await expectEqual(app)
  })

  it('is saved at the end if it could not be before', async () => {
    await someItems(test.app, [{ name: 'White Whale' }])
    mkdirSync(join(dataDir, 'image', '1'), { recursive: true })
    symlinkSync('/dev/full', `${imagePath()}.new`)
    const app = await openIndex()
    await app.listing.whenFilled()
    await expect.poll(() => existsSync(`${imagePath()}.new`)).toBe(false)
    await expectEqual(await reopen())
    expect(existsSync(imagePath())).toBe(true)
  })

  it('is each process\u2019s own', async () => {
    await someItems(test.app, [{ name: 'White Whale' }])
    const first = await openIndex()
    const second = await openIndex()
    await Promise.all([first.listing.whenFilled(), second.listing.whenFilled()])
    expect(readdirSync(join(dataDir, 'image')).sort()).toEqual(['1', '2'])
    await anItem(test.app, { name: 'Second Whale' })
    for (const app of [first, second]) {
      await app.listing.catchUp()
      await expectEqual(app)
    }
  })

  it('does without a folder that cannot be written', async () => {
    await someItems(test.app, [{ name: 'White Whale' }])
    writeFileSync(join(dataDir, 'image'), 'no folder')
    const app = await openIndex()
    await app.listing.whenFilled()
    await expectEqual(app)
  })
})
