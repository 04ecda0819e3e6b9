import { sql, type Transaction } from 'kysely'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { restrictPublished, changeRestriction } from '../publishing/change-status.server.ts'
import { type Attestation, isRefusedByDatabase, updateItems } from '../publishing/save-items.server.ts'
import { effectOn, type ItemEffect } from './item-effect.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { isUuid } from '../../../platform/uuid.ts'
import { findStoredRefusals } from '../publishing/read-gate.server.ts'
import { publicationChecks, type Refusal } from '../publishing/publication-checks.ts'
import { restrictionBy } from '../publishing/recheck-published.server.ts'
import { type ChangeableItem, readChangeableItems } from '../publishing/stored-item.server.ts'

/* Holds of notices on items (docs/spec/publishing.md#holds). The caller has taken the catalogue's lock
   (`lockCatalogue`) in the transaction, and lets the listing catch up after it. */

export interface HeldItems {
  /** The notice's, such as `N-2JZ4-8K0P`. */
  reference: string
  itemIds: readonly string[]
  by: AuditActor
}

/**
 * Holds items for an open notice: none of them is edited, deleted or newly published until it is released.
 * @param given.hides whether they are off the site meanwhile; a second call may raise it, and none lowers it
 */
export async function holdItems(
  trx: Transaction<CatalogueDatabase>,
  { hides, ...held }: HeldItems & { hides: boolean },
): Promise<ItemEffect[]> {
  return hold(trx, held, 'notice', hides)
}

/** Keeps items off the site by a decision, until that is reversed (`restoreItems`). */
export async function restrictItems(trx: Transaction<CatalogueDatabase>, held: HeldItems): Promise<ItemEffect[]> {
  return hold(trx, held, 'decision', true)
}

/**
 * Ends the holds of an open notice, and publishes its items again, through the gate. An item stays restricted if
 * another notice holds it or the gate refuses it.
 * @param given.itemIds those alone, where they are given
 */
export async function releaseHolds(
  app: Pick<CatalogueApp, 'config'>,
  trx: Transaction<CatalogueDatabase>,
  { reference, attestation, itemIds }: { reference: string; attestation: Attestation; itemIds?: readonly string[] },
): Promise<ItemEffect[]> {
  const released = await release(trx, reference, 'notice', itemIds)
  const returned = await giveBack(app, trx, toGiveBack(released), attestation)
  const others = released.filter(({ gives_back }) => !gives_back).map(({ item_id }) => item_id)
  return [...returned, ...(await unchanged(trx, others))]
}

/** Items of which a notice changes nothing, as what became of them. */
export async function unchanged(trx: Transaction<CatalogueDatabase>, ids: readonly string[]): Promise<ItemEffect[]> {
  return (await readItems(trx, ids)).map((item) => effectOn(item, 'unchanged'))
}

/**
 * @param itemIds those alone, where they are given
 * @returns what was held, and whether it is to be given back
 */
export async function release(
  trx: Transaction<CatalogueDatabase>,
  reference: string,
  kind: 'notice' | 'decision',
  itemIds?: readonly string[],
): Promise<{ item_id: string; gives_back: boolean }[]> {
  return trx
    .updateTable('item_holds')
    .set({ released_at: sql<Date>`now()` })
    .where('reference', '=', reference)
    .where('kind', '=', kind)
    .where('released_at', 'is', null)
    .where(sql<boolean>`(${itemIds === undefined}::boolean or item_id = any(${[...(itemIds ?? [])]}::uuid[]))`)
    .returning(['item_id', 'gives_back'])
    .execute()
}

export function toGiveBack(
  released: readonly { item_id: string; gives_back: boolean }[],
): { id: string; wasReported: true }[] {
  return released.flatMap(({ item_id, gives_back }) =>
    gives_back ? [{ id: item_id, wasReported: true as const }] : [],
  )
}

async function hold(
  trx: Transaction<CatalogueDatabase>,
  { reference, itemIds, by }: HeldItems,
  kind: 'notice' | 'decision',
  hides: boolean,
): Promise<ItemEffect[]> {
  const items = await readItems(trx, itemIds)
  const hidden = hides ? items.filter(({ status }) => status === 'published') : []
  await restrictPublished(
    trx,
    hidden.map(({ id }) => ({ id, restriction: 'notice' })),
    by,
  )
  const isHidden = new Set(hidden.map(({ id }) => id))
  if (items.length > 0) {
    await sql`
      insert into item_holds as held (reference, item_id, kind, hides, gives_back)
      select ${reference}::text, given.item_id, ${kind}::text, ${hides}::boolean, given.gives_back
        from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ id }) => isHidden.has(id))}::boolean[]) as given (item_id, gives_back)
          on conflict (reference, item_id, kind) do update
         set hides = excluded.hides or (held.hides and held.released_at is null),
             gives_back = excluded.gives_back or (held.gives_back and held.released_at is null),
             held_at = case when held.released_at is null then held.held_at else now() end,
             released_at = null`.execute(trx)
  }
  return items.map((item) => effectOn(item, isHidden.has(item.id) ? 'restricted' : 'unchanged'))
}

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
