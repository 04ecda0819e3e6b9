import { PGlite } from '@electric-sql/pglite'
import { type Kysely, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { databaseUrl, onServer } from '../../tests/harness/prepare-database.ts'
import { embedded } from './embedded/embedded.ts'
import { doneMigrations, isOfNextVersion, migrate } from './migrate.ts'
import { lastOfFormer, migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'
import type { Database } from './database.ts'

let db: Kysely<Database>
let close: () => Promise<void>
let openAnother: () => Promise<{ maintenanceDb: Kysely<Database>; close(): Promise<void> }>

/** A database with nothing in it, not even a schema, on the engine that this run is about. */
beforeEach(async () => {
  const prepared = inject('preparedDatabase')
  if (prepared.engine === 'embedded') {
    ;({ db, close } = embedded(await PGlite.create()))
    // The embedded database has one connection: its calls wait for each other.
    openAnother = () => Promise.resolve({ maintenanceDb: db, close: () => Promise.resolve() })
    return
  }
  const name = `daybook_migrate_${randomUUID().slice(0, 8)}`
  await onServer(prepared.serverUrl, `create database ${name}`)
  openAnother = () => openDatabase({ databaseUrl: databaseUrl(prepared.serverUrl, name), dataDir: '' })
  const database = await openAnother()
  db = database.maintenanceDb
  close = async () => {
    await database.close()
    await onServer(prepared.serverUrl, `drop database ${name} with (force)`)
  }
})

afterEach(() => close())

const relations = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relname not like 'kysely%' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

it('an empty database is migrated once, and a second time changes nothing', async () => {
  expect(await doneMigrations(db)).toEqual([])
  expect(await migrate(db)).toEqual(Object.keys(migrations))
  expect(await doneMigrations(db)).toEqual(Object.keys(migrations))
  expect(await migrate(db)).toEqual([])
  // The version before goes on with it.
  const { rows } = await sql`select obj_description('kysely_migration'::regclass, 'pg_class') as note`.execute(db)
  expect(rows).toEqual([{ note: lastOfFormer }])
  expect(Object.keys(migrations)).toContain(lastOfFormer)
})

it('a migration that fails leaves everything as it was, also what earlier ones of the same start did', async () => {
  // The table of the demo comes with the sixth.
  const failing = Object.keys(migrations)[5]
  await sql`create table demo (id integer)`.execute(db)
  await expect(migrate(db)).rejects.toThrow(`The database could not be migrated (${failing}). Nothing was changed.`)
  expect(await relations()).toEqual(['demo'])
  expect(await doneMigrations(db)).toEqual([])
  await sql`drop table demo`.execute(db)
  expect(await migrate(db)).toEqual(Object.keys(migrations))
})

it('a database that the next version has migrated is gone on with; it says so to the version before it alone', async () => {
  await migrate(db)
  expect(await isOfNextVersion(db)).toBe(false)
  // As the next version leaves it, whose former this one is.
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2027-01-01')`.execute(db)
  await sql`comment on table kysely_migration is ${sql.lit(Object.keys(migrations).at(-1))}`.execute(db)
  expect(await isOfNextVersion(db)).toBe(true)
  expect(await migrate(db)).toEqual([])
  // A version between them has migrations that this one lacks, and this one has one that it lacks.
  await sql`update kysely_migration set name = '9998-other' where name = '0001-accounts'`.execute(db)
  await expect(migrate(db)).rejects.toThrow('The database could not be migrated. Nothing was changed.')
})

it('a database that a version after the next has migrated is refused, and stays as it is', async () => {
  await migrate(db)
  await sql`insert into kysely_migration (name, timestamp) values ('9998-next', '2027-01-01'), ('9999-later', '2027-01-01')`.execute(
    db,
  )
  await sql`comment on table kysely_migration is '9998-next'`.execute(db)
  const before = await relations()
  await expect(migrate(db)).rejects.toThrow('The database could not be migrated. Nothing was changed.')
  expect(await relations()).toEqual(before)
})

it('of several processes that start at once one migrates, and the others find it done', async () => {
  const another = await openAnother()
  const third = await openAnother()
  try {
    const done = await Promise.all([migrate(db), migrate(another.maintenanceDb), migrate(third.maintenanceDb)])
    expect(done.toSorted((one, two) => two.length - one.length)).toEqual([Object.keys(migrations), [], []])
  } finally {
    await another.close()
    await third.close()
  }
})

it('every index that a migration makes stands, unless one drops it by its name: none goes unseen with a column', async () => {
  const wanted = new Set<string>()
  for (const path of globSync('**/*.ts', { cwd: join(import.meta.dirname, 'migrations') }).toSorted()) {
    const source = readFileSync(join(import.meta.dirname, 'migrations', path), 'utf8')
    const statements = /\b(create|create unique|drop|alter) index (\w+)(?: rename to (\w+))?/g
    for (const [, verb, index = '', renamed = index] of source.matchAll(statements)) {
      wanted.delete(index)
      if (verb !== 'drop') wanted.add(renamed)
    }
  }
  expect(wanted.size).toBeGreaterThan(50)
  await migrate(db)
  const found = new Set(await relations())
  expect([...wanted].filter((index) => !found.has(index))).toEqual([])
})
