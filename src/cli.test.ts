import { spawn } from 'node:child_process'
import { cp, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CountingServer, startHttp } from '../tests/harness/hostile-server.ts'
import { prepareDataDir } from '../tests/harness/data-dir.ts'
import { openDatabase } from './db/open.ts'
import type { OpenDatabase } from './db/open-database.ts'

const cli = join(import.meta.dirname, 'cli.ts')
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-cli-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

interface Ended {
  code: number | null
  out: string
  err: string
}

/** The command as an operator runs it, in a process of its own over an embedded database of its own. */
function start(args: string[], dataDir: string, input = '') {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env['PATH'], DATA_DIR: join(directory, dataDir) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  return { child, ended }
}
const daybook = (args: string[], dataDir = 'none') => start(args, dataDir).ended

describe('The command line', () => {
  it('tells how it is used', async () => {
    const { code, out } = await daybook(['--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/import FILE \[--dry-run\] \[--publish\] \[--create-categories\] \[--rejects FILE\]/)
  })

  it.each([
    [['fly'], /There is no command 'fly'/],
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

describe('An import that is killed', () => {
  const rowCount = 4_000
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
    const database = await openDatabase({ databaseUrl: undefined, dataDir: join(directory, dataDir) })
    try {
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
    } finally {
      await database.close()
    }
  }

  const partials = async () => (await readdir(directory)).filter((name) => /^killed-rejects\.csv\..*part$/.test(name))
  const sizeOf = async ([name]: string[]) => (name === undefined ? 0 : (await stat(join(directory, name))).size)

  it('goes on when it is started again, and ends as if it had never been killed', { timeout: 180_000 }, async () => {
    const file = join(directory, 'catalogue.csv')
    await writeFile(file, `${[header, ...rows].join('\n')}\n`)
    expect((await daybook(['migrate'], 'whole')).code).toBe(0)
    await cp(join(directory, 'whole'), join(directory, 'killed'), { recursive: true })

    const whole = await daybook(['import', file, ...options('whole')], 'whole')
    expect(whole).toMatchObject({ code: 3 })

    const { child, ended } = start(['import', file, ...options('killed')], 'killed')
    // The first batch is in when its rejected rows are written down; the kill meets one of those that follow.
    while ((await sizeOf(await partials())) < 300) await new Promise((wake) => setTimeout(wake, 2))
    child.kill('SIGKILL')
    expect((await ended).code).toBeNull()
    expect(await partials()).toHaveLength(1)
    const halfway = await catalogueIn('killed')
    expect(halfway.length).toBeGreaterThan(0)
    expect(halfway.length).toBeLessThan(rowCount - numbers.filter(isWrong).length)
    // Whole batches, and nothing of the next.
    expect(new Set(halfway.map(({ status }) => status))).toEqual(new Set(['published', 'draft']))

    const resumed = await daybook(['import', file, ...options('killed')], 'killed')
    expect(resumed).toMatchObject({ code: 3, err: '' })
    expect(resumed.out).toContain(`${halfway.length.toLocaleString('en-US')} unchanged`)
    expect(await catalogueIn('killed')).toEqual(await catalogueIn('whole'))
    const rejects = await readFile(join(directory, 'killed-rejects.csv'), 'utf8')
    expect(rejects).toBe(await readFile(join(directory, 'whole-rejects.csv'), 'utf8'))
    expect(rejects.trim().split('\n').length).toBe(1 + numbers.filter((i) => isWrong(i) || isRefused(i)).length)
    expect(await partials()).toEqual([])
  })

  it('writes to its own standard output by that name, and leaves the name as it is', async () => {
    const output = join(directory, 'output.csv')
    await symlink('/dev/stdout', output)
    const { code, out } = await daybook(['export', output], 'whole')
    expect(code).toBe(0)
    expect(out.split('\n').length).toBeGreaterThan(1_000)
    expect((await lstat(output)).isSymbolicLink()).toBe(true)
    const again = await daybook(['import', join(directory, 'catalogue.csv'), '--rejects', output], 'whole')
    expect(again.out).toMatch(/,line,reason\n[^]+ rows: 0 created/)
    expect((await lstat(output)).isSymbolicLink()).toBe(true)
  })

  it('says in a sentence that an export cannot be written', async () => {
    expect(await daybook(['export', directory], 'whole')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The file .+ cannot be written: .+\.\n$/),
    })
  })

  it('is refused while another process holds the embedded database', async () => {
    const held = await openDatabase({ databaseUrl: undefined, dataDir: join(directory, 'whole') })
    try {
      const { code, err } = await daybook(['import', join(directory, 'catalogue.csv')], 'whole')
      expect(code).toBe(1)
      expect(err).toMatch(/is in use by another Daybook process/)
    } finally {
      await held.close()
    }
  })
})

describe('The command admin', () => {
  beforeAll(() => prepareDataDir(join(directory, 'accounts')))

  /** With what is piped into standard input. */
  const withInput = (input: string, args: string[]) => start(args, 'accounts', input).ended

  it('makes administrators, lists them, and keeps the last one', async () => {
    expect(
      await withInput('the head librarian\n', ['admin', 'create', 'Head@Library.Example', '--name', 'The Head']),
    ).toEqual({
      code: 0,
      out: 'Head@Library.Example is an administrator now.\n',
      err: '',
    })
    expect(await daybook(['admin', 'demote', 'head@library.example'], 'accounts')).toMatchObject({
      code: 1,
      err: 'head@library.example is the last administrator. Make somebody else an administrator first.\n',
    })
    expect((await withInput('the second librarian\n', ['admin', 'create', 'second@library.example'])).code).toBe(0)
    expect((await daybook(['admin', 'list'], 'accounts')).out).toBe(
      'Head@Library.Example\tThe Head\nsecond@library.example\tAdministrator\n',
    )
    expect((await daybook(['admin', 'demote', 'HEAD@library.example'], 'accounts')).code).toBe(0)
    expect((await daybook(['admin', 'list'], 'accounts')).out).toBe('second@library.example\tAdministrator\n')
    // Whoever registered with that address knows neither the new password nor stays signed in.
    expect(await withInput('a third password\n', ['admin', 'create', 'head@library.example'])).toMatchObject({
      code: 0,
      out: 'head@library.example had an account, and is an administrator now.\n',
    })
  })

  it.each([
    ['no password', '', 'No password was given.\n'],
    ['a very short password', '12345\n', 'Password must be at least 12 characters long\n'],
    ['a short password', '12345678901\n', 'Password must be at least 12 characters long\n'],
    ['a common password', 'password1234\n', 'This password is one of the most common ones. Please choose another.\n'],
  ])('refuses %s in a sentence', async (_what, input, err) => {
    expect(await withInput(input, ['admin', 'create', 'third@library.example'])).toEqual({ code: 1, out: '', err })
  })

  it.each([
    [['admin'], /create, demote or list/],
    [['admin', 'create'], /needs an email address/],
    [['admin', 'crown', 'a@b.example'], /create, demote or list/],
    [['admin', 'create', 'a@b.example', '--nmae', 'A'], /^Unknown option '--nmae'\.\n`npm run daybook/],
    [['admin', 'demote', 'nobody@library.example'], /No administrator has the address nobody@library\.example/],
  ])('%j is told what is wrong', async (args, sentence) => {
    const { code, err } = await daybook(args, 'accounts')
    expect(code).toBe(1)
    expect(err).toMatch(sentence)
  })

  it('lifts nothing where nothing is kept', async () => {
    expect(await daybook(['lift-ban', 'nobody@library.example'], 'accounts')).toEqual({
      code: 0,
      out: 'Nothing is kept of nobody@library.example: nothing was changed.\n',
      err: '',
    })
    expect((await daybook(['lift-ban'], 'accounts')).err).toMatch(/needs an email address/)
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

describe('The command check-links', () => {
  let files: CountingServer
  beforeAll(async () => {
    files = await startHttp((_request, response) => response.end())
    await prepareDataDir(join(directory, 'links'))
  })
  afterAll(() => files.close())

  it('has nothing to do where nothing is published, and says what it does not know', async () => {
    expect(await daybook(['check-links'], 'links')).toEqual({ code: 0, out: 'No link is due.\n', err: '' })
    expect(await daybook(['check-links', '--item', 'nothing'], 'links')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no published item nothing/),
    })
    expect((await daybook(['check-links', '--every'], 'links')).err).toMatch(/Unknown option '--every'/)
  })

  it('connects to no private address, whoever has written the link, and counts nothing where nothing answers', async () => {
    const opened = await openDatabase({ databaseUrl: undefined, dataDir: join(directory, 'links') })
    try {
      await aPublishedItem(opened.db, `http://127.0.0.1:${files.port}/file`)
    } finally {
      await opened.close()
    }
    // Nothing answers for this link, and nothing else can be asked whether the network works.
    expect(await daybook(['check-links'], 'links')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No host can be reached/),
    })
    expect(files.connections).toBe(0)
  })

  it('is refused while another process holds the embedded database', async () => {
    const held = await openDatabase({ databaseUrl: undefined, dataDir: join(directory, 'links') })
    try {
      const { code, err } = await daybook(['check-links'], 'links')
      expect(code).toBe(1)
      expect(err).toMatch(/is in use by another Daybook process/)
    } finally {
      await held.close()
    }
  })
})

/** With a link that the gate would refuse. */
async function aPublishedItem(db: OpenDatabase['db'], link: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      with item as (
        insert into items (id, name, name_folded, name_grams, slug, category_id, content_type, region, post_date, post_month,
                           link, people, rights_basis, rights_evidence, permits_download, rights_attested_by, rights_attested_at)
        select gen_random_uuid(), 'Inside', 'inside', '{}', 'inside', id, 'western', 'western', now(), 1, ${link}, 'none',
               'public_domain', 'seen', true, 'me', now()
          from categories where name = 'Film'
        returning id, version, fingerprint)
      insert into clearances (item_id, version, fingerprint, checks, cleared_by)
      select id, version, fingerprint, '[]', 'me' from item`.execute(trx)
    await sql`update items set status = 'published', cleared_version = version`.execute(trx)
  })
}
