import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { EngineFolder } from '../../src/db/embedded/engine-folder.ts'
import { openDatabase } from '../../src/db/open.ts'
import type { OpenDatabase } from '../../src/db/open-database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { Jobs } from '../../src/platform/jobs/jobs.ts'
import { openLog } from '../../src/platform/log.ts'

/** The migrated, empty database of a test file. */
export type PreparedDatabase =
  | { engine: 'embedded'; dumpFile: string }
  | { engine: 'postgresql'; serverUrl: string; template: string }

declare module 'vitest' {
  interface ProvidedContext {
    preparedDatabase: PreparedDatabase
    /** A data directory with a migrated, empty embedded database; whoever needs one copies it. */
    preparedDataDir: string
  }
}

/**
 * Migrates once, so that no test file has to: into a dump for the embedded engine, or, with TEST_DATABASE_URL, into a
 * template database that is dropped at the end of the run.
 */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const serverUrl = process.env['TEST_DATABASE_URL']
  const embedded = await prepareEmbedded()
  project.provide('preparedDataDir', embedded.dataDir)
  if (serverUrl === undefined || serverUrl === '') {
    project.provide('preparedDatabase', { engine: 'embedded', dumpFile: embedded.dumpFile })
    return () => Promise.resolve()
  }
  const template = `daybook_test_${process.pid}_${project.name}_${Date.now().toString(36)}`
  await onServer(serverUrl, `create database ${template}`)
  const drop = async () => void (await onServer(serverUrl, `drop database if exists ${template} with (force)`))
  try {
    const database = await openDatabase({ databaseUrl: databaseUrl(serverUrl, template), dataDir: '' })
    await migrate(database.db)
    await prepareJobs(database)
    await database.close()
  } catch (error) {
    await drop()
    throw error
  }
  project.provide('preparedDatabase', { engine: 'postgresql', serverUrl, template })
  return drop
}

/** The tables of the jobs; the queues belong to whoever defines them. */
async function prepareJobs(database: OpenDatabase): Promise<void> {
  const jobs = new Jobs(database, openLog('error'))
  await jobs.prepare()
  await jobs.stop()
}

/** The address of another database of the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Statements on the server's own database, outside of any transaction. @returns the rows of the last one */
export async function onServer(serverUrl: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows as unknown[]
    return rows
  } finally {
    await client.end()
  }
}

/** Kept between runs under a digest of what made it. */
async function prepareEmbedded(): Promise<{ dumpFile: string; dataDir: string }> {
  const root = resolve(import.meta.dirname, '../..')
  const digest = createHash('sha256').update(await readFile(join(root, 'package-lock.json')))
  const sources = (await readdir(join(root, 'src/db'), { recursive: true }))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join('src/db', name))
  const jobs = ['src/platform/jobs/jobs.ts', 'src/platform/jobs/make-queues.ts']
  for (const source of [...sources, ...jobs, 'tests/harness/prepare-database.ts'].sort()) {
    digest.update(await readFile(join(root, source)))
  }
  const cache = join(root, 'node_modules', '.cache', 'daybook-tests')
  const name = digest.digest('hex').slice(0, 32)
  const made = join(cache, name)
  const found = { dumpFile: join(made, 'dump.tar'), dataDir: join(made, 'data') }
  if (existsSync(made)) return found

  await mkdir(cache, { recursive: true })
  for (const old of await readdir(cache)) {
    // Not what another run may be reading at this moment.
    const { mtimeMs } = await stat(join(cache, old))
    if (!old.startsWith(name) && mtimeMs < Date.now() - 86_400_000)
      await rm(join(cache, old), { recursive: true, force: true })
  }
  // Several projects may prepare at once: a rename is whole or not at all.
  const unfinished = await mkdtemp(join(cache, `${name}.`))
  const dataDir = join(unfinished, 'data')
  const database = await openEmbedded(dataDir, { sync: false })
  await migrate(database.db)
  await prepareJobs(database)
  await database.close()

  const engine = await PGlite.create({ fs: new EngineFolder(join(dataDir, 'postgres'), { sync: false }) })
  // Nobody makes another database here, and half of all files are theirs: every test file would unpack them.
  for (const template of ['template0', 'template1']) {
    await engine.exec(`update pg_database set datistemplate = false where datname = '${template}'`)
    await engine.exec(`drop database ${template}`)
  }
  // Nothing of the log has to be done again when it is opened.
  await engine.exec('checkpoint')
  const dump = await engine.dumpDataDir('none')
  await engine.close()
  await writeFile(join(unfinished, 'dump.tar'), Buffer.from(await dump.arrayBuffer()))
  try {
    await rename(unfinished, made)
  } catch (error) {
    // Another project was faster.
    if (!existsSync(made)) throw error
    await rm(unfinished, { recursive: true, force: true })
  }
  return found
}
