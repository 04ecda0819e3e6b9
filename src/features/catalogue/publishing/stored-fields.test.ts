import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { fingerprintEdition } from '../item/link-fingerprints.server.ts'
import { fieldNames, fields, fieldsWith, lineOf, storedFields } from '../item/fields.ts'

const app = appOfFile()

test('every field is stored in a column of the type that its line says', async () => {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = 'items'::regclass and attnum > 0 and not attisdropped`.execute(app.app.db)
  const types = new Map(rows.map(({ name, type }) => [name, type.replace('timestamp with time zone', 'timestamptz')]))
  expect(storedFields.length).toBeGreaterThan(20)
  for (const name of storedFields) expect(types.get(fields[name].column), name).toBe(lineOf(name).kind.columnType)
})

test('a clearance covers exactly the fields whose lines say so', async () => {
  const { rows } = await sql<{ expression: string }>`
    select pg_get_expr(d.adbin, d.adrelid) as expression
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     where a.attrelid = 'items'::regclass and a.attname = 'fingerprint'`.execute(app.app.db)
  const words = new Set(rows[0]?.expression.match(/\w+/g))
  const columnOf = (name: (typeof fieldNames)[number]): string => lineOf(name).column ?? 'category_id'
  const covered = fieldNames.filter((name) => words.has(columnOf(name)))
  expect(covered).toEqual(fieldsWith({ isCleared: true }))
})

test('the index of items with old fingerprints ends at the edition of now', async () => {
  const { rows } = await sql<{ bound: string }>`
    select pg_get_expr(indpred, indrelid) as bound from pg_index
     where indexrelid = 'items_of_old_fingerprints'::regclass`.execute(app.app.db)
  expect(rows).toEqual([{ bound: `((fingerprint_edition IS NULL) OR (fingerprint_edition < ${fingerprintEdition}))` }])
})
