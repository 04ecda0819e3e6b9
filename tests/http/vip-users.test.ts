import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { VipUser } from '../../src/features/membership/vips/vip-schema.ts'
import { aGrant, aMember, bearer, type MadeMember, passTime, signIn } from '../harness/members.ts'
import {
  aBuyer,
  aSubscriber,
  behindProxy,
  chargesOf,
  checkOut,
  liveOf,
  openSessionsOf,
  sessionIn,
} from '../harness/purchases.ts'
import type { TestResponse } from '../harness/request.ts'
import { drainWebhooks, openSandboxServer, type SandboxServer, sandboxServerOfFile } from '../harness/sandbox.ts'

const start = '2024-03-15T12:00:00Z'
const dayMs = 86_400_000

let admin: Record<string, string>
let adminId: string

const server = sandboxServerOfFile({ jobs: false, now: start, env: { ...behindProxy, LOG_LEVEL: 'fatal' } })

beforeAll(async () => {
  const member = await aMember(server.app, { isAdmin: true, name: 'Ada Keeper' })
  adminId = member.id
  admin = bearer(await signIn(server, member))
})
beforeEach(() => server.clock.set(start))
afterEach(async () => {
  Object.assign(server.sandbox.control.faults, { api: 'none', apiPaths: undefined })
  server.sandbox.control.onAnswer = undefined
  await drainWebhooks(server)
})

const get = (path: string, headers = admin) => server.request(path, { headers })
const put = (action: string, { email }: Pick<MadeMember, 'email'>, headers = admin) =>
  server.request(`/auth/${action}/${encodeURIComponent(email)}`, { method: 'PUT', headers })
const usersIn = (answer: TestResponse): VipUser[] => answer.json() as VipUser[]
const said = (answer: TestResponse): unknown => (answer.json() as { message: unknown }).message
const listed = async ({ email }: Pick<MadeMember, 'email'>, path = '/auth/vip-users'): Promise<VipUser | undefined> =>
  usersIn(await get(`${path}?page=1&search=${encodeURIComponent(email)}`)).find((one) => one.email === email)
const later = (days: number): string => new Date(Date.parse(start) + days * dayMs).toISOString()
const auditOf = async ({ id }: Pick<MadeMember, 'id'>) =>
  server.app.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'details'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()

describe('the lists', () => {
  let own: SandboxServer
  const names = async (query: string, path = '/auth/vip-users'): Promise<[string[], string | undefined]> => {
    const answer = await own.request(`${path}${query}`, { headers: ownAdmin })
    expect(answer.status, answer.text).toBe(200)
    return [usersIn(answer).map(({ name }) => name), answer.headers['x-total-count'] as string | undefined]
  }
  let ownAdmin: Record<string, string>

  beforeAll(async () => {
    own = await openSandboxServer({ jobs: false, now: start })
    const { app } = own
    ownAdmin = bearer(await signIn(own, await aMember(app, { isAdmin: true, name: 'Keeper' })))
    await aMember(app, { name: 'Never a VIP', email: 'never@readers.example' })
    await aMember(app, { name: 'Zoë Élan', email: 'zoe@readers.example', vipExpiresAt: later(40) })
    await aMember(app, { name: 'Soon Over', email: 'soon@readers.example', vipExpiresAt: later(1) })
    await aMember(app, { name: 'Long Over', email: 'over@readers.example', vipExpiresAt: later(-100) })
    await aMember(app, { name: 'Disabled Early', vipExpiresAt: later(-5), vipDisabled: true })
    await aMember(app, { name: 'Another Disabled', vipExpiresAt: later(5), vipDisabled: true })
    await aMember(app, { name: 'Banned Before', vipDisabled: true })
    const refunded = await aMember(app, { name: 'Refunded', vipExpiresAt: later(300) })
    await app.db
      .updateTable('access_grants')
      .set({ revoked_at: later(-2), revoked_reason: 'refund' })
      .where('user_id', '=', refunded.id)
      .execute()
  })
  afterAll(() => own.close())

  test('of VIPs has everybody who has or had a grant and is not disabled, the latest end first', async () => {
    expect(await names('')).toEqual([['Zoë Élan', 'Soon Over', 'Refunded', 'Long Over'], '4'])
    expect(await names('?filter=active')).toEqual([['Zoë Élan', 'Soon Over'], '2'])
    expect(await names('?filter=expired&page=1')).toEqual([['Refunded', 'Long Over'], '2'])
  })

  test('has pages, and the whole list without one, whatever the limit', async () => {
    expect(await names('?page=2&limit=3')).toEqual([['Long Over'], '4'])
    expect(await names('?page=9&limit=3')).toEqual([[], '4'])
    expect((await names('?limit=1'))[0]).toHaveLength(4)
  })

  test('finds any member by words of name or address, without regard to case and accents', async () => {
    expect(await names('?page=1&search=ELAN%20zoe')).toEqual([['Zoë Élan'], '1'])
    expect(await names('?search=never')).toEqual([['Never a VIP'], '1'])
    expect(await names('?search=never&filter=expired')).toEqual([['Never a VIP'], '1'])
    expect(await names('?search=never&filter=active')).toEqual([[], '0'])
    expect(await names('?page=1&search=zo')).toEqual([['Zoë Élan'], '1'])
    expect((await names('?search=disabled'))[0]).toEqual(['Another Disabled', 'Disabled Early'])
    expect(await names('?search=disabled&filter=expired')).toEqual([[], '0'])
    expect(await names('?search=disabled&filter=active')).toEqual([[], '0'])
    expect((await names('?search=%25'))[0]).toEqual([])
    expect((await names('?search=%20'))[0]).toHaveLength(4)
  })

  test('of disabled members is by the end of their last grant, or by name', async () => {
    const path = '/auth/vip-disabled-users'
    expect(await names('', path)).toEqual([['Another Disabled', 'Disabled Early', 'Banned Before'], '3'])
    expect((await names('?sort=name', path))[0]).toEqual(['Another Disabled', 'Banned Before', 'Disabled Early'])
    expect(await names('?sort=name&page=2&limit=2', path)).toEqual([['Disabled Early'], '3'])
    expect(await names('?search=early&page=1', path)).toEqual([['Disabled Early'], '1'])
    expect((await names('?search=early&sort=name', path))[0]).toEqual(['Disabled Early'])
  })

  test('has the five fields of a VIP, and what a revoked grant gave ends where it was taken back', async () => {
    const users = usersIn(await own.request('/auth/vip-users', { headers: ownAdmin }))
    expect(Object.keys(users[0] ?? {}).sort()).toEqual(['email', 'id', 'name', 'vipDisabled', 'vipExpirationDate'])
    expect(users.find(({ name }) => name === 'Refunded')?.vipExpirationDate).toBe(later(-2))
    const [never] = usersIn(await own.request('/auth/vip-users?search=never', { headers: ownAdmin }))
    expect(never).toMatchObject({ vipExpirationDate: 'Not defined', vipDisabled: false })
  })

  test('that is more than a page is an export: it is recorded, and administrators are told', async () => {
    const exported = () =>
      own.app.db
        .selectFrom('audit_events')
        .select(['actor_id', 'details'])
        .where('action', '=', 'members.exported')
        .execute()
    const told = () => own.app.db.selectFrom('grave_acts').select('act').execute()
    for (let i = 0; i < 100; i += 1) await aMember(own.app, { name: `Crowd ${i}`, email: `crowd${i}@crowd.example` })
    expect((await names('?search=crowd.example'))[0]).toHaveLength(100)
    expect([await exported(), await told()]).toEqual([[], []])
    await aMember(own.app, { name: 'Crowd', email: 'crowd@crowd.example' })
    expect((await names('?search=crowd.example'))[0]).toHaveLength(101)
    expect(await exported()).toMatchObject([{ details: { count: 101 } }])
    expect(await told()).toMatchObject([{ act: { action: 'members.exported', count: 101 } }])
    // So is a long page of the same; one as the screens ask for is none.
    expect((await names('?search=crowd.example&page=1&limit=1000'))[0]).toHaveLength(101)
    expect(await exported()).toHaveLength(2)
    expect((await names('?search=crowd.example&page=1&limit=100'))[0]).toHaveLength(100)
    expect(await exported()).toHaveLength(2)
  })

  test.each([
    '?page=0',
    '?page=x',
    '?limit=1001&page=1',
    '?filter=some',
    '?page=1&page=2',
    `?search=${'x'.repeat(201)}`,
  ])('refuses %s', async (query) => {
    const answer = await own.request(`/auth/vip-users${query}`, { headers: ownAdmin })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'search.parameter' })
  })
})

describe('renewing', () => {
  test('makes anyone a VIP, from the later of now and the current end', async () => {
    const member = await aMember(server.app)
    expect(said(await put('renew-vip', member))).toBe('VIP access was renewed for 30 days.')
    expect((await listed(member))?.vipExpirationDate).toBe(later(30))
    expect(said(await put('renew-vip-year', member))).toBe('VIP access was renewed for 1 year.')
    expect((await listed(member))?.vipExpirationDate).toBe(later(395))
    const past = await aMember(server.app, { vipExpiresAt: later(-20) })
    await put('renew-vip', past)
    expect((await listed(past))?.vipExpirationDate).toBe(later(30))
  })

  test('three times at once adds up to 90 days, and each is recorded', async () => {
    const member = await aMember(server.app, { vipExpiresAt: later(3) })
    const answers = await Promise.all([1, 2, 3].map(() => put('renew-vip', member)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await listed(member))?.vipExpirationDate).toBe(later(93))
    const events = await auditOf(member)
    expect(events.map(({ action, actor_id }) => [action, actor_id])).toEqual(
      [1, 2, 3].map(() => ['vip.renewed', adminId]),
    )
    expect(new Set(events.map(({ details }) => (details as { until: string }).until))).toEqual(
      new Set([33, 63, 93].map(later)),
    )
  })

  test.each(['is disabled', 'has a refund'])('begins now also for who %s while days wait for a plan', async (what) => {
    const member = await aSubscriber(server, {}, 'annual')
    await put('renew-vip', member)
    const isVip = async (): Promise<unknown> => (await get('/auth/status', member.headers)).json()
    await passTime(server, dayMs / 4)
    if (what === 'is disabled') {
      expect((await put('disable-user', member)).status).toBe(200)
      expect(await isVip()).toMatchObject({ isVip: false })
    } else {
      const [invoice] = await invoicesOf(member)
      await server.sandbox.control.refund(invoice ?? '')
      await drainWebhooks(server)
      // Manual access holds all the same, from now on.
      expect(await isVip()).toMatchObject({ isVip: true })
      expect((await listed(member))?.vipExpirationDate).toBe(later(30.25))
    }
    const answer = await put('renew-vip', member)
    expect(said(answer)).toBe('VIP access was renewed for 30 days.')
    expect(await isVip()).toMatchObject({ isVip: true })
    expect(await listed(member)).toMatchObject({ vipExpirationDate: later(60.25), vipDisabled: false })
  })

  test('and disabling take no fields: an empty body passes, whatever else is refused', async () => {
    const member = await aMember(server.app)
    const send = (action: string, body: string) =>
      server.request(`/auth/${action}/${member.email}`, {
        method: 'PUT',
        body,
        headers: { ...admin, 'content-type': 'application/json' },
      })
    for (const action of ['renew-vip', 'renew-vip-year', 'disable-user']) {
      const refused = await send(action, '{"days":9999,"isAdmin":true}')
      expect([refused.status, (refused.json() as { code: string }).code]).toEqual([422, 'request.invalid'])
    }
    expect(await listed(member)).toMatchObject({ vipExpirationDate: 'Not defined', vipDisabled: false })
    expect((await send('renew-vip', '{}')).status).toBe(200)
    expect((await send('disable-user', '')).status).toBe(200)
  })

  test('lifts a disabling', async () => {
    const member = await aBuyer(server, { vipDisabled: true })
    expect((await checkOut(server, member)).status).toBe(403)
    await put('renew-vip', member)
    expect(await listed(member)).toMatchObject({ vipDisabled: false, vipExpirationDate: later(30) })
    expect(await listed(member, '/auth/vip-disabled-users')).toBeUndefined()
    expect((await get('/auth/status', member.headers)).json()).toMatchObject({ isVip: true })
    expect((await checkOut(server, member)).status).toBe(200)
  })

  test('knows no address that nobody has, however it is spelt', async () => {
    for (const email of ['nobody@readers.example', '\0', 'a\0b@c.example', '\u{fffd}']) {
      const answer = await put('renew-vip', { email })
      expect([answer.status, (answer.json() as { code: string }).code]).toEqual([404, 'member.unknown'])
    }
  })

  test('takes the address in any case', async () => {
    const member = await aMember(server.app, { email: 'Mixed.Case@Readers.example' })
    expect((await put('renew-vip', { email: 'mixed.CASE@readers.EXAMPLE' })).status).toBe(200)
    expect((await listed(member))?.vipExpirationDate).toBe(later(30))
  })
})

describe('disabling', () => {
  test('a member without a subscription refuses them the VIP area and the checkout', async () => {
    const member = await aBuyer(server, { isVip: true })
    expect(said(await put('disable-user', member))).toBe('VIP access was disabled.')
    expect((await get('/auth/status', member.headers)).json()).toMatchObject({ isVip: false })
    expect((await checkOut(server, member)).status).toBe(403)
    expect(await listed(member, '/auth/vip-disabled-users')).toMatchObject({ vipDisabled: true })
    expect(await listed(member)).toMatchObject({ vipDisabled: true })
    expect((await put('disable-user', member)).status).toBe(200)
    expect((await auditOf(member)).map(({ action }) => action)).toEqual(['vip.disabled'])
    const access = await get(`/api/people/${member.id}/access`)
    expect(access.json()).toMatchObject({
      isVip: false,
      isDisabled: true,
      sentence: 'Not VIP: an administrator has disabled the membership.',
    })
  })

  test('a subscriber cancels at Stripe first, and gives nothing back of what was paid before', async () => {
    const member = await aSubscriber(server)
    await passTime(server, 3 * dayMs)
    const headers = bearer(await signIn(server, { email: await adminEmail(), password: 'a quiet reading room' }))
    expect((await put('disable-user', member, headers)).status).toBe(200)
    expect(liveOf(server, member)).toEqual([])
    expect(chargesOf(server, member)).toMatchObject([{ amount: 1_200, amount_refunded: 0 }])
    const rows = await server.app.db
      .selectFrom('subscriptions')
      .select('status')
      .where('user_id', '=', member.id)
      .execute()
    expect(rows).toEqual([{ status: 'canceled' }])
  })

  test('changes nothing while Stripe does not answer, and says so', async () => {
    const member = await aSubscriber(server)
    server.sandbox.control.faults.api = 'down'
    const answer = await put('disable-user', member)
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('60')
    expect(said(answer)).toBe(
      "The member's subscription could not be cancelled, because the payment service does not answer. Nothing was changed. Please try again in a few minutes.",
    )
    server.sandbox.control.faults.api = 'none'
    expect(await listed(member)).toMatchObject({ vipDisabled: false })
    expect(liveOf(server, member)).toHaveLength(1)
    expect((await get('/auth/status', member.headers)).json()).toMatchObject({ isVip: true })
    expect(await auditOf(member)).toEqual([])
    expect((await put('disable-user', member)).status).toBe(200)
  })

  test('does not disable where the cancellation alone fails, and does not say what became of it', async () => {
    const member = await aSubscriber(server)
    Object.assign(server.sandbox.control.faults, { api: '500', apiPaths: /^DELETE \/v1\/subscriptions/ })
    const answer = await put('disable-user', member)
    expect(answer.status).toBe(503)
    expect(said(answer)).toMatch(
      /^It is not known whether the member's subscription was cancelled, because .*\. The membership was not disabled\. Please/,
    )
    expect(await listed(member)).toMatchObject({ vipDisabled: false })
  })

  test('asks again where the answer to the cancellation alone is lost', async () => {
    const member = await aSubscriber(server)
    server.sandbox.control.faults.lose = /^DELETE \/v1\/subscriptions/
    try {
      expect((await put('disable-user', member)).status).toBe(200)
    } finally {
      delete server.sandbox.control.faults.lose
    }
    expect(await listed(member)).toMatchObject({ vipDisabled: true })
    expect(liveOf(server, member)).toEqual([])
  })

  test('closes an open checkout', async () => {
    const member = await aBuyer(server)
    const session = sessionIn(await checkOut(server, member))
    expect((await put('disable-user', member)).status).toBe(200)
    expect(await openSessionsOf(server, member)).toEqual([])
    await expect(server.sandbox.control.pay(session)).rejects.toThrow('expired')
  })

  test('gives back what is paid at the same moment', async () => {
    const member = await aBuyer(server)
    const session = sessionIn(await checkOut(server, member))
    const { control } = server.sandbox
    // After the list of open checkouts was read.
    let isPaid = false
    control.onAnswer = async ({ method, path }) => {
      if (isPaid || method !== 'GET' || path !== '/v1/checkout/sessions') return
      isPaid = true
      await control.pay(session)
    }
    expect((await put('disable-user', member)).status).toBe(200)
    expect(isPaid).toBe(true)
    await drainWebhooks(server)
    expect(liveOf(server, member)).toEqual([])
    expect(chargesOf(server, member)).toMatchObject([{ amount: 1_200, amount_refunded: 1_200 }])
    expect((await get('/auth/status', member.headers)).json()).toMatchObject({ isVip: false })
  })

  test('a payment that arrives all the same is cancelled and refunded', async () => {
    const member = await aBuyer(server)
    const session = sessionIn(await checkOut(server, member))
    // As if the checkout had been opened at Stripe in the moment after the list was read.
    await server.app.db
      .updateTable('users')
      .set({ vip_disabled: true, vip_disabled_at: new Date(server.clock.now()) })
      .where('id', '=', member.id)
      .execute()
    server.clock.advance(60_000)
    await server.sandbox.control.pay(session)
    await drainWebhooks(server)
    expect(liveOf(server, member)).toEqual([])
    expect(chargesOf(server, member)).toMatchObject([{ amount: 1_200, amount_refunded: 1_200 }])
    expect((await get('/auth/status', member.headers)).json()).toMatchObject({ isVip: false })
  })

  test('is not outrun by a checkout that began before', async () => {
    const member = await aBuyer(server)
    const [disabled, checkout] = await Promise.all([put('disable-user', member), checkOut(server, member)])
    expect(disabled.status).toBe(200)
    expect([200, 403]).toContain(checkout.status)
    expect(await openSessionsOf(server, member)).toEqual([])
    expect((await checkOut(server, member)).status).toBe(403)
  })
})

async function invoicesOf({ id }: Pick<MadeMember, 'id'>): Promise<string[]> {
  const rows = await server.app.db.selectFrom('payments').select('invoice_id').where('user_id', '=', id).execute()
  return rows.map(({ invoice_id }) => invoice_id)
}

async function adminEmail(): Promise<string> {
  const row = await server.app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', adminId)
    .executeTakeFirstOrThrow()
  return row.email
}

test('who has only days of the future is not Active: not in the list, not on their page', async () => {
  const { app } = server
  const member = await aMember(app, { vipExpiresAt: later(-4) })
  await aGrant(app, member.id, later(400))
  await app.db
    .updateTable('access_grants')
    .set({ starts_at: later(370) })
    .where('user_id', '=', member.id)
    .where('ends_at', '=', new Date(later(400)))
    .execute()
  expect((await listed(member))?.vipExpirationDate).toBe(later(-4))
  const search = `/auth/vip-users?page=1&search=${encodeURIComponent(member.email)}`
  expect(usersIn(await get(`${search}&filter=active`))).toEqual([])
  expect(usersIn(await get(`${search}&filter=expired`))).toHaveLength(1)
  expect((await get(`/api/people/${member.id}/access`)).json()).toMatchObject({ isVip: false, endsAt: later(-4) })
  await passTime(server, 380 * dayMs)
  const keeper = bearer(await signIn(server, { email: await adminEmail(), password: 'a quiet reading room' }))
  expect(usersIn(await get(`${search}&filter=active`, keeper))).toMatchObject([{ vipExpirationDate: later(400) }])
})

test('what a dialog may say of a member is told with their access', async () => {
  const facts = async ({ id }: Pick<MadeMember, 'id'>): Promise<unknown> =>
    (await get(`/api/people/${id}/access`)).json()
  const none = { isVip: false, hasSubscription: false, hasPayments: false, hasPaid: false }
  expect(await facts(await aMember(server.app))).toMatchObject(none)
  const subscriber = await aSubscriber(server)
  expect(await facts(subscriber)).toMatchObject({
    isVip: true,
    hasSubscription: true,
    hasPayments: true,
    hasPaid: true,
  })
  await server.sandbox.control.refund((await invoicesOf(subscriber))[0] ?? '')
  await drainWebhooks(server)
  expect(await facts(subscriber)).toMatchObject({ ...none, hasPayments: true })
})

test('the sum of grants follows them, whoever writes', async () => {
  const { app } = server
  const { id, email } = await aMember(app)
  await aGrant(app, id, later(5))
  await aGrant(app, id, later(2))
  expect((await listed({ email }))?.vipExpirationDate).toBe(later(5))
  await app.db.deleteFrom('access_grants').where('user_id', '=', id).execute()
  expect((await listed({ email }))?.vipExpirationDate).toBe('Not defined')
})
