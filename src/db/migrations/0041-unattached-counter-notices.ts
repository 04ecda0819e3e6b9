import { type Kysely, sql } from 'kysely'

/** Counter-notices that answer no notice wait at the desk: an administrator attaches or refuses them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table counter_notices
      drop constraint counter_notices_check1,
      add constraint counter_notices_unattached_state check (notice_id is not null or state in ('unmatched', 'refused'))`.execute(
    db,
  )
  await sql`create index counter_notices_unattached on counter_notices (id)
    where notice_id is null and state = 'unmatched'`.execute(db)
}
