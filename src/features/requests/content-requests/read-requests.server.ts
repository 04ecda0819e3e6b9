import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import { AppError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/uuid.ts'
import { requireMember, type Viewer } from '../../accounts/user/viewer.ts'
import type { RequestsApp, RequestsDatabase } from '../app.ts'
import type { OpenRequests, RequestForAdmin, RequestForMember, RequestsForMember } from './request-schema.ts'

/** A request as the database has it. */
interface RequestRow {
  id: string
  title: string
  description: string
  status: 'pending' | 'approved' | 'rejected'
  votes: number
  created_at: Date
  decided_at: Date | null
  item_id: string | null
  fulfilled_at: Date | null
}

const columns = [
  'r.id',
  'r.title',
  'r.description',
  'r.status',
  'r.votes',
  'r.created_at',
  'r.decided_at',
  'r.item_id',
  'r.fulfilled_at',
] as const

function requests(db: Queryable<RequestsDatabase>) {
  return db.selectFrom('content_requests as r').select(columns)
}

/** Those that can be voted for: not rejected, and nothing fulfils them yet. */
const isOpen = sql<boolean>`r.status <> 'rejected' and r.fulfilled_at is null`

/** The items that fulfil requests, by their ids, as far as this viewer may see them now. */
async function itemsOf(app: RequestsApp, rows: readonly RequestRow[], viewer: Viewer) {
  const ids = [...new Set(rows.flatMap(({ item_id }) => item_id ?? []))]
  return ids.length === 0 ? new Map<string, { name: string; path: string }>() : app.listing.readNames(ids, viewer)
}

function shownItem(items: ReadonlyMap<string, { name: string; path: string }>, id: string | null) {
  const item = id === null ? undefined : items.get(id)
  return item === undefined ? null : { name: item.name, path: item.path }
}

function sharedFacts({ id, title, description, status, created_at, votes }: RequestRow) {
  return { id, title, description, status, createdAt: created_at.toISOString(), votes }
}

async function forAdmin(app: RequestsApp, viewer: Viewer, rows: readonly RequestRow[]): Promise<RequestForAdmin[]> {
  const items = await itemsOf(app, rows, viewer)
  return rows.map((row) => ({
    ...sharedFacts(row),
    decidedAt: row.decided_at?.toISOString() ?? null,
    fulfilledAt: row.fulfilled_at?.toISOString() ?? null,
    item: shownItem(items, row.item_id),
  }))
}

/**
 * Requests for administrators, the newest first.
 * @param wanted.before the id of the last one of the part before
 */
export async function readRequests(
  app: RequestsApp,
  viewer: Viewer,
  { status, before, limit }: { status?: RequestRow['status'] | undefined; before?: string | undefined; limit: number },
): Promise<RequestForAdmin[]> {
  const rows = await requests(app.db)
    .$if(status !== undefined, (query) => query.where('r.status', '=', status as RequestRow['status']))
    .$if(before !== undefined, (query) => query.where('r.id', '<', before as string))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
  return forAdmin(app, viewer, rows)
}

/** @throws {AppError} `recommendation.not_found`, 404 */
export async function readRequest(app: RequestsApp, viewer: Viewer, id: string): Promise<RequestForAdmin> {
  const row = isUuid(id) ? await requests(app.db).where('r.id', '=', id).executeTakeFirst() : undefined
  const [found] = row === undefined ? [] : await forAdmin(app, viewer, [row])
  if (found === undefined) throw noSuchRequest()
  return found
}

export function noSuchRequest(): AppError {
  return new AppError({ code: 'recommendation.not_found', status: 404, message: 'There is no such request any more.' })
}

/** The same with what concerns a member alone. */
function forMembers(db: Queryable<RequestsDatabase>, viewer: Viewer) {
  const { id } = requireMember(viewer)
  return requests(db).select([
    sql<boolean>`r.author_id is not distinct from ${id}::uuid`.as('isOwn'),
    sql<boolean>`exists (select from request_votes v where v.request_id = r.id and v.user_id = ${id}::uuid)`.as(
      'hasVoted',
    ),
  ])
}

async function forMember(
  app: RequestsApp,
  viewer: Viewer,
  rows: readonly (RequestRow & { isOwn: boolean; hasVoted: boolean })[],
): Promise<RequestForMember[]> {
  const items = await itemsOf(app, rows, viewer)
  return rows.map((row) => ({
    ...sharedFacts(row),
    isOwn: row.isOwn,
    hasVoted: row.hasVoted,
    item: shownItem(items, row.item_id),
  }))
}

/** How many open requests an answer holds. */
const openAtOnce = 50
/** How many of the member's own, the newest. */
const maxOwn = 200

/**
 * The open requests, those that most want first.
 * @param wanted.after what the part before says is next
 */
export async function readOpenRequests(
  app: RequestsApp,
  viewer: Viewer,
  { after }: { after?: { votes: number; id: string } | undefined },
): Promise<OpenRequests> {
  const rows = await forMembers(app.db, viewer)
    .where(isOpen)
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
    .orderBy('r.id', 'desc')
    .limit(maxOwn)
    .execute()
  return { requests: await forMember(app, viewer, rows) }
}

/** These requests as a member sees them, in this order. */
export async function readForMember(
  app: RequestsApp,
  viewer: Viewer,
  ids: readonly string[],
): Promise<RequestForMember[]> {
  const rows = await forMembers(app.db, viewer)
    .where(sql<boolean>`r.id = any(${ids}::uuid[])`)
    .execute()
  const found = new Map((await forMember(app, viewer, rows)).map((request) => [request.id, request]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Pending requests, as far as it matters to know how many: at most a thousand and one. */
export async function countPending({ db }: Pick<RequestsApp, 'db'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select 1 from content_requests where status = 'pending' limit 1001) pending`.execute(db)
  return rows[0]?.count ?? 0
}
