import { afterEach, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { runForRequest } from '../../../platform/current-request.ts'
import { CountedEvents } from './counted-events.server.ts'

const minuteMs = 60_000

let counted: CountedEvents
let now = 0
/** The events that were there before this test. */
let before: string[] = []

const ids = async () => (await site.app.db.selectFrom('audit_events').select('id').execute()).map(({ id }) => id)

const site = appOfFile()
beforeEach(async () => {
  counted = new CountedEvents(site.app, () => now)
  before = await ids()
})
afterEach(() => counted.close())

async function written() {
  const events = await site.app.db
    .selectFrom('audit_events')
    .select(['id', 'action', 'actor', 'subject_id as of', 'details'])
    .orderBy('id')
    .execute()
  return events.filter(({ id }) => !before.includes(id)).map(({ id: _id, ...event }) => event)
}

const lastAt = expect.any(String) as string

const from = (address: string, requestId: string, work: () => unknown) => runForRequest({ address, requestId }, work)

test('an account has one event in fifteen minutes, with the number, the networks and the last request', async () => {
  const { id } = await aMember(site.app)
  const refuse = () => counted.count({ action: 'session.refused', key: id })
  from('203.0.113.7', 'a', refuse)
  from('203.0.113.99', 'b', refuse)
  from('2001:db8:1:2::3', 'c', refuse)
  await counted.writeDue()
  const first = { times: 3, lastAt, address: ['203.0.113.0/24', '2001:db8:1::/48'], requestId: 'c' }
  expect(await written()).toEqual([{ action: 'session.refused', actor: 'system', of: id, details: first }])

  for (let i = 0; i < 500; i += 1) from('198.51.100.1', `d${i}`, refuse)
  now += 14 * minuteMs
  await counted.writeDue()
  expect(await written()).toHaveLength(1)
  now += minuteMs
  await counted.writeDue()
  const second = { times: 500, lastAt, address: ['198.51.100.0/24'], requestId: 'd499' }
  expect((await written()).map(({ details }) => details)).toEqual([first, second])
  now += 15 * minuteMs
  await counted.writeDue()
  expect(await written()).toHaveLength(2)
})

test('an event that is written late tells when the last one was', async () => {
  const { id } = await aMember(site.app)
  const times = async () => {
    const events = await site.app.db
      .selectFrom('audit_events')
      .select(['recorded_at', 'details'])
      .where('subject_id', '=', id)
      .orderBy('recorded_at', 'desc')
      .execute()
    return events.map(
      ({ recorded_at: at, details }) => at.getTime() - Date.parse((details as { lastAt: string }).lastAt),
    )
  }
  const refuse = () => counted.count({ action: 'session.refused', key: id })
  refuse()
  now += minuteMs
  await counted.writeDue()
  expect(await times()).toEqual([expect.closeTo(minuteMs, -4)])
  refuse()
  now += minuteMs
  refuse()
  now += 14 * minuteMs
  await counted.writeDue()
  expect(await times()).toEqual([expect.closeTo(14 * minuteMs, -4), expect.closeTo(minuteMs, -4)])
})

test('an account is found by its address or by a device, and an address that nobody has leaves no event', async () => {
  const { id, email } = await aMember(site.app)
  const device = await site.app.db
    .insertInto('known_devices')
    .values({
      id: '018e0f5c-1c00-7000-8000-00000000abcd',
      user_id: id,
      secret_hash: Buffer.alloc(32, 7),
      user_agent: '',
      created_at: new Date(),
      last_used_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  counted.count({ action: 'limit.reached', limit: 'sign-ins', key: email.toLowerCase() })
  counted.count({ action: 'limit.reached', limit: 'sign-ins on a known device', key: device.id })
  counted.count({ action: 'limit.reached', limit: 'sign-ins', key: 'nobody@readers.example' })
  await counted.settle()
  expect(await written()).toEqual([
    { action: 'limit.reached', actor: 'system', of: id, details: { limit: 'sign-ins', times: 1, lastAt } },
    {
      action: 'limit.reached',
      actor: 'system',
      of: id,
      details: { limit: 'sign-ins on a known device', times: 1, lastAt },
    },
  ])
})

test('a flood over many accounts leaves a hundred events in fifteen minutes, beside those of administrators', async () => {
  const chief = await aMember(site.app, { isAdmin: true })
  const members = await site.app.db
    .insertInto('users')
    .values(
      Array.from({ length: 150 }, (_, i) => ({
        id: `018e0f5c-1c00-7000-8000-${String(i).padStart(12, '0')}`,
        email: `flood-${i}@readers.example`,
        email_folded: `flood-${i}@readers.example`,
        name: 'A member',
        password_hash: null,
        created_at: new Date(),
      })),
    )
    .returning('id')
    .execute()
  for (const { id } of members) for (let i = 0; i < 2; i += 1) counted.count({ action: 'session.refused', key: id })
  counted.count({ action: 'session.refused', key: chief.id })
  await counted.writeDue()
  const events = await written()
  expect(events).toHaveLength(102)
  expect(events.map(({ of }) => of)).toContain(chief.id)
  expect(events.filter(({ of }) => of === null)).toEqual([
    { action: 'session.refused', actor: 'system', of: null, details: { times: 100, furtherAccounts: 50 } },
  ])
  // Administrators come to theirs also when others have used up the hundred.
  counted.count({ action: 'proof.refused', key: chief.id })
  await counted.writeDue()
  expect((await written()).slice(102)).toMatchObject([{ action: 'proof.refused', of: chief.id, details: { times: 1 } }])
  // The next ones are one event together, until the window ends.
  for (const { id } of members) counted.count({ action: 'proof.refused', key: id })
  await counted.writeDue()
  expect((await written()).slice(103)).toEqual([
    { action: 'proof.refused', actor: 'system', of: null, details: { times: 150, furtherAccounts: 150 } },
  ])
})

test('what could not be written is written later, and counted once', async () => {
  const { id } = await aMember(site.app)
  let isAway = true
  const db = new Proxy(site.app.db, {
    get: (target, name) => {
      if (isAway && name === 'transaction') throw new Error('The database is away.')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const errors: unknown[] = []
  const log = { error: (...told: unknown[]) => errors.push(told) } as unknown as typeof site.app.log
  const shaky = new CountedEvents({ db, log, people: site.app.people }, () => now)
  shaky.count({ action: 'session.refused', key: id })
  await shaky.writeDue()
  expect([await written(), errors.length]).toEqual([[], 1])
  isAway = false
  shaky.count({ action: 'session.refused', key: id })
  await shaky.close()
  expect(await written()).toMatchObject([{ of: id, details: { times: 2 } }])
})
