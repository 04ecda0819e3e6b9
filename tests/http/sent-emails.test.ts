import { createHmac } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { beforeAll, expect, test } from 'vitest'
import { accountMails } from '../../src/features/accounts/account-mails.ts'
import { applyMailEvent } from '../../src/features/accounts/sent-emails/email-fates.server.ts'
import { SentEmails } from '../../src/features/accounts/sent-emails/sent-email-schema.ts'
import { aSignedInMember } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

const webhookKey = 'key-55c5c5c5c55f55ca5cd5f55d5c555c55'

let admin: Record<string, string>
const server = serverOfFile({ env: { MAIL_PROVIDER: 'mailgun', MAIL_WEBHOOK_KEY: webhookKey } })

beforeAll(async () => {
  admin = (await aSignedInMember(server, { isAdmin: true })).headers
})

const list = async (query = '') =>
  SentEmails.parse((await server.request(`/api/sent-emails${query}`, { headers: admin })).json())

const report = (event: object, key = webhookKey, provider = 'mailgun') => {
  const signed = { timestamp: String(Math.floor(server.clock.now() / 1_000)), token: 'one' }
  const signature = createHmac('sha256', key).update(`${signed.timestamp}${signed.token}`).digest('hex')
  return server.request(`/webhooks/mail/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signature: { ...signed, signature }, 'event-data': event }),
  })
}

test('an email is listed with its fate; a report of the provider stops its address, which the member and administrators read and end', async () => {
  const member = await aSignedInMember(server)
  await server.app.mail.queue(server.app.db, accountMails.passwordChanged, { email: member.email, name: 'Jane' })
  await server.app.jobs.drain()
  const { emails } = await list(`?search=${member.email.slice(0, 20)}`)
  expect(emails).toMatchObject([
    { words: 'Password changed', address: member.email, memberId: member.id, fate: 'file', answer: null, stop: null },
  ])
  const event = {
    event: 'failed',
    severity: 'permanent',
    recipient: member.email,
    message: { headers: { 'message-id': `${emails[0]?.id}.0123456789abcdef@library.example` } },
    'delivery-status': { message: '550 No such mailbox.' },
  }
  expect((await report(event)).status).toBe(204)
  // A second delivery changes nothing.
  expect((await report(event)).status).toBe(204)
  expect((await list('?fate=bounced')).emails).toMatchObject([
    { id: emails[0]?.id, fate: 'bounced', answer: '550 No such mailbox.', stop: 'bounce' },
  ])
  const stopOf = async () =>
    ((await server.request('/auth/dashboard', { headers: member.headers })).json() as { emailStop: string | null })
      .emailStop
  expect(await stopOf()).toBe('bounce')
  await server.app.mail.queue(server.app.db, accountMails.passwordChanged, { email: member.email, name: 'Jane' })
  await server.app.jobs.drain()
  expect((await list('?fate=withheld')).emails).toMatchObject([{ address: member.email }])

  const end = (path: string, headers: Record<string, string>) => server.request(path, { method: 'DELETE', headers })
  expect((await end('/account/email-stop', member.headers)).status).toBe(204)
  expect(await stopOf()).toBeNull()
  // A delivery that is sent again stops the address no second time, and its signature nobody else's.
  const other = await aSignedInMember(server)
  for (const again of [event, { ...event, event: 'complained' }, { ...event, recipient: other.email }])
    expect((await report(again)).status).toBe(204)
  for (const { message: _, ...unnamed } of [event, { ...event, recipient: other.email }])
    expect((await report(unnamed)).status).toBe(204)
  expect(await server.app.db.selectFrom('email_stops').select('user_id').execute()).toEqual([])
  server.clock.advance(1_000)
  await server.app.mail.queue(server.app.db, accountMails.passwordChanged, { email: member.email, name: 'Jane' })
  await server.app.jobs.drain()
  await applyMailEvent(server.app, { reason: 'complaint', address: member.email, emailId: undefined, words: undefined })
  expect(await stopOf()).toBe('complaint')
  expect((await end(`/api/people/${member.id}/email-stop`, member.headers)).status).toBe(403)
  expect((await end(`/api/people/${member.id}/email-stop`, admin)).status).toBe(204)
  expect((await end(`/api/people/${member.id}/email-stop`, admin)).json()).toMatchObject({ code: 'mail.no_stop' })
  expect((await end(`/api/people/${uuidv7()}/email-stop`, admin)).status).toBe(404)
  expect(await stopOf()).toBeNull()
})

test('the list goes on from its last email, each once, newest first', async () => {
  const { email } = await aSignedInMember(server, { email: 'list@readers.example' })
  const people = Array.from({ length: 70 }, () => ({ email, name: 'Jane' }))
  await server.app.mail.queueMany(server.app.db, accountMails.passwordChanged, people)
  await server.app.jobs.drain()
  const first = await list('?search=list@')
  const second = await list(`?search=list@&after=${first.next}`)
  const ids = [...first.emails, ...second.emails].map(({ id }) => id)
  expect([first.emails.length, second.emails.length, second.next]).toEqual([50, 20, null])
  expect(new Set(ids).size).toBe(70)
  expect((await server.request('/api/sent-emails?after=soon', { headers: admin })).status).toBe(400)
  expect((await server.request('/api/sent-emails?fate=lost', { headers: admin })).status).toBe(400)
})

test('a report is refused with a wrong signature, of another provider, unreadable, and in a rehearsal', async () => {
  expect((await report({}, 'another key')).json()).toMatchObject({ code: 'mail.signature' })
  expect((await report({})).json()).toMatchObject({ code: 'mail.event' })
  expect((await report({}, webhookKey, 'sendgrid')).json()).toMatchObject({ code: 'mail.no_provider' })
  const long = { event: 'complained', more: 'x'.repeat(65_536) }
  expect((await report(long)).json()).toMatchObject({ code: 'mail.event' })
  const unread = await server.request('/webhooks/mail/mailgun', { method: 'POST', body: 'no JSON' })
  expect([unread.status, unread.json()]).toMatchObject([400, { code: 'mail.signature' }])
  // A change that is read later would bring back what the database says of it.
  await server.app.listing.catchUp()
  server.app.rehearsal.use(true)
  expect((await report({})).json()).toMatchObject({ code: 'rehearsal.on' })
  server.app.rehearsal.use(false)
})
