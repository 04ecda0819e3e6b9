import { type Kysely, sql } from 'kysely'

/**
 * The rights of a role that owns nothing on the audit log (docs/spec/security.md#database-roles): to write an event,
 * and to delete expired ones. The chain and the cut are made by functions that run as the role that has made the
 * tables; the triggers of 0012 judge them as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Holds back whoever writes an event until the end of the transaction.
  await sql`
    create function hold_audit_head() returns audit_head language sql as $$
      select * from audit_head for update
    $$`.execute(db)
  await sql`
    create function cut_audit_log(first bigint) returns bigint language plpgsql strict as $$
    declare
      gone bigint;
    begin
      update audit_head
         set first_position = first, previous_hash = (select hash from audit_chain where position = first - 1);
      delete from audit_events using audit_chain c where audit_events.id = c.event_id and c.position < first;
      get diagnostics gone = row_count;
      delete from audit_chain where position < first;
      return gone;
    end $$`.execute(db)
  // The path is fixed, the temporary schema last: nobody puts a table of their own in the way.
  await sql`
    do $$
    declare
      name text;
    begin
      foreach name in array array['chain_audit_event()', 'hold_audit_head()', 'cut_audit_log(bigint)'] loop
        execute format(
          'alter function %1$I.%2$s security definer set search_path = %1$I, pg_temp', current_schema(), name);
      end loop;
    end $$`.execute(db)
}
