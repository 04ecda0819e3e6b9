import { type Kysely, sql } from 'kysely'

/** The acts that administrators hear of by email, while they count against a flood or wait to be told; and an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // It names people by their ids alone: a deleted account leaves no name here.
  await sql`
    create table grave_acts (
      id bigint generated always as identity primary key,
      done_at timestamptz not null,
      -- Null while it waits for an email about many.
      told_at timestamptz,
      act jsonb not null
    )`.execute(db)
  // To list the requests whose authors have no account any more.
  await sql`
    create index content_requests_of_nobody on content_requests (id desc)
      where author_id is null and removed_at is null`.execute(db)
}
