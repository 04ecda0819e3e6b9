import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DecidedNotices, NoticesForDesk } from '../../src/features/notices/desk/desk-schema.ts'
import { workOnClocks } from '../../src/features/notices/desk/work-on-clocks.server.ts'
import { forgetOrigins } from '../../src/features/notices/notice/hidden-at-once.server.ts'
import { deskCalls } from '../harness/desk.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { type MadeItem, someItems } from '../harness/items.ts'
import { anAdministrator, type SignedIn } from '../harness/members.ts'
import { leaveNoNotice, ageNotice, aNotice, type MadeNotice } from '../harness/notices.ts'
import { fromHtml } from '../harness/rendered.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** Floods of grave notices, and their effect on the desk (docs/spec/notices.md#hidden-at-once). */

/** The first administrator is the safety officer. */
let officer: SignedIn
let ada: SignedIn

const server = serverOfFile({ env: { CONTACT_EMAIL: 'desk@library.example', TRUSTED_PROXIES: '127.0.0.1,::1' } })

beforeAll(async () => {
  officer = await anAdministrator(server, 'Olga')
  ada = await anAdministrator(server, 'Ada')
})
leaveNoNotice(server)

let made = 0
const works = (count: number): Promise<MadeItem[]> =>
  someItems(
    server.app,
    Array.from({ length: count }, () => {
      made += 1
      return { name: `Work ${made}`, link: `https://mega.nz/file/flood${made}` }
    }),
  )
const addressOf = ({ slug }: MadeItem): string => `${server.app.config.publicUrl}/western/${slug}`
const report = async (form: string, from: string, items: readonly MadeItem[], more: Record<string, string> = {}) => {
  const answer = await server.request(`/report/${form}`, {
    method: 'POST',
    body: new URLSearchParams({ itemUrls: items.map(addressOf).join('\n'), ...more }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
  })
  expect(answer.status).toBe(303)
  const receipt = await server.request(answer.headers['location'] ?? '')
  const reference = /N-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(fromHtml(receipt.text).text)?.[0]
  if (reference === undefined) throw new Error('The page names no reference.')
  const { id } = await server.app.db
    .selectFrom('notices')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  return { id, reference }
}
const image = (from: string, items: readonly MadeItem[]) =>
  report('intimate-image', from, items, {
    explanation: 'An image of me.',
    email: 'jane@readers.example',
    goodFaith: 'on',
    signature: 'Jane Reader',
  })
const hidden = async (items: readonly MadeItem[]): Promise<number> =>
  Number(
    (
      await server.app.db
        .selectFrom('items')
        .select((of) => of.fn.countAll<string>().as('count'))
        .where('status', '=', 'restricted')
        .where(
          'id',
          'in',
          items.map(({ id }) => id),
        )
        .executeTakeFirstOrThrow()
    ).count,
  )
const { get, act, read, list } = deskCalls(
  () => server,
  () => ada,
)
const reasons = {
  ground: 'illegal',
  legalGround: 'Take It Down Act',
  facts: 'The same text came for every entry, and none shows a person.',
  explanation: 'Nothing of it is what the notice says.',
}

describe('what is hidden by itself within an hour', () => {
  test('is a quarter of the site; a notice that does not fit waits for a person as a whole', async () => {
    const items = await works(260)
    await image('203.0.113.7', items.slice(0, 30))
    expect(await hidden(items)).toBe(30)
    // A quarter of the 230 that are on the site is 57.
    const second = await image('203.0.113.8', items.slice(30, 60))
    expect(await hidden(items)).toBe(30)
    // Hidden entries cost nothing.
    await image('203.0.113.9', items.slice(20, 50))
    await image('203.0.113.9', items.slice(0, 50))
    expect(await hidden(items)).toBe(50)
    await image('198.51.100.1', items.slice(100, 102))
    expect(await hidden(items)).toBe(52)
    const other = await image('198.51.100.1', items.slice(110, 111))
    expect(await hidden(items)).toBe(52)

    const queue = await list()
    expect(queue.notices.filter(({ isWithheld }) => isWithheld).map(({ reference }) => reference)).toEqual([
      second.reference,
      other.reference,
    ])
    // They stand first.
    expect(queue.notices.map(({ isWithheld }) => isWithheld)).toEqual([true, true, false, false, false, false])
    const part = await list('?limit=1')
    expect((await list(`?limit=10&after=${part.next ?? ''}`)).notices).toHaveLength(5)
    expect((await read(second)).events.at(0)?.sentence).toContain('Too many came at once')

    await server.app.alarms.settle()
    await drainJobs(server.app)
    const told = (await readEmails(server.app)).filter(({ subject }) => subject.includes('Many entries reported'))
    expect(told.map(({ to }) => to).sort()).toEqual(['ada@library.example', 'olga@library.example'])

    // An hour later there is room again.
    await sql`update notice_hides set at = at - interval '1 hour'`.execute(server.app.db)
    await image('203.0.113.7', items.slice(200, 230))
    expect(await hidden(items)).toBe(82)
  })

  test('counts those that come at the same moment one after the other', async () => {
    const items = await works(100)
    await Promise.all(Array.from({ length: 5 }, (_, no) => image(`192.0.2.${no}`, items.slice(no * 20, no * 20 + 20))))
    expect(await hidden(items)).toBe(40)
    expect((await list()).notices.filter(({ isWithheld }) => isWithheld)).toHaveLength(3)
  })

  test('is bounded for a child at risk too, and for what a sender adds on the private page', async () => {
    const items = await works(90)
    await report('child-safety', '203.0.113.9', items.slice(0, 50))
    expect(await hidden(items)).toBe(50)
    const page = await server.request('/report/child-safety', {
      method: 'POST',
      body: new URLSearchParams({ explanation: 'A person in the picture may be a minor.' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.9' },
    })
    const path = (page.headers['location'] ?? '').replace('receipt', 'track')
    const added = await server.request(path, {
      method: 'POST',
      body: new URLSearchParams({ act: 'add', itemUrls: items.slice(50).map(addressOf).join('\n') }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.10' },
    })
    expect(added.status).toBe(303)
    expect(await hidden(items)).toBe(50)
    expect((await list('', officer)).notices.map(({ isWithheld }) => isWithheld)).toEqual([true, false])
    // Nothing of it is there for the other administrator, not even to be kept.
    const { notices } = await list('', officer)
    const answer = await act('decisions', {
      notices: notices.map(({ reference, version }) => ({ reference, version })),
      outcome: 'keep',
      ...reasons,
    })
    expect((answer.json() as DecidedNotices).results).toEqual(
      notices.map(({ reference }) => ({ reference, result: 'gone', reason: 'There is no such notice.', notice: null })),
    )
    expect(await hidden(items)).toBe(50)
  })
})

describe('what was not hidden', () => {
  test('is hidden by one press, once', async () => {
    const items = await works(60)
    await image('203.0.113.7', items.slice(0, 50))
    const { reference } = await image('203.0.113.7', items.slice(50))
    const { version } = await read({ reference })
    const answers = await Promise.all([
      act(`${reference}/hide`, { version }),
      act(`${reference}/hide`, { version }, officer),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await hidden(items)).toBe(60)
    const notice = await read({ reference })
    expect(notice).toMatchObject({ isWithheld: false, version })
    expect(notice.events.at(-1)).toMatchObject({ type: 'hidden' })
    expect(notice.events.at(-1)?.sentence).toMatch(/^(Ada|Olga) hid 10 entries\.$/)
    const refused = await act(`${reference}/hide`, { version })
    expect([refused.status, (refused.json() as { code: string }).code]).toEqual([409, 'notice.transition'])
  })

  test('is hidden by its deadline, and removed by nobody but a person', async () => {
    const items = await works(60)
    const first = await image('203.0.113.7', items.slice(0, 50))
    const flood = await image('203.0.113.7', items.slice(50))
    expect(await hidden(items)).toBe(50)
    for (const notice of [first, flood]) await ageNotice(server.app, notice, '44 hours')
    await workOnClocks(server.app)
    expect(await hidden(items)).toBe(60)
    for (const notice of [first, flood]) await ageNotice(server.app, notice, '30 days')
    await workOnClocks(server.app)
    const { rows } = await sql<{ status: string }>`select distinct status from items`.execute(server.app.db)
    expect(rows).toEqual([{ status: 'restricted' }])
    expect(await server.app.db.selectFrom('blocked_links').select('fingerprint').execute()).toEqual([])
    expect((await list('')).notices.map(({ isOverdue }) => isOverdue)).toEqual([true, true])
    const answer = await server.request('/transparency.json')
    const { kinds } = answer.json() as { kinds: { kind: string; all: { overdue: unknown } }[] }
    expect(kinds.find(({ kind }) => kind === 'intimate-image')?.all.overdue).toBe('fewer than 5')
  })
})

describe('the network of a sender', () => {
  test('finds what came from it, names no address, and is forgotten after 14 days', async () => {
    const [item] = await works(1)
    const urls = [(item as MadeItem).slug]
    const one = await aNotice(server.app, { kind: 'other', urls, from: '203.0.113.7' })
    const two = await aNotice(server.app, { kind: 'privacy', urls, from: '203.0.113.200' })
    const child = await aNotice(server.app, { kind: 'child-safety', urls, from: '203.0.113.8' })
    await aNotice(server.app, { kind: 'other', urls, from: '198.51.100.7' })
    const nowhere = await aNotice(server.app, { kind: 'other', urls })
    expect([(await read(one)).sameNetwork, (await read(one, officer)).sameNetwork]).toEqual([1, 2])
    expect((await read(nowhere)).sameNetwork).toBe(0)
    const found = await get(`/api/notices?network=${one.reference}`)
    expect((found.json() as NoticesForDesk).notices.map(({ reference }) => reference).sort()).toEqual(
      [one.reference, two.reference].sort(),
    )
    expect(found.text + (await get(`/api/notices/${one.reference}`)).text).not.toContain('203.0.113')
    expect((await get(`/api/notices?network=${child.reference}`)).status).toBe(404)
    expect((await list(`?network=${nowhere.reference}`)).notices).toEqual([])

    await ageNotice(server.app, one, '13 days')
    await forgetOrigins(server.app)
    expect((await read(one)).sameNetwork).toBe(1)
    await ageNotice(server.app, one, '1 day')
    await forgetOrigins(server.app)
    expect((await read(one)).sameNetwork).toBe(0)
    expect((await read(two)).sameNetwork).toBe(0)
  })
})

describe('many notices', () => {
  const resultsOf = (answer: { json: () => unknown }) =>
    (answer.json() as DecidedNotices).results.map(({ result }) => result)

  test('are decided by one call: each is a decision of its own, with its statement, and made once', async () => {
    const items = await works(12)
    const notices: MadeNotice[] = []
    for (const item of items) notices.push(await image('203.0.113.7', [item]))
    expect(await hidden(items)).toBe(12)
    const [first, second] = notices as [MadeNotice, MadeNotice]
    expect((await act(`${first.reference}/review`, { version: 1 })).status).toBe(200)
    await drainJobs(server.app)
    const before = (await readEmails(server.app)).length
    const wanted = [
      ...notices.map(({ reference }) => ({ reference, version: 1 })),
      { reference: 'N-0000-0000', version: 1 },
    ]
    const call = { notices: wanted, outcome: 'keep', ...reasons }
    // A double click, and another administrator who reads something else in it.
    const answers = await Promise.all([
      act('decisions', call),
      act('decisions', call),
      act('decisions', { ...call, facts: 'Something else.' }, officer),
    ])
    const [one, again, other] = answers.map(resultsOf) as [string[], string[], string[]]
    expect(again).toEqual(one)
    for (const results of [one, other]) expect([results[0], results.at(-1)]).toEqual(['overtaken', 'gone'])
    for (let no = 1; no < 12; no += 1) expect(new Set([one[no], other[no]])).toEqual(new Set(['decided', 'overtaken']))
    expect(await hidden(items)).toBe(1)
    expect((await read(second)).decisions).toMatchObject([{ outcome: 'keep' }])
    await drainJobs(server.app)
    const statements = (await readEmails(server.app)).slice(before).filter(({ to }) => to === 'jane@readers.example')
    expect(statements).toHaveLength(11)
  })

  test('are removed by one call and given back by another, with links, audit log and journal; what cannot be is refused', async () => {
    const items = await works(3)
    const notices: MadeNotice[] = []
    for (const item of items.slice(0, 2)) notices.push(await image('203.0.113.77', [item]))
    const nowhere = await aNotice(server.app, { urls: ['https://elsewhere.example/x'] })
    const call = async (outcome: string) => {
      const versions = await Promise.all(
        [...notices, nowhere].map(async ({ reference }) => ({
          reference,
          version: (await read({ reference })).version,
        })),
      )
      return resultsOf(await act('decisions', { notices: versions, outcome, ...reasons }))
    }
    const standing = async () => {
      const { rows } = await sql<{ status: string; blocked: boolean }>`
        select status, exists (select from blocked_links) as blocked
          from items order by no limit 2`.execute(server.app.db)
      return rows.map(({ status, blocked }) => [status, blocked])
    }
    expect(await call('remove')).toEqual(['decided', 'decided', 'refused'])
    expect(await standing()).toEqual([
      ['removed', true],
      ['removed', true],
    ])
    expect(await call('keep')).toEqual(['decided', 'decided', 'decided'])
    expect(await standing()).toEqual([
      ['published', false],
      ['published', false],
    ])
    expect(await call('restrict')).toEqual(['decided', 'decided', 'refused'])
    expect((await standing()).map(([status]) => status)).toEqual(['restricted', 'restricted'])
    const audit = await server.app.db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_id', '=', notices[0]?.id ?? '')
      .where('action', 'in', ['notice.decided', 'notice.reversed'])
      .orderBy('id')
      .execute()
    expect(audit.map(({ action }) => action)).toEqual(['notice.decided', 'notice.reversed', 'notice.reversed'])
    const { decisions } = await read(notices[0] as MadeNotice)
    expect(decisions.map(({ outcome }) => outcome)).toEqual(['remove', 'keep', 'restrict'])
  })

  test.each([
    ['none', { notices: [], ...reasons, outcome: 'keep' }, 'notices'],
    [
      'one twice',
      {
        notices: ['N-0000-0000', 'n-0000-0000'].map((reference) => ({ reference, version: 1 })),
        ...reasons,
        outcome: 'keep',
      },
      'notices',
    ],
    ['what is no reference', { notices: [{ reference: 'x', version: 1 }], ...reasons, outcome: 'keep' }, 'notices'],
    [
      'too many',
      {
        notices: Array.from({ length: 201 }, (_, no) => ({
          reference: `N-0000-${String(no).padStart(4, '0')}`,
          version: 1,
        })),
        ...reasons,
        outcome: 'keep',
      },
      'notices',
    ],
    [
      'no facts',
      { notices: [{ reference: 'N-0000-0000', version: 1 }], ...reasons, outcome: 'keep', facts: ' ' },
      'facts',
    ],
    [
      'an unknown outcome',
      { notices: [{ reference: 'N-0000-0000', version: 1 }], ...reasons, outcome: 'uphold' },
      'outcome',
    ],
  ])('are not decided by a call with %s', async (_, body, field) => {
    const answer = await act('decisions', body)
    expect(answer.status).toBe(422)
    expect((answer.json() as { field: string }).field).toMatch(new RegExp(`^${field}`))
  })
})
