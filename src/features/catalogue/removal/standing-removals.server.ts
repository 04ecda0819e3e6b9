import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { RemovalAnswer } from './remove-items.server.ts'

/* The removals and holds in the database, for the comparison with a record outside of it. Instants are ISO texts in
   UTC with microseconds. */

const instant = (column: 'r.removed_at' | 'h.held_at') =>
  sql<string>`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** A removal that has not been reversed. */
export interface StandingRemoval {
  id: string
  reference: string
  kind: string
  answer: RemovalAnswer
  itemId: string
  slug: string | null
  removedAt: string
  links: string[]
}

/** Only the removals of this notice, where it is given. */
interface Of {
  reference?: string | undefined
}

/** Those that stand, but for those with these ids. */
export async function readOtherRemovals(
  db: Queryable<CatalogueDatabase>,
  ids: readonly string[],
  { reference }: Of = {},
): Promise<StandingRemoval[]> {
  const { rows } = await sql<StandingRemoval>`
    select r.id, r.reference, r.kind, r.answer, r.item_id as "itemId", i.slug, ${instant('r.removed_at')} as "removedAt",
           coalesce((select array_agg(b.fingerprint::text order by b.fingerprint) from blocked_links b
                      where b.removal_id = r.id), '{}') as links
      from item_removals r left join items i on i.id = r.item_id
     where (${reference ?? null}::text is null or r.reference = ${reference ?? null})
       and not exists (select from removal_reversals v where v.removal_id = r.id)
       and not exists (select from unnest(${ids}::uuid[]) as known (id) where known.id = r.id)
     order by r.no`.execute(db)
  return rows
}

export interface RecordedRemoval {
  id: string
  /** How many links it blocks, and their XOR. */
  count: number
  digest: bigint
}

export interface OtherwiseRemoved {
  id: string
  /** `missing`: there is no such removal; `reversed`: not any more; `served`: its item is not removed; `links`: it blocks others. */
  is: 'missing' | 'reversed' | 'served' | 'links'
  links: string[]
}

export async function findOtherwiseRemoved(
  db: Queryable<CatalogueDatabase>,
  recorded: readonly RecordedRemoval[],
): Promise<OtherwiseRemoved[]> {
  if (recorded.length === 0) return []
  const ids = recorded.map(({ id }) => id)
  const { rows } = await sql<OtherwiseRemoved>`
    select n.id, case when r.id is null then 'missing' when v.removal_id is not null then 'reversed'
                      when i.status <> 'removed' then 'served' else 'links' end as is,
           coalesce((select array_agg(l.fingerprint::text) from blocked_links l where l.removal_id = n.id), '{}') as links
      from unnest(${ids}::uuid[], ${recorded.map(({ count }) => count)}::int[],
                  ${recorded.map(({ digest }) => String(digest))}::bigint[]) as n (id, count, digest)
      left join item_removals r on r.id = n.id
      left join removal_reversals v on v.removal_id = n.id
      left join items i on i.id = r.item_id
      left join (select removal_id, count(*) as count, bit_xor(fingerprint) as digest from blocked_links
                  where removal_id = any(${ids}::uuid[]) group by removal_id) b on b.removal_id = n.id
     where r.id is null or v.removal_id is not null or i.status <> 'removed'
        or coalesce(b.count, 0) <> n.count or coalesce(b.digest, 0) <> n.digest`.execute(db)
  return rows
}

/** A notice or a decision that keeps an item off the site. */
export interface HidingHold {
  by: 'notice' | 'decision'
  reference: string
  entry: string
  slug: string
  since: string
}

export async function readHidingHolds(db: Queryable<CatalogueDatabase>, { reference }: Of = {}): Promise<HidingHold[]> {
  const { rows } = await sql<HidingHold>`
    select h.kind as by, h.reference, h.item_id as entry, i.slug, ${instant('h.held_at')} as since
      from item_holds h join items i on i.id = h.item_id
     where h.released_at is null and h.hides
       and (${reference ?? null}::text is null or h.reference = ${reference ?? null})
     order by h.held_at, h.reference, h.item_id, h.kind`.execute(db)
  return rows
}

/**
 * The ends of recorded holds that hide nothing now. `released`: after they were recorded; `lost`: the database does not
 * know that they hid anything; `gone`: there is no such item, and it was not deleted either.
 */
export async function readEndOfHolds(
  db: Queryable<CatalogueDatabase>,
  recorded: readonly Pick<HidingHold, 'by' | 'reference' | 'entry' | 'since'>[],
): Promise<('released' | 'lost' | 'gone')[]> {
  if (recorded.length === 0) return []
  const { rows } = await sql<{ end: 'released' | 'lost' | 'gone' }>`
    select case
             when i.id is null then case when d.item_id is null then 'gone' else 'released' end
             when h.released_at >= n.since or h.released_at is null and h.held_at > n.since then 'released'
             else 'lost' end as end
      from unnest(${recorded.map(({ by }) => by)}::text[], ${recorded.map(({ reference }) => reference)}::text[],
                  ${recorded.map(({ entry }) => entry)}::uuid[], ${recorded.map(({ since }) => since)}::timestamptz[])
           with ordinality as n (kind, reference, item_id, since, place)
      left join item_holds h on h.kind = n.kind and h.reference = n.reference and h.item_id = n.item_id
      left join items i on i.id = n.item_id
      left join deleted_items d on d.item_id = n.item_id
     order by n.place`.execute(db)
  return rows.map(({ end }) => end)
}
