import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../../src/cli.ts'
import { runDoctor } from '../../src/commands/doctor.ts'
import { openDatabase } from '../../src/db/open.ts'
import { lockDirectory } from '../../src/db/embedded/directory-lock.ts'
import { lendSnapshots } from '../../src/db/embedded/snapshots.ts'
import { prepareDataDir } from '../harness/data-dir.ts'
import { openPostOffice } from '../harness/post-office.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-doctor-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(dataDir, { recursive: true, force: true })
})

async function said(work: () => Promise<number>): Promise<{ code: number; out: string; err: string }> {
  const heard = { out: '', err: '' }
  const hear = (to: 'out' | 'err') => (text: string | Uint8Array) => {
    heard[to] += text.toString()
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(hear('out'))
  vi.spyOn(process.stderr, 'write').mockImplementation(hear('err'))
  try {
    return { code: await work(), ...heard }
  } finally {
    vi.restoreAllMocks()
  }
}

const open = () => openDatabase({ databaseUrl: undefined, dataDir, embeddedSync: false })

/** Leaves a database that the next start migrates. */
async function dropLastMigration(): Promise<void> {
  await using database = await open()
  await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(database.db)
}

/** The database held as by a running server. */
async function serve(): Promise<() => Promise<void>> {
  const database = await open()
  const stop = await lendSnapshots(dataDir, database)
  return async () => {
    await stop()
    await database.close()
  }
}

const settings = (more: Record<string, string> = {}) => ({ DATA_DIR: dataDir, EMBEDDED_SYNC: 'off', ...more })

/** As the site answers behind its proxy. */
const siteAnswers =
  (headers: Record<string, string>, status = 200): typeof fetch =>
  () =>
    Promise.resolve(new Response('ok', { status, headers }))
const own = { 'x-request-id': '1', 'strict-transport-security': 'max-age=1' }

const doctor = (more: Record<string, string> = {}, fetch = siteAnswers(own)) =>
  said(() => runDoctor(settings(more), { fetch }))

describe('the doctor', () => {
  test('finds nothing wrong with a trial that is yet to start, and makes nothing', async () => {
    const { code, out } = await said(() => runCommand(['doctor'], settings()))
    expect(out).toMatch(
      /^ok {7}Settings: they can be read, and make sense; no settings file was found\.\nok {7}Mode: a trial on this machine: /,
    )
    expect(out).toContain('ok       Database: there is none in the data directory yet: the first start makes it.\n')
    expect(out).toMatch(/\nNothing is wrong\.\n$/)
    expect(code).toBe(0)
    expect(await readdir(dataDir)).toEqual([])
  })

  test('names every wrong setting, each with what to do, and looks at nothing else', async () => {
    const { code, out } = await doctor({
      PORT: 'http',
      SITE_TIME_ZONE: 'Mars/Olympus',
      DEMO: 'perhaps',
      DATABSE_URL: 'x',
    })
    for (const variable of ['PORT', 'SITE_TIME_ZONE', 'DEMO'])
      expect(out).toMatch(new RegExp(`PROBLEM {2}Settings: ${variable} must be .*\n +Set ${variable}; `))
    expect(out).toContain('DATABSE_URL is no setting of Daybook: did you mean DATABASE_URL?')
    expect(out).not.toContain('Database:')
    expect(out).toMatch(/\nProblems: 3; warnings: 2\.\n$/)
    expect(code).toBe(1)
  })

  const end = 'End it: npm run daybook -- rehearsal end'
  const neitherAsked = / (Mail|Payments): /

  test.each([
    ['its setting', { REHEARSAL: '1' }, [], 'Unset REHEARSAL to end it.'],
    ['its database', {}, ['rehearsal', 'start'], end],
  ])('names a rehearsal by %s, and asks neither for mail nor for payments', async (_by, more, begin, advice) => {
    await prepareDataDir(dataDir)
    if (begin.length > 0) await said(() => runCommand(begin, settings()))
    const { out } = await doctor(more)
    expect(out).toContain(
      `warning  Rehearsal: this is a copy. It sends no email and takes no payment, and neither is looked at.\n         ${advice}\n`,
    )
    expect(out).not.toMatch(neitherAsked)
  })

  test('names a rehearsal also in a database that is yet to be migrated', async () => {
    await prepareDataDir(dataDir)
    await said(() => runCommand(['rehearsal', 'start'], settings()))
    await dropLastMigration()
    const { out } = await doctor()
    expect(out).toContain('warning  Schema: 1 migration wait for the next start.\n')
    expect(out).toContain(`warning  Rehearsal: this is a copy. `)
    expect(out).not.toMatch(neitherAsked)
  })

  test('names a rehearsal also while the server holds the database, and leaves nothing of its copy', async () => {
    await prepareDataDir(dataDir)
    const site = { PUBLIC_URL: 'https://copy.example', PAYMENTS: 'off' }
    let stop = await serve()
    const { out: own } = await doctor(site)
    await stop()
    expect(own).toContain('warning  Database: the server is running and holds it.')
    expect(own).toContain('PROBLEM  Mail: SMTP_URL is unset: ')
    expect(own).not.toContain('Rehearsal:')
    await said(() => runCommand(['rehearsal', 'start'], settings()))
    stop = await serve()
    const { code, out } = await doctor(site)
    expect(out).toContain(
      `warning  Rehearsal: this is a copy. It sends no email and takes no payment, and neither is looked at.\n         ${end}\n`,
    )
    expect(out).not.toMatch(neitherAsked)
    expect(code).toBe(0)
    await expect.poll(() => readdir(join(dataDir, 'snapshots'))).toEqual([])
    await stop()
  })

  test('finds a site without an administrator and with open files', async () => {
    await prepareDataDir(dataDir)
    await chmod(dataDir, 0o755)
    const { code, out } = await doctor()
    expect(out).toContain('warning  Data directory: other users of this machine may read it.\n')
    expect(out).toContain('ok       Schema: it is that of this version.\n')
    expect(out).toContain('ok       Audit log: 0 events, whole.\n')
    expect(out).toContain('PROBLEM  Administrators: there is none.\n         npm run daybook -- admin create EMAIL\n')
    expect(out).toMatch(/^ok {7}Invariants: all \d+ hold\.$/m)
    expect(code).toBe(1)
  })

  test('names the rows that break what must always be true, and what to do', async () => {
    await prepareDataDir(dataDir)
    const { db, close } = await open()
    const id = uuidv7()
    await db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql`
        insert into member_access (user_id, starts_at, next_starts_at, ends_at, effective_until, is_disabled)
        values (${id}, now(), 'infinity', 'infinity', 'infinity', false)`.execute(trx)
      await sql`
        insert into users (id, email, email_folded, name, created_at)
        values (${id}, 'r@readers.example', 'r@readers.example', 'R', now())`.execute(trx)
    })
    await close()
    const { code, out } = await doctor()
    expect(out).toMatch(
      new RegExp(
        `^PROBLEM {2}Invariants: Members whose access is not what they were granted: 1\\. .+ Their ids: ${id}\\.\n {9}.+renew or disable their access`,
        'm',
      ),
    )
    expect(code).toBe(1)
  })

  test('warns where administrators of a public site need no second factor', async () => {
    await prepareDataDir(dataDir)
    const site = { PUBLIC_URL: 'https://library.example', PAYMENTS: 'off' }
    expect((await doctor(site)).out).not.toContain('Second factor')
    const { out } = await doctor({ ...site, REQUIRE_ADMIN_SECOND_FACTOR: '0' })
    expect(out).toContain(
      'warning  Second factor: administrators need none: whoever learns the password of one administers the site.',
    )
  })

  const administrator = { DEMO: '0', ADMIN_EMAIL: 'head@library.example', ADMIN_PASSWORD: 'the head librarian' }

  test.each([
    ['ADMIN_PASSWORD', 'short', /one that an administrator may have \(Password must be at least 12/],
    ['ADMIN_PASSWORD', 'Administrator1', /a password that is not among the most common ones/],
    ['ADMIN_EMAIL', 'he\u200dad@library.example', /an address that an account may have/],
  ])('refuses the first administrator that the start refuses: %s=%s', async (variable, value, sentence) => {
    const { code, out } = await doctor({ ...administrator, [variable]: value })
    expect(out).toMatch(new RegExp(`PROBLEM  Settings: ${variable} must be ${sentence.source}`))
    if (variable === 'ADMIN_PASSWORD') expect(out).not.toContain(`"${value}"`)
    expect(code).toBe(1)
    expect(await readdir(dataDir)).toEqual([])
  })

  test('says who will administer a database that is yet to be made, and warns where nobody will', async () => {
    const nobody = await doctor({ DEMO: '0' })
    expect(nobody.out).toContain(
      'warning  Administrators: nobody will administer the new database.\n         Set ADMIN_EMAIL',
    )
    expect(nobody.code).toBe(0)
    const named = await doctor(administrator)
    expect(named.out).toContain('ok       Administrators: the next start makes head@library.example the first one.\n')
    expect((await doctor({ DEMO: '1' })).out).toContain(
      'ok       Administrators: the first start makes that of the demo.\n',
    )
    // After a migration alone, the first start does the same.
    await prepareDataDir(dataDir)
    expect((await doctor(administrator)).out).toContain(
      'ok       Administrators: the next start makes head@library.example',
    )
  })

  test('looks for administrators also in a database that is yet to be migrated', async () => {
    await (await open()).close()
    const empty = await doctor({ DEMO: '0' })
    expect(empty.out).toContain('ok       Schema: it is empty: the first start makes it.\n')
    expect(empty.out).toContain('warning  Administrators: nobody will administer the new database.\n')
    await rm(dataDir, { recursive: true })
    await prepareDataDir(dataDir)
    await dropLastMigration()
    const older = await doctor()
    expect(older.out).toContain('warning  Schema: 1 migration wait for the next start.\n')
    expect(older.out).toContain('PROBLEM  Administrators: there is none.\n')
    expect(older.code).toBe(1)
  })

  test('says that another process holds the embedded database, and asks nobody as it may be a rehearsal', async () => {
    await prepareDataDir(dataDir)
    const release = await lockDirectory(dataDir)
    const { code, out } = await doctor()
    await release()
    expect(out).toContain('warning  Database: the server is running and holds it.')
    expect(out).toContain('warning  Rehearsal: it is not known whether this is a copy, and neither ')
    expect(out).not.toMatch(neitherAsked)
    expect(code).toBe(0)
  })

  test('finds what a public site lacks', async () => {
    const site = {
      PUBLIC_URL: 'https://library.example',
      PAYMENTS: 'sandbox',
      DEMO: '1',
      REDIS_URL: 'redis://127.0.0.1:1',
    }
    const { code, out } = await doctor(site, siteAnswers({ 'x-request-id': '1' }))
    expect(out).toContain('warning  Mode: public, with the demo catalogue: ')
    expect(out).toContain('PROBLEM  Mail: SMTP_URL is unset: ')
    expect(out).toContain('warning  Payments: the sandbox takes them, and no card is charged.')
    expect(out).toContain('TRUSTED_PROXIES is unset: all visitors share the limits of one address.')
    expect(out).toContain('PROBLEM  Proxies: the header strict-transport-security does not reach visitors.')
    expect(out).toContain('PROBLEM  Redis: it does not answer.')
    expect(out).toContain('warning  Addresses: CONTACT_EMAIL and DMCA_EMAIL are not yours.')
    expect(out).toContain('warning  Addresses: nobody is named whom to tell of a weakness.')
    expect(code).toBe(1)
    const strange = await doctor(site, siteAnswers({}, 404))
    expect(strange.out).toContain(
      'PROBLEM  Proxies: https://library.example answers 404, and it is not this site that does.',
    )
    const away = await doctor(site, () =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
    )
    expect(away.out).toContain(
      'warning  Proxies: nobody answers at https://library.example: fetch failed ECONNREFUSED.',
    )
  })

  test('tries the mail server and Stripe, but beside a PostgreSQL that is away, and names none of their secrets', async () => {
    const site = {
      PUBLIC_URL: 'https://library.example',
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: 'smtp://desk:hidden2@127.0.0.1:1',
      STRIPE_SECRET_KEY: 'sk_test_hidden3',
      STRIPE_WEBHOOK_SECRET: 'whsec_hidden4',
      STRIPE_PRICE_MONTHLY: 'price_1Month',
      STRIPE_PRICE_ANNUAL: 'price_1Year',
      STRIPE_API_BASE: 'http://127.0.0.1:1',
    }
    const away = await doctor({ ...site, DATABASE_URL: 'postgresql://daybook:hidden1@127.0.0.1:1/daybook' })
    expect(away.out).toContain(
      'PROBLEM  Database: The database that DATABASE_URL names cannot be used: nothing listens at 127.0.0.1:1',
    )
    // It may be that of a rehearsal, with the keys of the site.
    expect(away.out).toContain('warning  Rehearsal: it is not known whether this is a copy, and neither ')
    expect(away.out).not.toMatch(neitherAsked)
    expect(away.code).toBe(1)
    const { code, out } = await doctor(site)
    expect(out).toContain('PROBLEM  Mail: the mail server does not take emails: ')
    expect(out).toContain("PROBLEM  Mail: the sender is contact@example.org, which is nobody's.")
    expect(out).toContain('warning  Payments: Stripe does not say whether the prices are right: ')
    expect(out).toContain('ok       Proxies: the site answers at https://library.example.')
    expect(away.out + out).not.toContain('hidden')
    expect(code).toBe(1)
  })

  test('says so where the data directory is none', async () => {
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    const { code, out } = await said(() => runDoctor({ DATA_DIR: file, BACKUP_TO: join(file, 'x') }))
    expect(out).toContain('PROBLEM  Data directory: DATA_DIR must be a directory that this user may write to.')
    expect(out).toContain(`PROBLEM  Place of backups: nothing can be written to ${join(file, 'x')}.`)
    expect(code).toBe(1)
  })
})

describe('mail test', () => {
  test('sends an email at once, and says what the server answered', async () => {
    const office = await openPostOffice()
    const env = settings({ SMTP_URL: office.url, MAIL_FROM: 'Library <desk@library.example>' })
    const { code, out } = await said(() => runCommand(['mail', 'test', 'me@readers.example'], env))
    await office.close()
    expect(out).toMatch(/^The mail server took the email from desk@library\.example to me@readers\.example: 250/)
    expect(code).toBe(0)
    expect(office.taken.map(({ email }) => email.subject)).toEqual(['A test from Daybook'])
  })

  test('says what is wrong', async () => {
    const away = await said(() =>
      runCommand(['mail', 'test', 'me@readers.example'], settings({ SMTP_URL: 'smtp://desk:hidden@127.0.0.1:1' })),
    )
    expect(away.code).toBe(1)
    expect(away.err).toMatch(/^The mail server did not take the email: .*ECONNREFUSED/)
    expect(away.err).not.toContain('hidden')
    const nobody = await said(() => runCommand(['mail', 'test', 'me@readers.example'], settings()))
    expect([nobody.code, nobody.out]).toEqual([
      1,
      `SMTP_URL is unset: the email is a file in ${dataDir}/mail, and reaches nobody.\n`,
    ])
    expect(await readdir(join(dataDir, 'mail'))).toHaveLength(1)
    for (const words of [
      ['mail'],
      ['mail', 'send', 'x@y.z'],
      ['mail', 'test'],
      ['mail', 'test', 'nobody'],
      ['doctor', 'x'],
    ])
      expect((await said(() => runCommand(words, settings()))).code, words.join(' ')).toBe(1)
  })
})
