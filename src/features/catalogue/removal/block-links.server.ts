import { sql, type Transaction } from 'kysely'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import type { CatalogueDatabase } from '../app.ts'
import { blockingFingerprintsOf, blockingFingerprintsOfItem } from '../item/link-fingerprints.server.ts'
import { type ItemLinks, linkSlots } from '../item/link-slots.ts'
import { restrictPublished } from '../publishing/change-status.server.ts'
import { completeFingerprints } from '../publishing/complete-fingerprints.server.ts'
import { blockedLinkCode } from '../publishing/publication-checks.ts'

/**
 * The most addresses that may lead to one target. A more common target is no file but a page of its host, such as one
 * that asks visitors to sign in, and is not blocked.
 */
const maxAddressesOfTarget = 5

interface Blocking {
  removalId: string
  fingerprints: readonly string[]
}

/**
 * The fingerprints that the removal of an item blocks: of its links, of their targets, and of other addresses that are
 * known to lead there.
 */
export async function fingerprintsToBlock(trx: Transaction<CatalogueDatabase>, item: ItemLinks): Promise<string[]> {
  const addresses = linkSlots.flatMap((slot) => (item[slot] === null || item[slot] === '' ? [] : [item[slot]]))
  const { rows: targets } = await sql<{ leads_to: string }>`
    select leads_to from link_targets t
     where digest in (select md5(address) from unnest(${addresses}::text[]) address)
       and (select count(*) from (select from link_targets o where o.leads_to = t.leads_to
                                   and o.leads_to_fingerprints && t.leads_to_fingerprints
                                   limit ${maxAddressesOfTarget}::int + 1) others) <= ${maxAddressesOfTarget}::int`.execute(
    trx,
  )
  const known = new Set([
    ...blockingFingerprintsOfItem(item),
    ...targets.flatMap(({ leads_to }) => blockingFingerprintsOf(leads_to)),
  ])
  const { rows: aliases } = await sql<{ address: string }>`
    select address from link_targets where leads_to_fingerprints && ${[...known]}::bigint[]`.execute(trx)
  return [...new Set([...known, ...aliases.flatMap(({ address }) => blockingFingerprintsOf(address))])]
}

/** An item that a removal has taken off the site, or that it keeps off, because it has a link that is blocked now. */
export interface SweptItem {
  id: string
  wasPublished: boolean
}

/**
 * Blocks links, and restricts every other item that has one of them. Inside a transaction that holds the catalogue's lock.
 * Items that only the gate kept from being published already are recorded as well: what is reversed gives them back.
 */
export async function blockLinks(
  trx: Transaction<CatalogueDatabase>,
  blockings: readonly Blocking[],
  by: AuditActor,
): Promise<SweptItem[]> {
  await completeFingerprints(trx)
  const removalsOf = new Map<string, Set<string>>()
  for (const { removalId, fingerprints } of blockings) {
    for (const each of fingerprints) {
      const removals = removalsOf.get(each) ?? new Set()
      removalsOf.set(each, removals.add(removalId))
    }
  }
  const all = [...removalsOf.keys()]
  const { rows: found } = await sql<{ id: string; status: string; fingerprints: string[] }>`
    select i.id, i.status, i.link_fingerprints::text[] as fingerprints from items i
     where i.link_fingerprints && ${all}::bigint[]
       and (i.status = 'published'
            or i.status = 'restricted' and (
              exists (select from item_holds h where h.item_id = i.id and h.released_at is null and h.gives_back)
              or exists (select from removal_sweeps s where s.item_id = i.id
                          and not exists (select from removal_reversals v where v.removal_id = s.removal_id))))
     order by i.no`.execute(trx)
  await restrictPublished(
    trx,
    found.map(({ id }) => ({ id, restriction: 'gate', reasons: [blockedLinkCode] })),
    by,
  )
  const pairs = [...removalsOf].flatMap(([fingerprint, removals]) => [...removals].map((id) => ({ fingerprint, id })))
  await sql`
    insert into blocked_links (fingerprint, removal_id)
    select * from unnest(${pairs.map(({ fingerprint }) => fingerprint)}::bigint[], ${pairs.map(({ id }) => id)}::uuid[])
        on conflict do nothing`.execute(trx)
  const sweeps = found.flatMap(({ id, fingerprints }) => {
    const removals = new Set(fingerprints.flatMap((each) => [...(removalsOf.get(each) ?? [])]))
    return [...removals].map((removalId) => ({ removalId, itemId: id }))
  })
  await sql`
    insert into removal_sweeps (removal_id, item_id)
    select * from unnest(${sweeps.map(({ removalId }) => removalId)}::uuid[], ${sweeps.map(({ itemId }) => itemId)}::uuid[])
        on conflict do nothing`.execute(trx)
  return found.map(({ id, status }) => ({ id, wasPublished: status === 'published' }))
}
