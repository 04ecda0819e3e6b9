import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from 'uuidv7'
import { aMember } from '../../../../tests/harness/members.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { fillDemoMembership } from '../demo/fill-demo-membership.server.ts'
import { grantAccess } from './grant-access.server.ts'

const dayMs = 86_400_000

let testApp: TestApp
beforeAll(async () => {
  testApp = await openTestApp({ env: { DEMO: '1' } })
})
afterAll(() => testApp.close())

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

test('nothing is given to somebody who has no account', async () => {
  const given = grantAccess(testApp.app, { userId: uuidv7(), days: 30, grantedBy: 'a test' })
  await expect(given).rejects.toMatchObject({ code: 'member.unknown' })
})

test("the demo's VIP gets one year, also when several processes start at once", async () => {
  const { app } = testApp
  const { id } = await aMember(app, { email: 'vip@demo.example' })
  await Promise.all([fillDemoMembership(app), fillDemoMembership(app), fillDemoMembership(app)])
  await fillDemoMembership(app)
  expect(await grantsOf(id)).toHaveLength(1)
})
