import { type Kysely, sql } from 'kysely'

/** The kind that a notice was sent as, and the time when its contact data was erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The public figures count by it: a number that moved from one kind to another would tell what was found in a notice.
  await sql`alter table notices add column received_as text`.execute(db)
  await sql`
    update notices n set received_as = coalesce(
      (select e.details ->> 'kind' from notice_events e
        where e.notice_id = n.id and e.type = 'received' order by e.no limit 1), n.kind)`.execute(db)
  await sql`
    alter table notices alter column received_as set not null,
      add check (received_as in ('copyright', 'intimate-image', 'child-safety', 'privacy', 'consent', 'other'))`.execute(
    db,
  )
  await sql`
    create function keep_received_as() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        new.received_as := coalesce(new.received_as, new.kind);
      else
        new.received_as := old.received_as;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger keep_received_as before insert or update of received_as on notices
      for each row execute function keep_received_as()`.execute(db)

  // Whether its sender gets the acknowledgement by email; an address that was typed too often gets none.
  await sql`alter table notices add column is_acknowledged boolean not null default false`.execute(db)

  // Nothing ever wrote them: a notice comes from a person, and a decision holds everywhere.
  await sql`
    alter table notice_decisions drop column content_type, drop column territorial_scope, drop column automated_detection`.execute(
    db,
  )

  // NOTICE_DAYS after a notice was closed: postal address, telephone and signature, of its sender and of counter-notices to it.
  await sql`alter table notices add column forgotten_at timestamptz`.execute(db)
  // Empty in an erased counter-notice.
  await sql`alter table counter_notices add column forgotten_at timestamptz`.execute(db)
  await sql`create index notices_unforgotten on notices (closed_at) where forgotten_at is null`.execute(db)
  await sql`create index counter_notices_unforgotten on counter_notices (received_at) where forgotten_at is null`.execute(
    db,
  )
}
