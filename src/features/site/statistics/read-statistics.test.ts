import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aMember } from '../../../../tests/harness/members.ts'
import { sequence } from '../../../../tests/harness/sequence.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import { accessStatusOf, type Grant } from '../../membership/access/access-status.ts'
import { readStatisticsReport } from './read-statistics-report.server.ts'
import { readStatistics } from './read-statistics.server.ts'
import { spanOf, statisticsRangeNames } from './statistics-range.ts'

const dayMs = 86_400_000
const timeZone = 'America/Sao_Paulo'

let testApp: TestApp
beforeAll(async () => {
  testApp = await openTestApp({ env: { SITE_TIME_ZONE: timeZone } })
})
afterAll(() => testApp.close())

interface RandomMember {
  id: string
  createdAt: number
  isDisabled: boolean
  disabledAt: number
  grants: (Grant & { revokedAt: number | null; subscription: { id: string; status: 'active' | 'trialing' } | null })[]
}

interface RandomPayment {
  status: 'paid' | 'open'
  paidAt: number | null
  amount: number
  refunded: number
  currency: string
  dispute: 'lost' | 'won' | null
}

interface RandomDownload {
  day: string
  host: string
  tier: 'free' | 'vip'
  itemId: string
}

/** Members, money and downloads of two years, many of them on the edges of months and ranges. */
function randomSite(seed: number, now: number) {
  const next = sequence(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T
  const instant = (): number => {
    const at = now - Math.floor(next() * 720) * dayMs - Math.floor(next() * dayMs)
    // The first instants of a day in this time zone, and the last ones.
    return next() < 0.2 ? Math.floor(at / dayMs) * dayMs + 3 * 3_600_000 - Math.floor(next() * 2) : at
  }
  const members = Array.from({ length: 60 }, (): RandomMember => ({
    id: uuidv7(),
    createdAt: instant(),
    isDisabled: next() < 0.3,
    disabledAt: instant(),
    grants: Array.from({ length: Math.floor(next() * 4) }, () => {
      const startsAt = instant()
      const endsAt = startsAt + Math.floor(next() * 400 * dayMs)
      const basis = pick(['plan', 'grace', 'manual'] as const)
      const isRevoked = next() < 0.2
      return {
        basis,
        planType: basis === 'manual' ? null : pick(['monthly', 'annual'] as const),
        renews: basis === 'plan',
        startsAt,
        endsAt,
        effectiveUntil: endsAt + Math.floor(next() * 3_600_000),
        revokedReason: isRevoked ? ('refund' as const) : null,
        revokedAt: isRevoked ? Math.min(now, startsAt + Math.floor(next() * 100 * dayMs)) : null,
        subscription: basis === 'manual' ? null : { id: uuidv7(), status: pick(['active', 'trialing'] as const) },
      }
    }),
  }))
  const payments = Array.from({ length: 80 }, (): RandomPayment => {
    const status = next() < 0.8 ? 'paid' : 'open'
    const amount = Math.floor(next() * 10_000)
    return {
      status,
      paidAt: status === 'paid' ? instant() : null,
      amount,
      refunded: next() < 0.3 ? Math.floor(next() * amount) : 0,
      currency: pick(['usd', 'jpy']),
      dispute: pick([null, null, 'won', 'lost'] as const),
    }
  })
  const itemIds = Array.from({ length: 30 }, () => uuidv7())
  const downloads = Array.from({ length: 400 }, (): RandomDownload => ({
    day: dayOf(instant(), timeZone),
    host: pick(['Mega', 'Gofile']),
    tier: pick(['free', 'vip']),
    itemId: pick(itemIds),
  }))
  return { members, payments, downloads }
}

type RandomSite = ReturnType<typeof randomSite>

async function store({ app }: TestApp, { members, payments, downloads }: RandomSite): Promise<void> {
  const { id: template } = await aMember(app)
  const { password_hash: passwordHash } = await app.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', template)
    .executeTakeFirstOrThrow()
  await app.db.deleteFrom('users').execute()
  await app.db.deleteFrom('subscriptions').execute()
  await app.db.deleteFrom('payments').execute()
  await app.db.deleteFrom('download_events').execute()
  for (const { id, createdAt, isDisabled, disabledAt, grants } of members) {
    const email = `${id}@readers.example`
    await app.db
      .insertInto('users')
      .values({
        id,
        email,
        email_folded: email,
        name: 'Jane',
        password_hash: passwordHash,
        password_changed_at: new Date(createdAt),
        created_at: new Date(createdAt),
        vip_disabled: isDisabled,
        vip_disabled_at: isDisabled ? new Date(disabledAt) : null,
      })
      .execute()
    for (const grant of grants) {
      const { subscription } = grant
      const span = { period_starts_at: new Date(grant.startsAt), period_ends_at: new Date(grant.endsAt) }
      // One living subscription a member: the others are of an account that is gone.
      if (subscription !== null && grant.planType !== null) {
        await app.db
          .insertInto('subscriptions')
          .values({
            stripe_id: subscription.id,
            user_id: null,
            plan_type: grant.planType,
            status: subscription.status,
            ...span,
            started_at: new Date(grant.startsAt),
          })
          .execute()
      }
      await app.db
        .insertInto('access_grants')
        .values({
          id: uuidv7(),
          user_id: id,
          source: subscription === null ? 'manual' : 'stripe',
          subscription_id: subscription?.id ?? null,
          plan_type: grant.planType,
          basis: grant.basis,
          renews: grant.renews,
          starts_at: new Date(grant.startsAt),
          ends_at: new Date(grant.endsAt),
          effective_until: new Date(grant.effectiveUntil),
          revoked_at: grant.revokedAt === null ? null : new Date(grant.revokedAt),
          revoked_reason: grant.revokedReason,
          created_at: new Date(grant.startsAt),
        })
        .execute()
    }
  }
  for (const { status, paidAt, amount, refunded, currency, dispute } of payments) {
    const id = uuidv7()
    const at = new Date(paidAt ?? 0)
    await app.db
      .insertInto('payments')
      .values({
        id,
        invoice_id: id,
        subscription_id: 'sub',
        plan_type: 'monthly',
        status,
        currency,
        dispute,
        amount_cents: amount,
        refunded_cents: refunded,
        paid_at: paidAt === null ? null : at,
        period_starts_at: at,
        period_ends_at: at,
        invoiced_at: at,
      })
      .execute()
  }
  for (const { day, host, tier, itemId } of downloads) {
    await app.db
      .insertInto('download_events')
      .values({ id: uuidv7(), item_id: itemId, slot: 'link', host, tier, day, user_id: null })
      .execute()
  }
}

const count = <T>(of: readonly T[], is: (one: T, place: number) => boolean): number => of.filter(is).length

describe.each([11, 12, 13])('on a random site (%s)', (seed) => {
  const site: { current?: RandomSite } = {}
  beforeAll(async () => {
    // The sums by day stay when events are deleted: each site has a database of its own.
    await testApp.close()
    testApp = await openTestApp({ env: { SITE_TIME_ZONE: timeZone } })
    site.current = randomSite(seed, testApp.clock.now())
    await store(testApp, site.current)
  }, 120_000)

  const statusOf = ({ grants, isDisabled }: RandomMember, now: number) => accessStatusOf(grants, { isDisabled }, now)

  test('the cards count what the rules of access say', async () => {
    const { members } = site.current as RandomSite
    const now = testApp.clock.now()
    const vips = count(members, (member) => statusOf(member, now).isVip)
    expect(vips).toBeGreaterThan(3)
    expect(await readStatistics(testApp.app)).toEqual({
      totalUsers: 60,
      totalVIPs: vips,
      totalContentRecommendations: 0,
      usersLastMonth: count(members, ({ createdAt }) => createdAt > now - 30 * dayMs),
      vipPercentage: Math.round((1_000 * vips) / 60) / 10,
    })
  })

  test.each(statisticsRangeNames)('every sum of the range %s is that of its parts', async (range) => {
    const { members, payments, downloads } = site.current as RandomSite
    const { app, clock } = testApp
    const now = clock.now()
    const report = await readStatisticsReport(app, anonymous, range)
    const monthOf = (at: number): string => dayOf(at, timeZone).slice(0, 7)
    const periodOf = (day: string): string => (report.unit === 'day' ? day : day.slice(0, 7))

    const oldest = [
      ...members.map(({ createdAt }) => dayOf(createdAt, timeZone)),
      ...payments.flatMap(({ paidAt }) => (paidAt === null ? [] : [dayOf(paidAt, timeZone)])),
      ...downloads.map(({ day }) => day),
    ].toSorted()
    const span = spanOf(range, dayOf(now, timeZone), oldest[0] ?? '')
    expect(report.from).toBe(span.from)

    const joinedDays = members.map(({ createdAt }) => dayOf(createdAt, timeZone))
    expect(report.growth).toEqual(
      span.periods.map((period) => ({
        period,
        joined: count(joinedDays, (day) => periodOf(day) === period),
        total: count(joinedDays, (day) => periodOf(day) <= period),
      })),
    )

    const statuses = members.map((member) => ({ ...statusOf(member, now), member })).filter(({ isVip }) => isVip)
    const inForce = ({ grants }: RandomMember) =>
      grants.filter((one) => one.revokedAt === null && one.startsAt <= now && one.effectiveUntil > now)
    const endOf = (grant: RandomMember['grants'][number]): number =>
      Math.min(grant.effectiveUntil, grant.revokedAt ?? Infinity)
    // A disabling ends access; what would have begun later gave none.
    const ends = members.map(({ grants, isDisabled, disabledAt }) => {
      const until = isDisabled ? Math.min(now, disabledAt) : now
      const end = Math.max(...grants.filter(({ startsAt }) => startsAt <= until).map(endOf))
      return isDisabled ? Math.min(end, disabledAt) : end
    })
    expect(count(members, ({ isDisabled }, place) => isDisabled && (ends[place] ?? 0) > 0)).toBeGreaterThan(3)
    const since = Date.parse(`${span.from}T03:00:00Z`)
    const { reasons, byPeriod, ...vip } = report.vip
    expect(reasons.reduce((sum, { members }) => sum + members, 0)).toBe(vip.churned)
    // A disabling ends access at once, and nothing that was given later counts.
    const wasVip = ({ grants, isDisabled, disabledAt }: RandomMember, at: number): boolean =>
      !(isDisabled && disabledAt <= at) && grants.some((one) => one.startsAt <= at && endOf(one) > at)
    for (const { period, total } of byPeriod) {
      const next = span.periods[span.periods.indexOf(period) + 1]
      const end = next === undefined ? now : Date.parse(`${next}${next.length === 7 ? '-01' : ''}T03:00:00Z`) - 1
      expect([period, total]).toEqual([period, count(members, (member) => wasVip(member, end))])
    }
    expect(report.monthAgo).toEqual({
      totalUsers: count(members, ({ createdAt }) => createdAt <= now - 30 * dayMs),
      totalVIPs: count(members, (member) => wasVip(member, now - 30 * dayMs)),
      totalContentRecommendations: 0,
      usersLastMonth: count(members, ({ createdAt }) => createdAt <= now - 30 * dayMs && createdAt > now - 60 * dayMs),
    })
    const joined = members.filter(({ createdAt }) => createdAt >= since)
    expect(report.funnel).toEqual({
      joined: joined.length,
      vips: count(joined, ({ grants }) => grants.length > 0),
      paid: 0,
    })
    expect(vip).toEqual({
      active: statuses.length,
      trialing: count(statuses, ({ member }) =>
        inForce(member).some(({ subscription }) => subscription?.status === 'trialing'),
      ),
      inGrace: count(statuses, ({ reason }) => reason === 'grace'),
      churned: count(ends, (end) => end > since && end <= now),
      plans: {
        monthly: count(statuses, ({ planType }) => planType === 'monthly'),
        annual: count(statuses, ({ planType }) => planType === 'annual'),
        manual: count(statuses, ({ planType }) => planType === null),
      },
    })

    // Whole months, each of them for each currency.
    const firstMonth = span.from.slice(0, 7)
    const paid = payments.filter(({ paidAt }) => paidAt !== null && monthOf(paidAt) >= firstMonth)
    const currencies = [...new Set(paid.map(({ currency }) => currency))].toSorted()
    const months = [...new Set(Array.from({ length: 5_000 }, (_, days) => monthOf(now - days * dayMs)))].toSorted()
    const keys = months
      .filter((month) => month >= firstMonth)
      .flatMap((month) => currencies.map((currency) => `${month} ${currency}`))
    const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
    expect(report.revenue).toEqual(
      keys.map((key) => {
        const own = paid.filter(({ paidAt, currency }) => `${monthOf(paidAt ?? 0)} ${currency}` === key)
        const [month, currency] = key.split(' ')
        const returned = own.map(({ dispute, amount, refunded }) => (dispute === 'lost' ? amount : refunded))
        return {
          month,
          currency,
          payments: own.length,
          paid: sum(own.map(({ amount }) => amount)),
          returned: sum(returned),
        }
      }),
    )

    const begun = downloads.filter(({ day }) => day >= span.from)
    const byTier = (own: RandomDownload[]) => ({
      free: count(own, ({ tier }) => tier === 'free'),
      vip: count(own, ({ tier }) => tier === 'vip'),
    })
    expect(report.downloads.byPeriod).toEqual(
      span.periods.map((period) => ({ period, ...byTier(begun.filter(({ day }) => periodOf(day) === period)) })),
    )
    for (const { host, free, vip } of report.downloads.byHost)
      expect({ free, vip }).toEqual(byTier(begun.filter((one) => one.host === host)))
    const items = report.downloads.byItem
    expect(items.length).toBeLessThanOrEqual(20)
    for (const { id, free, vip } of items)
      expect({ free, vip }).toEqual(byTier(begun.filter(({ itemId }) => itemId === id)))
    const least = Math.min(...items.map(({ free, vip }) => free + vip))
    const rest = new Set(begun.map(({ itemId }) => itemId).filter((id) => items.every((item) => item.id !== id)))
    for (const id of rest) expect(count(begun, ({ itemId }) => itemId === id)).toBeLessThanOrEqual(least)
  })
})

test('tells why access ended, and what the subscriptions that renew bring in a month', async () => {
  await using own = await openTestApp()
  const { app, clock } = own
  const now = clock.now()
  const at = (days: number) => new Date(now + days * dayMs)
  const buy = async (
    no: number,
    plan: 'monthly' | 'annual',
    {
      paid,
      cancels = false,
      ended = false,
      last = {},
    }: {
      paid: number[]
      cancels?: boolean
      ended?: boolean
      last?: { refunded_cents?: number; dispute?: 'lost' }
    },
  ) => {
    const { id } = await aMember(app)
    const span = { period_starts_at: at(-20), period_ends_at: at(10) }
    const subscription = `sub_${no}`
    await app.db
      .insertInto('subscriptions')
      .values({
        stripe_id: subscription,
        user_id: id,
        plan_type: plan,
        status: ended ? 'canceled' : 'active',
        cancels_at: cancels ? at(10) : null,
        started_at: at(-20),
        ...span,
      })
      .execute()
    for (const [place, amount] of paid.entries())
      await app.db
        .insertInto('payments')
        .values({
          id: uuidv7(),
          invoice_id: `in_${no}_${place}`,
          user_id: id,
          subscription_id: subscription,
          plan_type: plan,
          status: 'paid',
          amount_cents: amount,
          currency: 'usd',
          invoiced_at: at(-20 + place),
          paid_at: at(-20 + place),
          ...span,
          ...(place === paid.length - 1 ? last : {}),
        })
        .execute()
  }
  // The last payment counts, a twelfth of an annual one, and nothing of what is cancelled or was never paid.
  await buy(1, 'monthly', { paid: [900, 1_000] })
  await buy(2, 'annual', { paid: [12_000] })
  await buy(3, 'monthly', { paid: [1_000], cancels: true })
  await buy(4, 'monthly', { paid: [1_000], ended: true })
  await buy(5, 'monthly', { paid: [] })
  // Nothing of a payment that the site did not keep; a part of one is enough.
  await buy(6, 'monthly', { paid: [1_000], last: { refunded_cents: 1_000 } })
  await buy(7, 'monthly', { paid: [1_000], last: { dispute: 'lost' } })
  await buy(8, 'monthly', { paid: [1_000], last: { refunded_cents: 400 } })

  type Grant = Pick<RandomMember['grants'][number], 'basis' | 'renews' | 'revokedReason'>
  const ends: [grant: Grant, isDisabled?: boolean][] = [
    [{ basis: 'plan', renews: false, revokedReason: null }],
    [{ basis: 'plan', renews: false, revokedReason: null }],
    [{ basis: 'grace', renews: true, revokedReason: null }],
    [{ basis: 'manual', renews: false, revokedReason: null }],
    [{ basis: 'plan', renews: true, revokedReason: 'refund' }],
    [{ basis: 'plan', renews: true, revokedReason: null }],
    [{ basis: 'manual', renews: false, revokedReason: null }, true],
  ]
  for (const [{ basis, renews, revokedReason }, isDisabled = false] of ends) {
    const { id } = await aMember(app)
    const ending = isDisabled || revokedReason !== null ? at(5) : at(-1)
    await app.db
      .insertInto('access_grants')
      .values({
        id: uuidv7(),
        user_id: id,
        source: basis === 'manual' ? 'manual' : 'stripe',
        subscription_id: basis === 'manual' ? null : uuidv7(),
        plan_type: basis === 'manual' ? null : 'monthly',
        basis,
        renews,
        starts_at: at(-10),
        ends_at: ending,
        effective_until: ending,
        revoked_at: revokedReason === null ? null : at(-1),
        revoked_reason: revokedReason,
        created_at: at(-10),
      })
      .execute()
    if (isDisabled)
      await app.db
        .updateTable('users')
        .set({ vip_disabled: true, vip_disabled_at: at(-1) })
        .where('id', '=', id)
        .execute()
  }
  const { vip, recurring, funnel } = await readStatisticsReport(app, anonymous, '30d')
  expect(recurring).toEqual([{ currency: 'usd', subscriptions: 3, amount: 3_000 }])
  expect(funnel).toEqual({ joined: 15, vips: 7, paid: 5 })
  expect(vip.churned).toBe(7)
  expect(Object.fromEntries(vip.reasons.map(({ reason, members }) => [reason, members]))).toEqual({
    cancelled: 2,
    unpaid: 1,
    given: 1,
    refund: 1,
    other: 1,
    disabled: 1,
  })
  expect(vip.byPeriod.at(-1)).toMatchObject({ total: 0 })
})

test('a deleted account leaves the figures of members and VIPs, those of the past included', async () => {
  await using own = await openTestApp()
  const { app, clock } = own
  const { id } = await aMember(app, { isVip: true })
  const long = new Date(clock.now() - 40 * dayMs)
  await app.db.updateTable('users').set({ created_at: long }).where('id', '=', id).execute()
  await app.db
    .updateTable('access_grants')
    .set({ starts_at: long, created_at: long })
    .where('user_id', '=', id)
    .execute()
  const before = async () => (await readStatisticsReport(app, anonymous, '30d')).monthAgo
  expect(await before()).toMatchObject({ totalUsers: 1, totalVIPs: 1 })
  await app.db.deleteFrom('users').where('id', '=', id).execute()
  expect(await before()).toMatchObject({ totalUsers: 0, totalVIPs: 0 })
})

test('an empty site has figures, too', async () => {
  await using empty = await openTestApp()
  expect(await readStatistics(empty.app)).toMatchObject({ totalUsers: 0, vipPercentage: 0 })
  for (const range of statisticsRangeNames) {
    const { growth, revenue, downloads, searches } = await readStatisticsReport(empty.app, anonymous, range)
    expect(growth.length).toBeGreaterThan(0)
    expect([revenue, downloads.byHost, downloads.byItem, searches.free.texts]).toEqual([[], [], [], []])
  }
})
