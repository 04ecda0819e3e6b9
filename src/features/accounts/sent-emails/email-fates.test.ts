import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { defineEmail, type EmailPurpose, type EmailUrgency } from '../../../platform/email/email-kind.ts'
import { deleteExpired } from '../sign-in/delete-expired.server.ts'
import { accountMails } from '../account-mails.ts'
import { applyMailEvent, mayReceive, recordFate } from './email-fates.server.ts'

const site = appOfFile()

const kindOf = (purpose: EmailPurpose, urgency: EmailUrgency = 'usual') =>
  defineEmail(`test.${purpose}`, { urgency, purpose }, z.object({}))
const kinds = [
  kindOf('security'),
  kindOf('receipt'),
  kindOf('requested'),
  kindOf('work'),
  kindOf('news'),
  defineEmail('test.needed', { urgency: 'needed', purpose: 'security' }, z.object({})),
]

const received = async (address: string): Promise<string[]> => {
  const names: string[] = []
  for (const kind of kinds) if (await mayReceive(site.app, address, kind)) names.push(kind.name.slice('test.'.length))
  return names
}

const everything = ['security', 'receipt', 'requested', 'work', 'news', 'needed']
const event = (address: string, reason: 'bounce' | 'complaint', emailId?: string) => ({
  address,
  reason,
  emailId,
  words: '550 5.1.1 No such mailbox.',
})

/** Logs an email that has gone there. */
async function sentTo(address: string): Promise<string> {
  const id = uuidv7()
  await recordFate(site.app, { id, kind: kindOf('receipt'), address, fate: 'sent', answer: '250 Ok' })
  return id
}

const report = async (address: string, reason: 'bounce' | 'complaint'): Promise<void> =>
  applyMailEvent(site.app, event(address, reason, await sentTo(address)))

test('an address that nobody has confirmed gets everything but news', async () => {
  const { email } = await aMember(site.app, { isUnconfirmed: true })
  expect(await received(email)).toEqual(everything.filter((name) => name !== 'news'))
  expect(await received((await aMember(site.app)).email)).toEqual(everything)
})

test('an address that bounced gets links to set a password and work alone, one that complained no news', async () => {
  const { email } = await aMember(site.app)
  await report(email.toUpperCase(), 'complaint')
  expect(await received(email)).toEqual(everything.filter((name) => name !== 'news'))
  await report(email, 'bounce')
  expect(await received(email)).toEqual(['work', 'needed'])
  // A complaint that comes late takes nothing back.
  await report(email, 'complaint')
  expect(await received(email)).toEqual(['work', 'needed'])
})

test('a stop is of one address: another one of the member gets everything, and an address of nobody is never stopped', async () => {
  const { id, email } = await aMember(site.app)
  await report(email, 'bounce')
  const other = `other-${email}`
  await site.app.db.updateTable('users').set({ email: other, email_folded: other }).where('id', '=', id).execute()
  expect(await received(other)).toEqual(everything)
  await report(other, 'complaint')
  expect(await received(other)).toEqual(everything.filter((name) => name !== 'news'))
  await report('nobody@readers.example', 'bounce')
  expect(await received('nobody@readers.example')).toEqual(everything)
})

const logged = (id: string) =>
  site.app.db
    .selectFrom('sent_emails')
    .select(['kind', 'address', 'user_id', 'fate', 'answer'])
    .where('id', '=', id)
    .executeTakeFirst()

test('the log names the address and the fate, which a report changes; a refused mailbox is stopped', async () => {
  const { id: userId, email } = await aMember(site.app)
  const id = uuidv7()
  const kind = kindOf('receipt')
  await recordFate(site.app, { id, kind, address: email, fate: 'sent', answer: '250 Ok' })
  expect(await logged(id)).toEqual({
    kind: 'test.receipt',
    address: email,
    user_id: userId,
    fate: 'sent',
    answer: '250 Ok',
  })
  await applyMailEvent(site.app, event(email, 'complaint', id))
  expect(await logged(id)).toMatchObject({ fate: 'complained', answer: '550 5.1.1 No such mailbox.' })
  await site.app.db.deleteFrom('email_stops').where('user_id', '=', userId).execute()
  // The same report once more; then a graver one.
  await applyMailEvent(site.app, event(email, 'complaint', id))
  expect(await received(email)).toContain('news')
  await applyMailEvent(site.app, event(email, 'bounce', id))
  expect(await received(email)).toEqual(['work', 'needed'])
  await site.app.db.deleteFrom('email_stops').where('user_id', '=', userId).execute()
  await recordFate(site.app, {
    id: uuidv7(),
    kind,
    address: email,
    fate: 'refused',
    answer: '550 Busy',
    isNoMailbox: false,
  })
  expect(await received(email)).toContain('receipt')
  const answer = `550 5.1.1 <${email}>: ${'x'.repeat(400)}`
  await recordFate(site.app, { id: uuidv7(), kind, address: email, fate: 'refused', answer, isNoMailbox: true })
  expect(await received(email)).toEqual(['work', 'needed'])
})

test('a report that names no email is about the last one that had gone there, and once', async () => {
  const { id: userId, email } = await aMember(site.app)
  const stops = () => site.app.db.selectFrom('email_stops').select('reason').where('user_id', '=', userId).execute()
  const lift = () => site.app.db.deleteFrom('email_stops').where('user_id', '=', userId).execute()
  const unnamed = { ...event(email, 'bounce'), at: site.clock.now() }
  await applyMailEvent(site.app, unnamed)
  expect(await stops()).toEqual([])
  await sentTo(email)
  site.clock.advance(1_000)
  const id = await sentTo(email)
  await applyMailEvent(site.app, unnamed)
  expect([await stops(), await logged(id)]).toMatchObject([[{ reason: 'bounce' }], { fate: 'bounced' }])
  await lift()
  // The provider sends it again, also once another email has gone there.
  await applyMailEvent(site.app, unnamed)
  site.clock.advance(120_000)
  await sentTo(email)
  await applyMailEvent(site.app, unnamed)
  expect(await stops()).toEqual([])
  await applyMailEvent(site.app, { ...unnamed, at: site.clock.now() })
  expect(await stops()).toEqual([{ reason: 'bounce' }])
})

test('a report of an email that is still being sent comes again, and is about it then', async () => {
  const { email } = await aMember(site.app)
  const kind = kinds[0] as (typeof kinds)[number]
  await site.app.mail.queue(site.app.db, accountMails.passwordChanged, { email, name: 'Jane' })
  const [{ id } = { id: '' }] = await site.app.jobs.desk.list('waiting', { limit: 1 })
  const early = event(email, 'complaint', id)
  await expect(applyMailEvent(site.app, early)).rejects.toMatchObject({ code: 'mail.under_way', status: 503 })
  // The log is written before the job ends.
  await recordFate(site.app, { id, kind, address: email, fate: 'sent', answer: '250 Ok' })
  await applyMailEvent(site.app, early)
  expect(await logged(id)).toMatchObject({ fate: 'complained' })
  await site.app.jobs.drain()
})

test('words of a server are kept on one line, without marks of direction and without what may be the secret of a link', async () => {
  const { email } = await aMember(site.app)
  const id = uuidv7()
  const quoted = `550\r\n\u202e \u0000\u2028/reset-password#${'s3cret_-'.repeat(6)} is ${'no '.repeat(200)}`
  const kept = expect.stringMatching(/^550 +\/reset-password#\*{3} is (?:no ){20,}no?$/)
  const sent = { id, kind: kindOf('receipt'), address: email }
  await recordFate(site.app, { ...sent, fate: 'sent', answer: quoted })
  expect(await logged(id)).toMatchObject({ answer: kept })
  await recordFate(site.app, { ...sent, fate: 'sent', answer: '250 Ok' })
  await applyMailEvent(site.app, { ...event(email, 'bounce', id), words: quoted })
  expect(await logged(id)).toMatchObject({ fate: 'bounced', answer: kept })
})

test('an email about a notice is not in the log, stops nothing and passes a stop', async () => {
  const { email } = await aMember(site.app)
  const kind = defineEmail('notices.test', { urgency: 'usual', purpose: 'requested', isDiscreet: true }, z.object({}))
  const id = uuidv7()
  await recordFate(site.app, { id, kind, address: email, fate: 'refused', answer: '550 5.1.1', isNoMailbox: true })
  await applyMailEvent(site.app, event(email, 'bounce', id))
  expect(await logged(id)).toBeUndefined()
  expect(await received(email)).toEqual(everything)
  await report(email, 'bounce')
  expect(await mayReceive(site.app, email, kind)).toBe(true)
})

test('an administrator hears of the acts of others whatever happened to their mailbox', async () => {
  const { email } = await aMember(site.app, { isAdmin: true })
  await report(email, 'bounce')
  expect(await received(email)).toEqual(everything)
})

test('an address without an account is not in the log', async () => {
  const id = uuidv7()
  const kind = kindOf('security')
  await recordFate(site.app, {
    id,
    kind,
    address: 'gone@readers.example',
    fate: 'sent',
    answer: '250 <gone@readers.example>',
  })
  expect(await logged(id)).toEqual({ kind: 'test.security', address: null, user_id: null, fate: 'sent', answer: null })
})

test('the log forgets emails after 30 days, and those of a deleted account with it', async () => {
  const { id: userId, email } = await aMember(site.app)
  const kind = kindOf('receipt')
  const [old, young] = [uuidv7(), uuidv7()]
  await recordFate(site.app, { id: old, kind, address: email, fate: 'sent', answer: null })
  site.clock.advance(20 * 86_400_000)
  await recordFate(site.app, { id: young, kind, address: email, fate: 'sent', answer: null })
  site.clock.advance(10 * 86_400_000)
  await deleteExpired(site.app)
  expect([await logged(old), await logged(young)]).toEqual([undefined, expect.anything()])
  await site.app.db.deleteFrom('users').where('id', '=', userId).execute()
  expect(await logged(young)).toBeUndefined()
})
