import { type Kysely, sql } from 'kysely'

/** Columns whose names a reader had to be told: what an end is effective for, and which side of a difference is whose. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table access_grants rename column held_until to effective_until`.execute(db)
  await sql`alter index access_grants_held_until rename to access_grants_effective_until`.execute(db)
  await sql`alter table billing_changes rename column ours to local`.execute(db)
  await sql`alter table billing_changes rename column stripes to remote`.execute(db)
}
