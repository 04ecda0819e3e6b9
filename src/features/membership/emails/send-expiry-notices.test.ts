import { type Insertable, sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { uuidv7 } from 'uuidv7'
import { readEmails } from '../../../../tests/harness/emails.ts'
import { aGrant } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { Database } from '../../../db/database.ts'
import { sendExpiryNotices } from './send-expiry-notices.server.ts'

const start = '2024-03-15T12:00:00.000Z'
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const testApp = appOfFile()
beforeEach(async () => {
  testApp.clock.set(start)
  await testApp.app.db.deleteFrom('users').execute()
  await sql`delete from pgboss.job where name = 'mail'`.execute(testApp.app.db)
})

/** An instant so many days after the start. */
const day = (days: number): string => new Date(Date.parse(start) + days * dayMs).toISOString()

/** A user without the cost of a password. */
async function aUser({ vipDisabled = false } = {}): Promise<string> {
  const id = uuidv7()
  const email = `reader-${id}@readers.example`
  await testApp.app.db
    .insertInto('users')
    .values({
      id,
      name: 'Jane Reader',
      email,
      email_folded: email,
      password_hash: '$argon2id$nobody-signs-in',
      password_changed_at: start,
      vip_disabled: vipDisabled,
      email_confirmed_at: start,
      created_at: start,
    })
    .execute()
  return id
}

type GrantFields = Partial<Insertable<Database['access_grants']>> & { ends_at: string }

/** Paid access since two months; by default it was cancelled. */
async function give(userId: string, fields: GrantFields): Promise<string> {
  const id = uuidv7()
  await testApp.app.db
    .insertInto('access_grants')
    .values({
      id,
      user_id: userId,
      source: 'stripe',
      subscription_id: `sub_${id}`,
      plan_type: 'monthly',
      basis: 'plan',
      renews: false,
      starts_at: day(-60),
      effective_until: fields.ends_at,
      created_at: day(-60),
      ...fields,
    })
    .execute()
  return id
}

async function change(grantId: string, fields: Partial<Insertable<Database['access_grants']>>): Promise<void> {
  await testApp.app.db.updateTable('access_grants').set(fields).where('id', '=', grantId).execute()
}

/** The emails in line, from the first. */
async function inLine(): Promise<{ kind: string; data: Record<string, unknown> }[]> {
  const { rows } = await sql<{ data: { kind: string; data: Record<string, unknown> } }>`
    select data from pgboss.job where name = 'mail' order by created_on, id`.execute(testApp.app.db)
  return rows.map(({ data }) => data)
}

const endsSoon = (userId: string, endsAt: string) => ({ kind: 'membership.ends-soon', data: { userId, endsAt } })
const ended = (userId: string) => ({ kind: 'membership.ended', data: { userId } })

/** Runs as often as in a day, and more than once at a time. */
async function sendNoticesAllDay(): Promise<void> {
  const { app, clock } = testApp
  await Promise.all([1, 2, 3, 4, 5].map(() => sendExpiryNotices(app)))
  for (let hour = 0; hour < 24; hour += 6) {
    clock.advance(6 * hourMs)
    await sendExpiryNotices(app)
  }
}

describe('that a membership ends soon', () => {
  test.each([
    ['a cancelled plan', {}],
    [
      'what was given by hand',
      { source: 'manual', basis: 'manual', subscription_id: null, plan_type: null, granted_by: 'a test' },
    ],
  ] as const)('is told once, seven days before: %s', async (_, fields) => {
    const { app, clock } = testApp
    const userId = await aUser()
    await give(userId, { ...fields, ends_at: day(8) })
    clock.set(new Date(Date.parse(day(1)) - 1).toISOString())
    await sendExpiryNotices(app)
    expect(await inLine()).toEqual([])
    clock.advance(1)
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([endsSoon(userId, day(8))])
  })

  test('is told once of two that end together', async () => {
    const userId = await aUser()
    await give(userId, { ends_at: day(3) })
    await aGrant(testApp.app, userId, day(3))
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([endsSoon(userId, day(3))])
  })

  test('is told of the last of several only', async () => {
    const userId = await aUser()
    await give(userId, { ends_at: day(2) })
    await give(userId, { starts_at: day(2), ends_at: day(5) })
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([endsSoon(userId, day(5))])
  })

  test('is told of a later end again', async () => {
    const { app } = testApp
    const userId = await aUser()
    const grant = await give(userId, { ends_at: day(3) })
    await sendExpiryNotices(app)
    await change(grant, { ends_at: day(5), effective_until: day(5) })
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([endsSoon(userId, day(3)), endsSoon(userId, day(5))])
  })

  test('is not told to who goes on', async () => {
    const renewing = await aUser()
    await give(renewing, { renews: true, ends_at: day(3) })
    // By hand for longer than the period that is paid, which is renewed before.
    const both = await aUser()
    await give(both, { renews: true, ends_at: day(2) })
    await aGrant(testApp.app, both, day(4))
    const extended = await aUser()
    await give(extended, { ends_at: day(3) })
    await give(extended, { starts_at: day(3), ends_at: day(33) })
    const owing = await aUser()
    await give(owing, { basis: 'grace', ends_at: day(4) })
    await sendExpiryNotices(testApp.app)
    expect(await inLine()).toEqual([])
  })

  test('is not told to a disabled member, until they are no longer disabled', async () => {
    const { app } = testApp
    const userId = await aUser({ vipDisabled: true })
    await give(userId, { ends_at: day(3) })
    await sendExpiryNotices(app)
    expect(await inLine()).toEqual([])
    await app.db.updateTable('users').set({ vip_disabled: false }).where('id', '=', userId).execute()
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([endsSoon(userId, day(3))])
  })

  test('is not told of access that was taken back', async () => {
    await give(await aUser(), { ends_at: day(3), revoked_at: day(-1), revoked_reason: 'dispute' })
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([])
  })
})

describe('that a membership has ended', () => {
  test.each([
    ['a cancelled plan', {}],
    ['a renewal of which nobody heard', { renews: true, ends_at: day(-0.25), effective_until: day(0) }],
    ['the days of grace', { basis: 'grace' }],
    ['a refund', { ends_at: day(9), revoked_at: day(0), revoked_reason: 'refund' }],
    ['a lost dispute', { ends_at: day(9), revoked_at: day(0), revoked_reason: 'dispute_lost' }],
    ['a renewal that was never paid', { ends_at: day(9), revoked_at: day(0), revoked_reason: 'unpaid' }],
    ['a pause', { ends_at: day(9), revoked_at: day(0), revoked_reason: 'paused' }],
  ] as const)('is told once: %s', async (_, fields) => {
    const userId = await aUser()
    await give(userId, { ends_at: day(0), ...fields })
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([ended(userId)])
  })

  test('is not told before its time', async () => {
    const { app, clock } = testApp
    const userId = await aUser()
    await give(userId, { renews: true, ends_at: day(0), effective_until: day(0.25) })
    clock.advance(6 * hourMs - 1)
    await sendExpiryNotices(app)
    expect(await inLine()).toEqual([])
    clock.advance(1)
    await sendExpiryNotices(app)
    expect(await inLine()).toEqual([ended(userId)])
  })

  test('is told in one email, whatever ended', async () => {
    const userId = await aUser()
    await give(userId, { ends_at: day(-1) })
    await give(userId, { ends_at: day(3), revoked_at: day(0), revoked_reason: 'refund' })
    await aGrant(testApp.app, userId, day(-2))
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([ended(userId)])
  })

  test.each([
    ['becomes unpaid', { basis: 'plan', ends_at: day(20), revoked_at: day(2), revoked_reason: 'unpaid' }],
    ['is cancelled', { basis: 'plan', ends_at: day(2) }],
  ] as const)('is told once although the subscription %s after its days of grace', async (_, later) => {
    const { app, clock } = testApp
    const userId = await aUser()
    const grant = await give(userId, { basis: 'grace', ends_at: day(0) })
    await sendNoticesAllDay()
    clock.set(day(2))
    await change(grant, { effective_until: later.ends_at, ...later })
    await sendExpiryNotices(app)
    clock.set(day(3))
    await change(grant, {
      basis: 'plan',
      ends_at: day(3),
      effective_until: day(3),
      revoked_at: null,
      revoked_reason: null,
    })
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([ended(userId)])
  })

  test('is told again when it was in force again', async () => {
    const { app, clock } = testApp
    const userId = await aUser()
    const grant = await give(userId, { ends_at: day(20), revoked_at: day(0), revoked_reason: 'paused' })
    await sendExpiryNotices(app)
    await change(grant, { revoked_at: null, revoked_reason: null, renews: true })
    await sendExpiryNotices(app)
    expect(await inLine()).toEqual([ended(userId)])
    clock.set(day(1))
    await change(grant, { revoked_at: day(1), revoked_reason: 'paused' })
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([ended(userId), ended(userId)])
  })

  test('is not told to who has access by something else', async () => {
    const renewing = await aUser()
    await give(renewing, { renews: true, ends_at: day(-0.1), effective_until: day(0.1) })
    const changedPlan = await aUser()
    await give(changedPlan, { ends_at: day(-0.1) })
    await give(changedPlan, { starts_at: day(-0.1), ends_at: day(300), renews: true, plan_type: 'annual' })
    const given = await aUser()
    await give(given, { ends_at: day(20), revoked_at: day(-1), revoked_reason: 'refund' })
    await aGrant(testApp.app, given, day(100))
    await sendExpiryNotices(testApp.app)
    expect(await inLine()).toEqual([])
  })

  test('is not told to a disabled member, nor while the bank decides', async () => {
    await give(await aUser({ vipDisabled: true }), { ends_at: day(-1) })
    const disputed = await aUser()
    await give(disputed, { ends_at: day(20), revoked_at: day(-1), revoked_reason: 'dispute' })
    // The manual access has run out meanwhile.
    await aGrant(testApp.app, disputed, day(-0.5))
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([])
  })

  test('is told when the bank has decided, also long after the paid period', async () => {
    const { app, clock } = testApp
    const userId = await aUser()
    const grant = await give(userId, { ends_at: day(2), revoked_at: day(-1), revoked_reason: 'dispute' })
    clock.set(day(30))
    await sendExpiryNotices(app)
    expect(await inLine()).toEqual([])
    await change(grant, { revoked_at: day(30), revoked_reason: 'dispute_lost' })
    await sendNoticesAllDay()
    expect(await inLine()).toEqual([ended(userId)])
  })

  test('is no news after a week', async () => {
    const { app, clock } = testApp
    const late = await aUser()
    await give(late, { ends_at: day(-7) })
    await give(await aUser(), { ends_at: day(20), revoked_at: day(-7), revoked_reason: 'unpaid' })
    await sendExpiryNotices(app)
    expect(await inLine()).toEqual([])
    clock.set(new Date(Date.parse(start) - 1).toISOString())
    await sendExpiryNotices(app)
    expect((await inLine()).map(({ kind }) => kind)).toEqual(['membership.ended', 'membership.ended'])
  })
})

test.each([6, 7, 8])('many members are told in batches, each once: %i', async (count) => {
  const { app } = testApp
  const users: string[] = []
  for (let made = 0; made < count; made += 1) users.push(await aUser())
  for (const userId of users) await give(userId, { ends_at: day(2) })
  await Promise.all([sendExpiryNotices(app, { batchSize: 3 }), sendExpiryNotices(app, { batchSize: 2 })])
  const reported = (await inLine()).map(({ data }) => String(data['userId']))
  expect(reported.toSorted()).toEqual(users.toSorted())
})

test('what fails for one member stops no other, and is made up for', async () => {
  const { app } = testApp
  const users = [await aUser(), await aUser(), await aUser()]
  for (const userId of users) await give(userId, { ends_at: day(3) })
  const failed = vi.spyOn(app.log, 'error').mockReturnValue(undefined)
  const mail = vi.spyOn(app.mail, 'queue').mockRejectedValueOnce(new Error('No line.'))
  await sendExpiryNotices(app)
  expect(failed).toHaveBeenCalledExactlyOnceWith(
    { err: new Error('No line.'), userId: users[0] },
    'The notice about the end of a membership could not be sent.',
  )
  expect(await inLine()).toEqual(users.slice(1).map((userId) => endsSoon(userId, day(3))))
  mail.mockRestore()
  await sendExpiryNotices(app)
  expect(new Set((await inLine()).map(({ data }) => data['userId']))).toEqual(new Set(users))
  expect(await inLine()).toHaveLength(3)
})

test('the emails reach their readers, each once', async () => {
  const { app } = testApp
  const leaving = await aUser()
  await give(leaving, { ends_at: day(3) })
  const gone = await aUser()
  await give(gone, { ends_at: day(-1) })
  const staying = await aUser()
  await give(staying, { ends_at: day(30) })
  await Promise.all([1, 2, 3, 4, 5].map(() => sendExpiryNotices(app)))
  await app.jobs.drain()
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where name = 'mail' and state < 'completed'`.execute(app.db)
  expect(rows).toEqual([{ count: 0 }])
  const emails = (await readEmails(app)).map(({ to, subject }) => `${to}: ${subject}`)
  expect(emails.toSorted()).toEqual(
    [
      `reader-${leaving}@readers.example: Your Daybook VIP membership ends on March 18, 2024`,
      `reader-${gone}@readers.example: Your Daybook VIP membership has ended`,
    ].toSorted(),
  )
})
