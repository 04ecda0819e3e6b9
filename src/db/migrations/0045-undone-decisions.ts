import { type Kysely, sql } from 'kysely'

/** A decision on a request may be taken back to pending while nothing fulfils it; another decision still cannot replace it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function keep_request_decision() returns trigger language plpgsql as $$
    begin
      if old.status <> 'pending' and new.status <> old.status
         and not (new.status = 'pending' and old.fulfilled_at is null) then
        raise exception 'Request % was decided already.', old.id using errcode = 'check_violation',
          constraint = 'content_requests_decided_once';
      end if;
      return new;
    end $$`.execute(db)
}
