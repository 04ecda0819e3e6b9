import type { Transaction } from 'kysely'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import { recordAuditEvents } from '../../office/audit/record-audit-event.server.ts'
import type { CatalogueDatabase } from '../app.ts'

interface Restricted {
  id: string
  name: string
  slug: string
  restriction: string | null
  /** The codes of the reasons, where the gate was asked. */
  reasons?: readonly string[]
}

/** Writes a line of the audit log for each item that was taken off the site, in the transaction that does so. */
export async function recordRestrictions(
  trx: Transaction<CatalogueDatabase>,
  items: readonly Restricted[],
  by: AuditActor = 'system',
): Promise<void> {
  await recordAuditEvents(
    trx,
    items.map(({ id, name, slug, restriction, reasons }) => ({
      action: 'item.restricted',
      by,
      subject: { kind: 'item', id },
      details: { name, slug, restriction, ...(reasons === undefined ? {} : { reasons }) },
    })),
  )
}
