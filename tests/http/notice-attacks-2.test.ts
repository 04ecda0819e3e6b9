import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { NoticeForDesk } from '../../src/features/notices/desk/desk-schema.ts'
import type { NoticeKind } from '../../src/features/notices/notice/notice-kinds.ts'
import { readReport } from '../../src/features/notices/transparency/read-report.server.ts'
import { drainJobs } from '../harness/drain.ts'
import { deleteAllItems } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import { ageNotice, aNotice, type MadeNotice, type NoticeOverrides } from '../harness/notices.ts'
import { writePastRules } from '../harness/past-rules.ts'
import { fromHtml } from '../harness/rendered.ts'
import type { TestResponse } from '../harness/request.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/* What senders, administrators and strangers could learn from a notice or lose by it, and may not. */

interface Administrator extends MadeMember {
  headers: { authorization: string }
}

let server: TestServer
/** The first administrator is the safety officer. */
let officer: Administrator
let ada: Administrator

beforeAll(async () => {
  server = await openTestServer({
    now: new Date().toISOString(),
    env: { CONTACT_EMAIL: 'desk@library.example', TRUSTED_PROXIES: '127.0.0.1/32' },
  })
  const signedIn = async (name: string): Promise<Administrator> => {
    const email = `${name.split(' ')[0]?.toLowerCase()}@library.example`
    const made = await aMember(server.app, { name, email, isAdmin: true })
    return { ...made, headers: bearer(await signIn(server, made)) }
  }
  officer = await signedIn('Olga Officer')
  ada = await signedIn('Ada Admin')
})
afterAll(() => server.close())
afterEach(async () => {
  await drainJobs(server.app)
  const tables = [
    'counter_notice_items',
    'counter_notices',
    'notice_appeals',
    'notice_decision_items',
    'notice_decisions',
    'notice_clocks',
    'notice_hides',
    'notice_events',
    'notice_items',
    'notices',
  ]
  await writePastRules(server.app, ...tables.map((table) => `delete from ${table}`))
  await deleteAllItems(server.app)
})

const notice = (overrides: NoticeOverrides = {}): Promise<MadeNotice> => aNotice(server.app, overrides)
const act = (path: string, body: unknown, { headers }: Administrator = ada): Promise<TestResponse> =>
  post(server, `/api/notices/${path}`, body, headers)
const get = (path: string, { headers }: Administrator = ada): Promise<TestResponse> => server.request(path, { headers })
const read = async ({ reference }: MadeNotice, by = ada): Promise<NoticeForDesk> =>
  (await get(`/api/notices/${reference}`, by)).json() as NoticeForDesk
const words = ({ text }: TestResponse): string => fromHtml(text).text

describe('a receipt', () => {
  const report = (fields: Record<string, string>) =>
    server.request('/report/other', {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.7' },
    })
  const whole = { itemUrls: '/western/a', explanation: 'A court has forbidden it.', goodFaith: 'on', sending: 'once' }

  test('is a page of its own, to which the form leads: a reload sends nothing, and a second sending leads to it too', async () => {
    const answer = await report({ ...whole, email: 'jane@readers.example' })
    const path = answer.headers['location'] ?? ''
    expect([answer.status, path]).toEqual([303, expect.stringMatching(/^\/report\/receipt\/[\w-]{43}$/)])
    for (let no = 0; no < 2; no += 1) {
      const receipt = await server.request(path)
      expect([receipt.status, receipt.headers['cache-control']]).toEqual([200, 'no-store'])
      expect(receipt.text).toContain('name="robots" content="noindex"')
      expect(receipt.text).toContain('name="referrer" content="same-origin"')
      expect(words(receipt)).toMatch(/N-[0-9A-Z]{4}-[0-9A-Z]{4}/)
      expect(words(receipt)).toContain('is on its way to jane@readers.example')
    }
    const again = await report({ ...whole, email: 'jane@readers.example' })
    expect([again.status, again.headers['location']]).toEqual([303, path])
    const { count } = await server.app.db
      .selectFrom('notices')
      .select((of) => of.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(1)
  })

  test('is over after an hour: then the private page answers, and for another token nothing', async () => {
    const path = (await report({ ...whole, sending: 'late' })).headers['location'] ?? ''
    const { id } = await server.app.db.selectFrom('notices').select('id').executeTakeFirstOrThrow()
    await ageNotice(server.app, { id }, '61 minutes')
    const late = await server.request(path)
    expect([late.status, late.headers['location']]).toEqual([303, path.replace('receipt', 'track')])
    for (const token of ['x', 'a'.repeat(43)]) {
      const other = await server.request(`/report/receipt/${token}`)
      expect([other.status, other.headers['location']]).toEqual([303, `/report/track/${token}`])
      expect((await server.request(`/report/track/${token}`)).status).toBe(404)
    }
  })
})

test('public figures do not move when a notice is handled as another kind', async () => {
  const figures = async () => {
    const { kinds, together } = await readReport(server.app)
    const received = (wanted: NoticeKind) => kinds.find(({ kind }) => kind === wanted)?.all.received
    return [received('other'), received('child-safety'), together.all.received, together.all.open]
  }
  const made = await notice({ kind: 'other' })
  for (let no = 0; no < 4; no += 1) await notice({ kind: 'child-safety' })
  const before = await figures()
  expect(before).toEqual([1, 'fewer than 5', 1, 1])
  await act(`${made.reference}/kind`, { kind: 'child-safety', version: 1 })
  expect((await read(made, officer)).kind).toBe('child-safety')
  expect(await figures()).toEqual(before)
})
