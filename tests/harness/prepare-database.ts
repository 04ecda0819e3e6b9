import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { embedded, openDatabase, type OpenDatabase } from '../../src/db/open.ts'
import { migrate } from '../../src/db/migrate.ts'
import { Jobs } from '../../src/platform/jobs.ts'
import { openLog } from '../../src/platform/log.ts'

/** Where a test file finds a migrated, empty database. */
export type PreparedDatabase =
  | { engine: 'embedded'; dumpFile: string }
  | { engine: 'postgresql'; serverUrl: string; template: string }

declare module 'vitest' {
  interface ProvidedContext {
    preparedDatabase: PreparedDatabase
  }
}

/**
 * Migrates once, so that no test file has to: into a dump for the embedded engine, or, with TEST_DATABASE_URL, into a
 * template database that is dropped at the end of the run.
 */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const serverUrl = process.env['TEST_DATABASE_URL']
  if (serverUrl === undefined || serverUrl === '') {
    project.provide('preparedDatabase', { engine: 'embedded', dumpFile: await migratedDump() })
    return () => Promise.resolve()
  }
  const template = `daybook_test_${process.pid}_${project.name}_${Date.now().toString(36)}`
  await onServer(serverUrl, `create database ${template}`)
  const drop = () => onServer(serverUrl, `drop database if exists ${template} with (force)`)
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

/** One statement on the server's own database, outside of any transaction. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The dump is kept between runs under a digest of what made it. */
async function migratedDump(): Promise<string> {
  const root = resolve(import.meta.dirname, '../..')
  const digest = createHash('sha256').update(await readFile(join(root, 'package-lock.json')))
  for (const folder of ['src/db', 'src/db/migrations']) {
    for (const name of (await readdir(join(root, folder))).filter((name) => name.endsWith('.ts')).sort()) {
      digest.update(await readFile(join(root, folder, name)))
    }
  }
  digest.update(await readFile(join(root, 'src/platform/jobs.ts')))
  const cache = join(root, 'node_modules', '.cache', 'daybook-tests')
  const file = join(cache, `${digest.digest('hex').slice(0, 32)}.tar`)
  if (existsSync(file)) return file
  const pglite = await PGlite.create()
  const database = embedded(pglite)
  await migrate(database.db)
  await prepareJobs(database)
  const dump = await pglite.dumpDataDir('none')
  await database.close()
  await mkdir(cache, { recursive: true })
  for (const old of await readdir(cache)) {
    if (old.endsWith('.tar') && join(cache, old) !== file) await rm(join(cache, old), { force: true })
  }
  // Several projects may prepare at once: a rename is whole or not at all.
  const written = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await writeFile(written, Buffer.from(await dump.arrayBuffer()))
  await rename(written, file)
  return file
}
