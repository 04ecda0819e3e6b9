import { hash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readEmails, type ReadEmail, waitForEmail } from '../../../../tests/harness/emails.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../../../../tests/harness/test-app.ts'
import type { App } from '../../../app/app.ts'
import { issuePasswordReset } from '../sign-in/issue-password-reset.server.ts'
import { accountMails } from '../account-mails.ts'
import { uuidv7 } from 'uuidv7'

const ordinary = {
  env: { PUBLIC_URL: 'https://library.example', PAYMENTS: 'off', CONTACT_EMAIL: 'desk@library.example' },
}

let testApp: TestApp | undefined
afterEach(async () => {
  await testApp?.close()
  testApp = undefined
})

async function open(overrides: TestAppOptions = {}): Promise<TestApp> {
  testApp = await openTestApp({ ...ordinary, ...overrides, env: { ...ordinary.env, ...overrides.env } })
  return testApp
}

/** Every row of every table, as PostgreSQL writes it: what a dump of the database would hold. */
async function dumpOf({ db }: App): Promise<string> {
  const tables = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const rows = await Promise.all(
    tables.rows.map(({ name }) =>
      sql<{ row: string }>`select row_to_json(t)::text || t::text as row from ${sql.raw(name)} t`.execute(db),
    ),
  )
  return rows.flatMap((result) => result.rows.map(({ row }) => row)).join('\n')
}

async function openJobs({ db }: App): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where name = 'mail' and state < 'completed'`.execute(db)
  return rows[0]?.count ?? 0
}

describe('the emails about accounts', () => {
  const reader = { userId: uuidv7(), email: 'Jane@Readers.example', name: 'Jane Reader', areBansKept: false }
  let shared: TestApp
  let readers = 0
  beforeAll(async () => {
    shared = await openTestApp(ordinary)
  })
  afterAll(() => shared.close())

  /** The welcome of a reader who has no other email. */
  async function welcome(name: string): Promise<ReadEmail> {
    const { app } = shared
    const email = `reader-${(readers += 1)}@readers.example`
    await app.mail.queue(app.db, accountMails.welcome, { userId: uuidv7(), email, name })
    return waitForEmail(app, { to: email })
  }

  test.each([
    [accountMails.welcome, 'Welcome to Daybook', ['https://library.example/', 'https://library.example']],
    [
      accountMails.passwordChanged,
      'Your Daybook password was changed',
      ['https://library.example/forgot-password', 'https://library.example'],
    ],
    [
      accountMails.appPasswordMade,
      'An app password was made at Daybook',
      ['https://library.example/forgot-password', 'https://library.example'],
    ],
    [accountMails.deleted, 'Your Daybook account was deleted', ['https://library.example']],
  ])('$name greets its reader and says what happened', async (kind, subject, links) => {
    const { app } = shared
    await app.mail.queue(app.db, kind, reader)
    const email = await waitForEmail(app, { to: reader.email, subject })
    expect(email.headers.get('to')).toBe('Jane Reader <Jane@readers.example>')
    expect(email.links).toEqual(links)
    for (const body of [email.text, email.html]) {
      expect(body).toContain('Hello Jane Reader,')
      expect(body).toContain('Jane@Readers.example')
      expect(body).toContain('desk@library.example')
      for (const link of links) expect(body).toContain(link)
    }
  })

  test('carry the name of the site, whatever its script', async () => {
    const { app } = await open({ env: { BRAND_NAME: 'مكتبة & Söhne' } })
    await app.mail.queue(app.db, accountMails.welcome, reader)
    const email = await waitForEmail(app, { to: reader.email })
    expect(email.subject).toBe('Welcome to مكتبة & Söhne')
    expect(email.text).toContain('مكتبة & Söhne')
    expect(email.html).toContain('مكتبة &amp; Söhne')
  })

  test.each([
    'Win at evil.example',
    'https://evil.example/win',
    'evil.example',
    'write to me@evil.example',
    'Jane'.repeat(20),
    '\u202e\u2066',
  ])('carry no message of somebody who registered a stranger: the name %j is left out', async (name) => {
    const email = await welcome(name)
    expect(email.text).toContain('\nHello,\n')
    expect(`${email.text}${email.html}${email.headers.get('to')}`).not.toContain(name)
  })

  test.each(['J. R. Reader', 'Dr. Jane O’Neill-Reader Jr.', '曹雪芹', 'محمد', "D'Arcy"])(
    'greet by a name that is one: %s',
    async (name) => {
      expect((await welcome(name)).text).toContain(`Hello ${name},`)
    },
  )
})

describe('the reset link', () => {
  test('leads to the configured address, to whom the account belongs, and its token is in no table', async () => {
    const { app, clock } = await open()
    const member = await aMember(app, { email: 'Jane@Readers.example' })
    await app.mail.queue(app.db, accountMails.resetLink, { email: '  jANE@readers.EXAMPLE ' })
    const email = await waitForEmail(app, { to: member.email, subject: 'Reset your Daybook password' })
    const [link = ''] = email.links
    expect(link).toMatch(/^https:\/\/library\.example\/reset-password\?token=[\w-]{43}$/)
    expect(email.text).toContain(link)
    const token = link.slice(-43)
    const [reset, ...more] = await app.db.selectFrom('password_resets').selectAll().execute()
    expect(more).toEqual([])
    expect(reset).toMatchObject({ user_id: member.id, expires_at: new Date(clock.now() + 30 * 60_000) })
    expect(Buffer.from(reset?.token_hash ?? []).toString('hex')).toBe(hash('sha256', token, 'hex'))
    await app.jobs.drain()
    expect(await openJobs(app)).toBe(0)
    const dump = await dumpOf(app)
    expect(dump).toContain(member.id)
    expect(dump).not.toContain(token)
    expect(dump).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
    expect(dump).not.toContain(Buffer.from(token).toString('base64'))
  })

  test('is not in the database either while it waits to be sent', async () => {
    const { app } = await open()
    await aMember(app, { email: 'jane@readers.example' })
    await app.mail.queue(app.db, accountMails.resetLink, { email: 'jane@readers.example' })
    expect(await openJobs(app)).toBe(1)
    expect(await app.db.selectFrom('password_resets').selectAll().execute()).toEqual([])
  })

  test('goes out once in 10 minutes for a forgotten password, however often somebody types the address', async () => {
    const { app, clock } = await open()
    const { email } = await aMember(app)
    const ask = async (times: number): Promise<void> => {
      await app.mail.queueMany(
        app.db,
        accountMails.resetLink,
        Array.from({ length: times }, () => ({ email })),
      )
      await app.jobs.drain()
    }
    await ask(20)
    expect(await readEmails(app)).toHaveLength(1)
    clock.advance(10 * 60_000 - 1)
    await ask(1)
    expect(await readEmails(app)).toHaveLength(1)
    clock.advance(1)
    await ask(1)
    expect(await readEmails(app)).toHaveLength(2)
    // Both work: the first may be the one that the member has open.
    expect(await app.db.selectFrom('password_resets').select('id').execute()).toHaveLength(2)
  })

  test('of an administrator, and an invitation, stand beside it; an invitation takes the place of the one before', async () => {
    const { app } = await open()
    const { id, email } = await aMember(app)
    await app.mail.queue(app.db, accountMails.resetLink, { email })
    await app.mail.queue(app.db, accountMails.resetLink, { email, isFromAdministrator: true })
    await app.jobs.drain()
    await app.db
      .updateTable('users')
      .set({ password_hash: null, password_changed_at: null })
      .where('id', '=', id)
      .execute()
    for (let round = 1; round <= 2; round += 1) {
      await app.mail.queue(app.db, accountMails.invitation, { userId: id })
      await app.jobs.drain()
    }
    expect(await readEmails(app)).toHaveLength(4)
    const kinds = await app.db.selectFrom('password_resets').select('kind').orderBy('kind').execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(['administrator', 'forgotten', 'invitation'])
  })

  test('that is written again, because it could not be sent, has a new token in place of its own', async () => {
    const { app } = await open()
    const { id: userId } = await aMember(app)
    const link = { userId, kind: 'forgotten', emailId: randomUUID() } as const
    const tokens = [await issuePasswordReset(app, link), await issuePasswordReset(app, link)]
    expect(new Set(tokens).size).toBe(2)
    const stored = await app.db.selectFrom('password_resets').select(['id', 'token_hash']).execute()
    expect(stored.map(({ id, token_hash }) => [id, Buffer.from(token_hash).toString('hex')])).toEqual([
      [link.emailId, hash('sha256', tokens[1] as string, 'hex')],
    ])
  })

  test('goes to nobody when nobody has the address', async () => {
    const { app } = await open()
    await app.mail.queue(app.db, accountMails.resetLink, { email: 'nobody@readers.example' })
    await app.jobs.drain()
    expect(await openJobs(app)).toBe(0)
    expect(await readEmails(app)).toEqual([])
    expect(await app.db.selectFrom('password_resets').selectAll().execute()).toEqual([])
  })
})
