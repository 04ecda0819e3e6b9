import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../src/app/app.ts'
import { verifyAuditLog } from '../../src/features/accounts/audit/verify-audit-log.server.ts'
import { demoVip } from '../../src/features/accounts/demo/fill-demo-accounts.server.ts'
import { reconcile } from '../../src/features/membership/sync/reconcile.server.ts'
import { fillDemo, fillDemoMemberships } from '../../src/features/site/demo/fill-demo.server.ts'
import { allInvariants, checkInvariant } from '../../src/features/site/invariants/check-invariant.server.ts'
import { expectInSyncWithStripe } from '../harness/in-sync-with-stripe.ts'
import { someItems } from '../harness/items.ts'
import { aMember } from '../harness/members.ts'
import { drainWebhooks, openSandboxServer, type SandboxServer } from '../harness/sandbox.ts'
import { openTestApp } from '../harness/test-app.ts'

/* The demo (docs/spec/operations.md#demo), against the rules that the database and the night hold everything to. */

let server: SandboxServer

/** As a start does it. */
async function fill({ app, sandbox }: Pick<SandboxServer, 'app' | 'sandbox'>): Promise<void> {
  await fillDemo(app)
  await fillDemoMemberships(app, (purchases) => Promise.resolve(sandbox.playPast(purchases)))
}

beforeAll(async () => {
  // The database reckons what it notes about notices by its own clock.
  server = await openSandboxServer({ env: { DEMO: '1' }, now: new Date().toISOString() })
  // A start has its events sent to it once all is filled in.
  server.sandbox.control.faults.webhooks = 'never'
  await fill(server)
  server.sandbox.control.faults.webhooks = 'on'
})
afterAll(() => server.close())

async function count(app: Pick<App, 'db'>, table: 'items' | 'users' | 'notices' | 'content_requests'): Promise<number> {
  const { all } = await app.db
    .selectFrom(table)
    .select((of) => of.fn.countAll<string>().as('all'))
    .executeTakeFirstOrThrow()
  return Number(all)
}

describe('The demo of an empty database', () => {
  test('has its works, members, requests and notices, and says that it is one', async () => {
    const { app } = server
    const rows = await app.db.selectFrom('items').select('status').execute()
    const published = rows.filter(({ status }) => status === 'published').length
    expect(published).toBeGreaterThanOrEqual(1_100)
    expect(published).toBeLessThanOrEqual(1_300)
    expect(rows.filter(({ status }) => status === 'draft')).toHaveLength(5)
    expect(rows.filter(({ status }) => status === 'removed')).toHaveLength(1)
    expect([await count(app, 'users'), await count(app, 'content_requests'), await count(app, 'notices')]).toEqual([
      60, 8, 3,
    ])
    expect(app.demo.isHere).toBe(true)
  })

  test('breaks no invariant, and its audit log is whole', async () => {
    const { app } = server
    for (const invariant of allInvariants())
      expect((await checkInvariant(app.db, invariant)).broken, invariant.name).toBe(0)
    expect((await verifyAuditLog(app)).faults).toEqual([])
  })

  test('says of every member what the sandbox says, and mails nobody about it', async () => {
    const { app } = server
    await drainWebhooks(server)
    const { drifts, failed, checked } = await reconcile(app, { scope: 'all' })
    expect({ drifts, failed }).toEqual({ drifts: 0, failed: 0 })
    expect(checked).toBeGreaterThan(15)
    const customers = await app.db.selectFrom('billing_customers').select('user_id as id').execute()
    for (const member of customers) await expectInSyncWithStripe(server, member)
    const states = await app.db.selectFrom('subscriptions').select(['status', 'plan_type', 'cancels_at']).execute()
    const having = (status: string): number => states.filter((one) => one.status === status).length
    expect([having('past_due'), having('canceled')]).toEqual([1, 3])
    expect(new Set(states.map(({ plan_type }) => plan_type))).toEqual(new Set(['monthly', 'annual']))
    expect(states.filter(({ cancels_at, status }) => cancels_at !== null && status === 'active')).toHaveLength(1)
    expect(await readdir(join(app.config.dataDir, 'mail')).catch(() => [])).toEqual([])
  })

  test('is filled in once: another start changes nothing, and what was deleted stays away', async () => {
    const { app } = server
    await app.db.deleteFrom('users').where('email_folded', '=', 'member@demo.example').execute()
    const before = await Promise.all((['items', 'users', 'notices'] as const).map((table) => count(app, table)))
    const events = server.sandbox.control.events.length
    await fill(server)
    expect(await Promise.all((['items', 'users', 'notices'] as const).map((table) => count(app, table)))).toEqual(
      before,
    )
    expect(server.sandbox.control.events).toHaveLength(events)
  })
})

describe('No demo comes', () => {
  test("into an operator's own entries", async () => {
    const { app, close } = await openTestApp({ env: { DEMO: '1' } })
    try {
      await someItems(app, [{ name: 'My own' }])
      await fillDemo(app)
      await fillDemoMemberships(app, undefined)
      expect([await count(app, 'items'), await count(app, 'users'), app.demo.isHere]).toEqual([1, 0, false])
    } finally {
      await close()
    }
  })

  test("among an operator's own members: they get its works alone", async () => {
    const { app, close } = await openTestApp({ env: { DEMO: '1' } })
    try {
      await aMember(app, { isAdmin: true })
      await fillDemo(app)
      await fillDemoMemberships(app, undefined)
      expect([await count(app, 'users'), await count(app, 'notices'), app.demo.isHere]).toEqual([1, 0, true])
      // Not at a later start either.
      await fillDemo(app)
      expect([await count(app, 'users'), await count(app, 'notices')]).toEqual([1, 0])
    } finally {
      await close()
    }
  })
})

test('works that a second person has to verify come as drafts, and nothing has happened to them', async () => {
  const { app, close } = await openTestApp({ env: { DEMO: '1', REQUIRE_SECOND_PERSON: '1' } })
  try {
    await fillDemo(app)
    const rows = await app.db.selectFrom('items').select('status').distinct().execute()
    expect(rows).toEqual([{ status: 'draft' }])
    expect([await count(app, 'users'), await count(app, 'notices')]).toEqual([60, 0])
  } finally {
    await close()
  }
})

test("without the sandbox the demo's VIP has a year by hand", async () => {
  const { app, close } = await openTestApp({ env: { DEMO: '1', PAYMENTS: 'off' } })
  try {
    await fillDemo(app)
    await fillDemoMemberships(app, undefined)
    const grants = await app.db
      .selectFrom('access_grants')
      .innerJoin('users', 'users.id', 'access_grants.user_id')
      .select(['users.email_folded', 'access_grants.source'])
      .execute()
    expect(grants).toEqual([{ email_folded: demoVip, source: 'manual' }])
  } finally {
    await close()
  }
})
