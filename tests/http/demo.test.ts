import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../src/app/app.ts'
import { appointFirstAdministrator } from '../../src/features/accounts/administrators/appoint-first-administrator.server.ts'
import { verifyAuditLog } from '../../src/features/office/audit/verify-audit-log.server.ts'
import { demoVip } from '../../src/features/accounts/demo/fill-demo-accounts.server.ts'
import { reconcile } from '../../src/features/membership/sync/reconcile.server.ts'
import { beginDemo, fillDemo, fillDemoMemberships } from '../../src/features/site/demo/fill-demo.server.ts'
import { allInvariants, checkInvariant } from '../../src/features/site/invariants/check-invariant.server.ts'
import { expectInSyncWithStripe } from '../harness/in-sync-with-stripe.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { fromHtml } from '../harness/rendered.ts'
import { decode } from '../harness/request.ts'
import { drainWebhooks, openSandboxServer, type SandboxServer, sandboxServerOfFile } from '../harness/sandbox.ts'
import { openTestApp } from '../harness/test-app.ts'

const firstAdmin = { ADMIN_EMAIL: 'head@library.example', ADMIN_PASSWORD: 'the head librarian' }

/* The demo (docs/spec/operations.md#demo), against the rules that the database and the night hold everything to. */

/** As a start does it, without memberships. */
async function startDemo(app: App): Promise<void> {
  await beginDemo(app)
  await appointFirstAdministrator(app)
  await fillDemo(app)
}

async function fill({ app, sandbox }: Pick<SandboxServer, 'app' | 'sandbox'>): Promise<void> {
  await startDemo(app)
  await fillDemoMemberships(app, (purchases) => Promise.resolve(sandbox.playPast(purchases)))
}

// The database reckons what it notes about notices by its own clock.
const server = sandboxServerOfFile({ env: { DEMO: '1' }, now: new Date().toISOString() })

beforeAll(async () => {
  // A start has its events sent to it once all is filled in.
  server.sandbox.control.faults.webhooks = 'never'
  await fill(server)
  server.sandbox.control.faults.webhooks = 'on'
})

/** Somebody of the demo has signed in. Their password is one that a test knows. */
async function headersOf(email: string): Promise<{ authorization: string }> {
  const password = 'a quiet reading room'
  const password_hash = await server.app.passwords.hash(password)
  await server.app.db.updateTable('users').set({ password_hash }).where('email_folded', '=', email).execute()
  return bearer(await signIn(server, { email, password }))
}

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

  test('shows visitors lists of several pages, every filter of dates with something in it, a tombstone, and figures of notices', async () => {
    const { items, totalPages } = await server.search('contentType=western&limit=300')
    expect(items).toHaveLength(300)
    expect(totalPages).toBeGreaterThanOrEqual(2)
    for (const dateFilter of ['today', 'yesterday', '7days'])
      expect((await server.search(`dateFilter=${dateFilter}`)).items.length, dateFilter).toBeGreaterThan(2)
    for (let month = 1; month <= 12; month += 1) {
      const query = `month=${String(month).padStart(2, '0')}&monthField=postDate&limit=300`
      expect((await server.search(query)).items.length, query).toBeGreaterThan(10)
    }
    for (const [path, words] of Object.entries({
      '/': ['Choose Your Experience'],
      '/western': ['Load More Content', /\bNEW\b/],
      '/asian': [/\bNEW\b/],
      '/banned': ['Banned'],
      '/unknown': ['Unknown'],
      '/western/peter-pan': ['Project Gutenberg', 'PGLAF Mirror'],
      '/western/the-count-of-monte-cristo': ['N-'],
      '/transparency': ['Copyright'],
      '/plans': ['VIP ALL ACCESS'],
    })) {
      const { text } = fromHtml((await server.request(path)).text)
      for (const word of words) expect(text, path).toMatch(word)
    }
  })

  test('shows its VIP a year that was bought, every list of the VIP area filled, and the requests of others', async () => {
    const headers = await headersOf(demoVip)
    const read = async (path: string) => (await server.call(path, { headers })).json()
    const profile = (await read('/auth/dashboard')) as { isVip: boolean; vipExpirationDate: string }
    const days = (Date.parse(profile.vipExpirationDate) - server.clock.now()) / 86_400_000
    expect([profile.isVip, days > 150, days < 366]).toEqual([true, true, true])
    for (const shelf of ['vip-banned', 'vip-unknown']) {
      const found = (await read(`/universal-search/search?shelf=${shelf}&limit=300`)) as { data: unknown }
      const { data } = decode(found.data) as { data: { contentType: string }[] }
      for (const type of ['vip', 'vip-asian', 'vip-western', shelf])
        expect(data.filter(({ contentType }) => contentType === type).length, `${type} on ${shelf}`).toBeGreaterThan(1)
    }
    const portal = await server.call('/stripe-portal/create-portal-session', { method: 'POST', headers })
    expect(portal.status).toBe(200)
    expect(await read('/pay/membership')).toMatchObject({ isVip: true, planType: 'annual', canManage: true })
    const wished = JSON.stringify([await read('/recommendations/open'), await read('/recommendations/mine')])
    for (const title of ['紅樓夢 with all 120 chapters', 'Brehms Tierleben, second edition'])
      expect(wished).toContain(title)
  })

  test('shows administrators every screen filled', async () => {
    const headers = await headersOf('admin@demo.example')
    const read = async (path: string) => {
      const { status, text } = await server.call(path, { headers })
      expect(status, path).toBe(200)
      return text
    }
    const vips = JSON.parse(await read('/auth/vip-users')) as { vipExpirationDate: string }[]
    const ended = vips.filter(({ vipExpirationDate: end }) => Date.parse(end) <= server.clock.now())
    expect([ended.length, vips.length - ended.length > 15]).toEqual([2, true])
    const disabled = JSON.parse(await read('/auth/vip-disabled-users')) as { vipExpirationDate: string }[]
    const neverVip = disabled.filter(({ vipExpirationDate }) => vipExpirationDate === 'Not defined')
    expect([disabled.length, neverVip.length]).toEqual([2, 1])
    const members = JSON.parse(await read('/api/stats')) as { totalUsers: number; usersLastMonth: number }
    expect([members.totalUsers, members.usersLastMonth > 3]).toEqual([60, true])
    const requests = JSON.parse(await read('/recommendations')) as { status: string }[]
    expect(new Set(requests.map(({ status }) => status))).toEqual(new Set(['pending', 'approved', 'rejected']))
    for (const [path, words] of [
      ['/api/admin/home', '"verb":'],
      ['/api/stats/report?range=30d', 'dune'],
      ['/recommendations', 'Brehms Tierleben, second edition'],
      ['/auth/vip-users', 'Vera Vip'],
      ['/api/notices', 'Henry Heir'],
      ['/api/inquiries?state=open', 'Peter Page'],
      ['/api/people?search=max', 'Max Member'],
      ['/api/links?state=dead', '"state":"dead"'],
      ['/api/rights', 'Violists'],
      ['/api/categories', 'VIP Banned'],
      ['/api/audit', 'vip.renewed'],
    ] as const)
      expect(await read(path), path).toContain(words)
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
    await using own = await openTestApp({ env: { DEMO: '1' } })
    const { app } = own
    await someItems(app, [{ name: 'My own' }])
    await startDemo(app)
    await fillDemoMemberships(app, undefined)
    expect([await count(app, 'items'), await count(app, 'users'), app.demo.isHere]).toEqual([1, 0, false])
  })

  test.each([{}, firstAdmin])("among an operator's own members, with %j", async (env) => {
    await using own = await openTestApp({ env: { DEMO: '1', ...env } })
    const { app } = own
    await aMember(app, { isAdmin: true, email: 'head@library.example' })
    await aMember(app)
    await startDemo(app)
    await fillDemoMemberships(app, undefined)
    expect([await count(app, 'items'), await count(app, 'users'), app.demo.isHere]).toEqual([0, 2, false])
  })

  test('beside an administrator of an earlier start', async () => {
    await using own = await openTestApp({ env: firstAdmin })
    const { app } = own
    await startDemo(app)
    await startDemo({ ...app, config: { ...app.config, demo: true, hasDemoAccounts: true } })
    expect([await count(app, 'items'), await count(app, 'users'), app.demo.isHere]).toEqual([0, 1, false])
  })

  test('any further once somebody of their own is there', async () => {
    await using own = await openTestApp({ env: { DEMO: '1' } })
    const { app } = own
    await beginDemo(app)
    await aMember(app)
    await startDemo(app)
    expect([await count(app, 'items'), await count(app, 'users'), app.demo.isHere]).toEqual([0, 1, true])
  })
})

test('A demo that was cut short is completed by the next start, beside the first administrator of the settings', async () => {
  await using own = await openTestApp({ env: { DEMO: '1', ...firstAdmin } })
  const { app } = own
  await sql`create function cut() returns trigger language plpgsql as $$ begin raise 'cut short'; end $$`.execute(
    app.db,
  )
  // Between its works and its drafts, and between a decision and the counter-notice.
  for (const [table, when] of [
    ['items', "new.status = 'draft'"],
    ['counter_notices', 'true'],
  ]) {
    const cut = `create trigger cut before insert on ${table} for each row when (${when}) execute function cut()`
    await sql.raw(cut).execute(app.db)
    await expect(startDemo(app)).rejects.toThrow('cut short')
    await sql.raw(`drop trigger cut on ${table}`).execute(app.db)
  }
  await startDemo(app)
  const drafts = await app.db.selectFrom('items').select('id').where('status', '=', 'draft').execute()
  const counters = await app.db.selectFrom('counter_notices').select('id').execute()
  expect([drafts.length, await count(app, 'users'), await count(app, 'notices'), counters.length]).toEqual([
    5, 61, 3, 1,
  ])
  const administrators = await app.db.selectFrom('users').select('email').where('is_admin', '=', true).execute()
  expect(administrators.map(({ email }) => email).toSorted()).toEqual(['admin@demo.example', firstAdmin.ADMIN_EMAIL])
})

test('works that a second person has to verify come as drafts, and nothing has happened to them', async () => {
  await using own = await openTestApp({ env: { DEMO: '1', REQUIRE_SECOND_PERSON: '1' } })
  const { app } = own
  await startDemo(app)
  const rows = await app.db.selectFrom('items').select('status').distinct().execute()
  expect(rows).toEqual([{ status: 'draft' }])
  expect([await count(app, 'users'), await count(app, 'notices')]).toEqual([60, 0])
})

test("without the sandbox the demo's VIP has a year by hand, which is taken back once they have bought one", async () => {
  await using late = await openSandboxServer({ env: { DEMO: '1' }, now: new Date().toISOString() })
  const { app, sandbox } = late
  await startDemo(app)
  await fillDemoMemberships(app, undefined)
  const grants = () =>
    app.db
      .selectFrom('access_grants')
      .innerJoin('users', 'users.id', 'access_grants.user_id')
      .select(['users.email_folded', 'access_grants.source'])
      .execute()
  expect(await grants()).toEqual([{ email_folded: demoVip, source: 'manual' }])
  sandbox.control.faults.webhooks = 'never'
  await fillDemoMemberships(app, (purchases) => Promise.resolve(sandbox.playPast(purchases)))
  const ofVip = (await grants()).filter(({ email_folded: email }) => email === demoVip)
  expect(ofVip).toEqual([{ email_folded: demoVip, source: 'stripe' }])
})
