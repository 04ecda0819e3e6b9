import { type RawBuilder, sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import type { ContentType } from '../item/content-type.ts'
import { type LinkSlot, linkSlots, type LinkState } from '../item/link-slots.ts'
import { entriesOfLink, hasLiveMirror } from './due-links.server.ts'
import type { LinkReason } from './link-outcome.ts'
import type { LinkedEntry, LinksForAdmin } from './links-schema.ts'

type App = Pick<CatalogueApp, 'db' | 'config' | 'rehearsal'>

export interface LinkFilter {
  state?: LinkState | undefined
  /** Without `www.`. */
  host?: string | undefined
}

/** Each published entry has a link in it. */
const [mainSlot] = linkSlots

/** Entries that need a look, with their rank: no live mirror, a report, a dead link, one in doubt. Indexes find them. */
const troubled = sql`
  select item_no, case when is_dead and not ${hasLiveMirror} then 0 when is_reported then 1 when is_dead then 2 else 3 end as rank
    from (select item_no, bool_or(c.state = 'dead') as is_dead, bool_or(c.reported_at is not null) as is_reported
            from link_checks c cross join ${entriesOfLink}
           where c.state in ('dead', 'suspect') or c.reported_at is not null group by 1) l`

const isAll = ({ state, host }: LinkFilter): boolean => state === undefined && host === undefined

/**
 * Whether any link was ever checked. The first state in an index tells, as `unknown` is the last of them by name; the rows are looked
 * through only while nothing is known of any link.
 */
const hasBegun = sql<boolean>`
  coalesce((select min(state) from link_checks) < 'unknown', false)
  or exists (select from link_checks where checked_at is not null)`

/** The links that match, as `f`, with their checks. */
const matching = ({ state, host }: LinkFilter): RawBuilder<unknown> => sql`
  item_links f join link_checks fc on fc.id = f.link_id and ${state === undefined ? sql`true` : sql`fc.state = ${state}`}
   and ${host === undefined ? sql`true` : sql`fc.host in (${host}, ${`www.${host}`})`}`

/** Whether the entry of a row `l` matches. */
function matches(filter: LinkFilter): RawBuilder<boolean> {
  return isAll(filter)
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from ${matching(filter)} where f.item_no = l.item_no)`
}

/** How many entries match. */
function countOf(filter: LinkFilter): RawBuilder<number> {
  return isAll(filter)
    ? sql<number>`count(*)::int from item_links where slot = ${mainSlot}`
    : sql<number>`count(distinct f.item_no)::int from ${matching(filter)}`
}

/** The numbers of the entries of a page. The many without trouble stand in their own order, so that a late page sorts nothing. */
async function readPage(
  { db }: App,
  { filter, limit, page }: { filter: LinkFilter; limit: number; page: number },
): Promise<{ numbers: number[]; total: number; lost: number }> {
  const isAsked = matches(filter)
  const skip = (page - 1) * limit
  const { rows } = await sql<{ total: number; first: number; lost: number; in_trouble: number[] }>`
    with troubled as materialized (${troubled}),
         asked as materialized (select item_no, rank from troubled l where ${isAsked})
    select (select count(*)::int from asked) as first,
           array(select item_no from asked order by rank, item_no offset ${skip} limit ${limit}) as in_trouble,
           (select count(*)::int from troubled where rank = 0) as lost,
           (select ${countOf(filter)}) as total`.execute(db)
  const { total = 0, first = 0, lost = 0, in_trouble: inTrouble = [] } = rows[0] ?? {}
  if (inTrouble.length === limit || skip + inTrouble.length >= total) return { numbers: inTrouble, total, lost }
  const others = await sql<{ item_no: number }>`
    with troubled as materialized (${troubled})
    select l.item_no from item_links l where l.slot = ${mainSlot} and ${isAsked}
           and not exists (select from troubled t where t.item_no = l.item_no)
     order by l.item_no offset ${Math.max(0, skip - first)} limit ${limit - inTrouble.length}`.execute(db)
  return { numbers: [...inTrouble, ...others.rows.map(({ item_no }) => item_no)], total, lost }
}

/** Entries with their links for administrators: those without a live mirror first, then what was reported, dead or in doubt. */
export async function readLinks(
  app: App,
  { page, limit, ...filter }: LinkFilter & { page: number; limit: number },
): Promise<LinksForAdmin> {
  const [{ numbers, total, lost }, counted, work] = await Promise.all([
    readPage(app, { filter, limit, page }),
    countHosts(app),
    app.db
      .selectFrom('link_work')
      .select(['unreachable_since', hasBegun.as('begun')])
      .executeTakeFirstOrThrow(),
  ])
  return {
    entries: await readEntries(app, numbers),
    total,
    totalPages: Math.ceil(total / limit),
    ...counted,
    entriesWithoutLiveMirror: lost,
    checks: {
      areOn: app.config.checksLinks && !app.rehearsal.isOn,
      haveBegun: work.begun,
      isRehearsal: app.rehearsal.isOn,
      unreachableSince: work.unreachable_since?.toISOString() ?? null,
    },
  }
}

async function countHosts({ db }: App): Promise<Pick<LinksForAdmin, 'hosts' | 'counts'>> {
  const { rows } = await sql<{ host: string; state: LinkState; count: number }>`
    select host, state, count(*)::int as count from link_checks group by 1, 2`.execute(db)
  const counts = { ok: 0, suspect: 0, dead: 0, unknown: 0 }
  const hosts = new Map<string, LinksForAdmin['hosts'][number]>()
  for (const { host: full, state, count } of rows) {
    const host = full.replace(/^www\./, '')
    const sum = hosts.get(host) ?? { host, links: 0, broken: 0 }
    sum.links += count
    if (state === 'dead') sum.broken += count
    hosts.set(host, sum)
    counts[state] += count
  }
  return {
    counts,
    hosts: [...hosts.values()].toSorted(
      (a, b) => b.broken - a.broken || b.links - a.links || (a.host < b.host ? -1 : 1),
    ),
  }
}

async function readEntries({ db }: App, numbers: readonly number[]): Promise<LinkedEntry[]> {
  if (numbers.length === 0) return []
  const rows = await db
    .selectFrom('item_links as l')
    .innerJoin('link_checks as c', 'c.id', 'l.link_id')
    .innerJoin('items as i', 'i.no', 'l.item_no')
    .innerJoin('categories', 'categories.id', 'i.category_id')
    .selectAll('c')
    .select([
      'l.item_no',
      'l.slot',
      'i.id as item_id',
      'i.name',
      'i.slug',
      'i.content_type',
      'categories.name as category',
    ])
    .select(hasLiveMirror.as('has_live'))
    .where('l.item_no', 'in', numbers)
    .execute()
  const byEntry = Map.groupBy(rows, ({ item_no }) => item_no)
  return numbers.flatMap((no) => {
    const ofEntry = (byEntry.get(no) ?? []).toSorted((a, b) => placeOf(a.slot) - placeOf(b.slot))
    const [first] = ofEntry
    if (first === undefined) return []
    return [
      {
        id: first.item_id,
        name: first.name,
        slug: first.slug,
        category: first.category,
        contentType: first.content_type as ContentType,
        hasLiveMirror: first.has_live,
        links: ofEntry.map((row) => ({
          id: row.id,
          slot: row.slot as LinkSlot,
          address: row.address,
          host: row.host,
          state: row.state,
          failures: row.failures,
          reason: row.reason as LinkReason | null,
          status: row.status,
          checkedAt: row.checked_at?.toISOString() ?? null,
          reportedAt: row.reported_at?.toISOString() ?? null,
        })),
      },
    ]
  })
}

function placeOf(slot: string): number {
  return linkSlots.indexOf(slot as LinkSlot)
}
