import { sql, type Transaction } from 'kysely'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { restrictPublished } from '../publishing/change-status.server.ts'
import type { Attestation } from '../publishing/save-items.server.ts'
import { giveBack, readItems } from './give-back.server.ts'
import { effectOn, type ItemEffect } from './item-effect.ts'

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
