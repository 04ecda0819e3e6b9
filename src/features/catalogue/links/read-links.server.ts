import { type RawBuilder, sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import type { ContentType } from '../item/content-type.ts'
import { type LinkSlot, type LinkState, linkStates } from '../item/link-slots.ts'
import { hasLiveMirror } from './due-links.server.ts'
import type { LinkReason } from './link-outcome.ts'
import type { LinkForAdmin, LinksForAdmin } from './links-schema.ts'

/** Whether the item of a slot has no mirror but dead ones. */
const isLost = sql`(c.state = 'dead' and not ${hasLiveMirror})`

/** Slots by the state of their links, those that were reported apart. */
interface LinkCounts {
  reported: Record<LinkState, number>
  others: Record<LinkState, number>
  /** Those of items without a live mirror; they are all dead. */
  lost: { reported: number; others: number }
  lostItems: number
}

/**
 * The list is a row of groups: first the links that need an administrator. Each group is read by an index, so that a late
 * page of working links sorts nothing.
 */
const groups: readonly {
  isInGroup: RawBuilder<boolean>
  countOf: (counts: LinkCounts, state: LinkState) => number
}[] = [
  {
    isInGroup: sql<boolean>`${isLost}`,
    countOf: ({ lost }, state) => (state === 'dead' ? lost.reported + lost.others : 0),
  },
  {
    isInGroup: sql<boolean>`c.reported_at is not null and not ${isLost}`,
    countOf: ({ reported, lost }, state) => reported[state] - (state === 'dead' ? lost.reported : 0),
  },
  ...(['dead', 'suspect', 'unknown', 'ok'] as const).map((own) => ({
    isInGroup: sql<boolean>`c.state = ${own} and c.reported_at is null and not ${isLost}`,
    countOf: ({ others, lost }: LinkCounts, state: LinkState): number =>
      state === own ? others[state] - (state === 'dead' ? lost.others : 0) : 0,
  })),
]

async function countLinks({ db }: Pick<CatalogueApp, 'db'>): Promise<LinkCounts> {
  const none = { ok: 0, suspect: 0, dead: 0, unknown: 0 }
  const counts: LinkCounts = {
    reported: { ...none },
    others: { ...none },
    lost: { reported: 0, others: 0 },
    lostItems: 0,
  }
  // Nearly all links are in one state: the others are found by an index, and the rest is theirs.
  const most = await db
    .selectFrom('link_checks')
    .select('state')
    .groupBy('state')
    .orderBy((row) => row.fn.countAll(), 'desc')
    .limit(1)
    .executeTakeFirst()
  if (most === undefined) return counts
  const few = linkStates.filter((state) => state !== most.state)
  const { rows } = await sql<{ state: LinkState; is_reported: boolean; count: number }>`
    with few as materialized (
      select c.state, c.reported_at is not null as is_reported, count(*) as count
        from link_checks c join item_links l on l.link_id = c.id
       where c.state in (${sql.join(few)}) group by 1, 2
       union all
      select c.state, true, count(*) from link_checks c join item_links l on l.link_id = c.id
       where c.state = ${most.state} and c.reported_at is not null group by 1
    )
    select state, is_reported, count::int from few
     union all
    select ${most.state}, false, (select count(*) from item_links)::int - (select coalesce(sum(count), 0) from few)::int`.execute(
    db,
  )
  for (const { state, is_reported, count } of rows) counts[is_reported ? 'reported' : 'others'][state] = count
  const { rows: lost } = await sql<{ reported: number; others: number; items: number }>`
    select (count(*) filter (where c.reported_at is not null))::int as reported,
           (count(*) filter (where c.reported_at is null))::int as others, count(distinct l.item_no)::int as items
      from item_links l join link_checks c on c.id = l.link_id
     where ${isLost}`.execute(db)
  const [found] = lost
  if (found === undefined) return counts
  const { items, ...ofLost } = found
  return { ...counts, lost: ofLost, lostItems: items }
}

/** Links with their items for administrators: items without a live mirror first, then what was reported, then by state. */
export async function readLinks(
  app: Pick<CatalogueApp, 'db' | 'config' | 'rehearsal'>,
  { page, limit, state }: { page: number; limit: number; state?: LinkState | undefined },
): Promise<LinksForAdmin> {
  const { db, config, rehearsal } = app
  const counts = await countLinks(app)
  const isAsked = (one: LinkState): boolean => state === undefined || one === state

  const links: LinkForAdmin[] = []
  let skip = (page - 1) * limit
  for (const { isInGroup, countOf } of groups) {
    const count = linkStates.reduce((sum, one) => sum + (isAsked(one) ? countOf(counts, one) : 0), 0)
    if (skip < count && links.length < limit) {
      links.push(...(await readGroup(app, { isInGroup, state, skip, limit: limit - links.length })))
    }
    skip = Math.max(0, skip - count)
  }
  const inState = (one: LinkState): number => counts.reported[one] + counts.others[one]
  const total = linkStates.reduce((sum, one) => sum + (isAsked(one) ? inState(one) : 0), 0)
  const work = await db.selectFrom('link_work').select('unreachable_since').executeTakeFirstOrThrow()
  return {
    links,
    total,
    totalPages: Math.ceil(total / limit),
    counts: {
      ok: inState('ok'),
      suspect: inState('suspect'),
      dead: inState('dead'),
      unknown: inState('unknown'),
      itemsWithoutLiveMirror: counts.lostItems,
    },
    checks: {
      areOn: config.checksLinks && !rehearsal.isOn,
      unreachableSince: work.unreachable_since?.toISOString() ?? null,
    },
  }
}

async function readGroup(
  { db }: Pick<CatalogueApp, 'db'>,
  {
    isInGroup,
    state,
    skip,
    limit,
  }: { isInGroup: RawBuilder<boolean>; state: LinkState | undefined; skip: number; limit: number },
): Promise<LinkForAdmin[]> {
  const rows = await db
    .selectFrom('link_checks as c')
    .innerJoin('item_links as l', 'l.link_id', 'c.id')
    .innerJoin('items as i', 'i.no', 'l.item_no')
    .innerJoin('categories', 'categories.id', 'i.category_id')
    .selectAll('c')
    .select(['l.slot', 'i.name', 'i.slug', 'i.content_type', 'categories.name as category'])
    .select(hasLiveMirror.as('has_live'))
    .where(isInGroup)
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
