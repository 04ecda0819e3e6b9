import { type Kysely, sql } from 'kysely'

/** First steps that an administrator has skipped, each with the reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table skipped_steps (
      name text primary key,
      note text not null check (note <> '' and length(note) <= 500)
    )`.execute(db)
}
