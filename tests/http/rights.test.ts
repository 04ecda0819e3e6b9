import { beforeAll, describe, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import type { RightsForAdmin } from '../../src/features/catalogue/rights/rights-schema.ts'
import { restrictLapsedItems } from '../../src/features/catalogue/publishing/restrict-lapsed-items.server.ts'
import type { WaitingList } from '../../src/features/site/home/admin-home-schema.ts'
import { editItem, type MadeItem, someItems } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { writePastRules } from '../harness/past-rules.ts'
import { serverOfFile } from '../harness/test-server.ts'

const dayMs = 86_400_000

let token: string
let admin: { authorization: string }
let items: Record<string, MadeItem>
let consent: string

const read = (query = '', headers: Record<string, string> = admin) => server.request(`/api/rights${query}`, { headers })
const list = async (query = ''): Promise<RightsForAdmin> => (await read(query)).json() as RightsForAdmin
const names = ({ entries }: RightsForAdmin): string[] => entries.map(({ name }) => name)
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

const server = serverOfFile({ now: new Date().toISOString() })

beforeAll(async () => {
  const { app } = server
  token = await signIn(server, await aMember(app, { isAdmin: true }))
  admin = bearer(token)
  const made = await someItems(app, [
    { name: 'In a year', validTo: inDays(365) },
    { name: 'In three weeks', validTo: inDays(21) },
    { name: 'Tomorrow', validTo: inDays(2) },
    { name: 'Also tomorrow', validTo: inDays(2), contentType: 'vip-western' },
    { name: 'A draft', validTo: inDays(2), status: 'draft' },
    { name: 'Portrait', status: 'draft' },
    { name: 'Lapsed', validTo: inDays(2) },
    { name: 'Lapsed later', validTo: inDays(2) },
    { name: 'Restricted by hand', status: 'restricted' },
  ])
  items = Object.fromEntries(made.map((item) => [item.name, item]))
  consent = randomUUID()
  await app.db
    .insertInto('consent_records')
    .values({
      id: consent,
      item_id: items['Portrait']?.id ?? '',
      pseudonym: 'A',
      permits_publication: true,
      permits_download: true,
      evidence: 'signed',
      verified_adult: 'yes',
      valid_until: new Date(Date.now() + 10 * dayMs),
      recorded_by: 'test',
    })
    .execute()
  await editItem(app, items['Portrait'] as MadeItem, { name: 'Portrait', people: 'identifiable' })
  for (const name of ['Lapsed', 'Lapsed later']) {
    await writePastRules(
      app,
      `update items set rights_valid_until = now() - interval '1 minute', lapses_at = now() - interval '1 minute'
        where id = '${items[name]?.id}'`,
    )
    await restrictLapsedItems(app)
  }
})

describe('GET /api/rights', () => {
  test('lists what is published and ends within 30 days, the next first, with what ends', async () => {
    const answer = await list()
    expect(names(answer)).toEqual(['Tomorrow', 'Also tomorrow', 'Portrait', 'In three weeks'])
    expect(answer.entries[0]).toEqual({
      id: items['Tomorrow']?.id,
      name: 'Tomorrow',
      slug: 'tomorrow',
      category: 'Literature',
      contentType: 'western',
      // The last day counts to its end.
      at: new Date(Date.parse(inDays(2)) + dayMs).toISOString(),
      cause: 'rights',
      details: [],
    })
    expect(answer.entries[2]).toMatchObject({ cause: 'consent', details: ['A'] })
    expect(answer.next).toBeNull()
    expect(answer.counts).toEqual({ lapsing: 4, lapsed: 2 })
  })

  test('lists what the site has taken off, the latest first, with what keeps it off', async () => {
    const answer = await list('?show=lapsed')
    expect(names(answer)).toEqual(['Lapsed later', 'Lapsed'])
    expect(answer.entries[0]).toMatchObject({
      cause: 'rights',
      details: [expect.stringMatching(/^The rights ended on \d{4}-\d\d-\d\d\.$/) as string],
    })
  })

  test.each(['lapsing', 'lapsed'])(
    'goes on in %s where the part before ended, also among those of one instant',
    async (show) => {
      const all = await list(`?show=${show}`)
      const found: string[] = []
      let after = ''
      for (;;) {
        const part = await list(`?show=${show}&limit=1${after}`)
        expect(part.entries.length).toBeLessThanOrEqual(1)
        found.push(...names(part))
        if (part.next === null) break
        after = `&after=${part.next}`
      }
      expect(found).toEqual(names(all))
    },
  )

  test.each([
    '?show=all',
    '?after=x',
    '?after=1-',
    '?after=1-1;2',
    '?limit=0',
    '?limit=201',
    '?show=lapsed&show=lapsed',
  ])('refuses %s', async (query) => {
    expect((await read(query)).status).toBe(400)
  })

  test.each(['99999999999999999-999999999', '0-0'])('answers an empty or whole list after %s', async (after) => {
    for (const show of ['lapsing', 'lapsed']) {
      const answer = await read(`?show=${show}&after=${after}`)
      expect(answer.status).toBe(200)
    }
  })
})

test('the home of the administration leads to both lists, and not to what a person has hidden', async () => {
  const { waiting } = (await server.request('/api/admin/waiting', { headers: admin })).json() as WaitingList
  expect(waiting).toEqual(
    expect.arrayContaining([
      {
        sentence: '2 entries were taken off the site: rights or a consent ended, or the gate refuses them',
        count: 2,
        to: '/admin/rights?show=lapsed',
      },
      {
        sentence: 'The rights of 4 entries end within 30 days, those of “Tomorrow” first',
        count: 0,
        to: '/admin/rights?show=lapsing',
      },
    ]),
  )
  // A person's decision is no work that waits.
  expect(waiting.map(({ to }) => to)).not.toContain('/admin/settings?status=restricted')
})

test('a consent that an administrator notes as withdrawn leaves the restriction in the audit log, by them, once', async () => {
  const { app } = server
  const id = items['Portrait']?.id ?? ''
  for (let time = 0; time < 2; time += 1) {
    const answer = await server.call(`/api/items/${id}/consents/${consent}/withdraw`, {
      method: 'POST',
      headers: { ...admin, 'admin-key': adminKeyOf(token), 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(200)
  }
  const events = await app.db
    .selectFrom('audit_events')
    .select(['action', 'actor', 'details'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()
  expect(events).toMatchObject([
    { action: 'consent.withdrawn', actor: 'member' },
    {
      action: 'item.restricted',
      actor: 'member',
      details: { name: 'Portrait', slug: 'portrait', restriction: 'consent' },
    },
  ])
  const [first] = (await list('?show=lapsed')).entries
  expect(first).toMatchObject({ name: 'Portrait', cause: 'consent' })
  expect(first?.details[0]).toMatch(/^A withdrew the consent on /)
})
