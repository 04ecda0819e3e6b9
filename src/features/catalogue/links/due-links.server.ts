import { sql } from 'kysely'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { CatalogueApp } from '../app.ts'
import { type LinkState, mirrorSlots } from '../item/link-slots.ts'

/**
 * Whether the item of a row `l` of `item_links` has a mirror that is not dead (docs/spec/links.md#states). The offset keeps the
 * planner from gathering the live mirrors of all items: few are asked about, and an index finds theirs.
 */
export const hasLiveMirror = sql<boolean>`
  exists (select from item_links o join link_checks oc on oc.id = o.link_id
           where o.item_no = l.item_no and o.slot = any(${mirrorSlots}::text[]) and oc.state <> 'dead' offset 0)`

/**
 * The entry of each link `c` as a row `l`, link by link for the same reason: of many at once the planner would read the links of
 * all entries.
 */
export const entriesOfLink = sql`
  lateral (select item_no from item_links where link_id = c.id offset 0) l`

export interface DueLink {
  id: number
  address: string
  host: string
  state: LinkState
  failures: number
  checkedAt: Date | null
}

export type LinkChoice =
  | { kind: 'due' }
  /** Those that were reported, or requested by an administrator. */
  | { kind: 'front' }
  /** Every link, or those of one item, that was not checked since an instant, in milliseconds since 1970. */
  | { kind: 'all'; since: number; slug?: string }

/** How many links each rank is searched for: one host with many links does not hide the others. */
const maxLooked = 500
const maxOfHost = 20

/**
 * The next links to check, at most `limit`: what was moved to the front, then the links of items without a live mirror,
 * then what is due for longest (docs/spec/links.md#order). Hosts that are paused are left out; of one host at most 20
 * are taken, and hosts take turns.
 */
export async function findDueLinks(
  { db, clock }: Pick<CatalogueApp, 'db' | 'clock'>,
  choice: LinkChoice,
  limit: number,
): Promise<DueLink[]> {
  const now = isoOf(clock.now())
  const inFront = sql`
        (select c.*, 0 as rank, c.front_at as rank_at from link_checks c
          where c.front_at is not null and ${isReady(now)} order by c.front_at limit ${maxLooked})`
  const chosen =
    choice.kind === 'front'
      ? inFront
      : choice.kind === 'due'
        ? sql`${inFront}
        union all
        (select c.*, 1, c.next_check_at from link_checks c
          where c.state = 'dead' and c.next_check_at <= ${now}::timestamptz and ${isReady(now)} and ${isOfLostItem}
          order by c.next_check_at limit ${maxLooked})
        union all
        (select c.*, 2, c.next_check_at from link_checks c
          where c.next_check_at <= ${now}::timestamptz and ${isReady(now)} order by c.next_check_at limit ${maxLooked})`
        : sql`
        (select c.*, 0 as rank, c.next_check_at as rank_at from link_checks c
          where (c.checked_at is null or c.checked_at < ${isoOf(choice.since)}::timestamptz) and ${isReady(now)}
            and ${choice.slug === undefined ? sql`true` : isOf(choice.slug)}
          order by c.next_check_at limit ${maxLooked})`
  const { rows } = await sql<DueLink>`
    select id, address, host, state, failures, checked_at as "checkedAt" from (${chosen}) chosen
     order by rank, rank_at, id`.execute(db)
  return inTurns(rows).slice(0, limit)
}

export async function countDueLinks(
  { db, clock }: Pick<CatalogueApp, 'db' | 'clock'>,
  choice: Exclude<LinkChoice, { kind: 'front' }>,
): Promise<number> {
  const now = isoOf(clock.now())
  const isChosen =
    choice.kind === 'due'
      ? sql`(c.front_at is not null or c.next_check_at <= ${now}::timestamptz)`
      : sql`(c.checked_at is null or c.checked_at < ${isoOf(choice.since)}::timestamptz)
            and ${choice.slug === undefined ? sql`true` : isOf(choice.slug)}`
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from link_checks c where ${isChosen} and ${isReady(now)}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function hasLinks({ db }: Pick<CatalogueApp, 'db'>, slug: string): Promise<boolean> {
  const { rows } = await sql`select from link_checks c where ${isOf(slug)} limit 1`.execute(db)
  return rows.length > 0
}

function isReady(now: string) {
  return sql`not exists (select from paused_hosts p where p.host = c.host and p.paused_until > ${now}::timestamptz)`
}

function isOf(slug: string) {
  return sql`exists (select from item_links l join items i on i.no = l.item_no where l.link_id = c.id and i.slug = ${slug})`
}

const isOfLostItem = sql`
  exists (select from item_links l where l.link_id = c.id and not ${hasLiveMirror})`

/** Each link once; the hosts take turns, in the order in which their first links come. */
function inTurns(links: readonly DueLink[]): DueLink[] {
  const byHost = Map.groupBy(new Map(links.map((link) => [link.id, link])).values(), ({ host }) => host)
  const queues = [...byHost.values()].map((queue) => queue.slice(0, maxOfHost))
  return Array.from({ length: maxOfHost }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? [])).flat()
}
