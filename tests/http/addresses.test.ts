import { beforeEach, describe, expect, test } from 'vitest'
import type { AccountForMember } from '../../src/features/office/viewer/viewer-schema.ts'
import { makeAdministrator } from '../../src/features/accounts/administrators/make-administrator.server.ts'
import { addInvitedMembers } from '../../src/features/accounts/people/add-invited-members.server.ts'
import { sendInvitations } from '../../src/features/accounts/emails/send-invitations.server.ts'
import { sendExpiryNotices } from '../../src/features/membership/emails/send-expiry-notices.server.ts'
import { features } from '../../src/features/site/features.server.ts'
import { deleteExpired } from '../../src/features/accounts/sign-in/delete-expired.server.ts'
import { uuidv7 } from 'uuidv7'
import { readEmails, waitForEmail } from '../harness/emails.ts'
import { aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { fromHtml } from '../harness/rendered.ts'
import { expectFailure } from '../harness/failures.ts'

/* Confirming and changing the address of an account (docs/spec/accounts.md#address-confirmation). */

const minute = 60_000
const hour = 60 * minute
const start = '2024-03-15T12:00:00Z'

// Each test comes from an address of its own: the limits of one do not reach another.
const server = serverOfFile({ now: start, env: { TRUSTED_PROXIES: '127.0.0.1/32' } })

let from = {}
let addresses = 0
beforeEach(() => {
  server.clock.set(start)
  addresses += 1
  from = { 'x-forwarded-for': `198.51.100.${addresses % 250}` }
})

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  post(server, path, body, { ...from, ...headers })
const key = () => ({ 'api-key': server.app.config.clientApiKey })

let people = 0
const anEmail = (domain = 'readers.example') => `somebody-${(people += 1)}@${domain}`
const password = 'a quiet reading room'

async function register(email = anEmail()): Promise<{ email: string; password: string; token: string }> {
  const answer = await send('/auth/register', { name: 'Jane Reader', email, password })
  expect(answer.status, answer.text).toBe(201)
  return { email, password, token: await signIn(server, { email, password }) }
}

async function accountOf(token: string): Promise<AccountForMember> {
  const answer = await server.request('/auth/dashboard', { headers: bearer(token) })
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as AccountForMember
}

async function linkTo(email: string, subject: RegExp): Promise<string> {
  const { links } = await waitForEmail(server.app, { to: email, subject })
  const link = new URL(links.find((one) => one.includes('/confirm-address?token=')) as string)
  expect(link.origin).toBe(server.app.config.publicUrl)
  return link.searchParams.get('token') as string
}

const confirm = (token: unknown) => send('/confirm-address', { token })
const change = (session: string, email: unknown) => send('/auth/address', { email }, bearer(session))
const emailsTo = async (email: string) => {
  await server.app.jobs.drain()
  return (await readEmails(server.app)).filter(({ to }) => to.toLowerCase() === email.toLowerCase())
}

const notValid =
  'This link is not valid any more. Sign in, and send another one from Security and data on your account page.'

describe('an address', () => {
  test('is confirmed by the link of the welcome, also twice and at once; before, the account says that it is not', async () => {
    const { email, token } = await register()
    expect(await accountOf(token)).toMatchObject({ email, isEmailConfirmed: false, requestedEmail: null })
    const link = await linkTo(email, /^Welcome/)
    const answers = await Promise.all([confirm(link), confirm(link), confirm(link)])
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(200)
      expect(answer.json()).toEqual({ message: `Your address ${email} is confirmed.` })
    }
    expect(await accountOf(token)).toMatchObject({ isEmailConfirmed: true })
    expect((await confirm(link)).status).toBe(200)
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('id')
      .where('action', '=', 'account.address_confirmed')
      .execute()
    expect(events).toHaveLength(1)
  })

  test('is confirmed without JavaScript by a form at the address of the link, and by no look at it', async () => {
    const { email, token } = await register()
    const path = `/confirm-address?token=${await linkTo(email, /^Welcome/)}`
    const page = await server.request(path)
    expect(page.status).toBe(200)
    expect(page.text).toMatch(/<form[^>]* method="post"(?![^>]* action=)/)
    expect(page.text).not.toContain(path.slice(-20))
    expect((await accountOf(token)).isEmailConfirmed).toBe(false)

    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url }
    const answer = await server.request(path, { method: 'POST', body: '', headers })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.text).toContain(`Your address ${email} is confirmed.`)
    expect((await accountOf(token)).isEmailConfirmed).toBe(true)

    const wrong = await server.request('/confirm-address?token=nonsense', { method: 'POST', body: '', headers })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('This link is not valid any more.')
  })

  test('is not confirmed by a link that is too old, whose page says what to do', async () => {
    const { email } = await register()
    const path = `/confirm-address?token=${await linkTo(email, /^Welcome/)}`
    await server.app.db
      .updateTable('address_links')
      .set({ expires_at: new Date(0) })
      .execute()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url }
    const answer = await server.request(path, { method: 'POST', body: '', headers })
    expect(answer.status).toBe(400)
    const { text, hrefs } = fromHtml(answer.text)
    expect(text).toContain('This link is not valid any more.')
    expect(text).not.toContain('Confirm address')
    expect(hrefs).toContain('/login?next=/account')
  })

  test.each([['made-up'], ['a'.repeat(43)], [''], [undefined], [{ not: 'a text' }]])(
    'is not confirmed by the token %j',
    async (token) => {
      expect([400, 422]).toContain((await confirm(token)).status)
    },
  )

  test('is confirmed for 7 days by one link, then by another one, sent at most every 10 minutes', async () => {
    const { email, token } = await register()
    const again = () => send('/auth/address/confirmation', {}, bearer(token))
    const link = await linkTo(email, /^Welcome/)
    server.clock.advance(10 * minute - 1)
    const early = await again()
    expectFailure(early, 429, /^A link was sent less than 10 minutes ago.* in 1 minute\.$/)
    expect(early.headers['retry-after']).toBe('1')
    server.clock.advance(1)
    const [one, other] = await Promise.all([again(), again()])
    expect([one.status, other.status].toSorted((a, b) => a - b)).toEqual([202, 429])
    const second = await linkTo(email, /^Confirm your address/)
    server.clock.advance(7 * 24 * hour - 10 * minute)
    expectFailure(await confirm(link), 400, notValid)
    const session = await signIn(server, { email, password })
    expect((await accountOf(session)).isEmailConfirmed).toBe(false)
    expect((await confirm(second)).status).toBe(200)
    const done = await send('/auth/address/confirmation', {}, bearer(session))
    expect(done.json()).toEqual({ message: 'Your address is confirmed already.' })
    expect(done.status).toBe(200)
    server.clock.advance(hour)
    await deleteExpired(server.app)
    expectFailure(await confirm(link), 400, notValid)
  })

  test('is confirmed by a reset link, and by an invitation, that is used', async () => {
    const { email } = await register()
    await send('/forgot-password', { email })
    const { links } = await waitForEmail(server.app, { to: email, subject: /reset/i })
    const reset = new URL(links.find((one) => one.includes('token=')) as string).searchParams.get('token')
    const invited = { id: uuidv7(), email: anEmail(), name: 'Ina Vited', createdAt: new Date(start) }
    await server.app.db.transaction().execute((trx) => addInvitedMembers(trx, [invited], uuidv7()))
    await sendInvitations(server.app)
    const invitation = (await waitForEmail(server.app, { to: invited.email })).links.find((one) =>
      one.includes('token='),
    )
    const token = new URL(invitation as string).searchParams.get('token')
    // Both set a password, and refuse the same ones.
    for (const weak of ['00000000', '987654321', 'abcdefgh', 'admin123', 'Daybook2026', 'inavited1']) {
      const refused = await send('/reset-password', { token, password: weak }, key())
      expectFailure(refused, 422, 'This password is one of the most common ones. Please choose another.')
    }
    for (const [link, person] of [
      [reset, email],
      [token, invited.email],
    ] as const) {
      const unconfirmed = await server.app.db
        .selectFrom('users')
        .select('email_confirmed_at')
        .where('email', '=', person)
        .executeTakeFirst()
      expect(unconfirmed).toEqual({ email_confirmed_at: null })
      const answer = await send('/reset-password', { token: link, password: 'a room of my own' }, key())
      expect(answer.status, answer.text).toBe(200)
      const session = await signIn(server, { email: person, password: 'a room of my own' })
      expect((await accountOf(session)).isEmailConfirmed).toBe(true)
    }
  })

  test('of an administrator whom the operator makes is confirmed', async () => {
    const email = anEmail()
    await makeAdministrator(server.app, { email, name: 'Ada', password: 'a kettle for the owl' })
    const session = await signIn(server, { email, password: 'a kettle for the owl' })
    expect((await accountOf(session)).isEmailConfirmed).toBe(true)
  })
})

describe('another address', () => {
  let member: MadeMember
  let session: string
  beforeEach(async () => {
    member = await aMember(server.app)
    session = await signIn(server, member)
  })

  test('takes effect once its link is used; the old one is told before and after', async () => {
    const wanted = anEmail()
    const elsewhere = await signIn(server, member)
    const answer = await change(session, ` ${wanted} `)
    expect(answer.status, answer.text).toBe(202)
    expect(answer.json()).toEqual({ message: `We sent a link to ${wanted}. Use it, and the address changes.` })
    expect(await accountOf(session)).toMatchObject({ email: member.email, requestedEmail: wanted })
    const warning = await waitForEmail(server.app, { to: member.email, subject: /^Another address/ })
    expect(warning.text).toContain(wanted)
    expect(warning.text).toContain('choose a new password now')
    expect((await send('/auth/login', { email: wanted, password: member.password })).status).toBe(401)

    const confirmed = await confirm(await linkTo(wanted, /^Confirm your new address/))
    expect(confirmed.json()).toEqual({
      message: `The address of your account is ${wanted} from now on. You sign in with it.`,
    })
    for (const token of [session, elsewhere]) {
      expect(await accountOf(token)).toMatchObject({ email: wanted, isEmailConfirmed: true, requestedEmail: null })
    }
    const notice = await waitForEmail(server.app, { to: member.email, subject: /has another address$/ })
    expect(notice.text).toContain(`to ${wanted}`)
    expect((await send('/auth/login', { email: member.email, password: member.password })).status).toBe(401)
    expect((await send('/auth/login', { email: wanted, password: member.password })).status).toBe(200)
  })

  test('is the one asked for last: an earlier link, and one of before the change, change nothing', async () => {
    const [first, second] = [anEmail(), anEmail()]
    await change(session, first)
    const earlier = await linkTo(first, /^Confirm your new address/)
    await change(session, second)
    const later = await linkTo(second, /^Confirm your new address/)
    expectFailure(await confirm(earlier), 400, notValid)
    expect((await confirm(later)).status).toBe(200)
    expectFailure(await confirm(earlier), 400, notValid)
    // Back to the first, and the link of the second is over although it was used.
    await change(session, first)
    expect((await confirm(await linkTo(first, /^Confirm your new address/))).status).toBe(200)
    expectFailure(await confirm(later), 400, notValid)
    expect(await accountOf(session)).toMatchObject({ email: first })
  })

  test('is taken by one link used many times at once, which says the same each time', async () => {
    const wanted = anEmail()
    await change(session, wanted)
    const link = await linkTo(wanted, /^Confirm your new address/)
    const answers = await Promise.all(Array.from({ length: 4 }, () => confirm(link)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await emailsTo(member.email)).toHaveLength(2)
  })

  test('ends with the link, a day later, and when its owner takes it back', async () => {
    const wanted = anEmail()
    await change(session, wanted)
    const link = await linkTo(wanted, /^Confirm your new address/)
    server.clock.advance(24 * hour)
    expectFailure(await confirm(link), 400, notValid)
    const fresh = await signIn(server, member)
    expect((await accountOf(fresh)).requestedEmail).toBeNull()
    await change(fresh, wanted)
    const second = await linkTo(wanted, /^Confirm your new address/)
    expect((await server.request('/auth/address', { method: 'DELETE', headers: bearer(fresh) })).status).toBe(204)
    expectFailure(await confirm(second), 400, notValid)
    expect(await accountOf(fresh)).toMatchObject({ email: member.email, requestedEmail: null })
  })

  test('is not waited for after a change or a reset of the password: the owner has answered', async () => {
    const wanted = anEmail()
    await change(session, wanted)
    const link = await linkTo(wanted, /^Confirm your new address/)
    const body = { token: session, password: 'an entirely new room' }
    expect((await send('/reset-password/account', body, { ...bearer(session), ...key() })).status).toBe(200)
    expectFailure(await confirm(link), 400, notValid)
  })

  test('ends the links that were sent to the old one', async () => {
    await send('/forgot-password', { email: member.email })
    const email = await waitForEmail(server.app, { to: member.email, subject: /reset/i })
    const reset = new URL(email.links.find((one) => one.includes('token=')) as string).searchParams.get('token')
    const wanted = anEmail()
    await change(session, wanted)
    await confirm(await linkTo(wanted, /^Confirm your new address/))
    expect((await send('/reset-password', { token: reset, password: 'a room of my own' }, key())).status).toBe(400)
  })

  test('that somebody has is answered alike, changes nothing, and its owner is told', async () => {
    const owner = await aMember(server.app, { name: 'Otto Owner' })
    const answers = [await change(session, anEmail()), await change(session, owner.email)]
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    const told = await waitForEmail(server.app, { to: owner.email })
    expect(told.subject).toMatch(/^You have an account/)
    expect(told.text).toContain('Hello Otto Owner')
    expect(`${told.text}${told.html}`).not.toContain('confirm-address')
    const links = await server.app.db
      .selectFrom('address_links')
      .select('id')
      .where('email', '=', owner.email)
      .execute()
    expect(links).toEqual([])
  })

  test('that somebody has taken in between stays theirs', async () => {
    const wanted = anEmail()
    await change(session, wanted)
    const link = await linkTo(wanted, /^Confirm your new address/)
    const other = await register(wanted)
    expectFailure(await confirm(link), 409, /^Another account has this address by now\./)
    expect(await accountOf(session)).toMatchObject({ email: member.email })
    expect(await accountOf(other.token)).toMatchObject({ email: wanted })
  })

  test('goes to one of two who confirm it at the same time', async () => {
    const wanted = anEmail()
    const rival = await signIn(server, await aMember(server.app))
    await change(session, wanted)
    const first = await linkTo(wanted, /^Confirm your new address/)
    await change(rival, wanted)
    await server.app.jobs.drain()
    const second = await linkTo(wanted, /^Confirm your new address/)
    const answers = await Promise.all([confirm(first), confirm(second)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test.each([
    ['', 'Email is required'],
    ['jane', 'Please enter a valid email address'],
    ['jane\u202e@readers.example', 'Please enter a valid email address'],
    ['ja\u200dne@readers.example', 'Please enter a valid email address'],
  ])('%j is refused beside the field', async (email, sentence) => {
    const answer = await change(session, email)
    expectFailure(answer, 422, sentence)
    expect(answer.json()).toMatchObject({ field: 'email' })
  })

  test('that is the present one is refused; another spelling of it is a change', async () => {
    expectFailure(await change(session, member.email), 422, 'This is your address already')
    const louder = member.email.replace('reader', 'READER')
    expect((await change(session, louder)).status).toBe(202)
    expect((await confirm(await linkTo(louder, /^Confirm your new address/))).status).toBe(200)
    expect((await accountOf(session)).email).toBe(louder)
  })

  test('of an administrator is told to every administrator', async () => {
    const admin = await aMember(server.app, { isAdmin: true, name: 'Ada Admin' })
    const other = await aMember(server.app, { isAdmin: true })
    const wanted = anEmail()
    await change(await signIn(server, admin), wanted)
    await confirm(await linkTo(wanted, /^Confirm your new address/))
    const told = await waitForEmail(server.app, { to: other.email, subject: /^An administrator has another/ })
    expect(told.text).toContain(`Ada Admin (${wanted}) changed the email address of their own account to this one`)
  })

  test('can be asked for five times an hour, and nobody asks without a session', async () => {
    for (let i = 0; i < 5; i += 1) expect((await change(session, anEmail())).status).toBe(202)
    const refused = await change(session, anEmail())
    expectFailure(refused, 429, /^Too many attempts\./)
    expect((await send('/auth/address', { email: anEmail() })).status).toBe(401)
  })
})

describe('emails to an address that is not confirmed', () => {
  test('are those that somebody waits for or must know of: nobody is told there that a membership ends', async () => {
    const day = 24 * hour
    const ending = { vipExpiresAt: new Date(Date.parse(start) + 2 * day).toISOString() }
    const unconfirmed = await aMember(server.app, { ...ending, isUnconfirmed: true })
    const confirmed = await aMember(server.app, ending)
    await sendExpiryNotices(server.app)
    expect(await emailsTo(confirmed.email)).toHaveLength(1)
    expect(await emailsTo(unconfirmed.email)).toEqual([])
    await send('/forgot-password', { email: unconfirmed.email })
    expect(await emailsTo(unconfirmed.email)).toHaveLength(1)
  })

  test('have a purpose each, which says so', () => {
    const purposes = features.flatMap(({ emails = [] }) =>
      emails.map(({ kind: { name, purpose } }) => `${purpose}: ${name}`),
    )
    expect(purposes.filter((one) => one.startsWith('news')).toSorted()).toEqual([
      'news: catalogue.digest',
      'news: membership.ended',
      'news: membership.ends-soon',
      'news: requests.fulfilled',
    ])
  })
})

describe('one mailbox has one account', () => {
  test('whichever way its domain is spelt', async () => {
    const name = `jane-${(people += 1)}`
    await register(`${name}@bücher.example`)
    for (const email of [
      `${name}@xn--bcher-kva.example`,
      `${name}@BÜCHER.example`,
      `${name}@bu\u0308cher.example`.normalize('NFC'),
    ]) {
      const answer = await send('/auth/register', { name: 'Jane', email, password })
      expectFailure(answer, 409, 'An account with this email already exists.')
      expect((await send('/auth/login', { email, password })).status).toBe(200)
    }
  })

  test('and is found by administrators as it was written, and as A-labels', async () => {
    const email = `finder-${(people += 1)}@müller-library.example`
    await register(email)
    const admin = await signIn(server, await aMember(server.app, { isAdmin: true }))
    for (const search of ['müller-library', 'xn--mller-library']) {
      const path = `/api/people?search=${encodeURIComponent(search)}&state=unconfirmed`
      const answer = await server.request(path, { headers: bearer(admin) })
      expect(answer.json()).toMatchObject({ total: 1, people: [{ email, isEmailConfirmed: false }] })
    }
  })
})
