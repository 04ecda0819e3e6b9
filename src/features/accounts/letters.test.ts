import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readLetters, type ReadLetter, waitForLetter } from '../../../tests/harness/letters.ts'
import { aMember } from '../../../tests/harness/members.ts'
import { openTestApp, type TestApp, type TestAppWish } from '../../../tests/harness/test-app.ts'
import type { App } from '../../platform/app.ts'

const ordinary = {
  jobs: true,
  env: { PUBLIC_URL: 'https://library.example', CONTACT_EMAIL: 'desk@library.example' },
}

let testApp: TestApp | undefined
afterEach(async () => {
  await testApp?.close()
  testApp = undefined
})

async function open(wish: TestAppWish = {}): Promise<TestApp> {
  testApp = await openTestApp({ ...ordinary, ...wish, env: { ...ordinary.env, ...wish.env } })
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

describe('the letters about accounts', () => {
  const reader = { email: 'Jane@Readers.example', name: 'Jane Reader' }
  let shared: TestApp
  let readers = 0
  beforeAll(async () => {
    shared = await openTestApp(ordinary)
  })
  afterAll(() => shared.close())

  /** The welcome of a reader who has no other letter. */
  async function welcome(name: string): Promise<ReadLetter> {
    const { app } = shared
    const email = `reader-${(readers += 1)}@readers.example`
    await app.mail.queue(app.db, 'accounts.welcome', { email, name })
    return waitForLetter(app, { to: email })
  }

  test.each([
    ['accounts.welcome', 'Welcome to Daybook', ['https://library.example/', 'https://library.example']],
    [
      'accounts.password-changed',
      'Your Daybook password was changed',
      ['https://library.example/forgot-password', 'https://library.example'],
    ],
    ['accounts.deleted', 'Your Daybook account was deleted', ['https://library.example']],
  ])('%s greets its reader and says what happened', async (kind, subject, links) => {
    const { app } = shared
    await app.mail.queue(app.db, kind, reader)
    const letter = await waitForLetter(app, { to: reader.email, subject })
    expect(letter.headers.get('to')).toBe('Jane Reader <Jane@readers.example>')
    expect(letter.links).toEqual(links)
    for (const body of [letter.text, letter.html]) {
      expect(body).toContain('Hello Jane Reader,')
      expect(body).toContain('Jane@Readers.example')
      expect(body).toContain('desk@library.example')
      for (const link of links) expect(body).toContain(link)
    }
  })

  test('carry the name of the site, whatever its script', async () => {
    const { app } = await open({ env: { BRAND_NAME: 'مكتبة & Söhne' } })
    await app.mail.queue(app.db, 'accounts.welcome', reader)
    const letter = await waitForLetter(app, { to: reader.email })
    expect(letter.subject).toBe('Welcome to مكتبة & Söhne')
    expect(letter.text).toContain('مكتبة & Söhne')
    expect(letter.html).toContain('مكتبة &amp; Söhne')
  })

  test.each([
    'Win at evil.example',
    'https://evil.example/win',
    'evil.example',
    'write to me@evil.example',
    'Jane'.repeat(20),
    '\u202e\u2066',
  ])('carry no message of somebody who registered a stranger: the name %j is left out', async (name) => {
    const letter = await welcome(name)
    expect(letter.text).toContain('\nHello,\n')
    expect(`${letter.text}${letter.html}${letter.headers.get('to')}`).not.toContain(name)
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
    await app.mail.queue(app.db, 'accounts.reset-link', { email: '  jANE@readers.EXAMPLE ' })
    const letter = await waitForLetter(app, { to: member.email, subject: 'Reset your Daybook password' })
    const [link = ''] = letter.links
    expect(link).toMatch(/^https:\/\/library\.example\/reset-password\?token=[\w-]{43}$/)
    expect(letter.text).toContain(link)
    const token = link.slice(-43)
    const [reset, ...more] = await app.db.selectFrom('password_resets').selectAll().execute()
    expect(more).toEqual([])
    expect(reset).toMatchObject({ user_id: member.id, expires_at: new Date(clock.now() + 30 * 60_000) })
    expect(Buffer.from(reset?.token_hash ?? []).toString('hex')).toBe(hash('sha256', token, 'hex'))
    await expect.poll(() => openJobs(app), { timeout: 20_000 }).toBe(0)
    const dump = await dumpOf(app)
    expect(dump).toContain(member.id)
    expect(dump).not.toContain(token)
    expect(dump).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
    expect(dump).not.toContain(Buffer.from(token).toString('base64'))
  })

  test('is not in the database either while it waits to be sent', async () => {
    const { app } = await open({ jobs: false })
    await aMember(app, { email: 'jane@readers.example' })
    await app.mail.queue(app.db, 'accounts.reset-link', { email: 'jane@readers.example' })
    expect(await openJobs(app)).toBe(1)
    expect(await app.db.selectFrom('password_resets').selectAll().execute()).toEqual([])
  })

  test('that is newer takes the place of an older one', async () => {
    const { app } = await open()
    const member = await aMember(app)
    const links: string[] = []
    for (let round = 1; round <= 2; round += 1) {
      await app.mail.queue(app.db, 'accounts.reset-link', { email: member.email })
      await expect.poll(async () => (await readLetters(app)).length, { timeout: 20_000 }).toBe(round)
      links.push((await waitForLetter(app, { to: member.email })).links[0] as string)
    }
    const [reset, ...more] = await app.db.selectFrom('password_resets').select('token_hash').execute()
    expect(more).toEqual([])
    const digests = links.map((link) => hash('sha256', link.slice(-43), 'hex'))
    expect(Buffer.from(reset?.token_hash ?? []).toString('hex')).toBe(digests[1])
    expect(digests[0]).not.toBe(digests[1])
  })

  test('goes to nobody when nobody has the address', async () => {
    const { app } = await open()
    await app.mail.queue(app.db, 'accounts.reset-link', { email: 'nobody@readers.example' })
    await expect.poll(() => openJobs(app), { timeout: 20_000 }).toBe(0)
    expect(await readLetters(app)).toEqual([])
    expect(await app.db.selectFrom('password_resets').selectAll().execute()).toEqual([])
  })
})
