import { type Kysely, sql } from 'kysely'

/**
 * An account may have several reset links at once (docs/spec/accounts.md#forgotten-passwords): nobody ends the link of
 * somebody else by asking for one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table password_resets drop constraint password_resets_pkey`.execute(db)
  // The id is that of the email that carries the link: one that is written again replaces only its own.
  await sql`
    alter table password_resets
      add column id uuid not null default gen_random_uuid() primary key,
      add column kind text not null default 'forgotten' check (kind in ('forgotten', 'administrator', 'invitation')),
      add column issued_at timestamptz not null default '-infinity'`.execute(db)
  await sql`
    alter table password_resets
      alter column id drop default, alter column kind drop default, alter column issued_at drop default`.execute(db)
  await sql`update password_resets set kind = 'invitation' where expires_at > now() + interval '30 minutes'`.execute(db)
  await sql`create index password_resets_of_user on password_resets (user_id, kind)`.execute(db)
}
