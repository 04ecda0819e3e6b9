import { type Kysely, sql } from 'kysely'

/** The ends of the journals of removals, each in a data directory (docs/spec/notices.md#journal). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table removal_journals (
      -- As the first line of the file says it.
      id uuid primary key,
      lines integer not null check (lines >= 1),
      -- SHA-256 of the last line, base64url.
      hash text not null,
      noted_at timestamptz not null default now()
    )`.execute(db)
}
