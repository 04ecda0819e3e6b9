import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { aMember } from '../../../../tests/harness/members.ts'
import { sequence } from '../../../../tests/harness/sequence.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { accessStatusOf, type Grant } from './access-status.ts'
import { isCurrent } from './current-access.server.ts'

const dayMs = 86_400_000
const start = Date.parse('2024-03-15T12:00:00Z')

const testApp = appOfFile()

/** Grants of a few weeks, which overlap, touch each other and leave gaps. */
function randomGrants(next: () => number): Grant[] {
  const days = (most: number): number => Math.floor(next() * most) * dayMs
  return Array.from({ length: 1 + Math.floor(next() * 5) }, () => {
    const startsAt = start + days(40)
    const endsAt = startsAt + days(15)
    const isPaid = next() < 0.4
    const revokedAt = isPaid && next() < 0.3 ? startsAt + Math.floor((endsAt - startsAt) * next()) : null
    return {
      basis: isPaid ? 'plan' : 'manual',
      planType: isPaid ? 'annual' : null,
      renews: isPaid,
      startsAt,
      endsAt,
      effectiveUntil: isPaid ? endsAt + dayMs / 4 : endsAt,
      revokedAt,
      revokedReason: revokedAt === null ? null : 'refund',
    }
  })
}

test('at every instant the lists have the end and the access that the rule tells', async () => {
  const { db } = testApp.app
  const next = sequence(71)
  for (let round = 0; round < 25; round += 1) {
    const { id: userId } = await aMember(testApp.app)
    const grants = randomGrants(next)
    // One after the other, as they come: each changes what the others have become.
    for (const grant of grants.toSorted(() => next() - 0.5)) {
      const isPaid = grant.planType !== null
      await db
        .insertInto('access_grants')
        .values({
          id: uuidv7(),
          user_id: userId,
          source: isPaid ? 'stripe' : 'manual',
          subscription_id: isPaid ? uuidv7() : null,
          plan_type: grant.planType,
          basis: grant.basis,
          renews: grant.renews,
          starts_at: new Date(grant.startsAt),
          ends_at: new Date(grant.endsAt),
          effective_until: new Date(grant.effectiveUntil),
          revoked_at: grant.revokedAt === null ? null : new Date(grant.revokedAt),
          revoked_reason: grant.revokedReason,
          created_at: new Date(start),
        })
        .execute()
    }
    for (const isDisabled of [false, true]) {
      if (isDisabled) await db.updateTable('users').set({ vip_disabled: true }).where('id', '=', userId).execute()
      for (let day = -1; day <= 60; day += 1) {
        const now = start + day * dayMs
        // A grant that will be revoked later still counts.
        if (grants.some(({ revokedAt }) => revokedAt !== null && revokedAt > now)) continue
        const rows = await db
          .selectFrom('member_access')
          .selectAll()
          .where('user_id', '=', userId)
          .where(isCurrent('member_access', new Date(now)))
          .execute()
        expect(rows.length).toBeLessThanOrEqual(1)
        const [row] = rows
        const status = accessStatusOf(grants, { isDisabled }, now)
        expect(row?.ends_at?.getTime() ?? null).toBe(status.endsAt)
        expect(+(row?.effective_until ?? 0) > now && row?.is_disabled === false).toBe(status.isVip)
        // A disabled member is listed, also before anything begins.
        if (isDisabled) expect(row?.is_disabled).toBe(true)
      }
    }
  }
})

test('what is given at once to one member is summed up whole', async () => {
  const { db } = testApp.app
  const { id: userId } = await aMember(testApp.app)
  await Promise.all(
    [0, 2, 4, 6].map((day) =>
      sql`
        insert into access_grants (id, user_id, source, basis, renews, starts_at, ends_at, effective_until, created_at)
        select ${uuidv7()}, ${userId}, 'manual', 'manual', false, at, at + interval '1 day', at + interval '1 day', at
          from (select ${new Date(start + day * dayMs)}::timestamptz as at) given`.execute(db),
    ),
  )
  expect(await db.selectFrom('member_access').selectAll().where('user_id', '=', userId).execute()).toHaveLength(4)
})
