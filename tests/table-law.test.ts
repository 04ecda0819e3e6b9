import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { breachesOfTableLaw, readTableOwners } from './harness/table-law.ts'

const root = resolve(import.meta.dirname, '..')
const owners = readTableOwners(root)

function sourceFiles(): string[] {
  return readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

test('every table is written and locked by its own room only, and read by nobody on the left of it', () => {
  const files = sourceFiles()
  expect(files.length).toBeGreaterThan(300)
  const breaches = files.flatMap((path) =>
    breachesOfTableLaw(read(path), path, owners).map((breach) => `${path}: ${breach}`),
  )
  expect(breaches).toEqual([])
})

test('every table that the migrations create has an owner', () => {
  const migrations = sourceFiles().filter((path) => path.startsWith('src/db/migrations/'))
  const found = (pattern: RegExp) => migrations.flatMap((path) => [...read(path).matchAll(pattern)])
  const renamed = new Map(found(/\balter table (\w+) rename to (\w+)/g).map(([, from = '', to = '']) => [from, to]))
  const created = found(/\bcreate table (\w+)/g).map(([, table = '']) => renamed.get(table) ?? table)
  expect(created.sort()).toEqual([...owners.keys()].sort())
})

test('the README of a feature names the tables that it owns', () => {
  const features = readdirSync(join(root, 'src/features'))
  expect(features).toEqual(expect.arrayContaining([...owners.values()]))
  for (const feature of features) {
    const section = /^## Tables\n([^]*?)(?=^## |(?![^]))/m.exec(read(`src/features/${feature}/README.md`))?.[1] ?? ''
    const named = [...section.matchAll(/`(\w+)`/g)].map(([, table = '']) => table)
    const owned = [...owners].filter(([, owner]) => owner === feature).map(([table]) => table)
    expect(named.sort(), feature).toEqual(owned.sort())
  }
})

describe('the table law is broken', () => {
  const membership = 'src/features/membership/sample.server.ts'
  const breach = (source: string, path = membership): string[] => breachesOfTableLaw(source, path, owners)

  test.each([
    ['an update', `db.updateTable('users').set({ name: '' }).execute()`, 'updateTable users'],
    ['an update under another name', `db.updateTable('users as u').set({ name: '' }).execute()`, 'updateTable users'],
    ['an insert', `trx.insertInto('items').values(row).execute()`, 'insertInto items'],
    ['a delete', `app.db.deleteFrom('sessions').where('user_id', '=', id).execute()`, 'deleteFrom sessions'],
    ['a delete of several', `db.deleteFrom(['sessions', 'users']).execute()`, 'deleteFrom users'],
    ['a delete within a query', `db.with('gone', (q) => q.deleteFrom('users').returning('id'))`, 'deleteFrom users'],
    ['a merge', `db.mergeInto('users').using('payments', 'user_id', 'id')`, 'mergeInto users'],
    ['a lock', `trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()`, 'forUpdate users'],
    ['a weak lock', `trx.selectFrom('users').select('id').forNoKeyUpdate()`, 'forNoKeyUpdate users'],
    [
      'a lock through a join',
      `trx.selectFrom('payments as p').innerJoin('users as u', 'u.id', 'p.user_id').select('p.id').forUpdate()`,
      'forUpdate users',
    ],
    [
      'a lock of one table of a join',
      `trx.selectFrom('payments as p').innerJoin('users as u', 'u.id', 'p.user_id').forUpdate('u')`,
      'forUpdate users',
    ],
    ['an insert in SQL', 'sql`insert into users (id) values (${id})`.execute(db)', 'insert into users'],
    ['an update in SQL', 'sql<Row>`\n  UPDATE only "users" u set name = ${name}`.execute(db)', 'update users'],
    ['a delete in SQL', 'sql`with gone as (delete from public.users returning id) select 1`', 'delete from users'],
    ['a truncation in SQL', 'sql`truncate payments, users`', 'truncate users'],
    ['a lock in SQL', 'sql`select 1 from users u where id = ${id} for no key update`', 'locks users'],
    ['a lock in SQL of one', 'sql`select from payments p join users u on true for update of u`', 'locks users'],
    ['raw SQL', `sql.raw('delete from users').execute(db)`, 'delete from users'],
    ['SQL for another library', `database.run('delete from users')`, 'delete from users'],
    ['a table lock', 'sql`lock table users in share mode`', 'lock table users'],
    ['a change of the schema', `db.schema.dropTable('users').execute()`, 'dropTable users'],
    ['a read on the right in SQL', 'sql`select name from items`', 'reads items'],
    ['a list on the right in SQL', 'sql`select 1 from users u, items as i`', 'reads items'],
    ['a join on the right in SQL', 'sql`select 1 from users join items on true`', 'reads items'],
    ['a read on the right', `db.selectFrom('items').select('name')`, 'reads items'],
  ])('by %s', (_kind, statement, expected) => {
    expect(breach(statement).join('; ')).toContain(`${expected}: it belongs to `)
  })

  test.each([
    ['a table that only a value names', 'db.updateTable(table).set({})'],
    ['a table that only a value names in SQL', 'sql`update ${table} set name = 1`'],
    ['sql.table', 'sql`vacuum ${sql.table(name)}`'],
    ['a type that is widened', `const wide = db.withTables<{ items: Items }>()`],
    ['a lock of a query from elsewhere', 'payments.forUpdate().execute()'],
    ['a table of nobody', `db.insertInto('wishes').values(row)`],
  ])('by %s', (_kind, statement) => {
    expect(breach(statement)).toHaveLength(1)
  })

  test.each(['src/platform/jobs/sample.ts', 'src/http/sample.ts', 'src/app/sample.ts', 'src/cli.ts'])(
    'by whatever %s writes',
    (path) => {
      expect(breach(`db.deleteFrom('sessions').execute()`, path)).toEqual([
        'deleteFrom sessions: it belongs to accounts',
      ])
    },
  )

  test('by the platform that reads any table', () => {
    expect(breach('sql`select version from catalogue_state`', 'src/platform/sample.ts')).toHaveLength(1)
  })
})

test('the table law allows a room to write its own tables and to read those on its left', () => {
  const source = `
    db.selectFrom('payments as p').innerJoin('users as u', 'u.id', 'p.user_id').select('u.name').forUpdate('p')
    db.selectFrom('users').select('id').execute()
    db.updateTable('payments').set({ paid_at: now }).where(({ exists, selectFrom }) => exists(selectFrom('users')))
    sql\`insert into billing_customers (user_id) select id from users on conflict (user_id) do update set user_id = 1\`
    sql\`select 1 from payments p join users u on u.id = p.user_id for update of p\`
    const message = 'Write to us from users, items and payments to update your card.'
  `
  expect(breachesOfTableLaw(source, 'src/features/membership/sample.server.ts', owners)).toEqual([])
})
