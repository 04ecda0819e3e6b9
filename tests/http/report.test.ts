import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fieldsOf, formPath, type NoticeForm, noticeForms } from '../../src/features/notices/intake/notice-forms.ts'
import { neededElements } from '../../src/features/notices/notice/notice-elements.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { anItem } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { fromHtml } from '../harness/rendered.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

const contact = 'desk@library.example'
const reported = '/western/an-old-map'

/** Each comes from an address of its own: the limits are for a flood from one. */
let places = 0
const fromElsewhere = (): { 'x-forwarded-for': string } => {
  places += 1
  return { 'x-forwarded-for': `203.0.${places >> 8}.${places & 255}` }
}

type Fields = Record<string, string>

/** A complete notice of each form, without anything that the form does not need. */
const complete: Record<NoticeForm, Fields> = {
  'child-safety': { itemUrls: reported, explanation: 'A person in the picture may be a minor.' },
  'intimate-image': {
    itemUrls: reported,
    phone: '+1 555 0100',
    goodFaith: 'on',
    signature: 'Jane Reader',
  },
  copyright: {
    name: 'Jane Owner',
    email: 'jane@owners.example',
    itemUrls: reported,
    workDescription: 'A map of the moon, drawn by me.',
    goodFaith: 'on',
    accuracy: 'on',
    perjury: 'on',
    signature: 'Jane Owner',
  },
  privacy: {
    request: 'erase',
    name: 'Jane Reader',
    email: 'jane@readers.example',
    itemUrls: reported,
    explanation: 'My postal address stands in it.',
  },
  other: { itemUrls: reported, explanation: 'A court has forbidden it.', goodFaith: 'on' },
}

const send = (path: string, fields: Fields, headers: Record<string, string> = {}): Promise<TestResponse> =>
  server.request(path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromElsewhere(), ...headers },
  })
/** The receipt, to which the answer to a form that was taken leads, or the form that was refused. */
const report = async (form: NoticeForm, fields: Fields, headers: Record<string, string> = {}) => {
  const answer = await send(formPath(form), fields, headers)
  return answer.status === 303 ? server.request(answer.headers['location'] ?? '') : answer
}

const referenceIn = ({ text }: TestResponse): string => {
  const reference = /N-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(fromHtml(text).text)?.[0]
  if (reference === undefined) throw new Error('The page names no reference.')
  return reference
}
const pageIn = ({ text }: TestResponse): string => {
  const path = /\/report\/track\/[\w-]{43}/.exec(text)?.[0]
  if (path === undefined) throw new Error('The page names no private page.')
  return path
}
const notices = () => server.app.db.selectFrom('notices').selectAll().orderBy('received_at').execute()
const noticeOf = (answer: TestResponse) =>
  server.app.db.selectFrom('notices').selectAll().where('reference', '=', referenceIn(answer)).executeTakeFirstOrThrow()
const eventsOf = async (id: string) =>
  (
    await server.app.db.selectFrom('notice_events').select('type').where('notice_id', '=', id).orderBy('no').execute()
  ).map(({ type }) => type)
const words = ({ text }: TestResponse): string => fromHtml(text).text

const server = serverOfFile({
  env: { CONTACT_EMAIL: contact, TRUSTED_PROXIES: '127.0.0.1/32' },
})

beforeAll(async () => {
  await anItem(server.app, { name: 'An old map' })
})

describe('the page that leads to the forms', () => {
  test('names the five ways, the gravest first, and passes the entry on', async () => {
    const page = await server.request(`/report?entry=${reported}&entry=/other`)
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.text).toContain('name="robots" content="noindex"')
    const ways = [...page.text.matchAll(/href="(\/report\/[a-z-]+)(\?entry=[^"]*)"/g)].map(([, path]) => path)
    expect(ways).toEqual(noticeForms.map(formPath))
    expect(page.text).toContain(`/report/copyright?entry=${encodeURIComponent(reported)}`)
    // The footer leads to these two as well: the page itself does.
    const main = /<main[\s\S]*<\/main>/.exec(page.text)?.[0] ?? ''
    for (const way of ['/report/counter-notice', '/dmca', '/transparency']) expect(main).toContain(`href="${way}"`)
    expect(page.text).toContain(`mailto:${contact}`)
    expect(page.text).not.toMatch(/not part of this version/)
  })

  test('passes on no address of another site', async () => {
    for (const entry of ['//elsewhere.example', 'https://elsewhere.example', '"><script>alert(1)</script>'])
      expect((await server.request(`/report?entry=${encodeURIComponent(entry)}`)).text).not.toMatch(/elsewhere|alert/)
  })

  test('is where every entry leads', async () => {
    const page = await server.request(reported)
    expect(page.text).toContain(`href="/report?entry=${reported}"`)
    const form = await server.request(`/report/other?entry=${reported}`)
    expect(form.text).toContain(`${server.app.config.publicUrl}${reported}</textarea>`)
  })
})

describe.each(noticeForms)('the form %s', (form) => {
  test('is never kept, and works without JavaScript', async () => {
    const page = await server.request(formPath(form))
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    expect(page.text).toContain('name="robots" content="noindex"')
    for (const name of Object.keys(complete[form])) expect(page.text).toContain(`name="${name}"`)
    // The answer says what is missing; a browser that held the form back would keep it from being asked for.
    expect(page.text).toMatch(/<form[^>]*novalidate/i)
    expect(page.text).not.toContain('name="incomplete"')
  })

  test('takes a complete notice, names its reference and its private page, and holds the entry', async () => {
    const item = await anItem(server.app, { name: `About ${form}`, link: `https://mega.nz/file/${form}` })
    const answer = await report(form, { ...complete[form], itemUrls: `/western/${item.slug}` })
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(words(answer)).toContain('Your notice has arrived and is complete.')
    const notice = await noticeOf(answer)
    expect(notice).toMatchObject({ kind: form, status: 'received', missing: [] })
    expect(await eventsOf(notice.id)).toEqual(['received'])
    const page = await server.request(pageIn(answer))
    expect([page.status, words(page).includes(notice.reference)]).toEqual([200, true])
    // Nothing is missing.
    expect(page.text).not.toMatch(/name="act"[^>]* value="add"|value="add"[^>]* name="act"/)
    const isHidden = form === 'child-safety' || form === 'intimate-image'
    expect((await server.request(`/western/${item.slug}`)).status).toBe(isHidden ? 404 : 200)
  })

  test('takes an incomplete one that was asked for the rest, and names everything that is missing', async () => {
    const { itemUrls = '' } = complete[form]
    const answer = await report(form, { itemUrls, incomplete: 'yes' })
    expect(answer.status).toBe(200)
    expect(words(answer)).toContain('something that the law asks for is missing.')
    const notice = await noticeOf(answer)
    expect(notice).toMatchObject({
      kind: form,
      status: 'needs-info',
      missing: neededElements[form].filter((name) => name !== 'itemUrls'),
    })
  })

  test('asks first for what is missing, but takes what is said of a child', async () => {
    const before = (await notices()).length
    const typed = { itemUrls: `${reported}?first-try` }
    const answer = await send(formPath(form), typed)
    if (form === 'child-safety') return expect(answer.status).toBe(303)
    expect([answer.status, (await notices()).length]).toEqual([422, before])
    for (const { name, isRequired, ask } of fieldsOf(form))
      if (isRequired && name !== 'itemUrls') expect(words(answer)).toContain(ask)
    expect(answer.text).toContain(`${reported}?first-try</textarea>`)
    expect(answer.text).toMatch(/<button (?=[^>]*name="incomplete")(?=[^>]*value="yes")[^>]*>Send it as it is/)
    expect((await send(formPath(form), { ...typed, incomplete: 'yes' })).status).toBe(303)
  })

  test('takes an incomplete one only with a way to answer or a named work, unless a child is at risk', async () => {
    const before = (await notices()).length
    const vague = { explanation: 'Something is wrong.', workDescription: '', incomplete: 'yes' }
    const answer = await send(formPath(form), vague)
    if (form === 'child-safety') return expect(answer.status).toBe(303)
    expect([answer.status, (await notices()).length]).toEqual([422, before])
    expect(words(answer)).toContain('Enter the address of an entry')
    // The copyright form has no explanation: a description of the work names it.
    const said = form === 'copyright' ? { workDescription: 'My map.' } : { ...vague, email: 'jane@readers.example' }
    expect((await send(formPath(form), { ...said, incomplete: 'yes' })).status).toBe(303)
  })

  test('refuses what cannot be taken with all faults at once, and keeps what was typed', async () => {
    const before = (await notices()).length
    const many = Array.from({ length: 51 }, (_, no) => `/western/${no}`).join('\n')
    const answer = await report(form, { ...complete[form], email: 'jane', itemUrls: many })
    expect(answer.status).toBe(422)
    const text = words(answer)
    expect(text).toContain('A notice takes up to 50 addresses')
    // Not every form asks for an email address.
    if (answer.text.includes('name="email"')) expect(text).toContain('Enter an email address such as name@example.org')
    expect(answer.text).toContain('/western/50</textarea>')
    expect((await report(form, { signature: 'Jane', explanation: ' ' })).status).toBe(422)
    expect((await report(form, { ...complete[form], itemUrls: '/a\0b' })).status).toBe(422)
    expect(await notices()).toHaveLength(before)
  })

  test('refuses a flood of an address after the twentieth, and tells what to do', async () => {
    const from = fromElsewhere()
    const statuses: number[] = []
    for (let no = 0; no < 25; no += 1)
      statuses.push((await report(form, { ...complete[form], explanation: `Number ${no}.` }, from)).status)
    expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(5).fill(429)])
    const refused = await report(form, { ...complete[form], explanation: 'Once more.' }, from)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(words(refused)).toContain(`write to ${contact}`)
    // A child at risk and an intimate image are counted apart from all others.
    const isGrave = form === 'child-safety' || form === 'intimate-image'
    const [alike, apart] = isGrave ? (['intimate-image', 'other'] as const) : (['copyright', 'child-safety'] as const)
    expect((await report(alike, complete[alike], from)).status).toBe(429)
    expect((await report(apart, complete[apart], from)).status).toBe(200)
  })
})

describe('a notice', () => {
  beforeEach(() => server.app.jobs.drain())

  test('that is sent twice from one page is one notice and one email; another one is another', async () => {
    const fields = { ...complete.privacy, email: 'twice@readers.example', sending: 'of-one-page' }
    const both = await Promise.all([report('privacy', fields), report('privacy', fields)])
    const [first, second] = both
    expect(referenceIn(first)).toBe(referenceIn(second))
    expect(pageIn(first)).toBe(pageIn(second))
    expect(referenceIn(await report('privacy', fields))).toBe(referenceIn(first))
    const other = await report('privacy', { ...fields, explanation: 'Something else.' })
    expect(referenceIn(other)).not.toBe(referenceIn(first))
    await drainJobs(server.app)
    expect((await readEmails(server.app)).filter(({ to }) => to === 'twice@readers.example')).toHaveLength(2)
  })

  test('is acknowledged by email with its reference, its private page and what is missing; the page is in no table', async () => {
    const answer = await report('copyright', {
      email: 'owner@owners.example',
      name: 'Olga Owner',
      itemUrls: reported,
      incomplete: 'yes',
    })
    const token = pageIn(answer).split('/').at(-1) ?? ''
    const waiting = await server.database.run("select data::text from pgboss.job where name = 'mail'")
    expect(JSON.stringify(waiting)).toContain('notices.received')
    expect(JSON.stringify(waiting)).not.toContain(token)
    await drainJobs(server.app)
    const mail = (await readEmails(server.app)).findLast(({ to }) => to === 'owner@owners.example')
    expect(mail?.subject).toBe(`Your notice ${referenceIn(answer)}`)
    expect(mail?.text).toContain('Hello Olga Owner')
    expect(mail?.text).toContain('Your work; The statement of good faith')
    expect(mail?.links).toContain(`${server.app.config.publicUrl}${pageIn(answer)}`)
    expect(words(answer)).toContain('We are sending the reference and this address to owner@owners.example.')
  })

  test('without an email address is not acknowledged, and says so', async () => {
    expect(words(await report('other', complete.other))).toContain('we cannot email you')
  })

  test('mails an address ten times an hour at most, and takes every notice', async () => {
    const email = 'stranger@readers.example'
    for (let no = 0; no < 10; no += 1)
      expect(words(await report('privacy', { ...complete.privacy, email, explanation: `${no}` }))).toContain(
        `We are sending the reference and this address to ${email}.`,
      )
    const further = await report('privacy', { ...complete.privacy, email, explanation: 'further' })
    expect([further.status, words(further).includes('so we send none about this notice')]).toEqual([200, true])
    await drainJobs(server.app)
    expect((await readEmails(server.app)).filter(({ to }) => to === email)).toHaveLength(10)
  })

  test('in which consent is withdrawn is one of its own kind', async () => {
    const answer = await report('privacy', { ...complete.privacy, request: 'consent' })
    expect((await noticeOf(answer)).kind).toBe('consent')
    expect(words(answer)).toContain('within 24 hours, and decide within 5 business days')
  })

  test('that is too large, or comes from a page of another site, is refused by a page', async () => {
    const huge = await report('other', { ...complete.other, explanation: 'x'.repeat(600_000) })
    expect([huge.status, huge.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8'])
    expect((await report('other', complete.other, { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await report('other', complete.other, { origin: server.app.config.publicUrl })).status).toBe(200)
  })

  test('with marks of the page is shown as text', async () => {
    const refused = await report('other', { email: '"><script>alert(1)</script>', explanation: '</textarea><b>' })
    expect(refused.status).toBe(422)
    expect(refused.text).not.toContain('<script>alert(1)')
    expect(refused.text).not.toContain('</textarea><b>')
  })
})

describe('the private page of a notice', () => {
  test('is never kept, never indexed, told to no other site, and not there for another token', async () => {
    const page = await server.request(pageIn(await report('other', complete.other)))
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.text).toContain('name="robots" content="noindex"')
    expect(page.text).toContain('name="referrer" content="same-origin"')
    for (const token of ['x', 'a'.repeat(43), `${'a'.repeat(42)}%00`]) {
      const other = await server.request(`/report/track/${token}`)
      expect([other.status, other.headers['cache-control']]).toEqual([404, 'no-store'])
      expect((await send(`/report/track/${token}`, { act: 'withdraw', sure: 'on' })).status).toBe(404)
    }
  })

  test('takes what is missing piece by piece, and nothing besides', async () => {
    const answer = await report('copyright', {
      ...complete.copyright,
      email: '',
      signature: '',
      itemUrls: '',
      incomplete: 'yes',
    })
    const path = pageIn(answer)
    const page = await server.request(path)
    for (const name of ['email', 'phone', 'address', 'signature', 'itemUrls'])
      expect(page.text).toContain(`name="${name}"`)
    expect(page.text).not.toContain('name="workDescription"')

    const nothing = await send(path, { act: 'add', name: 'Somebody Else' })
    expect([nothing.status, words(nothing).includes('Fill in at least one of these fields.')]).toEqual([422, true])
    const first = await send(path, { act: 'add', phone: '+1 555 0100', name: 'Somebody Else' })
    expect([first.status, first.headers['location']]).toEqual([303, `${path}?done=add`])
    expect(await noticeOf(answer)).toMatchObject({
      status: 'needs-info',
      name: 'Jane Owner',
      missing: ['itemUrls', 'signature'],
    })
    const faulty = await send(path, { act: 'add', itemUrls: 'x'.repeat(2_001) })
    expect(faulty.status).toBe(422)
    await send(path, { act: 'add', itemUrls: `${reported}\n/western/another`, signature: 'Jane Owner' })
    const notice = await noticeOf(answer)
    expect(notice).toMatchObject({ status: 'received', missing: [], phone: '+1 555 0100', signature: 'Jane Owner' })
    expect(await eventsOf(notice.id)).toEqual(['received', 'answered', 'entries-changed', 'completed'])
    const done = await server.request(`${path}?done=add`)
    expect(words(done)).toContain('We added this to your notice.')
    expect(words(done)).toContain('/western/another')
    expect((await send(path, { act: 'add', phone: '1' })).status).toBe(422)
  })

  test('takes no further addresses of a whole notice: they are a new one, and the page leads there', async () => {
    const path = pageIn(await report('intimate-image', complete['intimate-image']))
    expect((await send(path, { act: 'add', itemUrls: '/western/another' })).status).toBe(422)
    const { text } = await server.request(path)
    expect(text).toContain('href="/report/intimate-image"')
    expect(text).not.toContain('/western/another')
    await send(path, { act: 'withdraw', sure: 'on' })
    expect((await server.request(path)).text).not.toContain('href="/report/intimate-image"')
  })

  test('takes a notice back once, where its sender says so twice', async () => {
    const answer = await report('other', complete.other)
    const path = pageIn(answer)
    const unsure = await send(path, { act: 'withdraw' })
    expect([unsure.status, words(unsure).includes('Check the box')]).toEqual([422, true])
    expect((await send(path, { act: 'withdraw', sure: 'on' })).status).toBe(303)
    expect((await noticeOf(answer)).status).toBe('withdrawn')
    expect((await send(path, { act: 'withdraw', sure: 'on' })).status).toBe(409)
    expect((await server.request(path)).text).not.toContain('name="sure"')
  })

  test('does not take back what was said of a child', async () => {
    const path = pageIn(await report('child-safety', complete['child-safety']))
    expect((await server.request(path)).text).not.toContain('name="sure"')
    expect((await send(path, { act: 'withdraw', sure: 'on' })).status).toBe(409)
  })

  test('takes thirty writes of an address in an hour', async () => {
    const path = pageIn(await report('copyright', { itemUrls: reported, incomplete: 'yes' }))
    const from = fromElsewhere()
    for (let no = 0; no < 30; no += 1) await send(path, { act: 'add', organization: 'x' }, from)
    const refused = await send(path, { act: 'add', name: 'Jane' }, from)
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  })
})

describe('a decision', () => {
  let admin: { authorization: string }
  beforeAll(async () => {
    admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
  })

  const decide = async (answer: TestResponse, outcome: 'remove' | 'keep') => {
    const { reference, version } = await noticeOf(answer)
    const decided = await post(
      server,
      `/api/notices/${reference}/decision`,
      {
        outcome,
        ground: 'illegal',
        legalGround: '17 U.S.C. 106',
        facts: 'The map is reproduced whole.',
        explanation: 'No licence covers it.',
        version,
      },
      admin,
    )
    expect(decided.status, decided.text).toBe(200)
  }

  test('stands on the private page with its reasons, and is appealed once, within 183 days', async () => {
    // Other notices hide the one that most of these tests report.
    const map = await anItem(server.app, { name: 'A map that stays', link: 'https://mega.nz/file/map-that-stays' })
    const answer = await report('other', { ...complete.other, itemUrls: `/western/${map.slug}` })
    const path = pageIn(answer)
    await decide(answer, 'keep')
    const page = await server.request(path)
    for (const text of [
      'The reported entries stay on the site.',
      '17 U.S.C. 106',
      'The map is reproduced whole.',
      'No licence covers it.',
    ])
      expect(words(page)).toContain(text)
    expect(page.text).toContain('value="appeal"')
    expect(page.text).not.toContain('name="sure"')

    const silent = await send(path, { act: 'appeal', explanation: ' ' })
    expect([silent.status, words(silent).includes('Write why you disagree.')]).toEqual([422, true])
    const appealed = await send(path, { act: 'appeal', explanation: 'The court has decided again.' })
    expect([appealed.status, appealed.headers['location']]).toEqual([303, `${path}?done=appeal`])
    const after = await server.request(`${path}?done=appeal`)
    expect(words(after)).toContain('The court has decided again.')
    expect(after.text).not.toContain('value="appeal"')
    expect((await send(path, { act: 'appeal', explanation: 'Once more.' })).status).toBe(409)
  })

  test('that took the place of another one after an appeal leaves the appeal and its answer on the page', async () => {
    const map = await anItem(server.app, { name: 'A map that was kept', link: 'https://mega.nz/file/kept-map' })
    const answer = await report('other', { ...complete.other, itemUrls: `/western/${map.slug}` })
    const path = pageIn(answer)
    await decide(answer, 'keep')
    await send(path, { act: 'appeal', explanation: 'The court has decided again.' })
    const { reference, version } = await noticeOf(answer)
    const other = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
    const body = { outcome: 'overturn', ground: 'illegal', legalGround: 'A judgment', facts: 'It was read.', version }
    const answered = await post(
      server,
      `/api/notices/${reference}/appeal`,
      { ...body, explanation: 'You are right.' },
      other,
    )
    expect(answered.status, answered.text).toBe(200)
    const page = await server.request(path)
    for (const text of [
      'We removed what was reported.',
      'The court has decided again.',
      'We replaced that decision with a new one',
      'You are right.',
    ])
      expect(words(page)).toContain(text)
    // It is another decision, which may be objected to as well.
    expect(page.text).toContain('value="appeal"')
  })

  test('is appealed by nobody after 183 days', async () => {
    const answer = await report('other', complete.other)
    await decide(answer, 'keep')
    const { id } = await noticeOf(answer)
    // The record is never changed; only a test takes its guard away.
    await server.database.run('alter table notice_decisions disable trigger notice_decisions_are_a_record')
    await server.database.run(
      "update notice_decisions set decided_at = now() - interval '184 days' where notice_id = $1",
      [id],
    )
    await server.database.run('alter table notice_decisions enable trigger notice_decisions_are_a_record')
    const page = await server.request(pageIn(answer))
    expect(page.text).not.toContain('value="appeal"')
    expect((await send(pageIn(answer), { act: 'appeal', explanation: 'Too late.' })).status).toBe(409)
  })

  test('to remove after a copyright notice is answered by a counter-notice, taken alike whether the notice exists', async () => {
    const map = await anItem(server.app, { name: 'A map to be removed', link: 'https://mega.nz/file/to-be-removed' })
    const answer = await report('copyright', { ...complete.copyright, itemUrls: `/western/${map.slug}` })
    await decide(answer, 'remove')
    const reference = referenceIn(answer)
    const path = '/report/counter-notice'
    expect((await server.request(pageIn(answer))).text).toContain(`href="${path}?reference=${reference}"`)
    const form = await server.request(`${path}?reference=${reference}`)
    expect([form.status, form.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(form.text).toContain(`value="${reference}"`)

    const empty = await send(path, { name: 'Paul Publisher' })
    expect(empty.status).toBe(422)
    expect(words(empty)).toContain('Write why the removal was a mistake.')
    const whole = {
      reference,
      itemUrls: `/western/${map.slug}`,
      explanation: 'It is in the public domain.',
      name: 'Paul Publisher',
      address: '2 Side Street',
      phone: '+1 555 0101',
      email: 'paul@publishers.example',
      perjury: 'on',
      jurisdiction: 'on',
      signature: 'Paul Publisher',
    }
    const unknown = await send(path, { ...whole, reference: 'N-0000-0000' })
    const taken = await send(path, whole)
    const again = await send(path, whole)
    for (const each of [unknown, taken, again])
      expect([each.status, each.headers['location'], words(each)]).toEqual([303, `${path}?done=sent`, words(taken)])
    expect(words(await server.request(`${path}?done=sent`))).toContain('Your counter-notice has arrived.')
    const { id } = await noticeOf(answer)
    const stored = await server.app.db.selectFrom('counter_notices').selectAll().where('notice_id', '=', id).execute()
    // The second one is taken like the first: who of them published it, an administrator finds out.
    expect(stored).toHaveLength(2)
    expect(stored[0]).toMatchObject({ name: 'Paul Publisher', signature: 'Paul Publisher', state: 'received' })
    const lost = await server.app.db.selectFrom('inquiries').select('message').execute()
    expect(lost).toMatchObject([{ message: expect.stringContaining('Reference: N-0000-0000') }])
    expect(stored[0]?.explanation).toBe(`It is in the public domain.\n\nIt stood at:\n/western/${map.slug}`)
  })

  test('is answered by ten counter-notices an hour of an address', async () => {
    const from = fromElsewhere()
    const whole = {
      reference: 'N-0000-0000',
      itemUrls: reported,
      explanation: 'Mistaken.',
      name: 'Paul',
      address: '2 Side Street',
      phone: '1',
      email: 'paul@publishers.example',
      perjury: 'on',
      jurisdiction: 'on',
      signature: 'Paul',
    }
    for (let no = 0; no < 10; no += 1) expect((await send('/report/counter-notice', whole, from)).status).toBe(303)
    expect((await send('/report/counter-notice', whole, from)).status).toBe(429)
  })
})

test.each([
  ['among words', (url: string) => ({ itemUrls: `See ${url} please` })],
  ['in a list', (url: string) => ({ itemUrls: `1. ${url}` })],
  ['with another one', (url: string) => ({ itemUrls: `https://elsewhere.example/x, ${url}` })],
  ['with a mark that cannot be seen', (url: string) => ({ itemUrls: `${url}\u200B` })],
  ['at the form of a report', (url: string) => ({ itemUrls: `/report?entry=${new URL(url).pathname}` })],
  ['in an archive', (url: string) => ({ itemUrls: `web.archive.org/web/2020/${url}` })],
  ['in the explanation', (url: string) => ({ explanation: `A person at ${url} may be a minor.` })],
])('an entry whose address is given %s is hidden with the receipt of a notice about a child', async (how, typed) => {
  const item = await anItem(server.app, { name: `Given ${how}`, link: `https://mega.nz/file/given-${how.length}` })
  const path = `/western/${item.slug}`
  expect((await server.request(path)).status).toBe(200)
  const answer = await report('child-safety', typed(`${server.app.config.publicUrl}${path}`))
  expect(answer.status).toBe(200)
  expect((await server.request(path)).status).toBe(404)
})

test('the answer is the same whether an entry is at the address, and promises nothing that is not so', async () => {
  const sentence = ({ text }: TestResponse) => /What happens now(.*?)4 hours/s.exec(fromHtml(text).text)?.[1]
  const [found, none] = await Promise.all(
    [reported, '/western/no-such-entry'].map((itemUrls) =>
      report('child-safety', { ...complete['child-safety'], itemUrls }),
    ),
  )
  expect(sentence(none as TestResponse)).toContain('If an address leads nowhere, a person looks for the entry.')
  expect(sentence(none as TestResponse)).toBe(sentence(found as TestResponse))
})

test('an address that the private page was not asked for is not read; one in an explanation that was is', async () => {
  const item = await anItem(server.app, { name: 'Named afterwards', link: 'https://mega.nz/file/named-afterwards' })
  const path = `/western/${item.slug}`
  const answer = await report('child-safety', { itemUrls: '/western/no-such-entry' })
  await send(pageIn(answer), { act: 'add', itemUrls: path, name: 'Jane' })
  expect((await server.request(path)).status).toBe(200)
  await send(pageIn(answer), { act: 'add', explanation: `A person at ${path} may be a minor.` })
  expect((await server.request(path)).status).toBe(404)
})

test('an intimate image is gone when its complete notice was sent, and back when it is withdrawn', async () => {
  const item = await anItem(server.app, { name: 'An image to be hidden', link: 'https://mega.nz/file/to-be-hidden' })
  const path = `/western/${item.slug}`
  expect((await server.request(path)).status).toBe(200)
  const fields = { ...complete['intimate-image'], itemUrls: path }
  const answer = await report('intimate-image', { ...fields, signature: '', incomplete: 'yes' })
  expect((await server.request(path)).status).toBe(200)
  await send(pageIn(answer), { act: 'add', signature: 'Jane Reader' })
  expect((await server.request(path)).status).toBe(404)
  await send(pageIn(answer), { act: 'withdraw', sure: 'on' })
  expect((await server.request(path)).status).toBe(200)
})
