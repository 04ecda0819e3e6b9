import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestsContributions } from '../../src/features/requests/contributions.server.ts'
import {
  deleteOldInquiries,
  forwardWaitingInquiries,
} from '../../src/features/requests/support/forward-inquiry.server.ts'
import type { InquiriesForAdmin, InquiryForAdmin } from '../../src/features/requests/support/inquiry-schema.ts'
import { sendInquiry } from '../../src/features/requests/support/send-inquiry.server.ts'
import { anonymous } from '../../src/features/accounts/user/viewer.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { type CountingServer, startHttp } from '../harness/hostile-server.ts'
import { aMember, bearer, type MadeMember, type MemberOverrides, post, signIn } from '../harness/members.ts'
import { fromHtml } from '../harness/rendered.ts'
import type { TestResponse } from '../harness/request.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

const dayMs = 86_400_000
const contact = 'desk@library.example'

/** Each comes from an address of its own: the limits are for a flood from one. */
let places = 0
const fromElsewhere = (): { 'x-forwarded-for': string } => {
  places += 1
  return { 'x-forwarded-for': `203.0.${places >> 8}.${places & 255}` }
}

const whole = { name: 'Jane Reader', email: 'jane@readers.example', message: 'Where is the\nlibrary?' }

function helpers(server: () => TestServer) {
  const send = (body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
    post(server(), '/support', body, { ...fromElsewhere(), ...headers })
  const sendForm = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<TestResponse> =>
    server().request('/support', {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromElsewhere(), ...headers },
    })
  const callerOf = async (
    overrides: MemberOverrides = {},
  ): Promise<MadeMember & { headers: { authorization: string } }> => {
    const member = await aMember(server().app, overrides)
    return { ...member, headers: bearer(await signIn(server(), member)) }
  }
  return { send, sendForm, callerOf }
}

describe('an inquiry', () => {
  let server: TestServer
  let admin: { authorization: string }
  const { send, sendForm, callerOf } = helpers(() => server)
  const list = async (query = ''): Promise<InquiryForAdmin[]> =>
    ((await server.request(`/api/inquiries${query}`, { headers: admin })).json() as InquiriesForAdmin).inquiries
  const act = (id: string, verb: string, body: unknown, headers = admin): Promise<TestResponse> =>
    post(server, `/api/inquiries/${id}/${verb}`, body, headers)
  const newest = async (): Promise<InquiryForAdmin> => {
    const found = (await list()).toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1)
    if (found === undefined) throw new Error('There is no inquiry.')
    return found
  }

  beforeAll(async () => {
    server = await openTestServer({ env: { CONTACT_EMAIL: contact, TRUSTED_PROXIES: '127.0.0.1/32' } })
    admin = (await callerOf({ isAdmin: true })).headers
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.app.db.deleteFrom('inquiries').execute()
  })

  test('is kept for the administrators and mailed to the operator, who answers to its sender', async () => {
    const answer = await send(whole)
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({ message: 'Your inquiry was sent successfully. We answer by email.' })
    expect(await list()).toEqual([
      expect.objectContaining({ ...whole, isVip: false, state: 'open', version: 1, closedAt: null, replies: [] }),
    ])
    await drainJobs(server.app)
    const mail = (await readEmails(server.app)).findLast(({ to }) => to === contact)
    expect(mail?.subject).toBe('Inquiry from Jane Reader')
    expect(mail?.headers.get('reply-to')).toBe('Jane Reader <jane@readers.example>')
    expect(mail?.text).toContain('Where is the\nlibrary?')
  })

  test.each([
    [{ name: '', email: '', message: '' }, 'Please fill in all the fields.'],
    [{ name: 'Jane', email: 'jane@readers.example' }, 'Please fill in all the fields.'],
    [{ ...whole, email: 'jane' }, 'Please give an email address that we can answer.'],
    [{ ...whole, email: 'a@b.example,c@d.example' }, 'Please give an email address that we can answer.'],
    [{ ...whole, message: 'x'.repeat(5_001) }, 'The inquiry has at most 5,000 characters.'],
    [{ ...whole, isVip: true }, 'Send name, email and message, and nothing else.'],
    [{ ...whole, state: 'closed' }, 'Send name, email and message, and nothing else.'],
  ])('like %j is refused', async (body, message) => {
    const answer = await send(body)
    expect([answer.status, (answer.json() as { message: string }).message]).toEqual([422, message])
    expect(await list()).toEqual([])
  })

  test('without JavaScript is a form of the page, which keeps what was typed when it is refused', async () => {
    const page = await server.request('/support')
    expect(page.status).toBe(200)
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    for (const name of ['name="name"', 'name="email"', 'name="message"', 'method="post"'])
      expect(page.text).toContain(name)

    const refused = await sendForm({ ...whole, message: ' ' })
    expect(refused.status).toBe(422)
    expect(refused.headers['content-type']).toContain('text/html')
    expect(fromHtml(refused.text).text).toContain('Please fill in all the fields.')
    expect(refused.text).toContain('value="jane@readers.example"')
    const sent = await sendForm(whole)
    expect([sent.status, sent.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(sent.text).toContain('notice-done')
    expect(fromHtml(sent.text).text).toContain('Your inquiry was sent successfully.')
    expect(await list()).toMatchObject([{ ...whole, message: 'Where is the\nlibrary?', isVip: false }])
  })

  test('with marks of the page is shown as text', async () => {
    const refused = await sendForm({ name: '"><script>alert(1)</script>', email: 'x', message: '</textarea><b>' })
    expect(refused.text).not.toContain('<script>alert(1)')
    expect(refused.text).not.toContain('</textarea><b>')
  })

  test('from a page of another site is refused', async () => {
    expect((await sendForm(whole, { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await send(whole, { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect(await list()).toEqual([])
  })

  test('of an address that sends many is refused after the tenth, in both forms', async () => {
    const from = fromElsewhere()
    for (let i = 0; i < 5; i += 1) {
      expect((await send(whole, from)).status).toBe(200)
      expect((await sendForm(whole, from)).status).toBe(200)
    }
    const json = await send(whole, from)
    expect([json.status, Number(json.headers['retry-after']) > 0]).toEqual([429, true])
    const form = await sendForm(whole, from)
    expect(form.status).toBe(429)
    expect(form.text).toContain('value="Jane Reader"')
    expect((await send(whole)).status).toBe(200)
  })

  test('of a VIP comes first, by their session and not by the address that is typed', async () => {
    const vip = await callerOf({ isVip: true, email: 'vip@readers.example' })
    await send({ ...whole, message: 'first' })
    await send({ ...whole, email: vip.email, message: 'pretended' })
    await send({ ...whole, message: 'of a VIP' }, vip.headers)
    expect((await list()).map(({ message, isVip }) => [message, isVip])).toEqual([
      ['of a VIP', true],
      ['first', false],
      ['pretended', false],
    ])
    const waiting = await requestsContributions.adminHome?.waiting?.[1]?.(server.app)
    expect(waiting).toEqual({ sentence: '3 inquiries to answer, 1 of VIPs', count: 3, to: '/admin/support' })
  })

  test('is listed in parts, each inquiry once', async () => {
    const { app } = server
    const vip = await callerOf({ isVip: true })
    const rows = Array.from({ length: 120 }, (_, i) => ({
      id: `018e4000-0000-7000-8000-${String(i).padStart(12, '0')}`,
      ...whole,
      user_id: i % 3 === 0 ? vip.id : null,
      is_vip: i % 3 === 0,
      state: 'open' as const,
      created_at: new Date(app.clock.now()),
      closed_at: null,
    }))
    await app.db.insertInto('inquiries').values(rows).execute()
    const ids: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const query = next === '' ? '' : `?after=${next}`
      const part = (await server.request(`/api/inquiries${query}`, { headers: admin })).json() as InquiriesForAdmin
      ids.push(...part.inquiries.map(({ id }) => id))
      next = part.next
    }
    const expected = [...rows.filter(({ is_vip }) => is_vip), ...rows.filter(({ is_vip }) => !is_vip)]
    expect(ids).toEqual(expected.map(({ id }) => id))
    expect((await server.request('/api/inquiries?after=x', { headers: admin })).status).toBe(400)
    expect((await server.request('/api/inquiries?state=lost', { headers: admin })).status).toBe(400)
  })

  test('is answered by mail, once, also when two answer at the same moment', async () => {
    await send(whole)
    const { id } = await newest()
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => act(id, 'reply', { message: `Answer ${i}`, version: 1 })),
    )
    const sent = answers.filter(({ status }) => status === 200)
    expect(sent).toHaveLength(1)
    const inquiry = sent[0]?.json() as InquiryForAdmin
    expect(inquiry).toMatchObject({
      state: 'answered',
      version: 2,
      replies: [{ message: expect.stringMatching(/^Answer/) as string }],
    })
    for (const refused of answers.filter(({ status }) => status !== 200))
      expect(refused.json()).toMatchObject({ code: 'inquiry.conflict', current: inquiry })
    await drainJobs(server.app)
    await drainJobs(server.app)
    const mails = (await readEmails(server.app)).filter(({ to, text }) => to === whole.email && /Answer \d/.test(text))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toBe('Re: your inquiry to Daybook')
    expect(mails[0]?.headers.get('reply-to')).toBe(`Daybook <${contact}>`)
    expect(mails[0]?.text).toContain('Where is the\nlibrary?')
    expect(await list('?state=answered')).toEqual([inquiry])
  })

  test('is closed and opened again, and every change stands in the audit log', async () => {
    await send(whole)
    const { id } = await newest()
    const closed = await act(id, 'close', { version: 1 })
    expect(closed.json()).toMatchObject({ state: 'closed', version: 2 })
    expect((closed.json() as InquiryForAdmin).closedAt).not.toBeNull()
    expect((await act(id, 'close', { version: 1 })).status).toBe(409)
    expect((await act(id, 'reopen', { version: 2 })).json()).toMatchObject({
      state: 'open',
      version: 3,
      closedAt: null,
    })
    expect((await act(id, 'reply', { message: 'There.', version: 3 })).json()).toMatchObject({ state: 'answered' })
    const events = await server.app.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual(['inquiry.closed', 'inquiry.reopened', 'inquiry.answered'])
    expect(JSON.stringify(events)).not.toContain('jane')
  })

  test.each([
    ['reply', { message: ' ', version: 1 }],
    ['reply', { message: 'x'.repeat(10_001), version: 1 }],
    ['reply', { message: 'x' }],
    ['close', {}],
    ['close', { version: 1, state: 'open' }],
  ])('is not changed by %s with %j', async (verb, body) => {
    await send(whole)
    expect((await act((await newest()).id, verb, body)).status).toBe(422)
  })

  test('is nobody else’s to read or to answer', async () => {
    const member = await callerOf()
    const id = '00000000-0000-7000-8000-000000000000'
    for (const [method, path] of [
      ['GET', '/api/inquiries'],
      ['POST', `/api/inquiries/${id}/reply`],
      ['POST', `/api/inquiries/${id}/close`],
      ['POST', `/api/inquiries/${id}/reopen`],
    ] as const) {
      expect((await server.request(path, { method })).status, path).toBe(401)
      expect((await server.request(path, { method, headers: member.headers })).status, path).toBe(403)
    }
    for (const unknown of [id, 'x']) expect((await act(unknown, 'close', { version: 1 })).status).toBe(404)
  })

  test('of a member is in their data, and goes with their account', async () => {
    const member = await callerOf()
    await send(whole, member.headers)
    const { id } = await newest()
    await act(id, 'reply', { message: 'In the park.', version: 1 })
    const file = (await server.request('/auth/export', { headers: member.headers })).json()
    expect(file).toMatchObject({ inquiries: [{ ...whole, state: 'answered', replies: [{ message: 'In the park.' }] }] })
    const gone = await server.call(`/auth/delete-account/${member.email}`, {
      method: 'DELETE',
      headers: member.headers,
    })
    expect(gone.status).toBe(200)
    expect(await list('?state=answered')).toEqual([])
    // The answer that was still in line is sent to nobody.
    await drainJobs(server.app)
    expect((await readEmails(server.app)).filter(({ text }) => text.includes('In the park.'))).toEqual([])
  })

  test('is deleted 400 days after it was closed', async () => {
    const { app, clock } = server
    await send(whole)
    await act((await newest()).id, 'close', { version: 1 })
    await send(whole)
    const count = async () => (await app.db.selectFrom('inquiries').select('state').execute()).map(({ state }) => state)
    const later = (days: number) => ({ ...app, clock: { now: () => clock.now() + days * dayMs } })
    await deleteOldInquiries(later(400))
    expect(await count()).toHaveLength(2)
    await deleteOldInquiries(later(401))
    expect(await count()).toEqual(['open'])
  })
})

describe('with a form service', () => {
  let server: TestServer
  let service: CountingServer
  let status = 200
  const taken: { headers: Record<string, unknown>; body: unknown }[] = []
  const { send, sendForm } = helpers(() => server)
  /** Those that the service stumbles over. */
  let isBad = (_message: string): boolean => false
  const states = async (): Promise<string[]> =>
    (await server.app.db.selectFrom('inquiries').select('state').execute()).map(({ state }) => state)

  beforeAll(async () => {
    service = await startHttp((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        taken.push({ headers: request.headers, body: JSON.parse(text) })
        const { message } = JSON.parse(text) as typeof whole
        response.writeHead(isBad(message) ? 500 : status).end()
      })
    })
    server = await openTestServer({
      env: {
        CONTACT_EMAIL: contact,
        TRUSTED_PROXIES: '127.0.0.1/32',
        SUPPORT_FORM_URL: `http://127.0.0.1:${service.port}/f/inquiries`,
      },
    })
  })
  afterAll(async () => {
    await server.close()
    await service.close()
  })
  beforeEach(async () => {
    await server.app.db.deleteFrom('inquiries').execute()
    taken.length = 0
    status = 200
  })

  test('an inquiry goes there as JSON, and nothing of it stays here', async () => {
    expect((await send(whole)).status).toBe(200)
    expect((await sendForm(whole)).status).toBe(200)
    expect(taken.map(({ body }) => body)).toEqual([whole, whole])
    expect(taken[0]?.headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/json' })
    expect(await states()).toEqual([])
    await drainJobs(server.app)
    expect(await readEmails(server.app)).toEqual([])
  })

  test.each([301, 304, 307, 308, 403, 422])(
    'that refuses it with %i, the operator finds it on their own list',
    async (given) => {
      status = given
      const mails = async () => (await readEmails(server.app)).filter(({ to }) => to === contact).length
      const before = await mails()
      expect((await send(whole)).status).toBe(200)
      expect(await states()).toEqual(['open'])
      await drainJobs(server.app)
      expect(await mails()).toBe(before + 1)
      const problems = async (): Promise<string[]> => {
        const found = await Promise.all(
          (requestsContributions.adminHome?.problems ?? []).map((each) => each(server.app)),
        )
        return found.flat().map(({ sentence }) => sentence)
      }
      expect(await problems()).toEqual([`The form service refuses inquiries (${given}).`])
      await server.app.db.updateTable('inquiries').set({ state: 'closed', closed_at: new Date() }).execute()
      expect(await problems()).toEqual([])
    },
  )

  test.each([201, 302, 303])('that answers %i has taken it', async (given) => {
    status = given
    expect((await send(whole)).status).toBe(200)
    expect(await states()).toEqual([])
  })

  test('that is away, the inquiry waits, and is given to it when it is back', async () => {
    status = 503
    expect((await send(whole)).status).toBe(200)
    expect(await states()).toEqual(['forwarding'])
    await forwardWaitingInquiries(server.app)
    expect(taken).toHaveLength(1)
    server.clock.advance(60_000)
    await forwardWaitingInquiries(server.app)
    expect(await states()).toEqual(['forwarding'])
    server.clock.advance(600_001)
    const [problem] = (await requestsContributions.adminHome?.problems?.[0]?.(server.app)) ?? []
    expect(problem?.sentence).toContain('1 inquiry could not be given to the form service')
    status = 200
    await forwardWaitingInquiries(server.app)
    expect(await states()).toEqual([])
    expect(new Set(taken.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('that fails for some inquiries takes those behind them, and each has its turn', async () => {
    status = 503
    for (let i = 1; i <= 7; i += 1) await send({ ...whole, message: `bad ${i}` })
    await send({ ...whole, message: 'good' })
    status = 200
    taken.length = 0
    isBad = (message) => message.startsWith('bad')
    server.clock.advance(60_000)
    await forwardWaitingInquiries(server.app)
    expect(taken).toHaveLength(5)
    server.clock.advance(60_000)
    await forwardWaitingInquiries(server.app)
    expect(new Set(taken.map(({ body }) => (body as typeof whole).message)).size).toBe(8)
    expect(await states()).toEqual(Array.from({ length: 7 }, () => 'forwarding'))
    isBad = () => false
    await forwardWaitingInquiries(server.app)
    expect(await states()).toEqual([])
  })

  test('that is away for a day, the operator finds the inquiry on their own list', async () => {
    const elsewhere = { ...server.app, config: { ...server.app.config, supportFormUrl: 'http://127.0.0.1:1/' } }
    const before = (await readEmails(server.app)).filter(({ to }) => to === contact).length
    await sendInquiry(elsewhere, anonymous, { ...whole, address: '203.0.113.250' })
    expect(await states()).toEqual(['forwarding'])
    server.clock.advance(dayMs)
    await forwardWaitingInquiries(elsewhere)
    await forwardWaitingInquiries(elsewhere)
    expect(await states()).toEqual(['open'])
    await drainJobs(server.app)
    expect((await readEmails(server.app)).filter(({ to }) => to === contact)).toHaveLength(before + 1)
  })
})
