import { type Kysely, sql } from 'kysely'

/**
 * When the member behind a session has last proved who they are (docs/spec/accounts.md#proof). A sign-in is a proof: the
 * sessions that exist have had theirs when they were made.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column proved_at timestamptz`.execute(db)
  await sql`update sessions set proved_at = created_at`.execute(db)
  await sql`alter table sessions alter column proved_at set not null`.execute(db)
}
