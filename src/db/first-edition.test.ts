import { PGlite } from '@electric-sql/pglite'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseUrl, onServer } from '../../tests/harness/prepare-database.ts'
import { embedded } from './embedded/embedded.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'
import type { Database } from './database.ts'

/*
 * An upgrade from the first edition: a database of its schema and with its data goes through every later migration, on
 * the engine that this run is about.
 */

/** Columns that a later migration has renamed, as `table.column` and the new name. */
const renamed: Record<string, string> = {
  'access_grants.held_until': 'effective_until',
  'billing_changes.ours': 'local',
  'billing_changes.stripes': 'remote',
}

/** The intended changes of later migrations, by table and key. */
const changed: Record<string, Record<string, unknown>> = {
  // Its type and its category do not go together: it leaves the site, and its clearance with it.
  'items/misfit': { status: 'draft', cleared_version: null, version: 3 },
}

/** Tables to which a later migration adds rows of its own. */
const grown = new Set(['prohibited_terms'])

const tables: [table: string, key: string][] = [
  ['users', 'id'],
  ['sessions', 'id'],
  ['password_resets', 'user_id'],
  ['categories', 'name'],
  ['prohibited_terms', 'term_folded'],
  ['items', 'slug'],
  ['clearances', 'item_id'],
  ['consent_records', 'id'],
  ['evidence_files', 'id'],
  ['billing_customers', 'user_id'],
  ['subscriptions', 'stripe_id'],
  ['payments', 'invoice_id'],
  ['access_grants', 'id'],
  ['stripe_events', 'id'],
  ['billing_changes', 'id'],
  ['billing_runs', 'id'],
]

type Row = Record<string, unknown>
type Content = Map<string, Map<string, Row>>

let db: Kysely<Database>
let close: () => Promise<void>
let before: Content
let after: Content

beforeAll(async () => {
  ;({ db, close } = await openEmpty())
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const first = await migrator.migrateTo('0004-membership')
  if (first.error !== undefined) throw new Error('The first edition could not be made.', { cause: first.error })
  const dump = readFileSync(new URL('first-edition.sql', import.meta.url), 'utf8').replace(/^--.*\n/gm, '')
  for (const statement of dump.split('\n\n')) if (statement.trim() !== '') await sql.raw(statement).execute(db)
  before = await contentOf()
  const latest = await migrator.migrateToLatest()
  if (latest.error !== undefined) throw new Error('It could not be upgraded.', { cause: latest.error })
  after = await contentOf()
})

afterAll(() => close())

/** A database with nothing in it, not even a schema. */
async function openEmpty(): Promise<{ db: Kysely<Database>; close(): Promise<void> }> {
  const prepared = inject('preparedDatabase')
  if (prepared.engine === 'embedded') return embedded(await PGlite.create())
  const name = `daybook_upgrade_${randomUUID().slice(0, 8)}`
  await onServer(prepared.serverUrl, `create database ${name}`)
  const database = await openDatabase({ databaseUrl: databaseUrl(prepared.serverUrl, name), dataDir: '' })
  return {
    db: database.maintenanceDb,
    async close() {
      await database.close()
      await onServer(prepared.serverUrl, `drop database ${name} with (force)`)
    },
  }
}

async function contentOf(): Promise<Content> {
  const content: Content = new Map()
  for (const [table, key] of tables) {
    const { rows } = await sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(db)
    content.set(table, new Map(rows.map(({ row }) => [String(row[key]), row])))
  }
  return content
}

it.each(tables)('every row of %s comes through the upgrade as it was', (table) => {
  const rows = before.get(table) ?? new Map<string, Row>()
  expect(rows.size).toBeGreaterThan(0)
  const keys = [...(after.get(table)?.keys() ?? [])].filter((key) => !grown.has(table) || rows.has(key))
  expect(keys.sort()).toEqual([...rows.keys()].sort())
  for (const [key, row] of rows) {
    const wanted = Object.entries({ ...row, ...changed[`${table}/${key}`] }).map(([column, value]) => [
      renamed[`${table}.${column}`] ?? column,
      value,
    ])
    expect(after.get(table)?.get(key)).toMatchObject(Object.fromEntries(wanted) as Row)
  }
})

it('what is published stays published, and has its ready row', async () => {
  const { rows } = await sql<{ slug: string; row: string }>`
    select slug, row from item_rows join items using (no) order by slug`.execute(db)
  expect(rows.map(({ slug }) => slug)).toEqual(['forbidden-book', 'jiang-xue', 'lounge', 'portrait', 'the-tower'])
  expect(
    rows
      .find(({ slug }) => slug === 'jiang-xue')
      ?.row.split('\u001f')
      .slice(2),
  ).toEqual([
    '江雪',
    'jiang-xue',
    'Film',
    'asian',
    'asian',
    '2025-05-03T11:00:00.000Z',
    'mature',
    // It has no creators.
    '',
    '2025-05-01T00:00:00.000Z',
    '2025-05-02T00:00:00.000Z',
  ])
})

it('the administrator of before is the safety officer', async () => {
  const { rows } = await sql<{ name: string }>`select name from users where is_safety_officer`.execute(db)
  expect(rows).toEqual([{ name: 'Ada' }])
})

it('what was removed or deleted before the upgrade cannot come back', async () => {
  await expect(sql`update items set status = 'draft' where slug = 'taken-down'`.execute(db)).rejects.toThrow(
    /was removed and cannot come back/,
  )
  const { rows } = await sql<{ item_id: string }>`select item_id from deleted_items`.execute(db)
  expect(rows).toEqual([{ item_id: '0190c000-0000-7000-8000-000000000010' }])
})

it('nobody is kept from buying by the upgrade, and every price is one that the settings name', async () => {
  const { rows: blocked } = await sql`select 1 from users where purchases_blocked`.execute(db)
  const { rows: unknown } = await sql`select 1 from subscriptions where unknown_price is not null`.execute(db)
  expect([...blocked, ...unknown]).toEqual([])
})

it('the catalogue goes on where it was: a change after the upgrade is the next version', async () => {
  const version = async () =>
    Number((await sql<{ v: string }>`select version as v from catalogue_state`.execute(db)).rows[0]?.v)
  const was = await version()
  await sql`update items set status = 'restricted', restriction = 'notice' where slug = 'lounge'`.execute(db)
  expect(await version()).toBe(was + 1)
  const { rows } = await sql`select 1 from item_rows join items using (no) where slug = 'lounge'`.execute(db)
  expect(rows).toEqual([])
})
