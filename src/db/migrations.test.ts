import { PGlite } from '@electric-sql/pglite'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readAddressProblems } from '../features/accounts/address/read-address-problems.server.ts'
import { embedded } from './embedded/embedded.ts'
import { migrations } from './migrations/index.ts'
import type { Database } from './database.ts'

const insert = (db: Kysely<Database>, id: string, slug: string, contentType: string, category: string) =>
  sql`
    with item as (
      insert into items (id, name, name_folded, name_grams, slug, category_id, content_type, region, post_date, post_month,
                         link, people, rights_basis, rights_evidence, permits_download, permits_paid_access,
                         rights_attested_by, rights_attested_at)
      select ${id}::uuid, ${slug}, ${slug}, '{}', ${slug}, c.id, ${contentType}, 'western', now(), 1, 'https://mega.nz/a', 'none',
             'public_domain', 'seen', true, true, 'me', now()
        from categories c where c.name = ${category}
      returning id, version, fingerprint)
    insert into clearances (item_id, version, fingerprint, checks, cleared_by)
    select id, version, fingerprint, '[]', 'me' from item on conflict do nothing`.execute(db)

it('0005-gate makes drafts of published items that no page shows, and takes no deleted id back', async () => {
  const { db, close } = embedded(await PGlite.create())
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    await migrator.migrateTo('0004-membership')
    const gone = randomUUID()
    await insert(db, randomUUID(), 'misfit', 'banned', 'Film')
    await insert(db, randomUUID(), 'fits', 'banned', 'Banned')
    await insert(db, randomUUID(), 'vip-fits', 'vip-unknown', 'VIP Unknown')
    await insert(db, gone, 'gone', 'western', 'Film')
    await sql`update items set status = 'published', cleared_version = version`.execute(db)
    await sql`delete from items where slug = 'gone'`.execute(db)

    const { error } = await migrator.migrateToLatest()
    expect(error).toBeUndefined()
    const { rows } = await sql`select slug, status, cleared_version from items order by slug`.execute(db)
    expect(rows).toEqual([
      { slug: 'fits', status: 'published', cleared_version: 1 },
      { slug: 'misfit', status: 'draft', cleared_version: null },
      { slug: 'vip-fits', status: 'published', cleared_version: 1 },
    ])
    await expect(insert(db, gone, 'gone', 'western', 'Film')).rejects.toThrow(/was that of a deleted item/)
  } finally {
    await close()
  }
})

it('0006-item-rows makes the ready rows of what is published already', async () => {
  const { db, close } = embedded(await PGlite.create())
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    await migrator.migrateTo('0005-gate')
    await insert(db, randomUUID(), 'before', 'western', 'Film')
    await insert(db, randomUUID(), 'draft', 'western', 'Film')
    await sql`update items set status = 'published', cleared_version = version where slug = 'before'`.execute(db)
    const { error } = await migrator.migrateToLatest()
    expect(error).toBeUndefined()
    await insert(db, randomUUID(), 'after', 'western', 'Film')
    await sql`update items set status = 'published', cleared_version = version where slug = 'after'`.execute(db)
    const { rows } = await sql<{ slug: string }>`
      select split_part(row, e'\\x1f', 4) as slug from item_rows order by no`.execute(db)
    expect(rows).toEqual([{ slug: 'before' }, { slug: 'after' }])
    // The migration and the triggers write the same rows.
    await sql`update items set link = link`.execute(db)
    const { rows: same } = await sql<{ same: number }>`
      select count(*)::int as same from item_rows r join items i using (no) join categories c on c.id = i.category_id
       where row = item_row_text(i::items, c.name)`.execute(db)
    expect(same).toEqual([{ same: 2 }])
  } finally {
    await close()
  }
})

it('0019-inbox does not tell the operator anew of the inquiries that were there before', async () => {
  const { db, close } = embedded(await PGlite.create())
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    await migrator.migrateTo('0018-member-access')
    const anInquiry = (name: string, closed: string) =>
      sql`
        insert into inquiries (id, name, email, message, is_vip, state, created_at, closed_at)
        values (${randomUUID()}, ${name}, 'a@readers.example', 'Hello', false, ${name}, '2026-01-02', ${sql.raw(closed)})`.execute(
        db,
      )
    await anInquiry('open', 'null')
    await anInquiry('closed', 'now()')
    // The form service has not taken it yet: nobody was told.
    await anInquiry('forwarding', 'null')
    const { error } = await migrator.migrateToLatest()
    expect(error).toBeUndefined()
    const { rows } = await sql`
      select state, mailed_at = created_at as is_mailed from inquiries order by created_at, state`.execute(db)
    expect(rows).toEqual([
      { state: 'closed', is_mailed: true },
      { state: 'forwarding', is_mailed: null },
      { state: 'open', is_mailed: true },
    ])
  } finally {
    await close()
  }
})

it('0020-runs takes over the imports of members that were under way, and no others', async () => {
  const { db, close } = embedded(await PGlite.create())
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    await migrator.migrateTo('0018-member-access')
    const [running, by] = [randomUUID(), randomUUID()]
    const anImport = (id: string, read: string, confirmed: string, finished: string) =>
      sql`
        insert into member_imports (id, started_by, read_at, confirmed_at, finished_at, format, made_count)
        values (${id}, ${by}, ${sql.raw(read)}, ${sql.raw(confirmed)}, ${sql.raw(finished)}, 'csv', 200)`.execute(db)
    await anImport(running, 'now()', 'now()', 'null')
    await anImport(randomUUID(), 'null', 'null', 'null')
    await anImport(randomUUID(), 'now()', 'null', 'null')
    await anImport(randomUUID(), 'now()', 'now()', 'now()')
    const merge = randomUUID()
    await sql`
      insert into catalogue_runs (subject_id, kind, position, begun_by)
      values (${merge}, 'merge', 7, ${by})`.execute(db)
    const { error } = await migrator.migrateToLatest()
    expect(error).toBeUndefined()
    const { rows } = await sql`
      select subject_id, kind, position, begun_by, advanced_at < now() - interval '1 day' as is_forgotten
        from runs order by kind`.execute(db)
    expect(rows).toEqual([
      { subject_id: running, kind: 'member_import', position: 200, begun_by: by, is_forgotten: true },
      { subject_id: merge, kind: 'merge', position: 7, begun_by: by, is_forgotten: false },
    ])
  } finally {
    await close()
  }
})

it('0028-addresses confirms whoever has a password, and folds domains without making two accounts one', async () => {
  const { db, close } = embedded(await PGlite.create())
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    await migrator.migrateTo('0025-import-invitations')
    const aUser = (email: string, day: number, hash: string | null = '$argon2id$x') =>
      sql`
        insert into users (id, email, email_folded, name, password_hash, password_changed_at, created_at)
        values (${randomUUID()}, ${email}, ${email.toLowerCase()}, 'Jane', ${hash}, ${hash === null ? null : '2026-01-01'},
                ${`2026-01-0${day}`})`.execute(db)
    await aUser('jane@readers.example', 1)
    await aUser('ina@readers.example', 2, null)
    await aUser('Anna@bücher.example', 3)
    await aUser('otto@bücher.example', 4)
    await aUser('otto@xn--bcher-kva.example', 5)
    await aUser('用户@例子.广告', 6)
    const { error } = await migrator.migrateToLatest()
    expect(error).toBeUndefined()
    const { rows } = await sql`
      select email, email_folded, email_confirmed_at = created_at as confirmed from users order by created_at`.execute(
      db,
    )
    expect(rows).toEqual([
      { email: 'jane@readers.example', email_folded: 'jane@readers.example', confirmed: true },
      { email: 'ina@readers.example', email_folded: 'ina@readers.example', confirmed: null },
      { email: 'Anna@bücher.example', email_folded: 'anna@xn--bcher-kva.example', confirmed: true },
      // Two accounts stay two: the home of the administration names this one.
      { email: 'otto@bücher.example', email_folded: 'otto@bücher.example', confirmed: true },
      { email: 'otto@xn--bcher-kva.example', email_folded: 'otto@xn--bcher-kva.example', confirmed: true },
      { email: '用户@例子.广告', email_folded: '用户@xn--fsqu00a.xn--4rr70v', confirmed: true },
    ])
    const problems = await readAddressProblems({ db })
    expect(problems.map(({ sentence }) => sentence.split(' ')[0])).toEqual(['otto@bücher.example'])
    const { rows: found } = await sql`select email from users where search_text like '%bucher%' order by email`.execute(
      db,
    )
    expect(found).toEqual([{ email: 'Anna@bücher.example' }, { email: 'otto@bücher.example' }])
  } finally {
    await close()
  }
})

it('every index that a migration makes stands, unless one drops it by its name: none goes unseen with a column', async () => {
  const wanted = new Set<string>()
  for (const name of Object.keys(migrations).toSorted()) {
    const source = await readFile(join(import.meta.dirname, 'migrations', `${name}.ts`), 'utf8')
    const statements = /\b(create|create unique|drop|alter) index (\w+)(?: rename to (\w+))?/g
    for (const [, verb, index = '', renamed = index] of source.matchAll(statements)) {
      wanted.delete(index)
      if (verb !== 'drop') wanted.add(renamed)
    }
  }
  expect(wanted.size).toBeGreaterThan(50)
  const { db, close } = embedded(await PGlite.create())
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    const { rows } = await sql<{ name: string }>`select indexname as name from pg_indexes`.execute(db)
    const found = new Set(rows.map(({ name }) => name))
    expect([...wanted].filter((index) => !found.has(index))).toEqual([])
  } finally {
    await close()
  }
})
