import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { anItem, someItems } from '../../../../tests/harness/items.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { fillDemoCatalogue } from '../demo/fill-demo-catalogue.server.ts'
import { recomputeMonths } from '../publishing/recompute-months.server.ts'
import { restrictLapsedItems } from '../publishing/restrict-lapsed-items.server.ts'

let test: TestApp
afterEach(() => test.close())

it('restrictLapsedItems restricts what has lapsed by the database\u2019s clock, and nothing else', async () => {
  test = await openTestApp()
  const { db } = test.app
  const [lapsed, lasting] = await someItems(test.app, [
    { name: 'Lapsed', validTo: '2999-01-01' },
    { name: 'Lasting', validTo: '2999-01-01' },
  ])
  expect(await restrictLapsedItems(test.app)).toBe(0)
  // No statement may publish what has lapsed, so time is made to pass behind the trigger's back.
  await sql`alter table items disable trigger check_item_in_time`.execute(db)
  await sql`update items set lapses_at = now() - interval '1 minute' where id = ${lapsed?.id}`.execute(db)
  await sql`alter table items enable trigger check_item_in_time`.execute(db)

  expect(await restrictLapsedItems(test.app)).toBe(1)
  expect(await restrictLapsedItems(test.app)).toBe(0)
  expect(await db.selectFrom('items').select(['id', 'status']).orderBy('no').execute()).toEqual([
    { id: lapsed?.id, status: 'restricted' },
    { id: lasting?.id, status: 'published' },
  ])
})

it('recomputeMonths computes the months of all items in the site\u2019s time zone', async () => {
  test = await openTestApp()
  await anItem(test.app, { postDate: '2024-03-01T01:00:00Z' })
  const { app } = test
  const inSaoPaulo = { ...app, config: { ...app.config, timeZone: 'America/Sao_Paulo' } }
  const month = async () => (await app.db.selectFrom('items').select('post_month').executeTakeFirstOrThrow()).post_month
  expect(await month()).toBe(3)
  await recomputeMonths(inSaoPaulo)
  expect(await month()).toBe(2)
  expect(await app.db.selectFrom('catalogue_state').select('time_zone').executeTakeFirst()).toEqual({
    time_zone: 'America/Sao_Paulo',
  })
  await recomputeMonths(app)
  expect(await month()).toBe(3)
})

it('fillDemoCatalogue fills an empty catalogue with published works dated back from today, once', async () => {
  // The database refuses by its own clock what has lapsed: on another day it would take the works one by one.
  const now = new Date().toISOString()
  test = await openTestApp({ env: { DEMO: '1' }, now })
  const { app } = test
  await fillDemoCatalogue(app)
  const items = await app.db.selectFrom('items').select(['status', 'post_date', 'content_type']).execute()
  const published = items.filter(({ status }) => status === 'published')
  expect(published.length).toBeGreaterThan(1_100)
  expect(items.length - published.length).toBe(5)
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['published', 'draft']))
  expect(new Set(items.map(({ content_type }) => content_type)).size).toBe(9)
  expect(items.some(({ post_date }) => post_date.toISOString().startsWith(now.slice(0, 10)))).toBe(true)
  await fillDemoCatalogue(app)
  expect((await app.db.selectFrom('items').select('no').execute()).length).toBe(items.length)
})

it('fillDemoCatalogue leaves a catalogue alone that has an item, and one that wants no demo', async () => {
  test = await openTestApp({ env: { DEMO: '0' } })
  await fillDemoCatalogue(test.app)
  expect(await test.app.db.selectFrom('items').select('no').execute()).toEqual([])
  await anItem(test.app, { status: 'draft' })
  await fillDemoCatalogue({ ...test.app, config: { ...test.app.config, demo: true } })
  expect(await test.app.db.selectFrom('items').select('no').execute()).toHaveLength(1)
})
