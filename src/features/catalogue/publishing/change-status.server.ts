import { sql, type Transaction } from 'kysely'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import { recordAuditEvents } from '../../office/audit/record-audit-event.server.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { ChangeableItem } from './stored-item.server.ts'

/*
 * Items leave the site, and come back as far as the gate, by these. Their content stays as it is; `save-items` writes
 * that, and publishes. The caller holds the catalogue's lock.
 */

type Trx = Transaction<CatalogueDatabase>
export type Restriction = NonNullable<ChangeableItem['restriction']>

interface ToRestrict {
  id: string
  restriction: Restriction
  /** The codes of the reasons, where the gate was asked. */
  reasons?: readonly string[] | undefined
}

interface Restricted extends Omit<ToRestrict, 'restriction'> {
  name: string
  slug: string
  restriction: string | null
}

/** Restricts those of these items that are published, and says so in the audit log. */
export async function restrictPublished(
  trx: Trx,
  items: readonly ToRestrict[],
  by: AuditActor = 'system',
): Promise<void> {
  if (items.length === 0) return
  const { rows } = await sql<Omit<Restricted, 'reasons'>>`
    update items i set status = 'restricted', restriction = given.restriction, updated_at = now()
      from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ restriction }) => restriction)}::text[])
           as given (id, restriction)
     where i.id = given.id and i.status = 'published'
    returning i.id, i.name, i.slug, i.restriction`.execute(trx)
  const reasonsOf = new Map(items.map(({ id, reasons }) => [id, reasons]))
  await recordRestrictions(
    trx,
    rows.map((row) => ({ ...row, reasons: reasonsOf.get(row.id) })),
    by,
  )
}

export async function recordRestrictions(trx: Trx, items: readonly Restricted[], by: AuditActor): Promise<void> {
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

export async function changeRestriction(trx: Trx, id: string, restriction: Restriction): Promise<void> {
  await trx
    .updateTable('items')
    .set({ restriction, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'restricted')
    .execute()
}

/** Makes items drafts. The database spends the clearance of a published one. */
export async function unpublishItems(trx: Trx, ids: readonly string[], at: number): Promise<void> {
  await trx
    .updateTable('items')
    .set(({ eb }) => ({ status: 'draft', updated_at: new Date(at), version: eb('version', '+', 1) }))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

/**
 * Marks items as removed. The record of the removal is written in the same transaction (`removal/`).
 * @returns the ids of those that were not removed already
 */
export async function markRemoved(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const rows = await trx
    .updateTable('items')
    .set(({ eb }) => ({ status: 'removed', version: eb('version', '+', 1), updated_at: sql<Date>`now()` }))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('status', '<>', 'removed')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Makes restricted items of those whose last removal was reversed.
 * @returns their ids
 */
export async function unmarkRemoved(trx: Trx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update items set status = 'restricted', restriction = 'gate', updated_at = now()
     where id = any(${ids}::uuid[]) and status = 'removed' and not has_standing_removal(id)
    returning id`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}
