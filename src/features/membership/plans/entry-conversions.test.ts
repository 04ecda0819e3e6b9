import { afterEach, beforeEach, expect, test } from 'vitest'
import { someItems } from '../../../../tests/harness/items.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { deleteOldRecords } from '../sync/delete-old-records.server.ts'
import { countCheckout, countPurchase, originOf } from './entry-conversions.server.ts'
import { plansPath } from './plans-path.ts'

const hourMs = 3_600_000

let testApp: TestApp
beforeEach(async () => {
  testApp = await openTestApp()
  await someItems(testApp.app, [{ name: 'Moby Dick' }, { name: 'Walden' }])
})
afterEach(() => testApp.close())

const counts = () =>
  testApp.app.db.selectFrom('entry_conversions').select(['slug', 'checkouts', 'purchases']).orderBy('slug').execute()
const origins = () => testApp.app.db.selectFrom('checkout_origins').selectAll().execute()
const pay = (userId: string) => testApp.app.db.transaction().execute((trx) => countPurchase(testApp.app, trx, userId))

test('a checkout counts once a day for each member and entry, and a payment once for the last entry', async () => {
  const { app, clock } = testApp
  const [one, other] = [await aMember(app), await aMember(app)]
  for (let i = 0; i < 3; i += 1) await countCheckout(app, one.id, 'moby-dick')
  await countCheckout(app, other.id, 'moby-dick')
  clock.advance(hourMs)
  await countCheckout(app, one.id, 'walden')
  // Back at the first entry, within the day.
  await countCheckout(app, one.id, 'moby-dick')
  for (let i = 0; i < 2; i += 1) await pay(one.id)
  expect(await counts()).toEqual([
    { slug: 'moby-dick', checkouts: 2, purchases: 0 },
    { slug: 'walden', checkouts: 1, purchases: 1 },
  ])
})

test('nothing leads from a count to a member: the entry beside them goes with the payment, or after a day', async () => {
  const { app, clock } = testApp
  const [paying, late] = [await aMember(app), await aMember(app)]
  await countCheckout(app, paying.id, 'moby-dick')
  await countCheckout(app, late.id, 'moby-dick')
  await pay(paying.id)
  expect((await origins()).map(({ user_id: id }) => id)).toEqual([late.id])
  clock.advance(25 * hourMs)
  // A renewal, a day later, is no purchase from the entry.
  await deleteOldRecords(app)
  expect(await origins()).toEqual([])
  await countCheckout(app, late.id, 'moby-dick')
  clock.advance(25 * hourMs)
  await pay(late.id)
  expect((await counts()).reduce((sum, { purchases }) => sum + purchases, 0)).toBe(1)
})

test('what is no entry counts nowhere', async () => {
  const { app } = testApp
  await countCheckout(app, (await aMember(app)).id, 'no-such-entry')
  expect([await counts(), await origins()]).toEqual([[], []])
})

test('the counts stay for 400 days', async () => {
  const { app, clock } = testApp
  await countCheckout(app, (await aMember(app)).id, 'moby-dick')
  clock.advance(399 * 24 * hourMs)
  await deleteOldRecords(app)
  expect(await counts()).toHaveLength(1)
  clock.advance(3 * 24 * hourMs)
  await deleteOldRecords(app)
  expect(await counts()).toEqual([])
})

test('the address of the plans carries the entry, and only what can be one counts', () => {
  expect(plansPath()).toBe('/plans')
  expect(new URLSearchParams(plansPath('白鲸 & co').split('?')[1]).get('entry')).toBe('白鲸 & co')
  expect(['moby-dick', 'x2'].map(originOf)).toEqual(['moby-dick', 'x2'])
  expect([undefined, '', 'a b', '/x', '白鲸', 'x'.repeat(121), 'a\0', 5, null, ['a']].map(originOf)).toEqual(
    Array(10).fill(undefined),
  )
})
