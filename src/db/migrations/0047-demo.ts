import { type Kysely, sql } from 'kysely'

/** Whether the database holds the demo, whatever the settings say now, and how far it was filled in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table demo (
      only_row boolean primary key default true check (only_row),
      began_at timestamptz not null default now(),
      filled text[] not null default '{}'
    )`.execute(db)
  // A demo of an earlier edition stays as it is, and says that it is one.
  await sql`
    insert into demo (filled)
    select '{catalogue,people,inbox,notices,activity,purchases}'
     where exists (select from items where external_id like 'demo-%')
       and exists (select from users where email_folded = 'admin@demo.example')`.execute(db)
}
