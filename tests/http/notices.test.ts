import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DecisionPreview, NoticeForDesk, NoticesForDesk } from '../../src/features/notices/desk/desk-schema.ts'
import { fileAppeal } from '../../src/features/notices/desk/file-appeal.server.ts'
import { noticeMails } from '../../src/features/notices/notice/notice-mails.ts'
import { deskCalls, emailsOf } from '../harness/desk.ts'
import { drainJobs } from '../harness/drain.ts'
import type { ReadEmail } from '../harness/emails.ts'
import { type ItemOverrides, type MadeItem, someItems, statusOfItem } from '../harness/items.ts'
import { anAdministrator, post, type SignedIn } from '../harness/members.ts'
import { nextStepInWords } from '../../src/features/notices/desk/next-step.ts'
import type { AdminHome } from '../../src/features/site/home/admin-home-schema.ts'
import { leaveNoNotice, ageNotice, aNotice, type MadeNotice, type NoticeOverrides } from '../harness/notices.ts'
import { writePastRules } from '../harness/past-rules.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { fileCounterNoticeTo } from '../harness/counter-notices.ts'

/** The first administrator is the safety officer. */
let officer: SignedIn
let ada: SignedIn
let ben: SignedIn

const server = serverOfFile({ now: new Date().toISOString(), env: { CONTACT_EMAIL: 'desk@library.example' } })

beforeAll(async () => {
  officer = await anAdministrator(server, 'Olga Officer')
  ada = await anAdministrator(server, 'Ada Admin')
  ben = await anAdministrator(server, 'Ben Boss')
})
leaveNoNotice(server)

const anId = '0193a3a0-0000-7000-8000-0000000000c1'

let works = 0
/** An entry whose rights Ada has attested. */
async function aWork(overrides: ItemOverrides = {}): Promise<MadeItem> {
  works += 1
  const given = { name: `Work ${works}`, link: `https://mega.nz/file/work${works}`, ...overrides }
  const [item] = await someItems(server.app, [given])
  await writePastRules(
    server.app,
    `update items set rights_attested_by = '${ada.id}' where id = '${(item as MadeItem).id}'`,
  )
  return item as MadeItem
}
const notice = (overrides: NoticeOverrides = {}): Promise<MadeNotice> => aNotice(server.app, overrides)
const { get, act, read, list } = deskCalls(
  () => server,
  () => ada,
)
const references = async (query = '', by = ada): Promise<string[]> =>
  (await list(query, by)).notices.map(({ reference }) => reference)
const statusOf = (item: MadeItem): Promise<string> => statusOfItem(server.app, item)
/** The recorded answer of its page after each removal (docs/spec/publishing.md#removed). */
const answersOf = async ({ id }: MadeItem): Promise<number[]> =>
  (
    await server.app.db.selectFrom('item_removals').select('answer').where('item_id', '=', id).orderBy('no').execute()
  ).map(({ answer }) => answer)
const codeOf = (answer: TestResponse): [number, string | undefined] => [
  answer.status,
  answer.text === '' ? undefined : (answer.json() as { code?: string }).code,
]
/** Those that came of the last work. */
let emails: ReadEmail[] = []
/** The emails that come of it, as `address: subject`. */
async function mailedBy(work: () => Promise<unknown>): Promise<string[]> {
  emails = await emailsOf(server, work)
  return emails.map(({ to, subject }) => `${to}: ${subject}`)
}

const reasons = {
  ground: 'illegal',
  legalGround: '17 U.S.C. 106',
  facts: 'The text is that of the novel.',
  explanation: 'It is a copy without a licence.',
}
const removal = { outcome: 'remove', ...reasons, version: 1 }

describe('a grave notice at whose addresses no entry was found', () => {
  test('says in the queue, on its page and in the email that nothing is hidden, until an entry is attached', async () => {
    const work = await aWork()
    let made!: MadeNotice
    await mailedBy(async () => {
      made = await notice({ kind: 'child-safety', urls: ['no-such-work'] })
    })
    const sentence = 'No address in it leads to an entry, so nothing is hidden'
    expect(emails.map(({ text }) => [text.includes(sentence), text.includes('off the site')])).toEqual([[true, false]])
    expect((await list('', officer)).notices).toMatchObject([{ isNothingFound: true, item: null }])
    const { version, isNothingFound } = await read(made, officer)
    expect(isNothingFound).toBe(true)
    await act(`${made.reference}/entries`, { add: work.slug, version }, officer)
    expect([(await read(made, officer)).isNothingFound, await statusOf(work)]).toEqual([false, 'restricted'])
    expect((await list('', officer)).notices).toMatchObject([{ isNothingFound: false }])
  })

  test('one that has found its entry says what became of it, one of a usual kind nothing', async () => {
    const work = await aWork()
    await mailedBy(() => notice({ kind: 'intimate-image', urls: [work.slug] }))
    expect(
      emails.every(({ text }) => text.includes('The entries that were found at its addresses are off the site.')),
    ).toBe(true)
    const usual = await notice({ urls: ['no-such-work'] })
    expect((await read(usual)).isNothingFound).toBe(false)
  })
})

describe('the desk', () => {
  const calls: [method: string, path: (reference: string) => string, body?: unknown][] = [
    ['GET', () => '/api/notices'],
    ['GET', (reference) => `/api/notices/${reference}`],
    ['POST', (reference) => `/api/notices/${reference}/assign`, { to: null, was: null }],
    ['POST', (reference) => `/api/notices/${reference}/review`, { version: 1 }],
    [
      'POST',
      () => '/api/notices/decisions',
      { notices: [{ reference: 'N-0000-0000', version: 1 }], outcome: 'keep', ...reasons },
    ],
    ['POST', (reference) => `/api/notices/${reference}/hide`, { version: 1 }],
    ['POST', (reference) => `/api/notices/${reference}/ask`, { missing: ['phone'], message: 'Which?', version: 1 }],
    ['POST', (reference) => `/api/notices/${reference}/kind`, { kind: 'other', version: 1 }],
    ['POST', (reference) => `/api/notices/${reference}/entries`, { add: 'x', version: 1 }],
    ['POST', (reference) => `/api/notices/${reference}/duplicate`, { of: 'N-0000-0000', version: 1 }],
    ['POST', (reference) => `/api/notices/${reference}/decision/preview`, removal],
    ['POST', (reference) => `/api/notices/${reference}/decision`, removal],
    ['POST', (reference) => `/api/notices/${reference}/appeal`, { ...removal, outcome: 'uphold' }],
    ['POST', (reference) => `/api/notices/${reference}/counter-notices/${anId}/accept`, { version: 1 }],
    ['POST', (reference) => `/api/notices/${reference}/counter-notices/${anId}/refuse`, { reasons: 'No.', version: 1 }],
    [
      'POST',
      (reference) => `/api/notices/${reference}/counter-notices/${anId}/action`,
      { note: 'A court.', version: 1 },
    ],
    ['POST', (reference) => `/api/notices/${reference}/close`, { version: 1 }],
  ]

  test('has what never was whole in a list of its own, unless it is grave, has been begun, or has under a day left', async () => {
    const before = await list()
    const missing = ['itemUrls']
    const whole = await notice({ kind: 'privacy' })
    const [idle, later, soon, late, begun, grave, asked] = [
      await notice({ missing }),
      await notice({ kind: 'privacy', missing }),
      await notice({ kind: 'privacy', missing }),
      await notice({ kind: 'privacy', missing }),
      await notice({ kind: 'privacy', missing }),
      await notice({ kind: 'intimate-image', missing }),
      await notice({ kind: 'privacy' }),
    ]
    await ageNotice(server.app, soon, '6 days 1 hour')
    await ageNotice(server.app, late, '8 days')
    await act(`${begun.reference}/review`, { version: 1 })
    await act(`${asked.reference}/ask`, { missing: ['name'], message: 'Who are you?', version: 1 })
    const waiting = new Set(await references('?limit=200'))
    for (const one of [whole, soon, late, begun, grave, asked]) expect(waiting).toContain(one.reference)
    const apart = await references('?state=incomplete&limit=200')
    for (const one of [idle, later])
      expect([waiting.has(one.reference), apart.includes(one.reference)]).toEqual([false, true])
    // By the time that is left; without a deadline last.
    expect(apart.indexOf(later.reference)).toBeLessThan(apart.indexOf(idle.reference))
    const { counts } = await list()
    expect(counts.open - before.counts.open).toBe(6)
    expect(counts.incomplete - before.counts.incomplete).toBe(2)
    expect(apart).toHaveLength(counts.incomplete)
    const { notices, next } = await list('?state=incomplete&limit=1')
    expect([notices[0]?.reference, ...(await references(`?state=incomplete&after=${next}`))]).toEqual(apart)
  })

  test('answers a reference that nobody has like one of a child at risk, to all but safety officers', async () => {
    const child = await notice({ kind: 'child-safety' })
    const unknown = ['N-0000-0000', 'N-000', 'nonsense', encodeURIComponent("N-' or 1=1"), '%00']
    const ofOne = calls.filter(([, path]) => path('one') !== path('another'))
    expect(ofOne.length).toBeGreaterThan(10)
    for (const [method, path, body] of ofOne) {
      const ask = async (reference: string, { headers }: SignedIn): Promise<TestResponse> =>
        method === 'GET' ? get(path(reference), { ...ada, headers }) : post(server, path(reference), body, headers)
      const answers = await Promise.all([...unknown, child.reference].map((reference) => ask(reference, ada)))
      for (const answer of answers) expect(codeOf(answer), path('…')).toEqual([404, 'notice.not_found'])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    }
    expect(await references()).toEqual([])
    expect(await list()).toMatchObject({ counts: { open: 0, overdue: 0, appeals: 0, counterNotices: 0 } })
    expect(await references('?kind=child-safety')).toEqual([])
    expect(await references(`?search=${child.reference}`)).toEqual([])
    expect(await references('', officer)).toEqual([child.reference])
    expect(await read(child, officer)).toMatchObject({ kind: 'child-safety', status: 'received' })
    const lower = await get(`/api/notices/${child.reference.toLowerCase()}`, officer)
    expect(lower.status).toBe(200)
  })

  test('shows a case: as reported beside as it is, what is missing, the clocks and what happened', async () => {
    const item = await aWork({ name: 'The Blue Castle' })
    const made = await notice({ urls: [item.slug, 'https://elsewhere.example/nothing'], missing: ['signature'] })
    await writePastRules(server.app, `update items set name = 'The Green Castle' where id = '${item.id}'`)
    const shown = await read(made)
    expect(shown).toMatchObject({
      reference: made.reference,
      kind: 'copyright',
      status: 'needs-info',
      sender: { name: 'Ada Author', email: 'ada@authors.example' },
      clocks: [],
      decisions: [],
      appeal: null,
      counterNotices: [],
    })
    expect(shown.addresses.map(({ asReported, asItIs }) => [asReported?.name, asItIs?.name])).toEqual([
      ['The Blue Castle', 'The Green Castle'],
      [undefined, undefined],
    ])
    expect(shown.addresses[0]?.asReported?.links).toEqual([
      { slot: 'link', address: expect.stringContaining('https://mega.nz/file/work') },
    ])
    expect(shown.elements.filter(({ isGiven }) => !isGiven).map(({ name }) => name)).toEqual(['signature'])
    expect(shown.events.map(({ sentence }) => sentence)).toEqual([
      "The notice came in as 'Copyright'. Missing: your signature.",
    ])
  })

  test('lists by the time that is left, the two gravest kinds first', async () => {
    const privacy = await notice({ kind: 'privacy' })
    const incomplete = await notice({ missing: ['signature'] })
    const overdue = await notice({ kind: 'other' })
    await ageNotice(server.app, overdue, '20 days')
    const image = await notice({ kind: 'intimate-image' })
    const order = [image, overdue, privacy].map(({ reference }) => reference)
    expect(await references()).toEqual(order)
    expect(await references('?state=incomplete')).toEqual([incomplete.reference])
    const { notices, counts } = await list()
    expect(counts).toEqual({ open: 3, incomplete: 1, overdue: 1, appeals: 0, counterNotices: 0 })
    expect(notices.map(({ clock }) => clock && [clock.name, clock.isOverdue])).toEqual([
      ['decide', false],
      ['decide', true],
      ['decide', false],
    ])
    // Part by part.
    const parts: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const part: NoticesForDesk = await list(`?limit=1${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`)
      parts.push(...part.notices.map(({ reference }) => reference))
      after = part.next
    }
    expect(parts).toEqual(order)
    expect(await references('?kind=privacy')).toEqual([privacy.reference])
  })

  test('names who sent a notice by what they gave of themselves: name, organization, email address or telephone', async () => {
    const nobody = { name: null, organization: null, email: null, phone: null }
    const all = [
      await notice({ name: 'Lucy Maud' }),
      await notice({ ...nobody, organization: 'Castle Press', email: 'desk@castle.example' }),
      await notice({ ...nobody, email: 'quiet@readers.example', phone: '+1 555 0100' }),
      await notice({ ...nobody, phone: '+1 555 0101' }),
      await notice(nobody),
    ]
    const { notices: listed } = (await get('/api/notices')).json() as {
      notices: { reference: string; sender: string | null }[]
    }
    expect(all.map(({ reference }) => listed.find((one) => one.reference === reference)?.sender)).toEqual([
      'Lucy Maud',
      'Castle Press',
      'quiet@readers.example',
      '+1 555 0101',
      null,
    ])
  })

  test('finds by reference, sender, address and entry, whatever the letters', async () => {
    const item = await aWork({ name: 'The Blue Castle' })
    const made = await notice({ urls: [item.slug], name: 'Lucy Maud', organization: 'Castle Press' })
    await notice({ name: 'Somebody Else' })
    for (const search of [made.reference.toLowerCase(), 'lucy', 'CASTLE PRESS', 'blue castle', item.slug])
      expect(await references(`?search=${encodeURIComponent(search)}`), search).toEqual([made.reference])
    expect(await references('?search=%25')).toEqual([])
  })

  test.each([
    ['state=gone', 'state'],
    ['kind=pirates', 'kind'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['after=nonsense', 'after'],
    ['after=0.1.7.x', 'after'],
    ['search=%00', 'search'],
    ['state=open&state=open', 'state'],
  ])('refuses %s', async (query, field) => {
    const answer = await get(`/api/notices?${query}`)
    expect([...codeOf(answer), (answer.json() as { field: string }).field]).toEqual([400, 'notice.parameter', field])
  })

  test('hands a notice on: decided and closed ones have lists of their own', async () => {
    const [decided, closed, withdrawn] = [await notice(), await notice(), await notice()]
    for (const made of [decided, closed]) await act(`${made.reference}/decision`, { ...removal, outcome: 'keep' })
    await act(`${closed.reference}/close`, { version: 2 })
    await act(`${withdrawn.reference}/duplicate`, { of: decided.reference, version: 1 })
    expect(await references()).toEqual([])
    expect(await references('?state=decided')).toEqual([decided.reference])
    expect(await references('?state=closed')).toEqual([withdrawn.reference, closed.reference])
    expect(await read(withdrawn)).toMatchObject({ status: 'duplicate', duplicateOf: decided.reference })
  })
})

describe('a notice is worked on', () => {
  test('reviewed, asked about, answered with its version', async () => {
    const made = await notice()
    const reviewed = await act(`${made.reference}/review`, { version: 1 })
    expect(reviewed.json()).toMatchObject({ status: 'in-review', version: 2 })
    const body = { missing: ['signature'], message: 'Please sign it.', version: 2 }
    const mails = await mailedBy(() => act(`${made.reference}/ask`, body))
    expect(mails).toEqual([`ada@authors.example: Your notice ${made.reference} needs more`])
    const shown = await read(made)
    expect(shown).toMatchObject({ status: 'needs-info', version: 3 })
    expect(shown.events.map(({ sentence }) => sentence).slice(1)).toEqual([
      'Ada Admin began the review.',
      'Ada Admin asked for: your signature.',
    ])
  })

  test('an old version answers 409 with the notice as it is, and so does what it does not allow', async () => {
    const made = await notice()
    await act(`${made.reference}/review`, { version: 1 })
    const late = await act(`${made.reference}/decision`, removal)
    expect(codeOf(late)).toEqual([409, 'notice.conflict'])
    expect((late.json() as { current: NoticeForDesk }).current).toMatchObject({ version: 2, status: 'in-review' })
    const again = await act(`${made.reference}/review`, { version: 2 })
    expect(codeOf(again)).toEqual([409, 'notice.transition'])
    expect((again.json() as { current: NoticeForDesk }).current).toMatchObject({ version: 2 })
    for (const path of ['close'])
      expect(codeOf(await act(`${made.reference}/${path}`, { version: 2 }))).toEqual([409, 'notice.transition'])
    const appeal = { ...removal, outcome: 'uphold', version: 2 }
    expect(codeOf(await act(`${made.reference}/appeal`, appeal))).toEqual([409, 'notice.transition'])
  })

  test('what only records leaves the version: the decision that is being written stays sendable', async () => {
    const made = await notice({ kind: 'privacy', urls: [(await aWork()).slug] })
    await ageNotice(server.app, made, '20 days')
    const { workOnClocks } = await import('../../src/features/notices/desk/work-on-clocks.server.ts')
    await workOnClocks(server.app)
    expect(await read(made)).toMatchObject({ version: 1, clocks: [{ name: 'decide', isOverdue: true }] })
    expect((await act(`${made.reference}/decision`, removal)).status).toBe(200)
  })

  test('its addresses are changed, and what it holds with them', async () => {
    const [item, meant] = [await aWork(), await aWork()]
    const made = await notice({ kind: 'intimate-image', urls: [item.slug] })
    expect(await statusOf(item)).toBe('restricted')
    const added = await act(`${made.reference}/entries`, { add: meant.slug, version: 1 })
    expect(added.status).toBe(200)
    const [first] = (added.json() as NoticeForDesk).addresses
    expect([await statusOf(item), await statusOf(meant)]).toEqual(['restricted', 'restricted'])
    expect((await act(`${made.reference}/entries`, { remove: first?.id, version: 2 })).status).toBe(200)
    expect([await statusOf(item), await statusOf(meant)]).toEqual(['published', 'restricted'])
    for (const body of [{ add: 'nothing-here' }, { add: meant.slug }, { remove: first?.id }, { remove: 'x' }])
      expect(codeOf(await act(`${made.reference}/entries`, { ...body, version: 3 }))).toEqual([422, 'notice.invalid'])
    expect(await read(made)).toMatchObject({ version: 3, addresses: [{ url: meant.slug }] })
  })

  test('of another kind, it has other deadlines; a child at risk leaves the desk of everybody else', async () => {
    const item = await aWork()
    const made = await notice({ kind: 'other', urls: [item.slug] })
    const image = await act(`${made.reference}/kind`, { kind: 'intimate-image', version: 1 })
    expect(image.json()).toMatchObject({ kind: 'intimate-image', clocks: [{ name: 'decide' }] })
    expect(await statusOf(item)).toBe('restricted')
    const mails = await mailedBy(async () => {
      const child = await act(`${made.reference}/kind`, { kind: 'child-safety', version: 2 })
      expect([child.status, child.text]).toEqual([204, ''])
    })
    expect(mails.toSorted()).toEqual([
      `ada@authors.example: Your notice ${made.reference} is handled differently`,
      `olga@library.example: New notice ${made.reference}`,
    ])
    expect(codeOf(await get(`/api/notices/${made.reference}`))).toEqual([404, 'notice.not_found'])
    expect(await read(made, officer)).toMatchObject({ clocks: [{ name: 'person' }] })
    const back = await act(`${made.reference}/kind`, { kind: 'other', version: 3 }, officer)
    expect(back.status).toBe(200)
    // A change of kind gives nothing back: a decision does.
    expect(await statusOf(item)).toBe('restricted')
    await act(`${made.reference}/decision`, { ...removal, outcome: 'keep', version: 4 })
    expect(await statusOf(item)).toBe('published')
  })

  test('a duplicate names one that is worked on', async () => {
    const [made, original] = [await notice(), await notice()]
    const child = await notice({ kind: 'child-safety' })
    for (const other of ['N-0000-0000', made.reference, child.reference])
      expect(codeOf(await act(`${made.reference}/duplicate`, { of: other, version: 1 })), other).toEqual([
        422,
        'notice.invalid',
      ])
    await act(`${original.reference}/duplicate`, { of: made.reference, version: 1 })
    expect((await read(original)).duplicateOf).toBe(made.reference)
    const circle = await act(`${made.reference}/duplicate`, { of: original.reference, version: 2 })
    expect(codeOf(circle)).toEqual([422, 'notice.invalid'])
  })

  test('what a duplicate has hidden its original keeps off the site, until that is decided', async () => {
    const [item, own] = [await aWork(), await aWork()]
    const image = await notice({ kind: 'intimate-image', urls: [item.slug, 'https://elsewhere.example/x'] })
    const original = await notice({ kind: 'intimate-image', urls: [own.slug] })
    await ageNotice(server.app, image, '20 hours')
    const { clocks } = await read(image)
    expect((await act(`${image.reference}/duplicate`, { of: original.reference, version: 1 })).status).toBe(200)
    expect([await statusOf(item), await statusOf(own)]).toEqual(['restricted', 'restricted'])
    const joined = await read(original)
    expect(joined.addresses.map(({ asItIs, url }) => asItIs?.name ?? url)).toEqual([
      own.name,
      item.name,
      'https://elsewhere.example/x',
    ])
    // The earlier deadline stays.
    expect(joined.clocks).toEqual(clocks)
    expect(joined.events.at(-1)?.sentence).toBe(`Ada Admin marked ${image.reference} as a duplicate of this one.`)
    await mailedBy(() => act(`${original.reference}/decision`, { ...removal, outcome: 'keep', version: 2 }))
    expect([await statusOf(item), await statusOf(own)]).toEqual(['published', 'published'])
    // A sender does not learn the entries of another one.
    const text = emails.find(({ to }) => to === 'ada@authors.example')?.text
    expect(text).toContain(own.name)
    expect(text).not.toContain(item.name)
  })

  test('a duplicate is not graver than its original, and of a decided one about the same', async () => {
    const [item, other] = [await aWork(), await aWork()]
    const image = await notice({ kind: 'intimate-image', urls: [item.slug] })
    const mild = await notice({ kind: 'other', urls: [item.slug] })
    const elsewhere = await notice({ kind: 'intimate-image', urls: [other.slug] })
    await act(`${elsewhere.reference}/decision`, removal)
    const lacking = await notice({ kind: 'intimate-image', urls: [item.slug], missing: ['signature'] })
    for (const { reference } of [mild, elsewhere, lacking]) {
      const answer = await act(`${image.reference}/duplicate`, { of: reference, version: 1 })
      expect(codeOf(answer), reference).toEqual([422, 'notice.invalid'])
    }
    expect([await statusOf(item), (await read(image)).status]).toEqual(['restricted', 'received'])
    await act(`${lacking.reference}/decision`, removal)
    expect((await act(`${image.reference}/duplicate`, { of: lacking.reference, version: 1 })).status).toBe(200)
    expect(await statusOf(item)).toBe('removed')
  })

  test('only what the law asks of its kind is asked for, and the deadlines of a whole notice run on', async () => {
    const made = await notice()
    const ask = { missing: ['organization'], message: 'Which?', version: 1 }
    const answer = await act(`${made.reference}/ask`, ask)
    expect([...codeOf(answer), (answer.json() as { field: string }).field]).toEqual([422, 'notice.invalid', 'missing'])
    const asked = await act(`${made.reference}/ask`, { ...ask, missing: ['phone'] })
    expect(asked.json()).toMatchObject({ status: 'needs-info', clocks: [{ name: 'decide' }, { name: 'hide' }] })
  })

  test('nothing is taken off that no address leads to; found, it is', async () => {
    const item = await aWork()
    const made = await notice({ kind: 'intimate-image', urls: ['https://elsewhere.example/x'] })
    for (const path of ['decision', 'decision/preview'])
      for (const outcome of ['remove', 'restrict']) {
        const answer = await act(`${made.reference}/${path}`, { ...removal, outcome })
        expect([...codeOf(answer), (answer.json() as { field: string }).field]).toEqual([
          422,
          'notice.invalid',
          'outcome',
        ])
      }
    await act(`${made.reference}/entries`, { add: item.slug, version: 1 })
    expect((await act(`${made.reference}/decision`, { ...removal, version: 2 })).status).toBe(200)
    expect(await statusOf(item)).toBe('removed')
    const nowhere = await notice({ urls: ['https://elsewhere.example/x'] })
    await mailedBy(() => act(`${nowhere.reference}/decision`, { ...removal, outcome: 'keep' }))
    const text = emails.find(({ to }) => to === 'ada@authors.example')?.text
    expect(text).toContain('We found no entry at the addresses in the notice')
  })

  const long = 'x'.repeat(5_001)
  test.each<[string, unknown, string]>([
    ['review', {}, 'version'],
    ['review', { version: '1' }, 'version'],
    ['review', { version: 1, also: true }, ''],
    ['ask', { missing: [], message: 'x', version: 1 }, 'missing'],
    ['ask', { missing: ['name', 'name'], message: 'x', version: 1 }, 'missing'],
    ['ask', { missing: ['shoe size'], message: 'x', version: 1 }, 'missing.0'],
    ['ask', { missing: ['name'], message: ' ', version: 1 }, 'message'],
    ['kind', { kind: 'pirates', version: 1 }, 'kind'],
    ['entries', { version: 1 }, 'add'],
    ['entries', { add: 'a', remove: 'b', version: 1 }, 'add'],
    ['entries', { add: 'a\nb', version: 1 }, 'add'],
    ['duplicate', { of: 'nonsense', version: 1 }, 'of'],
    ...['ground', 'legalGround', 'facts', 'explanation', 'outcome'].map((field): [string, unknown, string] => [
      'decision',
      Object.fromEntries(Object.entries(removal).filter(([name]) => name !== field)),
      field,
    ]),
    ['decision', { ...removal, facts: '  ' }, 'facts'],
    ['decision', { ...removal, facts: long }, 'facts'],
    ['decision', { ...removal, facts: 'a\u0000b' }, 'facts'],
    ['decision', { ...removal, facts: '\ud800' }, 'facts'],
    ['decision', { ...removal, legalGround: 'x'.repeat(501) }, 'legalGround'],
    ['decision', { ...removal, outcome: 'burn' }, 'outcome'],
    ['decision/preview', { ...removal, ground: 'whim' }, 'ground'],
    ['appeal', { ...removal, outcome: 'remove' }, 'outcome'],
    [`counter-notices/${anId}/action`, { note: '', version: 1 }, 'note'],
    [`counter-notices/${anId}/refuse`, { reasons: ' ', version: 1 }, 'reasons'],
    ['close', { version: 0 }, 'version'],
  ])('%s refuses %j', async (verb, body, field) => {
    const made = await notice()
    const answer = await act(`${made.reference}/${verb}`, body)
    expect(codeOf(answer)).toEqual([422, 'notice.invalid'])
    expect((answer.json() as { field?: string }).field ?? '').toBe(field)
    expect(await read(made)).toMatchObject({ version: 1, status: 'received' })
  })
})

describe('a decision', () => {
  test('removes, blocks and tells those concerned, in one step', async () => {
    const [item, copy] = [
      await aWork({ link: 'https://mega.nz/file/same' }),
      await aWork({ link: 'https://mega.nz/file/same' }),
    ]
    const made = await notice({ urls: [item.slug] })
    let decided: NoticeForDesk | undefined
    const mails = await mailedBy(async () => {
      decided = (await act(`${made.reference}/decision`, removal, ben)).json() as NoticeForDesk
    })
    expect(decided).toMatchObject({
      status: 'decided',
      version: 2,
      clocks: [],
      decisions: [{ decidedBy: 'Ben Boss', reverses: null }],
    })
    expect(decided?.decisions[0]?.items.map(({ name, wasReported, effect }) => [name, wasReported, effect])).toEqual([
      [item.name, true, 'removed'],
      [copy.name, false, 'restricted'],
    ])
    expect([await statusOf(item), await statusOf(copy)]).toEqual(['removed', 'restricted'])
    expect(mails.toSorted()).toEqual([
      `ada@authors.example: Decision on notice ${made.reference}`,
      `ada@library.example: Decision on notice ${made.reference}`,
    ])
    const [toSender, toAdministrator] = ['ada@authors.example', 'ada@library.example'].map((address) =>
      emails.findLast(({ to }) => to === address),
    )
    for (const email of [toSender, toAdministrator]) {
      expect(email?.text).toContain('Facts: The text is that of the novel.')
      expect(email?.text).toContain('17 U.S.C. 106')
      expect(email?.text).toContain('A person made the decision, without automated means.')
      expect(email?.text).toMatch(/until [A-Z][a-z]+ \d+, \d{4}/)
      expect(email?.text).toContain('court')
    }
    expect(toSender?.text).toMatch(/\/report\/track\/[\w-]{43}/)
    // Only the administrators responsible learn the name of another entry with the link.
    expect(toSender?.text).not.toContain(copy.name)
    expect(toAdministrator?.text).toContain(copy.name)
    expect(toAdministrator?.text).not.toContain('/report/track/')
  })

  test.each([
    ['copyright', 'illegal', 451],
    ['copyright', 'terms', 410],
    ['other', 'illegal', 451],
    ['child-safety', 'illegal', 404],
    ['child-safety', 'terms', 404],
  ] as const)('about %s, by reason of: %s, has its page answer %i', async (kind, ground, status) => {
    const item = await aWork()
    const made = await notice({ kind, urls: [item.slug] })
    const answer = await act(`${made.reference}/decision`, { ...removal, ground }, officer)
    expect(answer.status).toBe(200)
    expect(await answersOf(item)).toEqual([status])
  })

  test('is previewed by what would be sent and done; nothing is written', async () => {
    const item = await aWork()
    const made = await notice({ urls: [item.slug] })
    const before = await read(made)
    let preview: DecisionPreview | undefined
    const mails = await mailedBy(async () => {
      preview = (await act(`${made.reference}/decision/preview`, removal)).json() as DecisionPreview
    })
    expect(mails).toEqual([])
    expect(await read(made)).toEqual(before)
    expect(await statusOf(item)).toBe('published')
    expect(await server.app.db.selectFrom('blocked_links').selectAll().execute()).toEqual([])
    expect(preview?.items).toEqual([
      { id: item.id, name: item.name, path: `/western/${item.slug}`, becomes: 'removed' },
    ])
    await mailedBy(() => act(`${made.reference}/decision`, removal))
    const sent = emails.filter(({ subject }) => subject.includes(made.reference))
    // But for the address that its sender alone may know.
    const masked = (text: string): string =>
      text.trim().replace(/\S+\/report\/track\/\S+/, '(the address of the private page of the notice)')
    // Those of one decision go out in any order.
    const byReceiver = (list: readonly Pick<ReadEmail, 'to' | 'subject' | 'text'>[]) =>
      list
        .map(({ to, subject, text }) => ({ to, subject, text: masked(text) }))
        .sort((one, other) => one.to.localeCompare(other.to))
    expect(byReceiver(preview?.emails ?? [])).toEqual(byReceiver(sent))
    expect(JSON.stringify(preview)).not.toContain('/report/track/')
  })

  test('that is asked for fifty times at once is made once, and mailed once', async () => {
    const item = await aWork()
    const made = await notice({ urls: [item.slug] })
    let answers: TestResponse[] = []
    const mails = await mailedBy(async () => {
      answers = await Promise.all(
        Array.from({ length: 50 }, (_nothing, no) =>
          act(`${made.reference}/decision`, removal, [ada, ben, officer][no % 3]),
        ),
      )
    })
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(codeOf(answer)).toEqual([409, 'notice.conflict'])
    const shown = await read(made)
    expect([shown.version, shown.decisions.length]).toEqual([2, 1])
    expect(mails.filter((line) => line.startsWith('ada@authors.example'))).toHaveLength(1)
  })

  test('is reversed by a second one, which gives back what the first took, through the gate', async () => {
    const [item, copy, gone] = [
      await aWork({ link: 'https://mega.nz/file/same' }),
      await aWork({ link: 'https://mega.nz/file/same' }),
      await aWork(),
    ]
    const made = await notice({ urls: [item.slug, gone.slug] })
    await act(`${made.reference}/decision`, removal)
    // Meanwhile its rights have ended.
    await writePastRules(
      server.app,
      `update items set rights_valid_until = now() - interval '1 day' where id = '${gone.id}'`,
    )
    const answer = await act(`${made.reference}/decision`, { ...removal, outcome: 'keep', version: 2 }, ben)
    const { decisions, status } = answer.json() as NoticeForDesk
    expect([status, decisions.map(({ outcome }) => outcome)]).toEqual(['decided', ['remove', 'keep']])
    expect(decisions[1]?.reverses).toBe(decisions[0]?.id)
    expect([await statusOf(item), await statusOf(copy), await statusOf(gone)]).toEqual([
      'published',
      'published',
      'restricted',
    ])
    const effects = new Map(decisions[1]?.items.map(({ id, effect, reasons: why }) => [id, [effect, why.length > 0]]))
    expect([effects.get(item.id), effects.get(copy.id), effects.get(gone.id)]).toEqual([
      ['published', false],
      ['published', false],
      ['restricted', true],
    ])
    // And once more.
    await act(`${made.reference}/decision`, { ...removal, version: 3 })
    expect(await statusOf(item)).toBe('removed')
    const terms = await act(`${made.reference}/decision`, { ...removal, ground: 'terms', version: 4 })
    expect(terms.status).toBe(200)
    expect(await answersOf(item)).toEqual([451, 451, 410])
  })

  test('to restrict keeps it off the site until it is reversed; to keep gives back what the notice had hidden', async () => {
    const [item, image] = [await aWork(), await aWork()]
    const made = await notice({ urls: [item.slug] })
    const restricted = await act(`${made.reference}/decision`, { ...removal, outcome: 'restrict' })
    expect((restricted.json() as NoticeForDesk).decisions[0]?.items).toMatchObject([
      { effect: 'restricted', reasons: [] },
    ])
    expect(await statusOf(item)).toBe('restricted')
    await act(`${made.reference}/decision`, { ...removal, outcome: 'keep', version: 2 })
    expect(await statusOf(item)).toBe('published')
    const hidden = await notice({ kind: 'intimate-image', urls: [image.slug] })
    expect(await statusOf(image)).toBe('restricted')
    const kept = await act(`${hidden.reference}/decision`, { ...removal, outcome: 'keep' })
    expect((kept.json() as NoticeForDesk).decisions[0]?.items).toMatchObject([{ effect: 'published' }])
    expect(await statusOf(image)).toBe('published')
  })

  test('goes to the contact address where nobody attested, and to nobody where no address was given', async () => {
    const [item] = await someItems(server.app, [{ name: 'Nobody attested it' }])
    const made = await notice({ kind: 'other', urls: [(item as MadeItem).slug], email: null })
    const mails = await mailedBy(() => act(`${made.reference}/decision`, removal))
    expect(mails).toEqual([`desk@library.example: Decision on notice ${made.reference}`])
  })

  test('about a child at risk is told to the sender and the safety officers alone', async () => {
    const item = await aWork()
    const made = await notice({ kind: 'child-safety', urls: [item.slug], email: 'teacher@school.example' })
    const mails = await mailedBy(() => act(`${made.reference}/decision`, removal, officer))
    expect(mails.toSorted()).toEqual([
      `olga@library.example: Decision on notice ${made.reference}`,
      `teacher@school.example: Decision on notice ${made.reference}`,
    ])
  })

  test('is in the audit log; of a child at risk no more than an id', async () => {
    const child = await notice({ kind: 'child-safety' })
    const made = await notice({ urls: [(await aWork()).slug] })
    await act(`${child.reference}/decision`, { ...removal, outcome: 'keep' }, officer)
    await act(`${made.reference}/decision`, removal)
    const events = await server.app.db
      .selectFrom('audit_events')
      .select(['action', 'subject', 'subject_id', 'details'])
      .where('action', '=', 'notice.decided')
      .where('subject_id', 'in', [child.id, made.id])
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      {
        action: 'notice.decided',
        subject: 'notice',
        subject_id: child.id,
        details: { onlyFor: 'safety officers' },
      },
      {
        action: 'notice.decided',
        subject: 'notice',
        subject_id: made.id,
        details: expect.objectContaining({ reference: made.reference, kind: 'copyright', outcome: 'remove' }),
      },
    ])
  })
})

describe('an appeal', () => {
  const appealed = async (kind: 'copyright' | 'child-safety' = 'copyright', by = ada) => {
    const item = await aWork()
    const made = await notice({ kind, urls: [item.slug] })
    await act(`${made.reference}/decision`, { ...removal, outcome: 'keep' }, by)
    await server.app.db
      .transaction()
      .execute((trx) => fileAppeal(server.app, trx, { noticeId: made.id, statement: 'Look again.' }))
    return { item, made }
  }

  test('goes to another person than who decided', async () => {
    const { made } = await appealed()
    expect(await list()).toMatchObject({ counts: { open: 1, appeals: 1 }, notices: [{ hasAppeal: true }] })
    expect((await read(made)).appeal).toMatchObject({ statement: 'Look again.', mayAnswer: false })
    const answer = { ...removal, outcome: 'uphold', version: 3 }
    expect(codeOf(await act(`${made.reference}/appeal`, answer))).toEqual([403, 'notice.other_person'])
    const decision = await act(`${made.reference}/decision`, { ...removal, version: 3 })
    expect(codeOf(decision)).toEqual([409, 'notice.transition'])
    expect((await read(made, ben)).appeal).toMatchObject({ mayAnswer: true })
    const mails = await mailedBy(async () => {
      expect((await act(`${made.reference}/appeal`, answer, ben)).status).toBe(200)
    })
    expect(mails).toContain(`ada@authors.example: The appeal against the decision on notice ${made.reference}`)
    const shown = await read(made)
    expect(shown.appeal).toMatchObject({ isUpheld: true, answer: reasons.explanation, mayAnswer: false })
    expect(shown.decisions).toHaveLength(1)
    expect(codeOf(await act(`${made.reference}/appeal`, { ...answer, version: 4 }, ben))).toEqual([
      409,
      'notice.transition',
    ])
  })

  test('that is right makes a new decision', async () => {
    const { item, made } = await appealed()
    const mails = await mailedBy(async () => {
      const answer = await act(`${made.reference}/appeal`, { ...removal, outcome: 'overturn', version: 3 }, ben)
      expect(answer.json()).toMatchObject({
        appeal: { isUpheld: false },
        decisions: [{ outcome: 'keep' }, { outcome: 'remove' }],
      })
    })
    expect(await statusOf(item)).toBe('removed')
    expect(mails).toContain(`ada@authors.example: New decision on notice ${made.reference}`)
    expect(await references('?state=decided')).toEqual([made.reference])
  })

  test('that one safety officer alone can answer is answered by them', async () => {
    const { made } = await appealed('child-safety', officer)
    const answer = { ...removal, outcome: 'uphold', version: 3 }
    expect((await act(`${made.reference}/appeal`, answer, officer)).status).toBe(200)
  })
})

describe('a counter-notice', () => {
  const fields = { explanation: 'The author died in 1900.\nPay at https://pay.example/x' }
  const file = (reference: string, slugs: readonly string[]) =>
    fileCounterNoticeTo(server.app, reference, { slugs, fields })
  const filed = async () => {
    const item = await aWork()
    const made = await notice({ urls: [item.slug] })
    await act(`${made.reference}/decision`, removal)
    await drainJobs(server.app)
    let id = ''
    const mails = await mailedBy(async () => {
      id = (await file(made.reference, [item.slug])) ?? ''
    })
    return { item, made, id, mails, path: `${made.reference}/counter-notices/${id}` }
  }

  test('tells the desk and its sender, waits for an administrator, and is forwarded when one accepts it', async () => {
    const { item, made, mails, path } = await filed()
    expect(mails.toSorted()).toEqual([
      `ada@library.example: A counter-notice to notice ${made.reference}`,
      `ben@library.example: A counter-notice to notice ${made.reference}`,
      `olga@library.example: A counter-notice to notice ${made.reference}`,
      'otto@library.example: We have your counter-notice',
    ])
    const shown = await read(made)
    expect(shown.clocks.map(({ name }) => name)).toEqual(['forward'])
    expect(shown.counterNotices).toMatchObject([
      { state: 'received', name: 'Otto Operator', acceptedAt: null, entries: [{ id: item.id, name: item.name }] },
    ])
    expect(await list()).toMatchObject({ notices: [{ counterNotices: 1 }], counts: { counterNotices: 1 } })
    expect(codeOf(await act(`${made.reference}/close`, { version: 3 }))).toEqual([409, 'notice.transition'])
    const accepted = await mailedBy(async () => {
      expect((await act(`${path}/accept`, { version: 3 })).status).toBe(200)
    })
    expect(accepted.toSorted()).toEqual([
      `ada@authors.example: A counter-notice to your notice ${made.reference}`,
      `otto@library.example: Your counter-notice to ${made.reference} was accepted`,
    ])
    const forwarded = emails.findLast(({ subject }) => subject.startsWith('A counter-notice to your'))
    for (const part of ['Otto Operator', '2 Library Lane', 'gone to court', 'not by us', item.name])
      expect(forwarded?.text).toContain(part)
    // A stranger's text is marked as theirs.
    for (const line of ['> The author died in 1900.', '> Pay at https://pay.example/x'])
      expect(forwarded?.text).toContain(line)
    const now = await read(made)
    expect(now.counterNotices[0]).toMatchObject({ state: 'accepted' })
    expect(Date.parse(now.counterNotices[0]?.restoreFrom ?? '')).toBe(Date.parse(now.clocks[0]?.dueAt ?? 'x'))
    expect(codeOf(await act(`${path}/accept`, { version: 4 }))).toEqual([409, 'notice.transition'])
    expect(codeOf(await act(`${path}/refuse`, { reasons: 'No.', version: 4 }))).toEqual([409, 'notice.transition'])
  })

  test('is refused with reasons, which its sender reads', async () => {
    const { made, path } = await filed()
    const mails = await mailedBy(async () => {
      expect((await act(`${path}/refuse`, { reasons: 'You have not published it.', version: 3 })).status).toBe(200)
    })
    expect(mails).toEqual([`otto@library.example: Your counter-notice to ${made.reference} was refused`])
    expect(emails.at(-1)?.text).toContain('You have not published it.')
    expect(await read(made)).toMatchObject({
      clocks: [],
      counterNotices: [{ state: 'refused', refusal: 'You have not published it.', restoreFrom: null }],
    })
    expect((await act(`${made.reference}/close`, { version: 4 })).status).toBe(200)
  })

  test('is held up by a court action, of which its sender hears', async () => {
    const { made, path } = await filed()
    await act(`${path}/accept`, { version: 3 })
    const mails = await mailedBy(async () => {
      const action = await act(`${path}/action`, { note: 'A letter of a court.', version: 4 })
      expect(action.json()).toMatchObject({ clocks: [], counterNotices: [{ state: 'action', restoreFrom: null }] })
    })
    expect(mails).toContain(`otto@library.example: A court action against your counter-notice to ${made.reference}`)
    expect((await act(`${made.reference}/close`, { version: 5 })).status).toBe(200)
  })

  test('that another decision has overtaken waits no more, and its sender hears of it', async () => {
    const { made, path } = await filed()
    const mails = await mailedBy(async () => {
      expect((await act(`${made.reference}/decision`, { ...removal, version: 3 })).status).toBe(200)
    })
    expect(mails).toContain(`otto@library.example: A new decision on ${made.reference}`)
    expect(await read(made)).toMatchObject({ clocks: [], counterNotices: [{ state: 'overtaken', restoreFrom: null }] })
    expect(codeOf(await act(`${path}/accept`, { version: 4 }))).toEqual([409, 'notice.transition'])
    expect((await act(`${made.reference}/close`, { version: 4 })).status).toBe(200)
  })

  test('of somebody else is taken as well, and shuts nobody out', async () => {
    const { item, made, path } = await filed()
    await file(made.reference, [item.slug])
    expect((await read(made)).counterNotices.map(({ state }) => state)).toEqual(['received', 'received'])
    expect((await act(`${path}/accept`, { version: 4 })).status).toBe(200)
  })

  test('is answered once: of two administrators at the same moment one is told how it stands', async () => {
    const { path } = await filed()
    const both = await Promise.all([
      act(`${path}/accept`, { version: 3 }),
      act(`${path}/refuse`, { reasons: 'No.', version: 3 }, ben),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('that the notice does not have is not found', async () => {
    const { id } = await filed()
    const other = await notice()
    for (const unknown of [id, 'nonsense']) {
      const answer = await act(`${other.reference}/counter-notices/${unknown}/accept`, { version: 1 })
      expect(codeOf(answer)).toEqual([404, 'notice.counter_notice_not_found'])
    }
  })
})

describe('what safety officers alone may know', () => {
  interface Log {
    events: { action: string; subject: { id: string } | null; position: number | null; details: unknown }[]
  }
  const log = async (path: string, by = ada): Promise<Log['events']> => ((await get(path, by)).json() as Log).events
  /** Everything that the administration shows of the log. */
  const shown = async (by: SignedIn, ids: string[]): Promise<Log['events']> =>
    (
      await Promise.all([
        log('/api/audit', by),
        log('/api/audit?group=notices', by),
        log('/api/audit?group=content', by),
        log(`/api/audit?person=${officer.id}`, by),
        log(`/api/people/${officer.id}/trail`, by),
        ...ids.flatMap((id) => [log(`/api/audit?subject=item:${id}`, by), log(`/api/audit?subject=notice:${id}`, by)]),
      ])
    )
      .flat()
      .filter(({ subject }) => subject !== null && ids.includes(subject.id))
  const actions = (events: Log['events']): string[] => [...new Set(events.map(({ action }) => action))].toSorted()

  test('of a child at risk the log shows others nothing, neither the notice nor its entries, whatever is done', async () => {
    const item = await aWork()
    const child = await notice({ kind: 'child-safety', urls: [item.slug] })
    expect(await statusOf(item)).toBe('restricted')
    const decided = await act(`${child.reference}/decision`, removal, officer)
    expect(decided.status).toBe(200)
    const kept = { ...removal, outcome: 'keep', version: 2 }
    expect((await act(`${child.reference}/decision`, kept, officer)).status).toBe(200)
    const ids = [child.id, item.id]
    expect(await shown(ada, ids)).toEqual([])
    const seen = await shown(officer, ids)
    expect(actions(seen)).toEqual([
      'item.published',
      'item.removed',
      'item.restored',
      'item.restricted',
      'notice.decided',
      'notice.reversed',
    ])
    for (const { details } of seen) expect(details).toMatchObject({ onlyFor: 'safety officers' })
  })

  test('no place in the chain and no number of all events tells of those that are not shown', async () => {
    await act(`${(await notice({ kind: 'other' })).reference}/review`, { version: 1 })
    const places = async (by: SignedIn) => (await log('/api/audit', by)).map(({ position }) => position)
    expect((await places(ada)).every((place) => place === null)).toBe(true)
    expect((await places(officer)).some((place) => place !== null)).toBe(true)
  })

  test('an ordinary decision is shown to everybody', async () => {
    const item = await aWork()
    const made = await notice({ urls: [item.slug] })
    await act(`${made.reference}/decision`, removal, officer)
    expect(actions(await shown(ada, [made.id, item.id]))).toEqual(['item.removed', 'notice.decided'])
  })

  test('what repeats a notice about a child at risk has to be one itself', async () => {
    const [made, child] = [await notice({ kind: 'other' }), await notice({ kind: 'child-safety' })]
    const refused = await act(`${made.reference}/duplicate`, { of: child.reference, version: 1 }, officer)
    expect(codeOf(refused)).toEqual([422, 'notice.invalid'])
    await act(`${made.reference}/kind`, { kind: 'child-safety', version: 1 }, officer)
    const taken = await act(`${made.reference}/duplicate`, { of: child.reference, version: 2 }, officer)
    expect(taken.json()).toMatchObject({ kind: 'child-safety', duplicateOf: child.reference })
    expect(codeOf(await get(`/api/notices/${made.reference}`))).toEqual([404, 'notice.not_found'])
    expect(await shown(ada, [made.id, child.id])).toEqual([])
  })

  test('what repeats a notice that becomes one about a child at risk goes with it, and so does what the log had', async () => {
    const [first, second, original] = [await notice(), await notice(), await notice()]
    await act(`${first.reference}/duplicate`, { of: second.reference, version: 1 })
    // An original is another version of itself once it is repeated.
    await act(`${second.reference}/duplicate`, { of: original.reference, version: 2 })
    const all = [first, second, original]
    const ids = all.map(({ id }) => id)
    const before = await shown(ada, ids)
    expect(before).not.toEqual([])
    expect(JSON.stringify(before)).not.toContain(original.reference)
    await act(`${original.reference}/kind`, { kind: 'child-safety', version: 2 })
    for (const { reference } of all)
      expect(codeOf(await get(`/api/notices/${reference}`)), reference).toEqual([404, 'notice.not_found'])
    expect(await shown(ada, ids)).toEqual([])
    expect(await read(first, officer)).toMatchObject({
      kind: 'child-safety',
      status: 'duplicate',
      duplicateOf: second.reference,
      clocks: [],
    })
  })

  test('a notice that is none any more does not tell that it was one', async () => {
    const item = await aWork()
    const made = await notice({ kind: 'child-safety', urls: [item.slug] })
    await act(`${made.reference}/review`, { version: 1 }, officer)
    expect((await act(`${made.reference}/kind`, { kind: 'other', version: 2 }, officer)).status).toBe(200)
    const { events } = await read(made)
    expect(events.map(({ type, sentence }) => ({ type, sentence }))).toEqual([
      { type: 'received', sentence: 'The notice came in.' },
    ])
    expect((await read(made, officer)).events.map(({ type }) => type)).toEqual(['received', 'reviewed', 'reclassified'])
    expect(await shown(ada, [made.id, item.id])).toEqual([])
    expect((await act(`${made.reference}/decision`, { ...removal, version: 3 })).status).toBe(200)
    expect(actions(await shown(ada, [made.id, item.id]))).toEqual(['item.removed', 'notice.decided'])
  })

  test('an email about a decision goes to nobody who has ceased to be a safety officer', async () => {
    const item = await aWork()
    const made = await notice({ kind: 'child-safety', urls: [item.slug], email: null })
    await writePastRules(server.app, `update users set is_safety_officer = true where id = '${ada.id}'`)
    const mails = await mailedBy(async () => {
      await act(`${made.reference}/decision`, removal, officer)
      await writePastRules(server.app, `update users set is_safety_officer = false where id = '${ada.id}'`)
    })
    expect(mails).toEqual([`olga@library.example: Decision on notice ${made.reference}`])
  })

  test('no number in an email counts what has become theirs', async () => {
    const [image, child] = [await notice({ kind: 'intimate-image' }), await notice({ kind: 'child-safety' })]
    const noticeIds = [image.id, child.id]
    const clocks = await server.app.db
      .selectFrom('notice_clocks')
      .select('id')
      .where('notice_id', 'in', noticeIds)
      .where('name', 'in', ['person', 'decide'])
      .execute()
    const waiting = (ids: string[]) => ({ ids, count: ids.length })
    const mails = await mailedBy(() =>
      server.app.db.transaction().execute((trx) =>
        server.app.mail.queue(trx, noticeMails.desk, {
          userId: ada.id,
          notices: waiting(noticeIds),
          clocks: waiting(clocks.map(({ id }) => id)),
          counterNotices: waiting([]),
        }),
      ),
    )
    expect(mails).toEqual([`ada@library.example: New notice ${image.reference}; Overdue: notice ${image.reference}`])
    for (const { text } of emails) expect(text).not.toContain(child.reference)
  })
})

test('the home of the administration counts what waits, for each what they may know of', async () => {
  await notice({ kind: 'child-safety' })
  const late = await notice({ kind: 'privacy' })
  await ageNotice(server.app, late, '20 days')
  const waiting = async (by: SignedIn) => (await get('/api/admin/waiting', by)).text
  expect(await waiting(ada)).toContain('1 notice to work on, 1 of them overdue')
  expect(await waiting(officer)).toContain('2 notices to work on, 1 of them overdue')
  const rows = async (by: SignedIn) =>
    ((await get('/api/admin/home', by)).json() as AdminHome).rows.filter(({ to }) => to?.startsWith('/admin/notices/'))
  const [line] = ((await get('/api/notices?state=open')).json() as NoticesForDesk).notices
  expect(await rows(ada)).toMatchObject([
    {
      sentence: 'Personal data',
      isOverdue: true,
      verb: line && nextStepInWords(line),
      to: `/admin/notices/${late.reference}`,
    },
  ])
  expect((await rows(officer)).map(({ sentence }) => sentence).toSorted()).toEqual(['Child at risk', 'Personal data'])
})

test('ten thousand junk notices delay no grave one: it stands first, and its entry is hidden at once', async () => {
  await sql`
    insert into notices (id, reference, kind, status, holds, token_digest, due_at)
    select gen_random_uuid(), 'N-' || upper(translate(lpad(to_hex(n), 4, '0'), 'x', '0')) || '-0000', 'other', 'received', 'holds',
           sha256(n::text::bytea), now() - interval '1 day'
      from generate_series(1, 10000) n`.execute(server.app.db)
  await sql`
    insert into notice_events (notice_id, type, by_kind, to_status, version)
    select id, 'received', 'sender', 'received', 1 from notices`.execute(server.app.db)
  await sql`
    insert into notice_clocks (id, notice_id, name, gravity, due_at, work_at)
    select gen_random_uuid(), id, 'decide', 6, now() - interval '1 day', now() - interval '1 day' from notices`.execute(
    server.app.db,
  )
  const item = await aWork()
  const made = await notice({ kind: 'intimate-image', urls: [item.slug] })
  expect((await server.request(`/western/${item.slug}`)).status).toBe(404)
  expect((await list('?limit=1')).notices.map(({ reference }) => reference)).toEqual([made.reference])
  expect(await list('?limit=1')).toMatchObject({ counts: { open: 10_001, overdue: 10_000 } })
  // The home tells how many there are as far as it counted, and of the first deadline among those without a row.
  const { rows, things } = (await get('/api/admin/home')).json() as AdminHome
  expect(things).toBe(1_001)
  expect(rows.find(({ to }) => to === '/admin/notices')).toMatchObject({
    sentence: 'More than 1,000 notices in all to work on',
    until: expect.any(String),
    isOverdue: true,
  })
  expect((await get('/api/admin/waiting')).text).toContain(
    'More than 1,000 notices to work on, at least 1,000 of them overdue',
  )
  await ageNotice(server.app, made, '20 days')
  const { workOnClocks } = await import('../../src/features/notices/desk/work-on-clocks.server.ts')
  await workOnClocks(server.app, 1)
  expect((await read(made)).events.map(({ type }) => type)).toEqual(['received', 'overdue'])
})
