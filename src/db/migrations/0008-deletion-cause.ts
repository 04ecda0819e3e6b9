import { type Kysely, sql } from 'kysely'

/** A sync that the deletion of an account makes is recorded as one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table billing_changes drop constraint billing_changes_cause_check`.execute(db)
  await sql`
    alter table billing_changes add constraint billing_changes_cause_check
      check (cause in ('event', 'checkout', 'success', 'administrator', 'reconciliation', 'deletion'))`.execute(db)
}
