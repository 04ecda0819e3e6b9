import { sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import { recordAuditEvents } from '../../office/audit/record-audit-event.server.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { markRemoved, unmarkRemoved, unpublishItems } from '../publishing/change-status.server.ts'
import type { Attestation } from '../publishing/save-items.server.ts'
import { blockLinks, fingerprintsToBlock, type SweptItem } from './block-links.server.ts'
import {
  type HeldItems,
  release,
  toGiveBack,
  actorOf,
  giveBack,
  keepRestricted,
  readItems,
} from './hold-items.server.ts'
import { effectOn, type ItemEffect } from './item-effect.ts'
import type { ChangeableItem } from '../publishing/stored-item.server.ts'

/* Removal by a decision, and the one way back (docs/spec/publishing.md#removed). The caller has taken the
   catalogue's lock (`lockCatalogue`) in the transaction, and lets the listing catch up after it. */

/**
 * The answer of the page of a removed item: a legal demand, a breach of the site's own terms, or as if it had never
 * existed.
 */
export type RemovalAnswer = 451 | 410 | 404

/**
 * Removes items, blocks their links, and restricts every other item that has one of them. Items that this reference has
 * removed already stay so.
 * @param input.kind what the tombstone names as the reason, in words
 * @returns the items that were named, then those that only had one of the links
 */
export async function removeItems(
  trx: Transaction<CatalogueDatabase>,
  { reference, itemIds, answer, kind, by }: HeldItems & { answer: RemovalAnswer; kind: string },
): Promise<ItemEffect[]> {
  const items = await readItems(trx, itemIds)
  const standing = await standingRemovals(trx, items)
  const isRemovedByIt = (id: string): boolean =>
    standing.some((removal) => removal.item_id === id && removal.reference === reference)
  const removed = items.filter(({ id }) => !isRemovedByIt(id))
  const kept = items.filter(({ id }) => isRemovedByIt(id)).map((item) => effectOn(item, 'unchanged'))
  if (removed.length === 0) return kept

  const wasPublic = await everPublic(trx, removed)
  const swept = await writeRemovals(trx, {
    reference,
    kind,
    by,
    isNamed: answer !== 404,
    removals: removed.map((item) => ({
      id: uuidv7(),
      itemId: item.id,
      item,
      // The removal of an item that nobody could read is not public.
      answer: wasPublic.has(item.id) ? answer : 404,
      links: [],
    })),
  })
  const others = await readItems(
    trx,
    swept.filter(({ wasPublished }) => wasPublished).map(({ id }) => id),
  )
  return [
    ...removed.map((item) => effectOn(item, 'removed')),
    ...kept,
    ...others.map((item) => effectOn(item, 'restricted', { wasReported: false })),
  ]
}

export interface RemovedByOne extends Pick<HeldItems, 'reference' | 'by'> {
  kind: string
  /** Whether the audit log names the reference. */
  isNamed: boolean
  /** Now, where it is not given. */
  removedAt?: string
  removals: {
    id: string
    itemId: string
    /** Undefined where the database does not have it. */
    item: ChangeableItem | undefined
    answer: RemovalAnswer
    /** The fingerprints of links that are blocked besides those of the item. */
    links: readonly string[]
  }[]
}

export async function writeRemovals(
  trx: Transaction<CatalogueDatabase>,
  { reference, kind, by, isNamed, removedAt, removals }: RemovedByOne,
): Promise<SweptItem[]> {
  const removed = removals.flatMap(({ item }) => item ?? [])
  const standing = await standingRemovals(trx, removed)
  const returning = await itemsToReturn(trx, removed)
  await markRemoved(
    trx,
    removed.map(({ id }) => id),
  )
  await trx
    .insertInto('item_removals')
    .values(
      removals.map(({ id, itemId, item, answer }) => {
        const earlier = standing.find(({ item_id }) => item_id === itemId)
        return {
          id,
          item_id: itemId,
          reference,
          answer,
          kind,
          status_before: earlier?.status_before ?? item?.status ?? 'published',
          gives_back: earlier?.gives_back ?? (item?.status === 'published' || returning.has(itemId)),
          removed_by: textOf(by),
          ...(removedAt === undefined ? {} : { removed_at: removedAt }),
        }
      }),
    )
    .execute()
  await recordAuditEvents(
    trx,
    removed.map(({ id, item }) => ({
      action: 'item.removed',
      by,
      subject: { kind: 'item', id },
      details: { name: item.name, slug: item.slug, ...(isNamed ? { reference } : {}) },
    })),
  )
  const blockings = []
  for (const { id, item, links } of removals) {
    const own = item === undefined ? [] : await fingerprintsToBlock(trx, item.item)
    blockings.push({ removalId: id, fingerprints: [...own, ...links] })
  }
  return blockLinks(trx, blockings, by)
}

/**
 * Reverses what decisions of this reference have removed, restricted and blocked: links are free that no other removal
 * blocks, and what was on the site comes back, through the gate.
 * @param input.itemIds restricts it to these
 */
export async function restoreItems(
  app: Pick<CatalogueApp, 'config'>,
  trx: Transaction<CatalogueDatabase>,
  { reference, attestation, itemIds }: { reference: string; attestation: Attestation; itemIds?: readonly string[] },
): Promise<ItemEffect[]> {
  const { rows: reversed } = await sql<{
    id: string
    item_id: string
    answer: RemovalAnswer
    status_before: string
    gives_back: boolean
  }>`
    select r.id, r.item_id, r.answer, r.status_before, r.gives_back from item_removals r
     where r.reference = ${reference} and not exists (select from removal_reversals v where v.removal_id = r.id)
       and (${itemIds === undefined}::boolean or r.item_id = any(${[...(itemIds ?? [])]}::uuid[]))
     order by r.no`.execute(trx)
  const removalIds = reversed.map(({ id }) => id)
  if (reversed.length > 0) {
    await trx
      .insertInto('removal_reversals')
      .values(removalIds.map((removal_id) => ({ removal_id, reversed_by: attestation.by })))
      .execute()
    await trx.deleteFrom('blocked_links').where('removal_id', 'in', removalIds).execute()
  }
  const released = await release(trx, reference, 'decision', itemIds)

  const named = reversed.map(({ item_id }) => item_id)
  const isBack = await unmarkRemoved(trx, named)
  const returned = reversed.filter(({ item_id }) => isBack.has(item_id))
  await recordReturns(trx, returned, { reference, attestation })
  const drafts = returned
    .filter(({ status_before, gives_back }) => status_before === 'draft' && !gives_back)
    .map(({ item_id }) => item_id)
  await unpublishItems(trx, drafts, attestation.at)
  const restricted = returned.filter(({ status_before, gives_back }) => status_before !== 'draft' && !gives_back)
  const swept = await sweptBy(trx, removalIds)
  const returning = [
    ...returned.filter(({ gives_back }) => gives_back).map(({ item_id }) => ({ id: item_id, wasReported: true })),
    ...toGiveBack(released),
    ...swept.map((id) => ({ id, wasReported: false })),
  ]
  const effects = [
    ...(await giveBack(app, trx, returning, attestation)),
    ...(await readItems(trx, drafts)).map((item) => effectOn(item, 'draft')),
    ...(await keepRestricted(
      app,
      trx,
      restricted.map(({ item_id }) => item_id),
    )),
  ]
  // An item that another removal keeps, or that was off the site when a decision held it, is unchanged.
  const affected = new Set(effects.map(({ id }) => id))
  const unaffected = [...new Set([...named, ...released.map(({ item_id }) => item_id)])].filter(
    (id) => !affected.has(id),
  )
  return [...effects, ...(await readItems(trx, unaffected)).map((item) => effectOn(item, 'unchanged'))]
}

/** The items that decisions of this reference keep off the site, because they were named in it. */
export async function keptOff(trx: Transaction<CatalogueDatabase>, reference: string): Promise<string[]> {
  const { rows } = await sql<{ item_id: string }>`
    select r.item_id from item_removals r
     where r.reference = ${reference} and not exists (select from removal_reversals v where v.removal_id = r.id)
       and exists (select from items i where i.id = r.item_id)
    union select h.item_id from item_holds h
     where h.reference = ${reference} and h.kind = 'decision' and h.released_at is null
     order by 1`.execute(trx)
  return rows.map(({ item_id }) => item_id)
}

interface StandingRemoval {
  item_id: string
  reference: string
  status_before: 'draft' | 'published' | 'restricted' | 'removed'
  gives_back: boolean
}

async function standingRemovals(
  trx: Transaction<CatalogueDatabase>,
  items: readonly ChangeableItem[],
): Promise<StandingRemoval[]> {
  const { rows } = await sql<StandingRemoval>`
    select r.item_id, r.reference, r.status_before, r.gives_back from item_removals r
     where r.item_id = any(${items.map(({ id }) => id)}::uuid[])
       and not exists (select from removal_reversals v where v.removal_id = r.id)
     order by r.no`.execute(trx)
  return rows
}

/** Those that are off the site now and would be on it again when a hold or another removal ends. */
async function itemsToReturn(
  trx: Transaction<CatalogueDatabase>,
  items: readonly ChangeableItem[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select i.id from items i
     where i.id = any(${items.map(({ id }) => id)}::uuid[]) and i.status = 'restricted'
       and (exists (select from item_holds h where h.item_id = i.id and h.released_at is null and h.gives_back)
            or exists (select from removal_sweeps s where s.item_id = i.id
                        and not exists (select from removal_reversals v where v.removal_id = s.removal_id)))`.execute(
    trx,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those that were on the site at any time: published once, and not before their day. */
async function everPublic(trx: Transaction<CatalogueDatabase>, items: readonly ChangeableItem[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select i.id from items i
     where i.id = any(${items.map(({ id }) => id)}::uuid[]) and i.post_date <= now()
       and (i.status = 'published' or exists (select from clearances c where c.item_id = i.id))`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

async function sweptBy(trx: Transaction<CatalogueDatabase>, removalIds: readonly string[]): Promise<string[]> {
  if (removalIds.length === 0) return []
  const rows = await trx
    .selectFrom('removal_sweeps as s')
    .innerJoin('items as i', 'i.id', 's.item_id')
    .select('i.id')
    .distinct()
    .where('s.removal_id', 'in', removalIds)
    .where('i.status', '=', 'restricted')
    .execute()
  return rows.map(({ id }) => id)
}

async function recordReturns(
  trx: Transaction<CatalogueDatabase>,
  returned: readonly { item_id: string; answer: RemovalAnswer }[],
  { reference, attestation }: { reference: string; attestation: Attestation },
): Promise<void> {
  const answers = new Map(returned.map(({ item_id, answer }) => [item_id, answer]))
  const items = await readItems(trx, [...answers.keys()])
  await recordAuditEvents(
    trx,
    items.map(({ id, item }) => ({
      action: 'item.restored',
      by: actorOf(attestation),
      subject: { kind: 'item', id },
      details: { name: item.name, slug: item.slug, ...namedBy(answers.get(id), reference) },
    })),
  )
}

/** The notice for the audit log; where nothing is to be known of a removal, nor is its notice. */
function namedBy(answer: RemovalAnswer | undefined, reference: string): { reference?: string } {
  return answer === undefined || answer === 404 ? {} : { reference }
}

function textOf(by: AuditActor): string {
  return typeof by === 'string' ? by : by.memberId
}
