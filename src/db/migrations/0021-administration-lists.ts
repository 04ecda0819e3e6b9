import { type Kysely, sql } from 'kysely'

/** Lists of the administration that are quick with many members and links (docs/spec/performance.md#p18). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A search looks through the texts in the order of its list: these indexes hold all that it reads, a third of the table.
  await sql`drop index users_created`.execute(db)
  await sql`
    create index users_created on users (created_at desc, id desc) include (search_text, is_admin)`.execute(db)
  await sql`drop index users_seen`.execute(db)
  await sql`
    create index users_seen on users (last_seen_at desc nulls last, id desc) include (search_text, is_admin)`.execute(
    db,
  )
  // Most links are in one state: the others are counted by themselves. Few are reported.
  await sql`create index link_checks_reported on link_checks (state, id) where reported_at is not null`.execute(db)
}
