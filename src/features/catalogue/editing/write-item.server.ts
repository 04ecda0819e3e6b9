import type { Transaction } from 'kysely'
import type { AuditAction } from '../../office/audit/audit-event.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import type { ItemForAdmin } from './content-schema.ts'
import { refusalOfDatabase } from './refuse-item.server.ts'

export type SavingApp = Pick<CatalogueApp, 'db' | 'config' | 'clock' | 'listing'>

/** One transaction under the catalogue's lock. This process knows of the change before it answers. */
export async function write<T>(
  app: SavingApp,
  viewer: Viewer,
  work: (trx: Transaction<CatalogueDatabase>, by: string) => Promise<T>,
): Promise<T> {
  const { id: by } = requireMember(viewer)
  const done = await app.db
    .transaction()
    .execute(async (trx) => {
      await lockCatalogue(trx)
      return work(trx, by)
    })
    .catch((error: unknown) => {
      throw refusalOfDatabase(error) ?? error
    })
  await app.listing.catchUp()
  return done
}

export function recordItemAct(
  trx: Transaction<CatalogueDatabase>,
  action: AuditAction,
  by: string,
  { id, name, slug, version }: Pick<ItemForAdmin, 'id' | 'name' | 'slug' | 'version'>,
  more: Record<string, unknown> = {},
): Promise<void> {
  const subject = { kind: 'item', id } as const
  return recordAuditEvent(trx, { action, by: { memberId: by }, subject, details: { name, slug, version, ...more } })
}
