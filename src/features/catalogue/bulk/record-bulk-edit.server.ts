import { sql, type Transaction } from 'kysely'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { BulkChanges } from './bulk-edit.ts'
import { checksOf } from '../publishing/publication-checks.ts'

export async function recordBulkEdit(
  trx: Transaction<CatalogueDatabase>,
  id: string,
  {
    action,
    memberId,
    outcome,
  }: { action: 'items.bulk_edited' | 'items.bulk_undone'; memberId: string; outcome?: 'cancelled' | 'failed' },
): Promise<void> {
  const { filter, changes } = await trx
    .selectFrom('bulk_edits')
    .select(['filter', 'changes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const counts = await trx
    .selectFrom('bulk_edit_items')
    .select(['outcome', sql<number>`count(*)::int`.as('count')])
    .where('bulk_edit_id', '=', id)
    .groupBy('outcome')
    .execute()
  const { status }: BulkChanges = changes
  const changed = counts.find((each) => each.outcome === 'changed')?.count ?? 0
  await recordAuditEvent(trx, {
    action,
    by: { memberId },
    subject: { kind: 'bulk_edit', id },
    details: {
      filter,
      changes,
      ...(outcome === undefined ? {} : { outcome }),
      ...Object.fromEntries(counts.map((each) => [each.outcome, each.count])),
      ...checksOf(status === 'published' ? changed : 0),
    },
  })
}
