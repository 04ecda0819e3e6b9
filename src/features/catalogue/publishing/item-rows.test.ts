import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { deleteAllItems, editItem, type ItemOverrides, someItems } from '../../../../tests/harness/items.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { type ItemForList, SerializedItems } from '../index/serialized-items.server.ts'
import { restrictLapsedItems } from './restrict-lapsed-items.server.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'

const vip: Viewer = { ...anonymous, roles: new Set(['vip']) }
let test: TestApp
beforeAll(async () => {
  test = await openTestApp({ now: '2024-03-15T12:00:00Z' })
})
afterAll(() => test.close())
afterEach(async () => {
  await deleteAllItems(test.app)
  await sameAsItems()
})

/** The rows that lists must show, read from the published items themselves. */
async function fromItems(): Promise<ItemForList[]> {
  const rows = await test.app.db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.category_id')
    .select(['items.id', 'items.name', 'slug', 'categories.name as category', 'content_type', 'region', 'rating'])
    .select(['post_date', 'items.created_at', 'updated_at'])
    .where('status', '=', 'published')
    .orderBy('no')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    slug: row.slug,
    category: row.category,
    contentType: row.content_type as ItemForList['contentType'],
    region: row.region as ItemForList['region'],
    postDate: row.post_date.toISOString(),
    rating: row.rating,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
}

/** Nothing is scheduled any more. */
const atTheEnd = { now: Infinity, earlyAccessMs: 0 }

/** Compares what lists read with the items. @returns how many there are */
async function sameAsItems(): Promise<number> {
  const { db, config } = test.app
  const wanted = await fromItems()
  const numbers = await db.selectFrom('items').select('no').orderBy('no').execute()
  const serializedItems = await new SerializedItems(db, config.timeZone).read(
    numbers.map(({ no }) => no),
    vip,
    atTheEnd,
  )
  expect(serializedItems.map(({ item }) => item)).toEqual(wanted)
  expect(serializedItems.map(({ chunk }) => Buffer.from(chunk, 'base64').toString().trimEnd())).toEqual(
    wanted.map((item) => JSON.stringify(item)),
  )
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from item_rows`.execute(db)
  expect(rows[0]?.count).toBe(wanted.length)
  return wanted.length
}

const publish = (...wanted: ItemOverrides[]) => someItems(test.app, wanted)

describe('the ready rows', () => {
  it('are asked for by a statement that the connection has prepared', async () => {
    const { db, config } = test.app
    const [made] = await publish({ name: 'One' })
    const { no } = await db
      .selectFrom('items')
      .select('no')
      .where('id', '=', String(made?.id))
      .executeTakeFirstOrThrow()
    await db.connection().execute(async (connection) => {
      for (let i = 0; i < 2; i += 1) {
        const [serializedItem] = await new SerializedItems(connection, config.timeZone).read([no], vip, atTheEnd)
        expect(serializedItem?.item.name).toBe('One')
      }
      const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(connection)
      // The embedded engine has no use for it.
      expect(rows.map(({ name }) => name)).toEqual(
        inject('preparedDatabase').engine === 'postgresql' ? ['rows-of-items'] : [],
      )
    })
  })

  it('are those of the published items, after every kind of write', async () => {
    const { app } = test
    const odd = 'A "quoted" \\ name, </script>, 三國演義, 👩‍🚀'
    const [one, two, three] = await publish(
      { name: odd, rating: 'mature' },
      { name: 'Two', category: 'Film', contentType: 'vip-asian', postDate: '2030-01-01' },
      { name: 'Three' },
      { name: 'A draft', status: 'draft' },
      { name: 'Held back', status: 'restricted' },
      { name: 'Gone', status: 'removed' },
    )
    expect(await sameAsItems()).toBe(3)

    await editItem(app, one as { id: string; slug: string; name: string }, { name: 'Another name', category: 'Film' })
    expect(await sameAsItems()).toBe(3)

    await sql`update items set post_date = '2024-02-29 23:59:59.999999+00' where id = ${two?.id}`.execute(app.db)
    await sameAsItems()
    await sql`update items set post_date = '0987-02-01 03:04:05.0005+00' where id = ${two?.id}`.execute(app.db)
    await sameAsItems()
    await sql`update items set post_date = '9999-02-01 03:04:05.678+00' where id = ${two?.id}`.execute(app.db)
    await sameAsItems()

    await sql`update items set status = 'restricted' where id = ${three?.id}`.execute(app.db)
    expect(await sameAsItems()).toBe(2)
    // Published again, on a new clearance.
    await editItem(app, three as { id: string; slug: string; name: string }, { name: 'Three again' })
    expect(await sameAsItems()).toBe(3)

    await sql`update categories set name = 'Cinema', name_folded = 'cinema' where name = 'Film'`.execute(app.db)
    expect(await sameAsItems()).toBe(3)
    expect((await fromItems())[0]?.category).toBe('Cinema')

    await app.db.deleteFrom('items').where('id', '=', String(one?.id)).execute()
    expect(await sameAsItems()).toBe(2)
  })

  it('leave with an item whose rights or consents have ended', async () => {
    const { app } = test
    const [lapsing, shown] = await publish({ name: 'Lapsing' }, { name: 'Stays' })
    await sql`alter table items disable trigger check_item_in_time`.execute(app.db)
    await sql`update items set lapses_at = now() - interval '1 second' where id = ${lapsing?.id}`.execute(app.db)
    await sql`alter table items enable trigger check_item_in_time`.execute(app.db)
    expect(await restrictLapsedItems(app)).toBe(1)
    expect(await sameAsItems()).toBe(1)
    await sql`update items set status = 'removed' where id = ${shown?.id}`.execute(app.db)
    expect(await sameAsItems()).toBe(0)
  })

  it('have the name of a category that is renamed while items are put into it', async () => {
    const { app } = test
    await publish({ name: 'First', category: 'Renamed 0' })
    const rename = async (): Promise<void> => {
      for (let i = 1; i <= 10; i += 1) {
        await sql`update categories set name = ${`Renamed ${i}`} where name like 'Renamed %'`.execute(app.db)
      }
    }
    const insert = async (): Promise<void> => {
      const [{ id }] = (await app.db
        .selectFrom('categories')
        .select('id')
        .where('name', 'like', 'Renamed %')
        .execute()) as [{ id: number }]
      for (let i = 0; i < 10; i += 1) {
        const [made] = await publish({ name: `Other ${i}` })
        // By raw SQL, which takes the catalogue's lock as late as can be.
        await sql`
          with moved as (update items set category_id = ${id}, version = version + 1, cleared_version = version + 1
                          where id = ${made?.id} returning id, version, fingerprint)
          insert into clearances (item_id, version, fingerprint, checks, cleared_by)
          select id, version, fingerprint, '[]', 'test' from moved`.execute(app.db)
      }
    }
    await Promise.all([rename(), insert()])
    expect(await sameAsItems()).toBe(11)
    expect(new Set((await fromItems()).map(({ category }) => category))).toEqual(new Set(['Renamed 10']))
  })

  it('are written by nobody else', async () => {
    const { app } = test
    await publish({ name: 'One' })
    for (const write of [
      sql`update item_rows set row = 'x'`,
      sql`delete from item_rows`,
      sql`insert into item_rows (no, row) values (1000000, 'x')`,
      sql`truncate item_rows`,
    ]) {
      await expect(write.execute(app.db)).rejects.toThrow('Change the items')
    }
    expect(await sameAsItems()).toBe(1)
  })
})
