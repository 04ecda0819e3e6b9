import { type Kysely, sql } from 'kysely'

/** Administrators who work on notices (docs/spec/notices.md#assigned), and templates of answers (docs/spec/pages.md#answer-templates). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notice_assignments (
      -- The row of a notice is what its events have made of it: this is no event, and stands apart.
      notice_id uuid primary key references notices,
      member_id uuid not null references users on delete cascade,
      assigned_at timestamptz not null
    )`.execute(db)
  await sql`create index notice_assignments_of_member on notice_assignments (member_id)`.execute(db)
  await sql`
    create table answer_templates (
      id uuid primary key,
      name text not null check (char_length(name) between 1 and 60),
      text text not null check (char_length(text) between 1 and 5000),
      version integer not null default 1 check (version >= 1),
      changed_at timestamptz not null
    )`.execute(db)
  await sql`create unique index answer_templates_name on answer_templates (lower(name))`.execute(db)
}
