import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'

/** Longer than a ticket is valid: its row is not read any more. */
const retainedFor = '1 hour'

export async function deleteOldTickets({ db }: Pick<CatalogueApp, 'db'>): Promise<void> {
  await db
    .deleteFrom('gateway_tickets')
    .where(sql<boolean>`issued_at < now() - ${retainedFor}::interval`)
    .execute()
}
