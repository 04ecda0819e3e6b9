import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { runCommand } from '../../src/cli.ts'
import { storeCover } from '../../src/features/catalogue/covers/store-cover.server.ts'
import { storeEvidence } from '../../src/features/catalogue/evidence/store-evidence.server.ts'
import { decideNotice } from '../../src/features/notices/desk/decide-notice.server.ts'
import { journalFile } from '../../src/features/notices/journal/journal-file.server.ts'
import { reconcileJournal } from '../../src/features/notices/journal/reconcile-journal.server.ts'
import { readBackupFile, writeBackupFile } from '../../src/features/site/backup/backup-file.server.ts'
import { frameOf } from '../../src/features/site/backup/frames.ts'
import { refuseNewer, restoreBackup } from '../../src/features/site/backup/restore-backup.server.ts'
import { writeBackup } from '../../src/features/site/backup/write-backup.server.ts'
import { allInvariants, checkInvariant } from '../../src/features/site/invariants/check-invariant.server.ts'
import { listTables, spellAlike } from '../../src/db/dump/list-tables.ts'
import { readRows } from '../../src/db/dump/read-tables.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import type { OpenDatabase } from '../../src/db/open-database.ts'
import type { App } from '../../src/app/app.ts'
import { openLog } from '../../src/platform/log.ts'
import { anItem } from '../harness/items.ts'
import { aMember, type MadeMember } from '../harness/members.ts'
import { aNotice } from '../harness/notices.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { openTestApp, type TestApp } from '../harness/test-app.ts'

/* Backups (docs/spec/backups.md): the other engine gets every row, and nothing half is ever left. */

let opened: TestApp
let app: App
let folder: string
let ada: MadeMember
const opens: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-backup-'))
  await (await openDatabase({ databaseUrl: undefined, dataDir: join(folder, 'empty'), embeddedSync: false })).close()
  opened = await openTestApp({ now: new Date().toISOString(), log: openLog('silent') })
  ;({ app } = opened)
  ada = await aMember(app, { name: 'Ada "Quote" O\'Hara, (née \\Ж) 🙂', email: 'ada@library.example', isAdmin: true })
  await aMember(app, { email: 'vip@library.example', isVip: true })
  await sql`
    insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at, proved_at)
    values (${randomUUID()}, ${ada.id}, sha256('a'), true, 'A browser', now(), now(), now() + interval '1 day', now())`.execute(
    app.db,
  )
  await sql`
    insert into app_passwords (id, user_id, name, secret_hash, created_at)
    values (${randomUUID()}, ${ada.id}, 'A reading program', sha256('b'), now())`.execute(app.db)
  const work = await anItem(app, { name: 'Line\tbreaks, {braces} and "quotes"' })
  await storeEvidence(app, viewerOf(ada), {
    itemId: work.id,
    consentId: undefined,
    fileName: 'Contract.pdf',
    mediaType: 'application/pdf',
    pieces: pieces('%PDF-1.7 The contract.'),
  })
  const [small, medium, large] = ['160', '320', '640'].map((width) => Buffer.from(`A picture of ${width}`))
  const hash = await storeCover(app, { 160: small, 320: medium, 640: large } as never)
  await app.db.updateTable('items').set({ cover: hash, status: 'draft' }).where('id', '=', work.id).execute()
  await removeOne('A work that is removed')
})
afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(async () => {
  for (const close of opens.splice(0).toReversed()) await close()
})

const viewerOf = ({ id }: { id: string }) =>
  ({ roles: [], member: { id, email: '', name: '', isAdmin: true } }) as never

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

async function removeOne(name: string): Promise<void> {
  const { slug } = await anItem(app, { name, link: `https://mega.nz/file/${randomUUID()}` })
  const { reference, id } = await aNotice(app, { urls: [slug] })
  const { version } = await app.db
    .selectFrom('notices')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await decideNotice(app, viewerOf(ada), {
    reference,
    version,
    decision: {
      outcome: 'remove',
      ground: 'illegal',
      legalGround: '17 U.S.C. 106',
      facts: 'The same text.',
      explanation: 'It is a copy.',
    },
  })
  await reconcileJournal(app)
}

const backUp = async (name = 'whole.backup', withFiles = true): Promise<string> => {
  const path = join(folder, name)
  await writeBackupFile(path, writeBackup(app, { withFiles }), { force: true })
  return path
}

interface Ended {
  code: number
  out: string
  err: string
}

/** A command with a data directory of its own. */
async function daybook(args: string[], env: Record<string, string>): Promise<Ended> {
  const said = { out: '', err: '' }
  const [out, err] = [process.stdout.write, process.stderr.write]
  const hear = (to: 'out' | 'err') => (text: string | Uint8Array) => {
    said[to] += text.toString()
    return true
  }
  process.stdout.write = hear('out')
  process.stderr.write = hear('err')
  try {
    return { code: await runCommand(args, { EMBEDDED_SYNC: 'off', ...env }), ...said }
  } finally {
    ;[process.stdout.write, process.stderr.write] = [out, err]
  }
}

const aDataDir = async (): Promise<string> => mkdtemp(join(folder, 'data-'))

/** With an engine that has no table yet: to make one takes seconds. */
async function anEmptyDatabase(): Promise<string> {
  const dataDir = await aDataDir()
  await cp(join(folder, 'empty', 'postgres'), join(dataDir, 'postgres'), { recursive: true })
  return dataDir
}

async function anEmbedded(dataDir: string): Promise<OpenDatabase> {
  const database = await openDatabase({ databaseUrl: undefined, dataDir, embeddedSync: false })
  opens.push(() => database.close())
  return database
}

/** Every row of every table as text, in an order of its own. */
async function rowsOf({ maintenanceDb }: Pick<OpenDatabase, 'maintenanceDb'>): Promise<Record<string, string[]>> {
  return maintenanceDb.transaction().execute(async (trx) => {
    await spellAlike(trx)
    const all: Record<string, string[]> = {}
    for (const table of await listTables(trx)) {
      const rows: string[] = []
      for await (const { json } of readRows(trx, table)) rows.push(...(JSON.parse(json) as string[]))
      all[table.name] = rows.toSorted()
    }
    return all
  })
}

/** Tables that a restore itself writes: its record is the last event. */
const written = ['audit_events', 'audit_chain', 'audit_head']

function without(rows: Record<string, string[]>, names: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(Object.entries(rows).filter(([name]) => !names.includes(name)))
}

test('every row of every table comes to the other engine and back, with its numbers, files and the journal', async () => {
  const path = await backUp()
  const before = await rowsOf(app)
  expect(Object.values(before).flat().length).toBeGreaterThan(50)

  const dataDir = await anEmptyDatabase()
  const embedded = await anEmbedded(dataDir)
  await putInto(embedded, dataDir, path)
  const restored = await rowsOf(embedded)
  expect(without(restored, written)).toEqual(without(before, written))
  expect(restored['audit_events']).toHaveLength((before['audit_events'] ?? []).length + 1)
  expect(restored['audit_events']).toEqual(expect.arrayContaining(before['audit_events'] ?? []))
  for (const invariant of allInvariants()) {
    const { ids } = await checkInvariant(embedded.maintenanceDb, invariant)
    expect(ids, invariant.name).toEqual([])
  }
  expect(await readFile(journalFile({ dataDir }), 'utf8')).toBe(await readFile(journalFile(app.config), 'utf8'))
  for await (const name of app.evidence.list())
    expect(await readFile(join(dataDir, 'evidence', name))).toEqual(
      await readFile(join(app.config.dataDir, 'evidence', name)),
    )
  // Sequences go on where they were: no number is given twice.
  const { rows: next } = await sql<{ no: number }>`
    select nextval(pg_get_serial_sequence('items', 'no'))::int as no`.execute(embedded.maintenanceDb)
  const { rows: last } = await sql<{ no: number }>`select max(no) as no from items`.execute(app.db)
  expect(next[0]?.no).toBeGreaterThan(last[0]?.no as number)

  const prepared = inject('preparedDatabase')
  if (prepared.engine === 'embedded') return
  const back = join(folder, 'back.backup')
  await writeBackupFile(back, writeBackup({ ...app, maintenanceDb: embedded.maintenanceDb }, { withFiles: true }))
  const name = `daybook_back_${randomUUID().slice(0, 8)}`
  await onServer(prepared.serverUrl, `create database ${name}`)
  opens.push(() => onServer(prepared.serverUrl, `drop database ${name} with (force)`))
  const server = await openDatabase({ databaseUrl: databaseUrl(prepared.serverUrl, name), dataDir: '' })
  opens.push(() => server.close())
  await putInto(server, await aDataDir(), back)
  expect(without(await rowsOf(server), written)).toEqual(without(before, written))
})

test('a database that a server has begun to use since it was looked at is left to it', async () => {
  const dataDir = await aDataDir()
  const database = await anEmbedded(dataDir)
  await migrate(database.maintenanceDb)
  const before = await rowsOf(database)
  await expect(putInto(database, dataDir, await backUp())).rejects.toThrow('something else has begun to use it')
  expect(await rowsOf(database)).toEqual(before)
})

async function putInto({ maintenanceDb: owner, engine }: OpenDatabase, dataDir: string, path: string) {
  const { RemovalJournal } = await import('../../src/features/notices/journal/journal-file.server.ts')
  const { openEvidenceStore } = await import('../../src/features/catalogue/evidence/evidence-store.server.ts')
  const config = { ...app.config, dataDir }
  const target = {
    owner,
    engine,
    config,
    removalJournal: new RemovalJournal(config),
    evidence: openEvidenceStore(config, app.log),
  }
  return restoreBackup(target, readBackupFile(path), { isMove: true })
}

test('what is written meanwhile is in none of it, or in all', async () => {
  const path = join(folder, 'meanwhile.backup')
  const done = new AbortController()
  const registering = (async () => {
    for (let count = 0; !done.signal.aborted; count += 1)
      await aMember(app, { email: `reader-${count}@readers.example` })
  })()
  const frames = writeBackup(app, { withFiles: false })
  await writeBackupFile(path, frames).finally(() => done.abort())
  await registering
  const { code, out } = await daybook(['backup', '--show', path], {})
  expect(code).toBe(0)
  const dataDir = await anEmptyDatabase()
  const { manifest } = await putInto(await anEmbedded(dataDir), dataDir, path)
  expect(JSON.parse(out)).toEqual(manifest)
  expect(manifest.evidence).toBeNull()
})

test('the command backs up, shows and restores; the copy has ended all access and begins in rehearsal', async () => {
  const dataDir = await aDataDir()
  const path = await backUp()
  const { code, out, err } = await daybook(['restore', path], { DATA_DIR: dataDir })
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringContaining('Opened: the embedded database in ') as string,
  })
  expect(out).toMatch(/^Restored: [\d,]+ rows, 1 file of evidence, 1 cover, as they were at \S+ \(version \d/)
  expect(out).toContain('in rehearsal')
  const shown = await daybook(['backup', '--show', path], {})
  expect(JSON.parse(shown.out)).toMatchObject({
    format: 1,
    counts: { sessions: 1, app_passwords: 1 },
    removals: 1,
    evidence: 1,
    covers: 1,
    checksum: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    auditPosition: expect.any(Number) as number,
  })
  const copied = join(folder, 'copied.backup')
  expect(await daybook(['backup', copied], { DATA_DIR: dataDir })).toMatchObject({ code: 0, out: '' })
  const copy = JSON.parse((await daybook(['backup', '--show', copied], {})).out) as { counts: Record<string, number> }
  expect(copy.counts).toMatchObject({ sessions: 0, app_passwords: 0, rehearsal: 1 })

  const again = await daybook(['backup', copied], { DATA_DIR: dataDir })
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('is there already') as string })
  expect(await daybook(['backup', '--force', copied], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
  const full = await daybook(['restore', path], { DATA_DIR: dataDir })
  expect(full).toMatchObject({ code: 1, out: '' })
  expect(full.err).toContain('A backup is restored into an empty database only.')

  expect((await daybook(['rehearsal', 'status'], { DATA_DIR: dataDir })).out).toBe('The site is in rehearsal.\n')
  const set = await daybook(['rehearsal', 'end'], { DATA_DIR: dataDir, REHEARSAL: '1' })
  expect(set).toMatchObject({ code: 1, out: 'The site is in rehearsal as long as REHEARSAL=1 is set.\n' })
  expect((await daybook(['rehearsal', 'start'], { DATA_DIR: dataDir })).out).toContain('The site is in rehearsal')
  expect((await daybook(['rehearsal', 'end'], { DATA_DIR: dataDir })).out).toBe('The rehearsal has ended.\n')
  expect((await daybook(['rehearsal', 'status'], { DATA_DIR: dataDir })).out).toBe('It is not in rehearsal.\n')
})

test('removals since the backup are kept, those of the journal and their number', async () => {
  const path = await backUp('older.backup')
  await removeOne('Removed since')
  await removeOne('Removed since, too')
  const dataDir = await anEmptyDatabase()
  await cp(journalFile(app.config), journalFile({ dataDir }))
  const { code, out } = await daybook(['restore', path], { DATA_DIR: dataDir })
  expect(code).toBe(0)
  expect(out).toContain('2 removals since this dump were kept.')
  expect(await readFile(journalFile({ dataDir }), 'utf8')).toBe(await readFile(journalFile(app.config), 'utf8'))
  const listed = await daybook(['removals'], { DATA_DIR: dataDir })
  expect(listed.out.match(/NOT SO IN THE DATABASE/g)).toHaveLength(2)
})

test('a backup that is not whole, or is none, is refused in one sentence, and leaves an empty database empty', async () => {
  const whole = await readFile(await backUp())
  const file = async (name: string, bytes: Buffer): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return path
  }
  const flipped = Buffer.from(whole)
  flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 0xff
  const dataDir = await aDataDir()
  for (const [path, sentence] of [
    [await file('cut.backup', whole.subarray(0, whole.length - 100)), 'is cut off.'],
    [await file('half.backup', whole.subarray(0, 40)), 'is cut off.'],
    [await file('flipped.backup', flipped), 'is damaged'],
    [await file('foreign.backup', Buffer.from('PGDMP and so on, by another program')), 'is no backup of Daybook.'],
    [await file('empty.backup', Buffer.alloc(0)), 'is no backup of Daybook.'],
    [join(folder, 'nowhere.backup'), 'is not there.'],
  ] as const) {
    const ended = await daybook(['restore', path], { DATA_DIR: dataDir })
    expect(ended, path).toMatchObject({ code: 1, out: '' })
    expect(ended.err).toContain(`${path} ${sentence}`)
    expect(ended.err.trim().split('\n')).toHaveLength(1)
    expect(await daybook(['backup', '--show', path], {})).toMatchObject({ code: 1, out: '' })
  }
  // Nothing was made.
  expect(await daybook(['restore', await file('right.backup', whole)], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
  })
})

test('a backup is encrypted for recipients of age, restored with the key of one of them, and refused without', async () => {
  const [identity, other] = await Promise.all([generateIdentity(), generateIdentity()])
  const [recipient, second] = await Promise.all([identityToRecipient(identity), identityToRecipient(other)])
  const keyFile = join(folder, 'key.txt')
  await writeFile(keyFile, `# created: 2026-11-30\n${identity}\n`)
  const dataDir = await anEmptyDatabase()
  const plain = await backUp()
  expect(await daybook(['restore', plain], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })

  const path = join(folder, 'encrypted.backup')
  const ages = ['--age', second, '--age', recipient]
  expect(await daybook(['backup', path, ...ages], { DATA_DIR: dataDir })).toMatchObject({ code: 0, out: '' })
  const bytes = await readFile(path)
  expect(bytes.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n')
  const shown = await daybook(['backup', '--show', path, '--identity', keyFile], {})
  expect(JSON.parse(shown.out)).toMatchObject({ format: 1, covers: 1 })

  const bySetting = join(folder, 'by-setting.backup')
  const set = { DATA_DIR: dataDir, BACKUP_AGE: second }
  expect(await daybook(['backup', bySetting], set)).toMatchObject({ code: 0 })
  const strange = join(folder, 'strange.txt')
  await writeFile(strange, 'AGE-SECRET-KEY-1NONE')
  const cut = join(folder, 'cut-encrypted.backup')
  await writeFile(cut, bytes.subarray(0, bytes.length - 100))
  const empty = await anEmptyDatabase()
  for (const [args, sentence] of [
    [[path], `${path} is encrypted. Say --identity FILE, the file of the key.`],
    [[bySetting, '--identity', keyFile], 'is encrypted for another key than those of --identity.'],
    [[path, '--identity', strange], 'holds a line that is no key of age.'],
    [[path, '--identity', join(folder, 'nowhere.txt')], 'nowhere.txt cannot be read'],
    [[cut, '--identity', keyFile], 'is cut off or damaged.'],
  ] as const) {
    const ended = await daybook(['restore', ...args], { DATA_DIR: empty })
    expect(ended, sentence).toMatchObject({ code: 1, out: '' })
    expect(ended.err).toContain(sentence)
  }
  const wrong = await daybook(['backup', join(folder, 'none.backup'), '--age', 'age1xyz'], { DATA_DIR: dataDir })
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("'age1xyz' is no recipient of age") as string })
  // A database that is insisted on is not noted as that of the server.
  const insisted = await daybook(['--database', 'restore', path, '--identity', keyFile], { DATA_DIR: empty })
  expect(insisted).toMatchObject({ code: 0 })
  expect(await readdir(empty)).not.toContain('database.json')
  expect(await readdir(dataDir)).toContain('database.json')
})

test('a backup of a newer version is refused, and nothing of what was put in stays when the end is wrong', async () => {
  const newer = join(folder, 'newer.backup')
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2027-01-01')`.execute(app.db)
  await writeBackupFile(newer, writeBackup(app, { withFiles: false }))
  await sql`delete from kysely_migration where name = '9999-later'`.execute(app.db)
  const dataDir = await anEmptyDatabase()
  const refused = await daybook(['restore', newer], { DATA_DIR: dataDir })
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('was made while the database was that of the next version')
  expect(() => refuseNewer(['9999-later'], '9.9.9')).toThrow('was made by another version, 9.9.9')

  const path = await backUp()
  async function* wrong(): AsyncGenerator<Buffer> {
    let last: Buffer | undefined
    for await (const piece of readBackupFile(path)) {
      if (last !== undefined) yield last
      last = piece
    }
    if (last === undefined) return
    yield last.subarray(0, last.length - 10)
  }
  const { RemovalJournal } = await import('../../src/features/notices/journal/journal-file.server.ts')
  const { openEvidenceStore } = await import('../../src/features/catalogue/evidence/evidence-store.server.ts')
  const database = await anEmbedded(dataDir)
  const config = { ...app.config, dataDir }
  const evidence = openEvidenceStore(config, app.log)
  const target = {
    owner: database.maintenanceDb,
    engine: database.engine,
    config,
    removalJournal: new RemovalJournal(config),
    evidence,
  }
  await expect(restoreBackup(target, wrong())).rejects.toThrow('is cut off.')
  // A file of somebody else's making names one outside of the store.
  const stray = join(dataDir, 'stray')
  await writeFile(stray, 'stays')
  async function* leadingOut(): AsyncGenerator<Buffer> {
    for await (const frame of writeBackup(app, { withFiles: false })) {
      yield frame
      yield frameOf('file', JSON.stringify({ name: '../stray' }))
      yield frameOf('bytes', 'taken')
    }
  }
  await expect(restoreBackup(target, leadingOut())).rejects.toThrow('is damaged.')
  expect(await readFile(stray, 'utf8')).toBe('stays')
  expect(await rowsOf(database)).toEqual({})
  for await (const name of evidence.list()) expect.fail(name)
  expect(await readFile(journalFile({ dataDir })).catch(() => 'none')).toBe('none')
})
