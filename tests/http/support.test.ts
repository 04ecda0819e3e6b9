import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestsContributions } from '../../src/features/requests/contributions.server.ts'
import {
  deleteOldInquiries,
  forwardWaitingInquiries,
} from '../../src/features/requests/support/forward-inquiry.server.ts'
import type { InquiriesForAdmin, InquiryForAdmin } from '../../src/features/requests/support/inquiry-schema.ts'
import { mailManyInquiries } from '../../src/features/requests/support/notify-operator.server.ts'
import { sendInquiry } from '../../src/features/requests/support/send-inquiry.server.ts'
import { anonymous } from '../../src/features/office/viewer/viewer.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { type CountingServer, startHttp } from '../harness/hostile-server.ts'
import {
  aMember,
  aSignedInMember,
  bearer,
  type MadeMember,
  type MemberOverrides,
  passTime,
  post,
  type SignedIn,
  signIn,
} from '../harness/members.ts'
import { fromHtml } from '../harness/rendered.ts'
import type { TestResponse } from '../harness/request.ts'
import { closeLine } from '../harness/site-limits.ts'
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
  const callerOf = (overrides: MemberOverrides = {}): Promise<SignedIn> => aSignedInMember(server(), overrides)
  return { send, sendForm, callerOf }
}

describe('an inquiry', () => {
  let server: TestServer
  let administrator: MadeMember
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
    administrator = await aMember(server.app, { isAdmin: true })
    admin = bearer(await signIn(server, administrator))
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.app.db.deleteFrom('inquiries').execute()
    await server.app.db.deleteFrom('inquiry_emails').execute()
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
    [{ ...whole, isVip: true }, 'Send name, email, message and sending, and nothing else.'],
    [{ ...whole, state: 'closed' }, 'Send name, email, message and sending, and nothing else.'],
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
    for (const name of ['name="name"', 'name="email"', 'name="message"', 'name="sending"', 'method="post"'])
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

  test('that comes again from the same page is one; another text from it is another', async () => {
    const sending = '018f0000-0000-7000-8000-0000000000c1'
    const answers = await Promise.all(Array.from({ length: 4 }, () => send({ ...whole, sending })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await sendForm({ ...whole, sending })).status).toBe(200)
    expect(await list()).toHaveLength(1)
    await drainJobs(server.app)
    await send({ ...whole, message: 'And when does it open?', sending })
    await send(whole)
    await send(whole)
    expect(await list()).toHaveLength(4)
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

  test('of strangers is refused once they have used up what they share; members and VIPs go on', async () => {
    const { limits } = server.app
    const ofStrangers = limits.limit({ name: 'inquiry.strangers', points: 600, seconds: 3_600 })
    const member = await callerOf()
    const vip = await callerOf({ isVip: true })
    const crowded = `Too many visitors write to us at this moment. Sign in and send it again, or write to ${contact}.`
    const line = closeLine(server.app, 'inquiry.strangers')
    await ofStrangers.delete('site')
    for (let i = 0; i < 599; i += 1) await ofStrangers.count('site')
    try {
      expect((await send(whole)).status).toBe(200)
      const from = fromElsewhere()
      for (let i = 0; i < 12; i += 1) {
        const json = await send(whole, from)
        expect([json.status, json.json()]).toEqual([
          429,
          expect.objectContaining({ code: 'inquiry.crowded', message: crowded }),
        ])
        expect(Number(json.headers['retry-after'])).toBeGreaterThan(0)
      }
      const form = await sendForm(whole)
      expect(form.status).toBe(429)
      expect(fromHtml(form.text).text).toContain(crowded)
      expect(form.text).toContain('value="jane@readers.example"')
      expect(form.text).toContain('Where is the\nlibrary?')
      for (const { headers } of [member, vip]) expect((await send(whole, headers)).status).toBe(200)
      // In a short line a visitor waits.
      line.mockRestore()
      expect((await send(whole)).status).toBe(200)
    } finally {
      line.mockRestore()
      await ofStrangers.delete('site')
    }
  })

  test('of a member is counted for their account, wherever they write from', async () => {
    const [one, other] = [await callerOf(), await callerOf()]
    const from = fromElsewhere()
    for (let i = 0; i < 10; i += 1) expect((await send(whole, one.headers)).status).toBe(200)
    const refused = await send(whole, { ...from, ...one.headers })
    expect([refused.status, refused.json()]).toEqual([429, expect.objectContaining({ code: 'limit.exceeded' })])
    for (let i = 0; i < 10; i += 1) expect((await send(whole, from)).status).toBe(200)
    expect((await send(whole, { ...from, ...other.headers })).status).toBe(200)
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
    const waiting = await requestsContributions.adminHome?.waiting?.[1]?.(server.app, anonymous)
    expect(waiting).toMatchObject({ sentence: '3 inquiries to answer, 1 of VIPs', count: 3, to: '/admin/support' })
    expect(await waiting?.rows?.()).toMatchObject([
      { sentence: 'Inquiry from a VIP', line: '“of a VIP”', verb: 'Answer' },
      { sentence: 'Inquiry', line: '“first”' },
      { sentence: 'Inquiry', line: '“pretended”' },
    ])
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

  test('shows the account behind its session, and that another address was typed', async () => {
    const member = await callerOf({ name: 'Vera Very' })
    const other = await callerOf()
    await send({ ...whole, email: other.email }, member.headers)
    await send({ ...whole, email: member.email.toUpperCase() }, member.headers)
    await send({ ...whole, email: member.email })
    const account = { id: member.id, name: 'Vera Very', email: member.email }
    expect(await list()).toMatchObject([
      { email: other.email, account, hasOtherEmail: true },
      { email: member.email.toUpperCase(), account, hasOtherEmail: false },
      { email: member.email, account: null, hasOtherEmail: false },
    ])
    await passTime(server, 600_000)
    admin = bearer(await signIn(server, administrator))
    await send({ ...whole, name: 'Typed Name', email: other.email }, bearer(await signIn(server, member)))
    await drainJobs(server.app)
    const mail = (await readEmails(server.app)).find(({ subject }) => subject === 'Inquiry from Typed Name')
    expect(mail?.text).toContain(`It was sent from the account of Vera Very <${member.email}>.`)
    expect(mail?.text).toContain(`They typed another address: ${other.email}`)
  })

  test('is closed with others in one call, each by its version, and those that were overtaken are named', async () => {
    for (const message of ['a', 'b', 'c', 'd']) await send({ ...whole, name: `Reader ${message}`, message })
    const [a, b, c, d] = (await list()) as [InquiryForAdmin, InquiryForAdmin, InquiryForAdmin, InquiryForAdmin]
    await act(b.id, 'reply', { message: 'Here.', version: 1 })
    const unknown = '00000000-0000-7000-8000-000000000000'
    const wanted = [a, b, c, { id: unknown, version: 1 }].map(({ id, version }) => ({ id, version }))
    const answer = await post(server, '/api/inquiries/close', { inquiries: wanted }, admin)
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      {
        closed: [
          { id: a.id, state: 'closed', version: 2 },
          { id: c.id, state: 'closed', version: 2 },
        ],
        overtaken: [{ id: b.id, name: 'Reader b', state: 'answered', version: 2 }],
        gone: [unknown],
      },
    ])
    expect((await list()).map(({ id }) => id)).toEqual([d.id])
    const again = await post(server, '/api/inquiries/close', { inquiries: [{ id: a.id, version: 2 }] }, admin)
    expect(again.json()).toMatchObject({ closed: [], overtaken: [{ id: a.id, version: 2 }] })
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('subject_id')
      .where('action', '=', 'inquiry.closed')
      .where('subject_id', 'in', [a.id, b.id, c.id])
      .execute()
    expect(new Set(events.map(({ subject_id }) => subject_id))).toEqual(new Set([a.id, c.id]))
    expect(events).toHaveLength(2)
    const twice = [d, d].map(({ id, version }) => ({ id, version }))
    for (const inquiries of [[], twice, [{ id: 'x', version: 1 }], [{ id: d.id }]])
      expect((await post(server, '/api/inquiries/close', { inquiries }, admin)).status).toBe(422)
  })

  test('is listed with the others of its address', async () => {
    await send({ ...whole, email: 'Flood@readers.example' })
    await send(whole)
    await send({ ...whole, email: 'flood@readers.example' })
    const emails = (await list('?email=flood%40readers.example')).map(({ email }) => email)
    expect(emails).toEqual(['Flood@readers.example', 'flood@readers.example'])
  })

  test('of a flood is told of in one email with the number and the first lines; one of a VIP at once', async () => {
    await passTime(server, 3_600_000)
    admin = bearer(await signIn(server, administrator))
    const vip = await callerOf({ isVip: true })
    const before = (await readEmails(server.app)).length
    const subjects = async (): Promise<string[]> => {
      await mailManyInquiries(server.app)
      await drainJobs(server.app)
      const subjects = (await readEmails(server.app)).slice(before).map(({ subject }) => subject)
      // The administrator has signed in once more, without the cookie of the first time.
      return subjects.filter((subject) => !/new device/.test(subject))
    }
    await Promise.all(Array.from({ length: 30 }, (_, i) => send({ ...whole, message: `Line ${i}\nand more` })))
    await send({ ...whole, name: 'Vera Very' }, vip.headers)
    expect((await subjects()).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'Inquiry from Jane Reader'),
      'VIP inquiry from Vera Very',
    ])
    await passTime(server, 600_000)
    admin = bearer(await signIn(server, administrator))
    const answered = (await list()).findLast(({ isVip }) => !isVip)
    await act(answered?.id ?? '', 'close', { version: 1 })
    expect(await subjects()).toContain('24 inquiries')
    const mail = (await readEmails(server.app)).find(({ subject }) => subject === '24 inquiries')
    expect(mail?.to).toBe(contact)
    expect(mail?.text.match(/^Jane Reader <jane@readers.example>: Line \d+$/gm)).toHaveLength(20)
    expect(mail?.text).toContain('And 4 more.')
    expect(mail?.text).not.toContain('and more\n')
    // One that comes alone after it waits, and is then told of by itself.
    await send({ ...whole, name: 'Late Reader' })
    expect(await subjects()).toHaveLength(7)
    await passTime(server, 600_000)
    expect((await subjects()).filter((subject) => subject === 'Inquiry from Late Reader')).toHaveLength(1)
    expect(await subjects()).toHaveLength(8)
  })

  describe('to an operator who has heard of five already', () => {
    /** Names the senders of the emails to the operator since this was made, the oldest first. */
    const emailsFromNow = async (): Promise<() => Promise<string[]>> => {
      const before = (await readEmails(server.app)).length
      return async () => {
        await drainJobs(server.app)
        const emails = (await readEmails(server.app)).slice(before).filter(({ to }) => to === contact)
        return emails.map(({ subject }) => subject.replace('Inquiry from ', ''))
      }
    }

    test('is told of ten minutes after it came, however many still come', async () => {
      const told = await emailsFromNow()
      const mallory = { ...whole, name: 'Mallory' }
      for (let i = 0; i < 4; i += 1) await send(mallory)
      for (let minute = 0; minute < 15; minute += 1) {
        if (minute === 5) {
          await send(mallory)
          await send({ ...whole, name: 'Victim' })
        }
        // The first four do not count any more: this one would go singly if nobody waited.
        if (minute === 11 || minute === 13) await send(mallory)
        await mailManyInquiries(server.app)
        await passTime(server, 60_000)
      }
      expect(await told()).toEqual(['Mallory', 'Mallory', 'Mallory', 'Mallory', 'Mallory'])
      await mailManyInquiries(server.app)
      expect(await told()).toHaveLength(6)
      expect((await told()).at(-1)).toBe('3 inquiries')
      const mail = (await readEmails(server.app)).findLast(({ subject }) => subject === '3 inquiries')
      expect(mail?.text).toContain('Victim <jane@readers.example>')
      // One that comes in the next ten minutes waits for their end, and one after them goes at once.
      await passTime(server, 300_000)
      await send({ ...whole, name: 'Late' })
      await passTime(server, 540_000)
      await mailManyInquiries(server.app)
      expect(await told()).toHaveLength(6)
      await passTime(server, 60_000)
      await mailManyInquiries(server.app)
      await passTime(server, 600_000)
      await send({ ...whole, name: 'Quiet' })
      expect((await told()).slice(6)).toEqual(['Late', 'Quiet'])
    })

    test('waits also when the senders of the five delete their accounts', async () => {
      const told = await emailsFromNow()
      for (let round = 0; round < 3; round += 1) {
        const { email, headers } = await callerOf({ name: `Flood ${round}` })
        for (let i = 0; i < 4; i += 1) await send({ ...whole, name: `Flood ${round}` }, headers)
        const answer = await server.request(`/auth/delete-account/${email}`, {
          method: 'DELETE',
          headers: { ...headers, 'api-key': server.app.config.clientApiKey },
        })
        expect(answer.status).toBe(200)
      }
      expect(await list()).toEqual([])
      await send({ ...whole, name: 'Reader' })
      expect(await server.app.db.selectFrom('inquiry_emails').select('is_about_many').execute()).toHaveLength(5)
      await passTime(server, 600_000)
      await mailManyInquiries(server.app)
      expect((await told()).at(-1)).toBe('Reader')
      // Those of the first ten minutes are forgotten.
      expect(await server.app.db.selectFrom('inquiry_emails').select('is_about_many').execute()).toEqual([
        { is_about_many: true },
      ])
    })
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
      ['POST', '/api/inquiries/close'],
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
    await server.app.db.deleteFrom('inquiry_emails').execute()
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
          Object.values(requestsContributions.adminHome?.problems ?? {}).map((each) => each(server.app)),
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
    await passTime(server, 60_000)
    await forwardWaitingInquiries(server.app)
    expect(await states()).toEqual(['forwarding'])
    await passTime(server, 600_001)
    const [problem] = (await requestsContributions.adminHome?.problems?.['inquiries-stuck']?.(server.app)) ?? []
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
    await passTime(server, 60_000)
    await forwardWaitingInquiries(server.app)
    expect(taken).toHaveLength(5)
    await passTime(server, 60_000)
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
    await sendInquiry(elsewhere, anonymous, { ...whole, sending: '', address: '203.0.113.250' })
    expect(await states()).toEqual(['forwarding'])
    await passTime(server, dayMs)
    await forwardWaitingInquiries(elsewhere)
    await forwardWaitingInquiries(elsewhere)
    expect(await states()).toEqual(['open'])
    await drainJobs(server.app)
    expect((await readEmails(server.app)).filter(({ to }) => to === contact)).toHaveLength(before + 1)
  })
})
