import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { type Bans, keepBans, liftKeptBans } from './kept-bans.server.ts'

const testApp = appOfFile()

const keep = (email: string, bans: Partial<Bans>) =>
  testApp.app.db
    .transaction()
    .execute((trx) => keepBans(trx, email, { vipDisabled: false, purchasesBlocked: false, ...bans }))
const kept = () => testApp.app.db.selectFrom('kept_bans').select(['vip_disabled', 'purchases_blocked']).execute()

test('bans of one address add up, each address has its own, and lifting deletes them', async () => {
  const { app } = testApp
  expect(await liftKeptBans(app, { email: 'jane@readers.example' })).toBe(false)
  expect(await keep('jane@readers.example', {})).toBe(false)
  expect(await app.db.selectFrom('installation_secrets').selectAll().execute()).toEqual([])

  expect(await keep('Jane@Readers.Example', { vipDisabled: true })).toBe(true)
  expect(await keep(' jane@readers.example ', { purchasesBlocked: true })).toBe(true)
  expect(await kept()).toEqual([{ vip_disabled: true, purchases_blocked: true }])
  await keep('john@readers.example', { vipDisabled: true })
  expect(await kept()).toHaveLength(2)
  expect(await app.db.selectFrom('installation_secrets').select('name').execute()).toEqual([{ name: 'kept-bans' }])

  expect(await liftKeptBans(app, { email: 'JANE@readers.example' })).toBe(true)
  expect(await liftKeptBans(app, { email: 'jane@readers.example' })).toBe(false)
  expect(await kept()).toEqual([{ vip_disabled: true, purchases_blocked: false }])
})

test('bans are kept of an address whichever way its domain is spelt, also as it was folded before domains were', async () => {
  const { app } = testApp
  await keep('jane@bücher.example', { vipDisabled: true })
  expect(await liftKeptBans(app, { email: 'JANE@xn--bcher-kva.example' })).toBe(true)
  const { secret } = await app.db
    .selectFrom('installation_secrets')
    .select('secret')
    .where('name', '=', 'kept-bans')
    .executeTakeFirstOrThrow()
  const asBefore = createHmac('sha256', Buffer.from(secret)).update('jane@bücher.example').digest()
  for (const email of ['jane@bücher.example', 'jane@xn--bcher-kva.example']) {
    await app.db
      .insertInto('kept_bans')
      .values({ email_hash: asBefore, vip_disabled: true, purchases_blocked: false })
      .execute()
    expect(await liftKeptBans(app, { email })).toBe(true)
  }
})

test('the first bans that are kept at once have one secret', async () => {
  const { app } = testApp
  await app.db.deleteFrom('kept_bans').execute()
  await app.db.deleteFrom('installation_secrets').execute()
  const addresses = Array.from({ length: 5 }, (_, place) => `reader-${place}@readers.example`)
  await Promise.all(addresses.map((email) => keep(email, { vipDisabled: true })))
  for (const email of addresses) expect(await liftKeptBans(app, { email })).toBe(true)
})
