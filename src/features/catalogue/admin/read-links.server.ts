import { type RawBuilder, sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import type { ContentType } from '../item/content-type.ts'
import { type LinkSlot, type LinkState, mirrorSlots } from '../item/link-slots.ts'
import type { LinkReason } from '../links/link-outcome.ts'
import type { LinkForAdmin, LinksForAdmin } from './links-schema.ts'

/** Whether the item of a slot has no mirror but dead ones. */
const isLost = sql`
  (c.state = 'dead' and not exists (
    select from item_links o join link_checks oc on oc.id = o.link_id
     where o.item_no = l.item_no and o.slot = any(${mirrorSlots}::text[]) and oc.state <> 'dead'))`

/**
 * The list is a row of shelves, what needs a hand first. Each is read by an index, so that a page deep in those that work
 * sorts nothing.
 */
const shelves: readonly RawBuilder<boolean>[] = [
  sql<boolean>`${isLost}`,
  sql<boolean>`c.reported_at is not null and not ${isLost}`,
  ...(['dead', 'suspect', 'unknown', 'ok'] as const).map(
    (state) => sql<boolean>`c.state = ${state} and c.reported_at is null and not ${isLost}`,
  ),
]

/** Links with their items for administrators: items without a live mirror first, then what was reported, then by state. */
export async function readLinks(
  app: Pick<CatalogueApp, 'db' | 'config'>,
  { page, limit, state }: { page: number; limit: number; state?: LinkState | undefined },
): Promise<LinksForAdmin> {
  const { db, config } = app
  const { rows } = await sql<{ shelf: number; state: LinkState; count: number; items: number }>`
    select shelf, state, count(*)::int as count, count(distinct item_no)::int as items from (
      select case when ${isLost} then 0 when c.reported_at is not null then 1
                  else array_position(array['dead', 'suspect', 'unknown', 'ok'], c.state) + 1 end as shelf,
             c.state, l.item_no
        from item_links l join link_checks c on c.id = l.link_id) shelved
     group by shelf, state`.execute(db)
  const countOf = (isCounted: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(isCounted).reduce((sum, { count }) => sum + count, 0)
  const isAsked = (row: { state: LinkState }): boolean => state === undefined || row.state === state

  const links: LinkForAdmin[] = []
  let skip = (page - 1) * limit
  for (const [shelf, isOnShelf] of shelves.entries()) {
    const count = countOf((row) => row.shelf === shelf && isAsked(row))
    if (skip < count && links.length < limit) {
      links.push(...(await readShelf(app, { isOnShelf, state, skip, limit: limit - links.length })))
    }
    skip = Math.max(0, skip - count)
  }
  const total = countOf(isAsked)
  const work = await db.selectFrom('link_work').select('unreachable_since').executeTakeFirstOrThrow()
  return {
    links,
    total,
    totalPages: Math.ceil(total / limit),
    counts: {
      ok: countOf((row) => row.state === 'ok'),
      suspect: countOf((row) => row.state === 'suspect'),
      dead: countOf((row) => row.state === 'dead'),
      unknown: countOf((row) => row.state === 'unknown'),
      itemsWithoutLiveMirror: rows.find(({ shelf }) => shelf === 0)?.items ?? 0,
    },
    checks: { areOn: config.checksLinks, unreachableSince: work.unreachable_since?.toISOString() ?? null },
  }
}

async function readShelf(
  { db }: Pick<CatalogueApp, 'db'>,
  {
    isOnShelf,
    state,
    skip,
    limit,
  }: { isOnShelf: RawBuilder<boolean>; state: LinkState | undefined; skip: number; limit: number },
): Promise<LinkForAdmin[]> {
  const rows = await db
    .selectFrom('link_checks as c')
    .innerJoin('item_links as l', 'l.link_id', 'c.id')
    .innerJoin('items as i', 'i.no', 'l.item_no')
    .innerJoin('categories', 'categories.id', 'i.category_id')
    .selectAll('c')
    .select(['l.slot', 'i.name', 'i.slug', 'i.content_type', 'categories.name as category'])
    .select(
      sql<boolean>`exists (select from item_links o join link_checks oc on oc.id = o.link_id
        where o.item_no = l.item_no and o.slot = any(${mirrorSlots}::text[]) and oc.state <> 'dead')`.as('has_live'),
    )
    .where(isOnShelf)
    .$if(state !== undefined, (query) => query.where('c.state', '=', state as LinkState))
    .orderBy('c.id')
    .orderBy('l.item_no')
    .orderBy('l.slot')
    .offset(skip)
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    item: {
      name: row.name,
      slug: row.slug,
      category: row.category,
      contentType: row.content_type as ContentType,
      hasLiveMirror: row.has_live,
    },
    slot: row.slot as LinkSlot,
    address: row.address,
    host: row.host,
    state: row.state,
    failures: row.failures,
    reason: row.reason as LinkReason | null,
    status: row.status,
    checkedAt: row.checked_at?.toISOString() ?? null,
    nextCheckAt: row.next_check_at.toISOString(),
    inFrontSince: row.front_at?.toISOString() ?? null,
    reportedAt: row.reported_at?.toISOString() ?? null,
  }))
}
