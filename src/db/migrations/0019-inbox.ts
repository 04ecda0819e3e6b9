import { type Kysely, sql } from 'kysely'

/** Which inquiries the operator was mailed about, and requests that were taken down. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // When a mail that names it was queued; null while it waits for the next one about many.
  await sql`alter table inquiries add column mailed_at timestamptz`.execute(db)
  await sql`update inquiries set mailed_at = created_at where state <> 'forwarding'`.execute(db)
  await sql`
    create index inquiries_unmailed on inquiries (created_at)
      where mailed_at is null and state <> 'forwarding'`.execute(db)
  // The emails of the last minutes are counted here: an inquiry goes with the account of its sender.
  await sql`
    create table inquiry_emails (
      id bigint generated always as identity primary key,
      queued_at timestamptz not null,
      is_about_many boolean not null
    )`.execute(db)
  // The home of the administration asks for it, however many are open.
  await sql`
    create index inquiries_refused on inquiries (id desc) where state = 'open' and refused_status is not null`.execute(
    db,
  )
  // In the order of the list, so that a later part of it begins in the index.
  await sql`drop index inquiries_state`.execute(db)
  await sql`create index inquiries_in_turn on inquiries (state, (not is_vip), id)`.execute(db)
  // To list what one address has sent.
  await sql`create index inquiries_email on inquiries (lower(email), state, id desc)`.execute(db)

  // No member sees it any more, its author neither; administrators do.
  await sql`alter table content_requests add column removed_at timestamptz`.execute(db)
  await sql`drop index content_requests_open_title`.execute(db)
  await sql`
    create unique index content_requests_open_title on content_requests (title_folded)
      where status <> 'rejected' and fulfilled_at is null and removed_at is null`.execute(db)
}
