import { type Kysely, sql } from 'kysely'

/** The log of emails, and the addresses that take none (docs/spec/email.md#fates). */
export async function createEmails(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sent_emails (
      -- That of its job, which also begins its Message-ID.
      id uuid primary key,
      kind text not null,
      -- The member whose address it was.
      user_id uuid references users on delete cascade,
      -- Folded, while an account has it.
      address text,
      fate text not null check (fate in ('sent', 'file', 'refused', 'withheld', 'bounced', 'complained')),
      -- The words of the mail server or of the receiving side.
      answer text check (char_length(answer) <= 300),
      at timestamptz not null
    )`.execute(db)
  await sql`create index sent_emails_by_time on sent_emails (at desc, id desc)`.execute(db)
  await sql`create index sent_emails_of_user on sent_emails (user_id, at desc)`.execute(db)
  await sql`
    create table email_stops (
      user_id uuid primary key references users on delete cascade,
      -- It counts while it is the address of the account.
      email_folded text not null,
      reason text not null check (reason in ('bounce', 'complaint')),
      stopped_at timestamptz not null
    )`.execute(db)
}
