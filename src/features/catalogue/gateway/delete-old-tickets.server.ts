import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'

/** Longer than a ticket is good for: what its row says is not asked any more. */
const keptFor = '1 hour'

export async function deleteOldTickets({ db }: Pick<CatalogueApp, 'db'>): Promise<void> {
  await db
    .deleteFrom('gateway_tickets')
    .where(sql<boolean>`issued_at < now() - ${keptFor}::interval`)
    .execute()
}
