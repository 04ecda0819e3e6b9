import { expect, test } from 'vitest'
import { fromHtml } from '../harness/rendered.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* Forms of pages that hold more than any page asks, and floods of forms that are refused. */

const server = serverOfFile({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })

const type = 'application/x-www-form-urlencoded'
const send = (path: string, body: string, from: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
  server.request(path, {
    method: 'POST',
    body,
    headers: { 'content-type': type, 'x-forwarded-for': from, ...headers },
  })
const isPage = ({ headers, text }: TestResponse): boolean =>
  headers['content-type'] === 'text/html; charset=utf-8' && fromHtml(text).text.length > 0

/** Complete as far as this form goes. */
const lawful = new URLSearchParams({
  itemUrls: '/asian/an-entry',
  explanation: 'A court has forbidden it.',
  goodFaith: 'on',
}).toString()

test.each(['/report/other', '/report/counter-notice', '/support'])(
  'a form of more than 200 fields is refused on a page: %s',
  async (path) => {
    const answer = await send(path, `${'x&'.repeat(200)}${lawful}`, '203.0.113.1')
    expect(answer.status).toBe(413)
    expect(isPage(answer)).toBe(true)
    expect(fromHtml(answer.text).text).toContain('The form has more than 200 fields. Send fewer at once.')
  },
)

test('200 fields are a form, and of each that the page knows the first counts', async () => {
  const answer = await send('/report/other', `${lawful}&explanation=Another&${'x&'.repeat(196)}`, '203.0.113.2')
  expect(answer.status).toBe(303)
  const { explanation } = await server.app.db
    .selectFrom('notices')
    .select('explanation')
    .orderBy('received_at', 'desc')
    .executeTakeFirstOrThrow()
  expect(explanation).toBe('A court has forbidden it.')
})

test('after 60 refused forms in 10 minutes an address gets 429 for further ones to this page, as a page', async () => {
  const from = '203.0.113.3'
  const refusals: [body: string, headers: Record<string, string>, status: number][] = [
    // By the page, and for the number of fields.
    ['', {}, 422],
    ['x&'.repeat(201), {}, 413],
  ]
  for (let no = 0; no < 60; no += 1) {
    const [body, headers, status] = refusals[no % refusals.length] as (typeof refusals)[number]
    expect((await send('/report/other', body, from, headers)).status, String(no)).toBe(status)
  }
  for (const [body, headers] of refusals) {
    const answer = await send('/report/other', body, from, headers)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(isPage(answer)).toBe(true)
    expect(fromHtml(answer.text).text).toContain('Too many attempts. Please try again in')
  }
  // Neither on other pages nor for others.
  expect((await send('/report/child-safety', '', from)).status).toBe(422)
  expect((await send('/support', '', from)).status).toBe(422)
  expect((await send('/report/other', '', '203.0.113.4')).status).toBe(422)
  // Nothing lawful is kept out by it.
  expect((await send('/report/other', lawful, from)).status).toBe(303)
  expect((await server.request('/report/other', { headers: { 'x-forwarded-for': from } })).status).toBe(200)
})

test('another website cannot use up the refused forms of its visitors, and neither can what is refused unread', async () => {
  const from = '203.0.113.10'
  const unread: [body: string, headers: Record<string, string>, status: number][] = [
    ['a=b', { origin: 'https://evil.example' }, 403],
    ['{}', { 'content-type': 'text/plain' }, 415],
    ['x'.repeat(600_000), {}, 413],
  ]
  for (const [body, headers, status] of unread)
    for (let no = 0; no < 61; no += 1)
      expect((await send('/report/other', body, from, headers)).status, `${status} ${no}`).toBe(status)
  expect((await send('/report/other', '', from)).status).toBe(422)
})

test('beyond the limit the page of a notice says what to do in an urgent matter', async () => {
  const from = '203.0.113.11'
  const { contactEmail } = server.app.texts.inForce
  for (const [path, urgent] of [
    [
      '/report/child-safety',
      `write to ${contactEmail}. If a child is in danger, call the police or the child protection hotline of your country now.`,
    ],
    ['/report/other', `write to ${contactEmail}.`],
    ['/report/counter-notice', `write to ${contactEmail}.`],
  ] as const) {
    for (let no = 0; no < 60; no += 1) expect((await send(path, '', from)).status).toBe(422)
    const answer = await send(path, '', from)
    expect(answer.status).toBe(429)
    expect(fromHtml(answer.text).text).toContain(`If this cannot wait, ${urgent}`)
  }
})

test('an IPv6 network has eight times as much', async () => {
  for (let no = 0; no < 480; no += 60)
    await Promise.all(Array.from({ length: 60 }, () => send('/report/other', 'x&'.repeat(201), `2001:db8:7:${no}::1`)))
  expect((await send('/report/other', '', '2001:db8:7:ffff::1')).status).toBe(429)
}, 60_000)

test('what a limit of its own refuses is not counted among the refused forms', async () => {
  const from = '203.0.113.5'
  for (let no = 0; no < 20; no += 1) expect((await send('/report/other', lawful, from)).status).toBe(303)
  for (let no = 0; no < 61; no += 1) expect((await send('/report/other', lawful, from)).status).toBe(429)
  expect((await send('/report/other', '', from)).status).toBe(422)
})

test('beyond the limit a refused form is answered before its page is rendered, and nothing of it is shown again', async () => {
  const from = '203.0.113.8'
  const typed = new URLSearchParams({ itemUrls: '/asian/an-entry', explanation: 'An own word.' }).toString()
  const { rendering } = server.app
  const ownRound = rendering.ownRound.bind(rendering)
  let rendered = 0
  rendering.ownRound = () => {
    rendered += 1
    return ownRound()
  }
  try {
    for (let no = 0; no < 60; no += 1) expect((await send('/report/other', typed, from)).status).toBe(422)
    expect(rendered).toBe(60)
    const answer = await send('/report/other', typed, from)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.text).not.toContain('An own word.')
    expect(rendered).toBe(60)
  } finally {
    rendering.ownRound = ownRound
  }
})

test.each([
  ['/report/other', 'explanation', 20_000],
  ['/report/other', 'itemUrls', 100_100],
  ['/report/counter-notice', 'reference', 800],
  ['/support', 'message', 20_000],
])('a refused form shows again what a person types, and not half a megabyte: %s %s', async (path, field, longest) => {
  const body = (length: number): string => new URLSearchParams({ [field]: 'y'.repeat(length) }).toString()
  const echo = async (length: number): Promise<number> => {
    const { status, text } = await send(path, body(length), '203.0.113.9')
    expect(status).toBe(422)
    return Math.max(...(text.match(/y+/g) ?? []).map((run) => run.length))
  }
  expect(await echo(longest)).toBe(longest)
  expect(await echo(longest + 1)).toBe(longest)
})

test('forms wait their turn with the pages that nobody keeps', async () => {
  const runs: (string | undefined)[] = []
  const { rendering } = server.app
  const run = rendering.run.bind(rendering)
  rendering.run = (caller, work) => {
    runs.push(caller.address)
    return run(caller, work)
  }
  try {
    await send('/report/other', 'x&'.repeat(201), '203.0.113.6')
    await send('/report/other', '', '203.0.113.7')
  } finally {
    rendering.run = run
  }
  expect(runs).toEqual(['203.0.113.6', '203.0.113.7'])
})
