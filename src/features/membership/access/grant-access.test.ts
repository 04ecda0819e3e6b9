import { expect, test } from 'vitest'
import { uuidv7 } from 'uuidv7'
import { aMember } from '../../../../tests/harness/members.ts'
import { sequence } from '../../../../tests/harness/sequence.ts'
import { type TestApp, appOfFile } from '../../../../tests/harness/test-app.ts'
import { grantDemoVip } from '../demo/grant-demo-vip.server.ts'
import { closeGaps, grantAccess } from './grant-access.server.ts'
import { readAccessStatus } from './read-access-status.server.ts'

const dayMs = 86_400_000

const testApp = appOfFile({ env: { DEMO: '1' } })

const grantsOf = (userId: string) =>
  testApp.app.db.selectFrom('access_grants').selectAll().where('user_id', '=', userId).orderBy('starts_at').execute()

test('what is given three times at once adds up, without a gap', async () => {
  const { app, clock } = testApp
  const { id: userId } = await aMember(app)
  const ends = await Promise.all(
    Array.from({ length: 3 }, (_, place) =>
      grantAccess(app, { userId, days: 30, grantedBy: `administrator ${place}` }),
    ),
  )
  expect(Math.max(...ends.map(Number))).toBe(clock.now() + 90 * dayMs)
  const grants = await grantsOf(userId)
  expect(grants.map(({ starts_at, ends_at }) => [Number(starts_at), Number(ends_at)])).toEqual(
    [0, 30, 60].map((day) => [clock.now() + day * dayMs, clock.now() + (day + 30) * dayMs]),
  )
})

/** Days of manual access from now on: the spans must not overlap, or days would pass twice. */
async function daysLeftByHand(userId: string, now: number): Promise<number> {
  const byHand = (await grantsOf(userId)).filter(({ source, ends_at }) => source === 'manual' && +ends_at > now)
  const spans = byHand.map(({ starts_at, ends_at }) => [Math.max(now, +starts_at), +ends_at] as const)
  for (const [place, [from]] of spans.entries()) expect(from).toBeGreaterThanOrEqual(spans[place - 1]?.[1] ?? from)
  return spans.reduce((sum, [from, to]) => sum + to - from, 0) / dayMs
}

test.each([21, 22, 23, 24, 25, 26])(
  'after each renewal a member is VIP, and neither it nor the early end of a plan loses a day (%s)',
  async (seed) => {
    const { app, clock } = testApp
    const next = sequence(seed)
    const { id: userId } = await aMember(app)
    const isVip = async (): Promise<boolean> => (await readAccessStatus(app, { userId, isDisabled: false })).isVip
    for (let step = 0; step < 14; step += 1) {
      const now = clock.now()
      const before = await daysLeftByHand(userId, now)
      const what = next()
      if (what < 0.25) {
        const ends = new Date(now + Math.ceil(next() * 365) * dayMs)
        await aPlan(app, userId, ends)
        // Manual access waits behind any plan.
        expect(await daysLeftByHand(userId, now)).toBe(before)
      } else if (what < 0.5) {
        await endPlans(app, userId)
        expect(await daysLeftByHand(userId, now)).toBe(before)
        expect(await isVip()).toBe(before > 0)
      } else if (what < 0.6) {
        // As in a plan that is suspended, or of a disabled member: nothing moves before the next renewal.
        await endPlans(app, userId, { moves: false })
      } else if (what < 0.75) {
        clock.advance(Math.floor(next() * 40) * dayMs)
      } else {
        const days = next() < 0.5 ? 30 : 365
        const times = 1 + Math.floor(next() * 2)
        const given = { userId, days, grantedBy: 'a test' }
        await Promise.all(Array.from({ length: times }, () => grantAccess(app, given)))
        expect(await daysLeftByHand(userId, now)).toBe(before + times * days)
        expect(await isVip()).toBe(true)
      }
    }
  },
)

async function aPlan({ db, clock }: TestApp['app'], userId: string, endsAt: Date): Promise<void> {
  await db
    .insertInto('access_grants')
    .values({
      id: uuidv7(),
      user_id: userId,
      source: 'stripe',
      subscription_id: uuidv7(),
      plan_type: 'annual',
      basis: 'plan',
      renews: false,
      starts_at: new Date(clock.now()),
      ends_at: endsAt,
      effective_until: endsAt,
      created_at: new Date(clock.now()),
    })
    .execute()
}

/** Ends everything paid, as a sync does. */
async function endPlans({ db, clock }: TestApp['app'], userId: string, { moves = true } = {}): Promise<void> {
  const now = clock.now()
  const end = new Date(now)
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('access_grants')
      .set({ ends_at: end, effective_until: end })
      .where('user_id', '=', userId)
      .where('source', '=', 'stripe')
      .where('ends_at', '>', end)
      .execute()
    if (moves) await closeGaps(trx, { userId, now })
  })
}

test('nothing is given to somebody who has no account', async () => {
  const given = grantAccess(testApp.app, { userId: uuidv7(), days: 30, grantedBy: 'a test' })
  await expect(given).rejects.toMatchObject({ code: 'member.unknown' })
})

test("the demo's VIP gets one year, also when several processes start at once", async () => {
  const { app } = testApp
  const { id } = await aMember(app, { email: 'vip@demo.example' })
  await Promise.all([grantDemoVip(app), grantDemoVip(app), grantDemoVip(app)])
  await grantDemoVip(app)
  expect(await grantsOf(id)).toHaveLength(1)
})
