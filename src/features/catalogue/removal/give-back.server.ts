import { sql, type Transaction } from 'kysely'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { changeRestriction } from '../publishing/change-status.server.ts'
import { findStoredRefusals } from '../publishing/read-gate.server.ts'
import { isRefusedByDatabase, type Attestation, updateItems } from '../publishing/save-items.server.ts'
import { publicationChecks, type Refusal } from '../publishing/publication-checks.ts'
import { restrictionBy } from '../publishing/recheck-published.server.ts'
import { effectOn, type ItemEffect } from './item-effect.ts'
import { type ChangeableItem, readChangeableItems } from '../publishing/stored-item.server.ts'

type GivingApp = Pick<CatalogueApp, 'config'>

/**
 * Publishes restricted items again, each through the gate by the database's clock. One that it refuses stays restricted,
 * with the reasons; where a notice still holds it, that notice gives it back later. The caller holds the catalogue's lock.
 */
export async function giveBack(
  app: GivingApp,
  trx: Transaction<CatalogueDatabase>,
  released: readonly { id: string; wasReported: boolean }[],
  attestation: Attestation,
): Promise<ItemEffect[]> {
  const wasReported = new Map(released.map((each) => [each.id, each.wasReported]))
  const items = await readItems(trx, [...wasReported.keys()])
  const refusalsOf = await findStoredRefusals(app.config, trx, items)
  const effects: ItemEffect[] = []
  for (const item of items) {
    const facts = { wasReported: wasReported.get(item.id) ?? true }
    if (item.status !== 'restricted') {
      effects.push(effectOn(item, 'unchanged', facts))
      continue
    }
    let reasons = refusalsOf.get(item.id) ?? []
    if (reasons.length === 0) reasons = await publish(app, trx, item, attestation)
    if (reasons.length > 0) await keepOff(trx, item, reasons)
    effects.push(effectOn(item, reasons.length > 0 ? 'restricted' : 'published', { ...facts, reasons }))
  }
  return effects
}

/** Restricts items with the reasons that the gate has against them; where it has none, people decide what becomes of them. */
export async function keepRestricted(
  app: GivingApp,
  trx: Transaction<CatalogueDatabase>,
  ids: readonly string[],
): Promise<ItemEffect[]> {
  const items = await readItems(trx, ids)
  const refusalsOf = await findStoredRefusals(app.config, trx, items)
  for (const item of items) await keepOff(trx, item, refusalsOf.get(item.id) ?? [])
  return items.map((item) => effectOn(item, 'restricted', { reasons: refusalsOf.get(item.id) ?? [] }))
}

export async function readItems(
  trx: Transaction<CatalogueDatabase>,
  ids: readonly string[],
): Promise<ChangeableItem[]> {
  if (ids.length === 0) return []
  return readChangeableItems(trx, () => sql<boolean>`items.id = any(${ids}::uuid[])` as never, ids.length)
}

/** @returns why the database refuses it, where the checks have missed something */
async function publish(
  app: GivingApp,
  trx: Transaction<CatalogueDatabase>,
  before: ChangeableItem,
  attestation: Attestation,
): Promise<Refusal[]> {
  const { id, item, categoryId, importDigest } = before
  await sql`savepoint give_back`.execute(trx)
  try {
    const changed = { id, item, categoryId, isPublished: true, importDigest, otherwise: 'restricted' } as const
    await updateItems(app, trx, [changed], attestation)
  } catch (error) {
    if (!isRefusedByDatabase(error)) throw error
    await sql`rollback to savepoint give_back`.execute(trx)
    const remedy = 'Open the entry and correct what the sentence names.'
    return [{ code: 'database.refused', field: '', message: (error as Error).message, remedy }]
  }
  await recordAuditEvent(trx, {
    action: 'item.published',
    by: actorOf(attestation),
    subject: { kind: 'item', id },
    details: { name: item.name, slug: item.slug, version: before.version + 1, checks: publicationChecks },
  })
  return []
}

async function keepOff(
  trx: Transaction<CatalogueDatabase>,
  { id }: ChangeableItem,
  refusals: readonly Refusal[],
): Promise<void> {
  const restriction = restrictionBy(refusals)
  await changeRestriction(trx, id, restriction)
  if (restriction !== 'notice') return
  await trx
    .updateTable('item_holds')
    .set({ gives_back: true })
    .where('item_id', '=', id)
    .where('released_at', 'is', null)
    .execute()
}

export function actorOf({ by }: Pick<Attestation, 'by'>): AuditActor {
  return isUuid(by) ? { memberId: by } : 'system'
}
