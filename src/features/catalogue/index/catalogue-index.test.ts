import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { type ItemOverrides, someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import type { ItemForList } from './serialized-items.server.ts'
import { CatalogueIndex } from './catalogue-index.server.ts'

const now = '2024-03-15T12:00:00Z'
const test = appOfFile({ now })
afterEach(async () => {
  await test.app.db.deleteFrom('items').execute()
  test.clock.set(now)
})

/** Published, written and caught up with by nobody but the feed: the index under test has to see to itself. */
const publish = (...wanted: ItemOverrides[]) => someItems(test.app, wanted)

const everything = { text: '', from: -Infinity, to: Infinity, ascending: false, skip: 0, limit: 1_000 }

async function listed(index = test.app.listing): Promise<ItemForList[]> {
  const { itemNumbers } = index.search(everything, anonymous)
  return (await index.readItems(itemNumbers, anonymous)).map(({ item }) => item)
}

/** How many items a visitor finds in a category. */
const countIn = (category: string): number => test.app.listing.search({ ...everything, category }, anonymous).total

describe('CatalogueIndex', () => {
  it('shows what was committed once it has caught up, whoever wrote it', async () => {
    const { app } = test
    await publish({ name: 'One' }, { name: 'Two' })
    await app.listing.catchUp()
    expect((await listed()).map((item) => item.name)).toEqual(['Two', 'One'])

    await sql`update items set status = 'restricted' where name = 'Two'`.execute(app.db)
    await app.listing.catchUp()
    expect((await listed()).map((item) => item.name)).toEqual(['One'])

    await sql`update items set post_date = '2024-03-05' where name = 'One'`.execute(app.db)
    await app.listing.catchUp()
    expect((await listed())[0]?.postDate).toBe('2024-03-05T00:00:00.000Z')

    await app.db.deleteFrom('items').where('name', '=', 'One').execute()
    await app.listing.catchUp()
    expect(await listed()).toEqual([])
  })

  it('never shows a visitor an item that has become VIP or scheduled, even before it has heard of that', async () => {
    const { app } = test
    await publish({ name: 'Stays' }, { name: 'Becomes VIP' }, { name: 'Is put off' })
    await app.listing.catchUp()
    const late = new CatalogueIndex(app)
    await late.load()
    const { itemNumbers } = late.search(everything, anonymous)
    await sql`
      with given as (select id, version + 1 as version from items where name = 'Becomes VIP'),
      changed as (update items set content_type = 'vip-western', version = given.version, cleared_version = given.version
                    from given where items.id = given.id returning items.id, items.version, fingerprint)
      insert into clearances (item_id, version, fingerprint, checks, cleared_by)
      select id, version, fingerprint, '[]', 'test' from changed`.execute(app.db)
    await sql`update items set post_date = '2024-04-01' where name = 'Is put off'`.execute(app.db)
    const names = async (viewer: Viewer) => (await late.readItems(itemNumbers, viewer)).map(({ item }) => item.name)
    expect(await names(anonymous)).toEqual(['Stays'])
    expect((await names({ ...anonymous, roles: new Set(['vip'] as const) })).sort()).toEqual(['Becomes VIP', 'Stays'])
  })

  it('hears of a commit without being asked', async () => {
    await publish({ name: 'One' })
    // A look that nobody called for comes every 5 seconds.
    await expect.poll(async () => (await listed()).length, { timeout: 4_000 }).toBe(1)
  })

  it('has every change of many writers at once, in versions without a gap', async () => {
    const { app } = test
    await Promise.all(Array.from({ length: 20 }, (_, i) => publish({ name: `Writer ${i}` })))
    await app.listing.catchUp()
    expect(new Set((await listed()).map((item) => item.name)).size).toBe(20)
    const { rows } = await sql<{ versions: number; span: number }>`
      select count(distinct version)::int as versions, (max(version) - min(version) + 1)::int as span from catalogue_changes`.execute(
      app.db,
    )
    expect(rows[0]?.versions).toBe(rows[0]?.span)
  })

  it('does not count a draft as a change', async () => {
    const { app } = test
    await publish({ name: 'One' })
    await sql`update items set status = 'draft', cleared_version = null`.execute(app.db)
    await app.listing.catchUp()
    const { version } = app.listing
    await sql`update items set rights_holder = 'Somebody'`.execute(app.db)
    await app.listing.catchUp()
    expect(app.listing.version).toBe(version)
  })

  it('reads everything anew when the feed no longer reaches back', async () => {
    const { app } = test
    const late = new CatalogueIndex(app)
    await late.load()
    await publish({ name: 'One' })
    await publish({ name: 'Two' })
    await sql`delete from catalogue_changes where version <= (select min(version) from catalogue_changes)`.execute(
      app.db,
    )
    await late.catchUp()
    expect((await listed(late)).map((item) => item.name).sort()).toEqual(['One', 'Two'])
  })

  it('reads everything anew when the database was put back, also where it has come to the same version again', async () => {
    const { db } = test.app
    await publish({ name: 'One' }, { name: 'Two' })
    for (const more of [0, 1]) {
      const late = new CatalogueIndex(test.app)
      await sql`update items set post_date = '2024-02-01' where name = 'One'`.execute(db)
      await late.load()
      await sql`update catalogue_state set version = version - 1`.execute(db)
      await sql`delete from catalogue_changes where version > (select version from catalogue_state)`.execute(db)
      await sql`alter table items disable trigger record_items_updated`.execute(db)
      await sql`update items set post_date = '2024-01-01' where name = 'One'`.execute(db)
      await sql`alter table items enable trigger record_items_updated`.execute(db)
      for (let i = 0; i <= more; i += 1)
        await sql`update items set post_date = post_date + interval '1 hour' where name = 'Two'`.execute(db)
      await late.catchUp()
      expect((await listed(late)).map((item) => item.name)).toEqual(['Two', 'One'])
    }
  })

  it('shows a category by its new name', async () => {
    const { app } = test
    await publish({ name: 'One', category: 'Films' })
    await app.listing.catchUp()
    expect((await listed())[0]?.category).toBe('Films')
    await sql`update categories set name = 'Cinema', name_folded = 'cinema' where name = 'Films'`.execute(app.db)
    await app.listing.catchUp()
    expect((await listed())[0]?.category).toBe('Cinema')
    expect(countIn('CINEMA')).toBe(1)
    expect(countIn('films')).toBe(0)
  })

  it('counts by category, also by one whose id is far from those of the others', async () => {
    const { app } = test
    await sql`insert into categories (id, name, name_folded) overriding system value values (65000, 'Maps', 'maps')`.execute(
      app.db,
    )
    await publish(
      { name: 'One', category: 'Maps' },
      { name: 'Two', category: 'Maps' },
      { name: 'Three', category: 'Art' },
    )
    const { categories, lists, total } = app.listing.countFacets({ ...everything, category: 'Maps' }, anonymous, [
      { category: 'Maps' },
      { category: 'Art' },
    ])
    expect([Object.fromEntries(categories), lists, total]).toEqual([{ Maps: 2, Art: 1 }, [2, 0], 2])
  })

  it('lets an item go at the instant its rights lapse, and says until when an answer holds', async () => {
    // The gate uses the clock of the database: the rights end a little after its time.
    const end = Date.now() + 3_600_000
    test.clock.set(new Date(end - 10).toISOString())
    await publish({ name: 'For an hour', validTo: new Date(end).toISOString() }, { name: 'For good' })
    await test.app.listing.catchUp()
    expect((await listed()).length).toBe(2)
    expect(test.app.listing.unchangedUntil()).toBe(end)
    test.clock.set(new Date(end).toISOString())
    expect((await listed()).map((item) => item.name)).toEqual(['For good'])
  })

  it('says that an answer holds until the next post date', async () => {
    const ahead = Date.parse('2024-03-20T08:00:00Z')
    await publish({ name: 'Today' }, { name: 'Soon', postDate: new Date(ahead).toISOString() })
    await test.app.listing.catchUp()
    expect(test.app.listing.unchangedUntil()).toBe(ahead)
    expect((await listed()).map((item) => item.name)).toEqual(['Today'])
    test.clock.set('2024-03-20T08:00:00Z')
    expect((await listed()).map((item) => item.name)).toEqual(['Soon', 'Today'])
    expect(test.app.listing.unchangedUntil()).toBe(Infinity)
  })
})
