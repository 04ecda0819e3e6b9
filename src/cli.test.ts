import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CountingServer, startHttp } from '../tests/harness/hostile-server.ts'
import { prepareDataDir } from '../tests/harness/data-dir.ts'
import { startDaybook } from '../tests/harness/processes.ts'
import { runCommand } from './cli.ts'
import { rememberDatabase } from './db/last-database.ts'
import { openDatabase } from './db/open.ts'
import type { OpenDatabase } from './db/open-database.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-cli-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

interface Ended {
  code: number | string | null
  out: string
  err: string
}

/** Over an embedded database of its own. */
const settings = (dataDir: string) => ({ DATA_DIR: join(directory, dataDir), EMBEDDED_SYNC: 'off' })

function start(args: string[], dataDir: string, input = '') {
  return startDaybook(args, settings(dataDir), { input })
}

/** The command as an operator runs it, in a process of its own. */
async function inProcess(args: string[], dataDir = 'none', input = ''): Promise<Ended> {
  const { ended, out, err } = start(args, dataDir, input)
  return { code: await ended, out: out(), err: err() }
}

/** The same words in this process: for all that is not about the process itself. */
const daybook = (args: string[], dataDir = 'none', input = '', more: Record<string, string> = {}): Promise<Ended> =>
  daybookWith({ ...settings(dataDir), ...more }, args, input)

async function daybookWith(env: Record<string, string>, args: string[], input = ''): Promise<Ended> {
  const said = { out: '', err: '' }
  const hear = (to: 'out' | 'err') => (text: string | Uint8Array) => {
    said[to] += text.toString()
    return true
  }
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]))
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as unknown as typeof process.stdin)
  vi.spyOn(process.stdout, 'write').mockImplementation(hear('out'))
  vi.spyOn(process.stderr, 'write').mockImplementation(hear('err'))
  try {
    return { code: await runCommand(args, env), ...said }
  } finally {
    vi.restoreAllMocks()
    for (const [signal, known] of before)
      for (const listener of process.listeners(signal))
        if (!known.includes(listener)) process.removeListener(signal, listener)
  }
}
/** A command that takes long listens to them. */
const signals = ['SIGINT', 'SIGTERM'] as const

/** The line of every command about its database. */
const opened = (dataDir: string): string => `Opened: the embedded database in ${join(directory, dataDir)}.\n`

const open = (dataDir: string) =>
  openDatabase({ databaseUrl: undefined, dataDir: join(directory, dataDir), embeddedSync: false })

describe('The command line', () => {
  it('tells how it is used', async () => {
    const { code, out } = await inProcess(['--help'])
    expect(code).toBe(0)
    expect(out).toMatch(
      /import FILE \[--dry-run\] \[--publish\] \[--create-categories\] \[--split-names TEXT\]\s+\[--rejects FILE\]/,
    )
  })

  it('ends with 1 and a sentence where it is not understood', async () => {
    const { code, out, err } = await daybook(['fly'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe("There is no command 'fly'.\n`npm run daybook -- --help` lists the commands.\n")
  })

  it.each([
    [['import'], /needs the file to import/],
    [['import', 'a.csv', '--publsh'], /Unknown option '--publsh'/],
    [['import', 'a.csv', 'b.csv'], /'b.csv' is one argument too many/],
    [['export', '--format', 'xml'], /--format must be one of csv, jsonl/],
    [['import', '/nowhere/a.csv'], /The file \/nowhere\/a.csv cannot be read: it does not exist/],
  ])('answers %j with a sentence', async (args, sentence) => {
    const { code, out, err } = await daybook(args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(sentence)
    expect(err).not.toMatch(/\n\s+at /)
  })
})

describe('The database of a command', () => {
  const secret = 'hidden-from-all'
  const elsewhere = `postgresql://daybook:${secret}@db.internal:5433/library`
  const remember = (dataDir: string, databaseUrl?: string) =>
    rememberDatabase({ databaseUrl, dataDir: join(directory, dataDir) })

  it('is created by migrate and import alone, which say so', async () => {
    const where = join(directory, 'untouched')
    for (const words of [['admin', 'list'], ['export'], ['audit', 'verify'], ['admin', 'list', '--database']]) {
      const { code, out, err } = await daybook(words, 'untouched')
      expect({ code, out }, words.join(' ')).toEqual({ code: 1, out: '' })
      expect(err).toMatch(
        new RegExp(`^There is nothing of Daybook yet: the embedded database in ${where} was never used`),
      )
    }
    await expect(stat(where)).rejects.toThrow('ENOENT')

    const made = `A new database is created: the embedded database in ${where}.\n${opened('untouched')}`
    expect(await daybook(['migrate'], 'untouched')).toMatchObject({ code: 0, err: made })
    expect(await daybook(['migrate'], 'untouched')).toMatchObject({ code: 0, err: opened('untouched') })

    const file = join(directory, 'nothing.csv')
    await writeFile(file, 'name,category,contentType,region,postDate,link\n')
    const imported = await daybook(['import', file], 'imported')
    expect(imported).toMatchObject({ code: 0, out: '0 rows: 0 created, 0 updated, 0 unchanged, 0 rejected.\n' })
    expect(imported.err).toBe(made.replaceAll('untouched', 'imported'))
  })

  it('is refused where the server last used another, unless --database insists', async () => {
    await prepareDataDir(join(directory, 'moved'))
    await remember('moved', elsewhere)
    expect(await readFile(join(directory, 'moved', 'database.json'), 'utf8')).not.toContain(secret)
    const refusal = `The server last used the database "library" of PostgreSQL at db.internal:5433, and this command would use the embedded database in ${join(directory, 'moved')}.`
    const advice =
      'No settings file was found. Give it the DATABASE_URL and DATA_DIR of the server, or insist with --database.'
    for (const words of [['admin', 'list'], ['migrate'], ['export']])
      expect(await daybook(words, 'moved'), words.join(' ')).toEqual({
        code: 1,
        out: '',
        err: `${refusal} ${advice}\n`,
      })
    const doctor = await daybook(['doctor'], 'moved')
    expect(doctor).toMatchObject({ code: 1, err: '' })
    expect(doctor.out).toContain(`PROBLEM  Database: ${refusal}\n         ${advice}\n`)
    expect(doctor.out).not.toContain('Schema')

    expect(await daybook(['--database', 'admin', 'list'], 'moved')).toMatchObject({ code: 0, err: opened('moved') })
    const insisted = await daybook(['doctor', '--database'], 'moved')
    expect(insisted.err).toBe(opened('moved'))
    expect(insisted.out).toContain('ok       Schema: ')
  })

  it('is not changed by a start of the server with another one', async () => {
    await prepareDataDir(join(directory, 'started'))
    await remember('started', elsewhere)
    const file = join(directory, 'started', 'database.json')
    const marker = await readFile(file, 'utf8')
    const { ended, err } = startDaybook([], { DATA_DIR: join(directory, 'started'), PORT: '0' })
    expect(await ended).toBe(1)
    expect(err()).toContain(
      `The server last used the database "library" of PostgreSQL at db.internal:5433, and this start would use the embedded database in ${join(directory, 'started')}. No settings file was found. Correct DATABASE_URL or DATA_DIR. If the site has moved there, delete ${file} and start again.`,
    )
    expect(await readFile(file, 'utf8')).toBe(marker)
  })

  it('is refused on PostgreSQL where the server last used the embedded one', async () => {
    await prepareDataDir(join(directory, 'embedded'))
    await remember('embedded')
    const { code, err } = await daybook(['admin', 'list'], 'embedded', '', { DATABASE_URL: elsewhere })
    expect(code).toBe(1)
    expect(err).toMatch(
      /^The server last used the embedded .+ use the database "library" of PostgreSQL at db\.internal:5433\./,
    )
    expect(err).not.toContain(secret)
    expect(await daybook(['admin', 'list'], 'embedded')).toMatchObject({ code: 0, err: opened('embedded') })
  })

  it('is refused where the settings file names another, and taken where it names the server’s', async () => {
    const folder = join(directory, 'filed')
    await prepareDataDir(folder)
    await remember('filed', elsewhere)
    const file = join(directory, 'filed.env')
    await writeFile(file, `DATA_DIR=${folder}\nSMPT_URL=smtp://localhost\n`)
    const list = () => daybookWith({ DAYBOOK_ENV: file }, ['admin', 'list'])
    const misspelt = `SMPT_URL in ${file} is no setting of Daybook: did you mean SMTP_URL?\n`
    const refused = await list()
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(
      /^SMPT_URL .+\nThe server last used .+ of PostgreSQL at db\.internal:5433, and this command/,
    )
    await remember('filed')
    expect(await list()).toMatchObject({ code: 0, err: misspelt + opened('filed') })
  })

  it.each(['', '{}', '{"engine":"postgresql"}'])('is refused where nobody can tell the server’s: %j', async (text) => {
    await prepareDataDir(join(directory, 'torn'))
    await writeFile(join(directory, 'torn', 'database.json'), text)
    const { code, err } = await daybook(['admin', 'list'], 'torn')
    expect(code).toBe(1)
    expect(err).toMatch(/^The database of the server is not known: .+database\.json cannot be read\./)
    expect((await daybook(['admin', 'list', '--database'], 'torn')).code).toBe(0)
  })
})

describe('The command settings', () => {
  it('prints what is in force and where it is from, also without a database, and no secret', async () => {
    const folder = join(directory, 'shown')
    await mkdir(folder)
    const file = join(folder, 'daybook.env')
    await writeFile(file, 'export PORT=4000\r\nSMTP_URL=smtp://me:hush@mail.internal\r\nLIBRARY=x\r\n')
    const { code, out, err } = await daybook(['settings'], 'shown')
    expect({ code, err }).toEqual({ code: 0, err: `LIBRARY in ${file} is no setting of Daybook.\n` })
    expect(out).toContain(`PORT=4000 (from: ${file})\n`)
    expect(out).toContain(`SMTP_URL=*** (from: ${file})\n`)
    expect(out).toContain(`DATA_DIR=${folder} (from: environment)\nEMBEDDED_SYNC=off (from: environment)\n`)
    expect(out).toContain('REDIS_URL= (from: default)\n')
    const json = JSON.parse((await daybook(['settings', '--json'], 'shown')).out) as unknown[]
    expect(json).toContainEqual({ name: 'SMTP_URL', value: '***', source: file })
    expect(json).toHaveLength(out.trim().split('\n').length)
    expect(await readdir(folder)).toEqual(['daybook.env'])
  })

  it('stops where a file or a value is wrong', async () => {
    const folder = join(directory, 'unshown')
    await mkdir(folder)
    const file = join(folder, 'daybook.env')
    await writeFile(file, 'PORT=http\nGRACE_DAYS=x\n')
    const sentence = (name: string, what: string) => `${name} must be a whole number from 0 to ${what} in ${file}.\n`
    const faults = sentence('PORT', '65535. It is "http"') + sentence('GRACE_DAYS', '60. It is "x"')
    expect(await daybook(['settings'], 'unshown')).toEqual({ code: 1, out: '', err: faults })
    await writeFile(file, 'PORT\n')
    for (const words of [['settings'], ['admin', 'list'], ['doctor']])
      expect(await daybook(words, 'unshown')).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(/, line 1: /),
      })
  })
})

describe('The second factor of an administrator', () => {
  it('is removed by account remove-factors, and found missing by the doctor', async () => {
    const email = 'head@library.example'
    const dataDir = 'factors'
    await prepareDataDir(join(directory, dataDir))
    expect((await daybook(['admin', 'create', email], dataDir, 'a quiet lamp by the stairs\n')).code).toBe(0)
    const database = await open(dataDir)
    const { id } = await database.db
      .updateTable('users')
      .set({ has_second_factor: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    const secret = randomBytes(20)
    await database.db
      .insertInto('totp_factors')
      .values({ user_id: id, secret, last_step: 1, added_at: new Date() })
      .execute()
    await database.close()
    const doctor = async () => (await daybook(['doctor'], dataDir, '', { REQUIRE_ADMIN_SECOND_FACTOR: '1' })).out
    expect(await doctor()).not.toContain('Second factor')

    const remove = (...whom: string[]) => daybook(['account', 'remove-factors', ...whom], dataDir)
    expect(await remove(email)).toEqual({
      code: 0,
      out: `The second factor of ${email} is removed.\n`,
      err: opened(dataDir),
    })
    expect(await remove(email)).toMatchObject({ code: 0, out: `${email} has no second factor.\n` })
    const nobody = 'nobody@library.example'
    expect(await remove(nobody)).toMatchObject({
      code: 1,
      err: `${opened(dataDir)}No account has the address ${nobody}.\n`,
    })
    expect((await remove()).err).toContain('The command account remove-factors needs an email address.')
    expect((await daybook(['account', 'lock'], dataDir)).err).toContain('followed by unlock or remove-factors')

    const { db, close } = await open(dataDir)
    expect(await db.selectFrom('totp_factors').select('user_id').execute()).toEqual([])
    const events = db.selectFrom('audit_events').select(['actor', 'subject_id']).where('action', 'like', 'factor.%')
    expect(await events.execute()).toEqual([{ actor: 'operator', subject_id: id }])
    await close()
    expect(await doctor()).toContain('warning  Second factor: 1 of 1 administrator can do nothing but set one up.\n')
  })
})

describe('An import that is killed', () => {
  const rowCount = 2_500
  const header = 'name,category,contentType,link,externalId,rightsBasis,evidence,permitsDownload,people'
  // Names repeat, so slugs are numbered; every 250th row is wrong, every 333rd may not be published.
  const isWrong = (i: number): boolean => i % 250 === 7
  const isRefused = (i: number): boolean => i % 333 === 5
  const numbers = Array.from({ length: rowCount }, (_, i) => i)
  const rows = numbers.map((i) =>
    [
      `Work ${i % 1_500}`,
      i % 5 === 0 ? 'Cartography' : 'Film',
      'western',
      isWrong(i) ? 'nowhere' : `https://mega.nz/${i}`,
      i % 3 === 0 ? '' : `id-${i}`,
      isRefused(i) ? '' : 'public_domain',
      'Published in 1890.',
      'true',
      'none',
    ].join(','),
  )
  const options = (run: string) => [
    '--publish',
    '--create-categories',
    '--rejects',
    join(directory, `${run}-rejects.csv`),
  ]

  async function catalogueIn(dataDir: string) {
    await using database = await open(dataDir)
    return await database.db
      .selectFrom('items')
      .innerJoin('categories', 'categories.id', 'items.category_id')
      .select([
        'items.name',
        'slug',
        'categories.name as category',
        'external_id',
        'status',
        'version',
        'link',
        'import_digest',
        'fingerprint',
      ])
      .orderBy('no')
      .execute()
  }

  /** The events of one action in the audit log. */
  async function eventsIn(dataDir: string, action: string) {
    await using own = await open(dataDir)
    const { db } = own
    const { rows } = await sql<{ actor: string; details: Record<string, unknown> }>`
      select actor, details from audit_events where action = ${action} order by id`.execute(db)
    return rows
  }

  /** The sums of the lines that imports have in the audit log. */
  async function recordedIn(dataDir: string) {
    const events = await eventsIn(dataDir, 'items.imported')
    const sumOf = (name: string): number => events.reduce((sum, { details }) => sum + Number(details[name]), 0)
    return { created: sumOf('created'), published: sumOf('published') }
  }

  const inLog = (items: Awaited<ReturnType<typeof catalogueIn>>) => ({
    created: items.length,
    published: items.filter(({ status }) => status === 'published').length,
  })

  const partials = async () => (await readdir(directory)).filter((name) => /^killed-rejects\.csv\..*part$/.test(name))
  const sizeOf = async ([name]: string[]) => (name === undefined ? 0 : (await stat(join(directory, name))).size)

  it('goes on when it is started again, and ends as if it had never been killed', { timeout: 180_000 }, async () => {
    const file = join(directory, 'catalogue.csv')
    await writeFile(file, `${[header, ...rows].join('\n')}\n`)
    await prepareDataDir(join(directory, 'whole'))
    await cp(join(directory, 'whole'), join(directory, 'killed'), { recursive: true })

    const whole = await daybook(['import', file, ...options('whole')], 'whole')
    expect(whole).toMatchObject({ code: 3 })
    expect(await recordedIn('whole')).toEqual(inLog(await catalogueIn('whole')))
    for (const { actor, details } of await eventsIn('whole', 'items.imported'))
      expect({ actor, publish: details['publish'] }).toEqual({ actor: 'operator', publish: true })

    const { child, ended } = start(['import', file, ...options('killed')], 'killed')
    // The first batch is in when its rejected rows are written down; the kill meets one of those that follow.
    while ((await sizeOf(await partials())) < 300) await new Promise((wake) => setTimeout(wake, 2))
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    expect(await partials()).toHaveLength(1)
    const halfway = await catalogueIn('killed')
    expect(halfway.length).toBeGreaterThan(0)
    expect(halfway.length).toBeLessThan(rowCount - numbers.filter(isWrong).length)
    // Whole batches, and nothing of the next.
    expect(new Set(halfway.map(({ status }) => status))).toEqual(new Set(['published', 'draft']))

    expect(await recordedIn('killed')).toEqual(inLog(halfway))

    const resumed = await daybook(['import', file, ...options('killed')], 'killed')
    expect(resumed).toMatchObject({ code: 3, err: opened('killed') })
    expect(resumed.out).toContain(`${halfway.length.toLocaleString('en-US')} unchanged`)
    expect(await catalogueIn('killed')).toEqual(await catalogueIn('whole'))
    expect(await recordedIn('killed')).toEqual(inLog(await catalogueIn('whole')))
    const rejects = await readFile(join(directory, 'killed-rejects.csv'), 'utf8')
    expect(rejects).toBe(await readFile(join(directory, 'whole-rejects.csv'), 'utf8'))
    expect(rejects.trim().split('\n').length).toBe(1 + numbers.filter((i) => isWrong(i) || isRefused(i)).length)
    expect(await partials()).toEqual([])
  })

  it('writes to its own standard output by that name, and leaves the name as it is', async () => {
    const output = join(directory, 'output.csv')
    await symlink('/dev/stdout', output)
    const { code, out } = await inProcess(['export', output], 'whole')
    expect(code).toBe(0)
    expect(out.split('\n').length).toBeGreaterThan(1_000)
    expect((await lstat(output)).isSymbolicLink()).toBe(true)
    expect(await eventsIn('whole', 'items.exported')).toEqual([{ actor: 'operator', details: { format: 'csv' } }])
    const again = await inProcess(['import', join(directory, 'catalogue.csv'), '--rejects', output], 'whole')
    expect(again.code).toBe(3)
    expect(again.out).toMatch(/,line,reason\n[^]+ rows: 0 created/)
    expect((await lstat(output)).isSymbolicLink()).toBe(true)
  })

  it('says in a sentence that an export cannot be written', async () => {
    expect(await daybook(['export', directory], 'whole')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Opened: .+\nThe file .+ cannot be written: .+\.\n$/),
    })
  })

  it('is refused while another process holds the embedded database', async () => {
    await using held = await open('whole')
    expect(held.engine).toBe('embedded')
    const { code, err } = await daybook(['import', join(directory, 'catalogue.csv')], 'whole')
    expect(code).toBe(1)
    expect(err).toMatch(/is in use by another Daybook process/)
  })
})

describe('The command admin', () => {
  beforeAll(() => prepareDataDir(join(directory, 'accounts')))

  /** With what is piped into standard input. */
  const withInput = (input: string, args: string[]) => daybook(args, 'accounts', input)

  it('makes administrators, lists them, and keeps the last one', async () => {
    const head = ['admin', 'create', 'Head@Library.Example', '--name', 'The Head']
    expect(await inProcess(head, 'accounts', 'the head librarian\n')).toEqual({
      code: 0,
      out: 'Head@Library.Example is an administrator now.\n',
      err: opened('accounts'),
    })
    expect(await daybook(['admin', 'demote', 'head@library.example'], 'accounts')).toMatchObject({
      code: 1,
      err: `${opened('accounts')}head@library.example is the last administrator. Make somebody else an administrator first.\n`,
    })
    expect((await withInput('the second librarian\n', ['admin', 'create', 'second@library.example'])).code).toBe(0)
    expect((await daybook(['admin', 'list'], 'accounts')).out).toBe(
      'Head@Library.Example\tThe Head\tsafety officer\nsecond@library.example\tAdministrator\n',
    )
    const lastOfficer = `${opened('accounts')}head@library.example is the last safety officer. Name another safety officer first.\n`
    const unmark = ['admin', 'safety-officer', 'head@library.example', '--remove']
    expect(await daybook(unmark, 'accounts')).toEqual({ code: 1, out: '', err: lastOfficer })
    expect(await daybook(['admin', 'demote', 'head@library.example'], 'accounts')).toMatchObject({
      code: 1,
      err: lastOfficer,
    })
    expect(await daybook(['admin', 'safety-officer', 'SECOND@library.example'], 'accounts')).toEqual({
      code: 0,
      out: 'SECOND@library.example is a safety officer now.\n',
      err: opened('accounts'),
    })
    expect((await daybook(unmark, 'accounts')).out).toBe('head@library.example is no safety officer now.\n')
    expect(await daybook(['admin', 'safety-officer', 'nobody@library.example'], 'accounts')).toMatchObject({
      code: 1,
      err: `${opened('accounts')}No administrator has the address nobody@library.example.\n`,
    })
    expect((await daybook(['admin', 'demote', 'HEAD@library.example'], 'accounts')).code).toBe(0)
    expect((await daybook(['admin', 'list'], 'accounts')).out).toBe(
      'second@library.example\tAdministrator\tsafety officer\n',
    )
    // The earlier holder of that address neither knows the new password nor stays signed in.
    expect(await withInput('a third password\n', ['admin', 'create', 'head@library.example'])).toMatchObject({
      code: 0,
      out: 'head@library.example had an account, and is an administrator now.\n',
    })
  })

  it.each([
    ['no password', '', 'No password was given.\n'],
    ['a very short password', '12345\n', 'Password must be at least 12 characters long\n'],
    ['a short password', '12345678901\n', 'Password must be at least 12 characters long\n'],
    ['its own address', 'third@library\n', 'This password is one of the most common ones. Please choose another.\n'],
    ['a sequence', 'abcdefghijklm\n', 'This password is one of the most common ones. Please choose another.\n'],
    ['a common password', 'password1234\n', 'This password is one of the most common ones. Please choose another.\n'],
  ])('refuses %s in a sentence', async (_what, input, err) => {
    expect(await withInput(input, ['admin', 'create', 'third@library.example'])).toEqual({
      code: 1,
      out: '',
      err: `${opened('accounts')}${err}`,
    })
  })

  it.each([
    [['admin'], /create, demote, safety-officer or list/],
    [['admin', 'create'], /needs an email address/],
    [['admin', 'crown', 'a@b.example'], /create, demote, safety-officer or list/],
    [['admin', 'create', 'a@b.example', '--nmae', 'A'], /^Unknown option '--nmae'\.\n`npm run daybook/],
    [['account'], /followed by unlock/],
    [['account', 'unlock'], /needs an email address/],
    [['account', 'unlock', 'nobody@library.example'], /No account has the address nobody@library\.example/],
    [['admin', 'demote', 'nobody@library.example'], /No administrator has the address nobody@library\.example/],
  ])('%j is told what is wrong', async (args, sentence) => {
    const { code, err } = await daybook(args, 'accounts')
    expect(code).toBe(1)
    expect(err).toMatch(sentence)
  })

  it('clears the limits of an account', async () => {
    expect(await daybook(['account', 'unlock', 'Second@library.example'], 'accounts')).toEqual({
      code: 0,
      out: 'Second@library.example need not wait to sign in any more.\n',
      err: opened('accounts'),
    })
  })

  it('lifts nothing where nothing is kept', async () => {
    expect(await daybook(['lift-ban', 'nobody@library.example'], 'accounts')).toEqual({
      code: 0,
      out: 'Nothing is kept of nobody@library.example: nothing was changed.\n',
      err: opened('accounts'),
    })
    expect((await daybook(['lift-ban'], 'accounts')).err).toMatch(/needs an email address/)
  })

  it('asks the settings for payments only where a command needs them', async () => {
    const halfSet = { STRIPE_SECRET_KEY: 'sk_test_half' }
    const mailed = await daybook(['mail', 'test', 'jane@readers.example'], 'accounts', '', halfSet)
    expect(mailed).toMatchObject({
      out: expect.stringMatching(/^SMTP_URL is unset: the email is a file in /) as string,
      err: '',
    })
    expect(await daybook(['admin', 'list'], 'accounts', '', halfSet)).toMatchObject({
      code: 0,
      err: opened('accounts'),
    })
    expect((await daybook(['doctor'], 'accounts', '', halfSet)).out).toContain('STRIPE_WEBHOOK_SECRET must be')
  })

  it('refuses an address with invisible characters', async () => {
    const { code, err } = await withInput('a long password\n', ['admin', 'create', 'he\u200dad@library.example'])
    expect({ code, err }).toEqual({ code: 1, err: 'Please enter a valid email address\n' })
  })

  it('refuses what is no address', async () => {
    // Nor is anybody asked for a password first.
    const { code, err } = await withInput('', ['admin', 'create', 'nobody'])
    expect(code).toBe(1)
    expect(err).toBe('Please enter a valid email address\n')
  })

  it('refuses a name with invisible characters, also for an account that exists', async () => {
    const args = ['admin', 'create', 'head@library.example', '--name', 'The\u202e Head']
    const { code, err } = await withInput('a long password\n', args)
    expect(code).toBe(1)
    expect(err).toBe('Please enter your name without invisible characters\n')
  })
})

describe('The command audit', () => {
  const inDirectory = (...args: string[]) => daybook(args, 'audit')
  const anchors = () => join(directory, 'audit', 'audit-anchors.jsonl')
  beforeAll(() => prepareDataDir(join(directory, 'audit')))

  it('notes a restored backup only when that is confirmed, and verify tells of it ever after', async () => {
    expect(await inDirectory('audit', 'verify')).toMatchObject({ code: 0 })
    expect(await inDirectory('audit', 'restored')).toMatchObject({
      code: 0,
      out: expect.stringContaining('there is nothing to note'),
    })
    // An anchor of a day that the backup does not know.
    const later = { position: 40, hash: 'ab'.repeat(32), at: '2024-03-15T12:00:00.000Z' }
    await writeFile(anchors(), `${JSON.stringify(later)}\n`, { flag: 'a' })
    const cut = await inDirectory('audit', 'verify')
    expect(cut.code).toBe(1)
    expect(cut.err).toMatch(
      /The end was cut.*\nIf you have restored a backup, note it: npm run daybook -- audit restored/s,
    )

    const unconfirmed = await inDirectory('audit', 'restored')
    expect(unconfirmed.code).toBe(1)
    expect(unconfirmed.out).toMatch(/up to position 40, are lost.*run this again with --confirm/s)
    expect(await inDirectory('audit', 'verify')).toMatchObject({ code: 1 })

    // The backup has brought them back.
    const signInAgain = async (): Promise<void> => {
      await using own = await open('audit')
      const { db } = own
      const [id, now, later] = [randomUUID(), new Date(), new Date(Date.now() + 60_000)]
      const email = `${id}@readers.example`
      await db.insertInto('users').values({ id, email, email_folded: email, name: 'Ida', created_at: now }).execute()
      const link = { id: randomUUID(), user_id: id, token_hash: randomBytes(32), expires_at: later }
      await db
        .insertInto('sessions')
        .values({ ...link, is_remembered: true, user_agent: '', created_at: now, last_seen_at: now, proved_at: now })
        .execute()
      await db
        .insertInto('password_resets')
        .values({ ...link, kind: 'forgotten', issued_at: now })
        .execute()
    }
    const signedIn = async (): Promise<number[]> => {
      await using own = await open('audit')
      const { db } = own
      const rows = await Promise.all(
        (['sessions', 'password_resets'] as const).map((table) => db.selectFrom(table).select('user_id').execute()),
      )
      return rows.map(({ length }) => length)
    }
    await signInAgain()
    expect(await signedIn()).toEqual([1, 1])
    const confirmed = await inDirectory('audit', 'restored', '--confirm')
    expect(confirmed).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        'Everybody is signed out: 1 session and 1 link to set a password were ended.',
      ) as string,
    })
    expect(await signedIn()).toEqual([0, 0])
    // Also where the data directory was restored with the database, and the chain has no gap.
    await signInAgain()
    expect(await inDirectory('audit', 'restored')).toMatchObject({ code: 0 })
    expect(await signedIn()).toEqual([1, 1])
    expect(await inDirectory('audit', 'restored', '--confirm')).toMatchObject({ code: 0 })
    expect(await signedIn()).toEqual([0, 0])

    const noted = await inDirectory('audit', 'verify')
    expect(noted.code).toBe(0)
    expect(noted.err).toMatch(/A backup that ends at position \d+ was restored; .* noted it at /)
    expect(noted.out).toMatch(/^1 event, whole\.|events, whole\./)
  })
})

describe('The command check-links', () => {
  let files: CountingServer
  beforeAll(async () => {
    files = await startHttp((_request, response) => response.end())
    await prepareDataDir(join(directory, 'links'))
  })
  afterAll(() => files.close())

  it('has nothing to do where nothing is published, and says what it does not know', async () => {
    expect(await daybook(['check-links'], 'links')).toEqual({ code: 0, out: 'No link is due.\n', err: opened('links') })
    expect(await daybook(['check-links', '--item', 'nothing'], 'links')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Opened: .+\nThere is no published item nothing/),
    })
    expect((await daybook(['check-links', '--every'], 'links')).err).toMatch(/Unknown option '--every'/)
  })

  it('connects to no private address, whoever has written the link, and counts nothing where nothing answers', async () => {
    const opened = await open('links')
    try {
      await aPublishedItem(opened.db, `http://127.0.0.1:${files.port}/file`)
    } finally {
      await opened.close()
    }
    // Nothing answers for this link, and nothing else can be asked whether the network works.
    expect(await daybook(['check-links'], 'links')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Opened: .+\nNo host can be reached/),
    })
    expect(files.connections).toBe(0)
  })

  it('is refused while another process holds the embedded database', async () => {
    await using held = await open('links')
    expect(held.engine).toBe('embedded')
    const { code, err } = await daybook(['check-links'], 'links')
    expect(code).toBe(1)
    expect(err).toMatch(/is in use by another Daybook process/)
  })
})

describe('The command audit', () => {
  const verify = (dataDir: string) => daybook(['audit', 'verify'], dataDir)

  /** An attacker with every right on the database. */
  async function tamper(dataDir: string, ...statements: string[]): Promise<void> {
    await using own = await open(dataDir)
    const { db } = own
    await db.transaction().execute(async (trx) => {
      for (const table of ['audit_events', 'audit_chain', 'audit_head'])
        await sql`alter table ${sql.table(table)} disable trigger user`.execute(trx)
      for (const statement of statements) await sql.raw(statement).execute(trx)
      for (const table of ['audit_events', 'audit_chain', 'audit_head'])
        await sql`alter table ${sql.table(table)} enable trigger user`.execute(trx)
    })
  }

  const at = (position: number) => `(select event_id from audit_chain where position = ${position})`
  const cutTheEnd = [`delete from audit_events where id = ${at(4)}`, 'delete from audit_chain where position = 4']
  const mendHead = `update audit_head set (position, hash) =
    (select c.position, c.hash from audit_chain c order by c.position desc limit 1)`

  beforeAll(async () => {
    await prepareDataDir(join(directory, 'audited'))
    const { db, close } = await open('audited')
    await sql`
      insert into audit_events (id, action, actor)
      select gen_random_uuid(), 'role.granted', 'operator' from generate_series(1, 4)`.execute(db)
    await close()
  })

  it('verifies a log that nobody has touched: whole, with 0', async () => {
    expect(await verify('audited')).toMatchObject({
      code: 0,
      out: '4 events, whole.\n',
      err: expect.stringMatching(/^Opened: .+\nThere are no anchors in .*audited/) as string,
    })
  })

  it.each([
    ['a changed event', [`update audit_events set action = 'role.withdrawn' where id = ${at(2)}`], /^Position 2 /m],
    ['a removed event', [`delete from audit_events where id = ${at(2)}`], /^The event at position 2 is gone\.$/m],
    ['a cut end', cutTheEnd, /^The chain ends at position 3; its head says 4/m],
    [
      'an end cut with its head, once it was anchored',
      [...cutTheEnd, mendHead],
      /^The end was cut: .* position 4 was/m,
    ],
  ])('finds %s, says where, and ends with 1', async (what, statements, sentence) => {
    const dataDir = what.replaceAll(/\W+/g, '-')
    await cp(join(directory, 'audited'), join(directory, dataDir), { recursive: true })
    if (what.endsWith('anchored')) {
      const { db, close } = await open(dataDir)
      const head = await db.selectFrom('audit_head').select('hash').executeTakeFirstOrThrow()
      await close()
      const start = {
        position: 0,
        hash: createHash('sha256').digest('hex'),
        at: '2024-01-01T00:00:00.000Z',
        isStart: true,
      }
      const anchor = { position: 4, hash: Buffer.from(head.hash).toString('hex'), at: '2024-01-02T00:00:00.000Z' }
      const lines = [start, anchor].map((line) => JSON.stringify(line))
      await writeFile(join(directory, dataDir, 'audit-anchors.jsonl'), `${lines.join('\n')}\n`)
      expect((await verify(dataDir)).out).toBe('4 events, whole.\n')
    }
    await tamper(dataDir, ...statements)
    const { code, out, err } = await verify(dataDir)
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/^\d events, not whole\.\n$/) })
    expect(err).toMatch(sentence)
  })

  it.each([[['audit']], [['audit', 'mend']]])('%j is told what is wrong', async (args) => {
    const { code, err } = await daybook(args)
    expect(code).toBe(1)
    expect(err).toMatch(/audit is followed by/)
  })
})

/** With a link that the gate would refuse. */
async function aPublishedItem(db: OpenDatabase['db'], link: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      with item as (
        insert into items (id, name, searched, slug, category_id, content_type, region, post_date, post_month,
                           link, people, rights_basis, rights_evidence, permits_download, rights_attested_by, rights_attested_at)
        select gen_random_uuid(), 'Inside', 'inside', 'inside', id, 'western', 'western', now(), 1, ${link}, 'none',
               'public_domain', 'seen', true, 'me', now()
          from categories where name = 'Film'
        returning id, version, fingerprint)
      insert into clearances (item_id, version, fingerprint, checks, cleared_by)
      select id, version, fingerprint, '[]', 'me' from item`.execute(trx)
    await sql`update items set status = 'published', cleared_version = version`.execute(trx)
  })
}
