import { type InferResult, type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import { mostCounted } from '../../../platform/counted-to-thousand.ts'
import { defineError } from '../../../platform/errors.ts'
import { requireMember, type Role, type Viewer } from '../../office/viewer/viewer.ts'
import type { NamedItem } from '../../catalogue/index/catalogue-index.server.ts'
import type { RequestsApp, RequestsDatabase } from '../app.ts'
import type { OpenRequests, RequestForAdmin, RequestForMember, RequestsForMember } from './request-schema.ts'

const columns = [
  'r.id',
  'r.author_id',
  'r.title',
  'r.description',
  'r.status',
  'r.votes',
  'r.created_at',
  'r.decided_at',
  'r.item_id',
  'r.fulfilled_at',
  'r.removed_at',
] as const

function requests(db: Queryable<RequestsDatabase>) {
  return db.selectFrom('content_requests as r').select(columns)
}

/** The author is null once the account is deleted. */
type RequestRow = InferResult<ReturnType<typeof requests>>[number]

/**
 * Those of the table `r` that this viewer can vote for: neither rejected nor taken down, and fulfilled by nothing that
 * they may see. Else a request that closes would tell them of a VIP item, or of one of the future.
 */
export function isOpenFor({ listing }: Pick<RequestsApp, 'listing'>, viewer: Viewer): RawBuilder<boolean> {
  const isSeen = listing.isVisible('r.item_id', asReader(viewer))
  return sql<boolean>`(r.status <> 'rejected' and r.removed_at is null and (r.fulfilled_at is null or not ${isSeen}))`
}

/** Administrators read as VIPs do where they are members: nobody opens the page of an item of the future. */
function asReader(viewer: Viewer): Viewer {
  return viewer.roles.has('admin') ? { ...viewer, roles: new Set<Role>(['vip']) } : viewer
}

/** The items that fulfil requests, by their ids, as far as this viewer may see them now. */
async function itemsOf(app: RequestsApp, rows: readonly RequestRow[], viewer: Viewer) {
  const ids = [...new Set(rows.flatMap(({ item_id }) => item_id ?? []))]
  return ids.length === 0 ? new Map<string, NamedItem>() : app.listing.readNames(ids, viewer)
}

function shownItem(items: ReadonlyMap<string, NamedItem>, id: string | null) {
  const item = id === null ? undefined : items.get(id)
  return item === undefined ? null : { name: item.name, path: item.path }
}

/** The administrator's link to an item: its page, or the form of the content list while it has none. */
function shownToAdmin(items: ReadonlyMap<string, NamedItem>, id: string | null) {
  const item = id === null ? undefined : items.get(id)
  if (item === undefined) return null
  const { name, path, opensAt } = item
  return { name, path: opensAt === null ? path : `/admin/settings?edit=${id}`, opensAt }
}

function sharedFacts({ id, title, description, status, created_at, votes }: RequestRow) {
  return { id, title, description, status, createdAt: created_at.toISOString(), votes }
}

async function authorsOf({ db }: Pick<RequestsApp, 'db'>, rows: readonly RequestRow[]) {
  const ids = [...new Set(rows.flatMap(({ author_id }) => author_id ?? []))]
  const users = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(users.map((user) => [user.id, user]))
}

async function forAdmin(app: RequestsApp, viewer: Viewer, rows: readonly RequestRow[]): Promise<RequestForAdmin[]> {
  const items = await itemsOf(app, rows, viewer)
  const authors = await authorsOf(app, rows)
  return rows.map((row) => ({
    ...sharedFacts(row),
    author: (row.author_id === null ? undefined : authors.get(row.author_id)) ?? null,
    decidedAt: row.decided_at?.toISOString() ?? null,
    fulfilledAt: row.fulfilled_at?.toISOString() ?? null,
    removedAt: row.removed_at?.toISOString() ?? null,
    item: shownToAdmin(items, row.item_id),
  }))
}

/**
 * Requests for administrators, the newest first: of one status without those that were taken down.
 * @param wanted.before the id of the last one of the part before
 * @param wanted.isOfNobody those whose authors have no account any more, without those that were taken down
 */
export async function readRequests(
  app: RequestsApp,
  viewer: Viewer,
  {
    status,
    isOfNobody = false,
    before,
    limit,
  }: { status?: RequestRow['status'] | undefined; isOfNobody?: boolean; before?: string | undefined; limit: number },
): Promise<RequestForAdmin[]> {
  const rows = await requests(app.db)
    .$if(status !== undefined, (query) =>
      query.where('r.status', '=', status as RequestRow['status']).where('r.removed_at', 'is', null),
    )
    .$if(isOfNobody, (query) => query.where('r.author_id', 'is', null).where('r.removed_at', 'is', null))
    .$if(before !== undefined, (query) => query.where('r.id', '<', before as string))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
  return forAdmin(app, viewer, rows)
}

/** @throws {AppError} `recommendation.not_found`, 404 */
export async function readRequest(app: RequestsApp, viewer: Viewer, id: string): Promise<RequestForAdmin> {
  const row = await requests(app.db).where('r.id', '=', id).executeTakeFirst()
  const [found] = row === undefined ? [] : await forAdmin(app, viewer, [row])
  if (found === undefined) throw noSuchRequest()
  return found
}

/** Those that there are, in the order of their ids. */
export async function readRequestsById(
  app: RequestsApp,
  viewer: Viewer,
  ids: readonly string[],
): Promise<RequestForAdmin[]> {
  const rows = await requests(app.db)
    .where(sql<boolean>`r.id = any(${ids}::uuid[])`)
    .orderBy('r.id')
    .execute()
  return forAdmin(app, viewer, rows)
}

export const noSuchRequest = defineError({
  code: 'recommendation.not_found',
  status: 404,
  sentence: 'There is no such request any more.',
  remedy: 'Read the list again.',
})

/** The same with what concerns a member alone. */
function forMembers(db: Queryable<RequestsDatabase>, viewer: Viewer) {
  const { id } = requireMember(viewer)
  return requests(db).select([
    sql<boolean>`r.author_id is not distinct from ${id}::uuid`.as('isOwn'),
    sql<boolean>`exists (select from request_votes v where v.request_id = r.id and v.user_id = ${id}::uuid)`.as(
      'hasVoted',
    ),
    sql<boolean>`exists (select from users u where u.id = ${id}::uuid and u.email_confirmed_at is not null)`.as(
      'counts',
    ),
  ])
}

async function forMember(
  app: RequestsApp,
  viewer: Viewer,
  rows: readonly (RequestRow & { isOwn: boolean; hasVoted: boolean; counts: boolean })[],
): Promise<RequestForMember[]> {
  const items = await itemsOf(app, rows, asReader(viewer))
  return rows.map((row) => ({
    ...sharedFacts(row),
    isOwn: row.isOwn,
    hasVoted: row.hasVoted,
    counts: row.counts,
    item: shownItem(items, row.item_id),
  }))
}

const openAtOnce = 50
/** How many of the member's own, the newest. */
const maxOwn = 200

/**
 * The open requests of others, those that most want first.
 * @param wanted.after what the part before says is next
 */
export async function readOpenRequests(
  app: RequestsApp,
  viewer: Viewer,
  { after }: { after?: { votes: number; id: string } | undefined },
): Promise<OpenRequests> {
  const rows = await forMembers(app.db, viewer)
    .where(isOpenFor(app, viewer))
    .where(sql<boolean>`r.author_id is distinct from ${requireMember(viewer).id}::uuid`)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(r.votes, r.id) < (${after?.votes}::int, ${after?.id}::uuid)`),
    )
    .orderBy('r.votes', 'desc')
    .orderBy('r.id', 'desc')
    .limit(openAtOnce + 1)
    .execute()
  const shown = rows.slice(0, openAtOnce)
  const last = rows.length > openAtOnce ? shown.at(-1) : undefined
  return {
    requests: await forMember(app, viewer, shown),
    next: last === undefined ? null : `${last.votes}.${last.id}`,
  }
}

/** The caller's own requests, the newest first. */
export async function readOwnRequests(app: RequestsApp, viewer: Viewer): Promise<RequestsForMember> {
  const rows = await forMembers(app.db, viewer)
    .where('r.author_id', '=', requireMember(viewer).id)
    .where('r.removed_at', 'is', null)
    .orderBy('r.id', 'desc')
    .limit(maxOwn)
    .execute()
  return { requests: await forMember(app, viewer, rows) }
}

export async function readForMember(
  app: RequestsApp,
  viewer: Viewer,
  ids: readonly string[],
): Promise<RequestForMember[]> {
  const rows = await forMembers(app.db, viewer)
    .where(sql<boolean>`r.id = any(${ids}::uuid[])`)
    .where('r.removed_at', 'is', null)
    .execute()
  const found = new Map((await forMember(app, viewer, rows)).map((request) => [request.id, request]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Pending requests, counted up to `mostCounted`. */
export async function countPending({ db }: Pick<RequestsApp, 'db'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select 1 from content_requests where status = 'pending' and removed_at is null limit ${mostCounted}) pending`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
