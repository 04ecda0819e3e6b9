import { sql } from 'kysely'
import { namesGoneRow } from '../../../db/names-gone-row.ts'
import { defineError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/uuid.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { likenessTo } from '../../catalogue/item/likeness.ts'
import { searchItems } from '../../catalogue/search/search-items.server.ts'
import type { RequestsApp } from '../app.ts'
import { foldTitle } from './folded-title.ts'
import { noSuchRequest, readRequest, readRequestsById } from './read-requests.server.ts'
import type { ItemChoice, ItemChoices, RejectedRequests, RemovedRequests, RequestForAdmin } from './request-schema.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

export const notifyVotersJob = defineJob<{ requestId: string }>('requests.notify-voters')

/**
 * Approves or rejects a pending request. It is decided once: two clicks or two administrators make one decision.
 * @throws {AppError} `recommendation.not_found`, 404; `recommendation.decided`, 409, with the request as it is
 */
export async function decideRequest(
  app: RequestsApp,
  viewer: Viewer,
  { id, status }: { id: string; status: 'approved' | 'rejected' },
): Promise<RequestForAdmin> {
  const isDecided = await app.db.transaction().execute(async (trx) => {
    const decided = await trx
      .updateTable('content_requests')
      .set({ status, decided_at: new Date(app.clock.now()) })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('removed_at', 'is', null)
      .returning(['votes', 'title'])
      .executeTakeFirst()
    if (decided === undefined) return false
    await recordAuditEvent(trx, {
      action: status === 'approved' ? 'request.approved' : 'request.rejected',
      by: { memberId: requireMember(viewer).id },
      subject: { kind: 'request', id },
      details: { title: decided.title, votes: decided.votes },
    })
    return true
  })
  const current = await readRequest(app, viewer, id)
  if (isDecided) return current
  if (current.removedAt !== null) throw takenDown({ details: { current } })
  throw alreadyDecided(current.status, { details: { current } })
}

/** Longer than the ten seconds of the screen, because the call takes time. */
const undoMs = 30_000

/**
 * Takes a decision back: the request is pending again. Nobody was notified of it: voters receive an email only when an
 * entry fulfils the request. Does nothing for a pending request.
 * @throws {AppError} `recommendation.not_found`, 404; `recommendation.settled` and `recommendation.removed`, 409, with the request as it is
 */
export async function undoDecision(app: RequestsApp, viewer: Viewer, { id }: { id: string }): Promise<RequestForAdmin> {
  const isUndone = await app.db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('content_requests')
      .select(['status', 'title', 'title_folded', 'votes', 'decided_at', 'fulfilled_at', 'removed_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined || before.removed_at !== null) return false
    if (before.status === 'pending') return true
    const since = app.clock.now() - (before.decided_at?.getTime() ?? 0)
    if (since > undoMs || before.fulfilled_at !== null) return false
    // While it was rejected its title was free.
    const undone = await sql`
      update content_requests set status = 'pending', decided_at = null
       where id = ${id} and (status = 'approved' or not exists (
         select from content_requests o where o.title_folded = ${before.title_folded} and o.id <> ${id}
            and o.status <> 'rejected' and o.fulfilled_at is null and o.removed_at is null))`.execute(trx)
    if (undone.numAffectedRows !== 1n) return false
    await recordAuditEvent(trx, {
      action: 'request.decision_undone',
      by: { memberId: requireMember(viewer).id },
      subject: { kind: 'request', id },
      details: { title: before.title, votes: before.votes, was: before.status },
    })
    return true
  })
  const current = await readRequest(app, viewer, id)
  if (isUndone) return current
  if (current.removedAt !== null) throw takenDown({ details: { current } })
  throw decisionSettled({ details: { current } })
}

export async function rejectRequests(
  app: RequestsApp,
  viewer: Viewer,
  ids: readonly string[],
): Promise<RejectedRequests> {
  await app.db.transaction().execute(async (trx) => {
    // In one order, as `removeRequests`.
    const { rows } = await sql<{ id: string; title: string; votes: number }>`
      with found as (
        select id from content_requests
         where id = any(${ids}::uuid[]) and status = 'pending' and removed_at is null
         order by id for no key update)
      update content_requests r set status = 'rejected', decided_at = ${new Date(app.clock.now())}
        from found where r.id = found.id and r.status = 'pending' and r.removed_at is null
       returning r.id, r.title, r.votes`.execute(trx)
    const by = { memberId: requireMember(viewer).id }
    for (const { id, ...details } of rows)
      await recordAuditEvent(trx, { action: 'request.rejected', by, subject: { kind: 'request', id }, details })
  })
  const current = await readRequestsById(app, viewer, ids)
  const found = new Set(current.map(({ id }) => id))
  const isRejected = ({ status, removedAt }: RequestForAdmin): boolean => status === 'rejected' && removedAt === null
  return {
    rejected: current.filter(isRejected),
    left: current.filter((one) => !isRejected(one)),
    gone: ids.filter((id) => !found.has(id)),
  }
}

/**
 * Links an approved request to the item that fulfils it. Voters are notified by mail, once, when they can open it;
 * another item later notifies only the remaining ones.
 * @throws {AppError} `recommendation.not_found`, 404; `recommendation.not_approved`, 409, with the request as it is; `recommendation.item`, 422
 */
export async function fulfilRequest(
  app: RequestsApp,
  viewer: Viewer,
  { id, itemId }: { id: string; itemId: string },
): Promise<RequestForAdmin> {
  const item = isUuid(itemId) ? (await app.listing.readNames([itemId], viewer)).get(itemId) : undefined
  if (item === undefined) {
    throw noSuchEntry()
  }
  const linked = app.db.transaction().execute(async (trx) => {
    const request = await trx
      .selectFrom('content_requests')
      .select(['status', 'title', 'item_id', 'fulfilled_at'])
      .where('id', '=', id)
      .where('removed_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (request === undefined || request.status !== 'approved') return false
    if (request.item_id === itemId) return true
    await trx
      .updateTable('content_requests')
      .set({ item_id: itemId, fulfilled_at: request.fulfilled_at ?? new Date(app.clock.now()) })
      .where('id', '=', id)
      .execute()
    await recordAuditEvent(trx, {
      action: 'request.fulfilled',
      by: { memberId: requireMember(viewer).id },
      subject: { kind: 'request', id },
      details: { title: request.title, itemId, slug: item.slug },
    })
    await app.jobs.add(trx, notifyVotersJob, { requestId: id })
    return true
  })
  const isFulfilled = await linked.catch((error: unknown) => {
    // The entry was deleted meanwhile.
    throw namesGoneRow(error) ? noSuchEntry() : error
  })
  const current = await readRequest(app, viewer, id)
  if (isFulfilled) return current
  if (current.removedAt !== null) throw takenDown({ details: { current } })
  throw notApproved(current.status, { details: { current } })
}

export const takenDown = defineError({
  code: 'recommendation.removed',
  status: 409,
  sentence: 'This request was taken down.',
  members: { current: 'the request as it is now.' },
  remedy: 'Nothing: members do not see it any more.',
})

/**
 * Takes a request down, whatever was decided: no member sees it any more, and nobody is notified of it. Once or twice is the same.
 * @throws {AppError} `recommendation.not_found`, 404
 */
export async function removeRequest(
  app: RequestsApp,
  viewer: Viewer,
  { id }: { id: string },
): Promise<RequestForAdmin> {
  const [removed] = (await removeRequests(app, viewer, [id])).removed
  if (removed === undefined) throw noSuchRequest()
  return removed
}

/** The same with several at once. */
export async function removeRequests(
  app: RequestsApp,
  viewer: Viewer,
  ids: readonly string[],
): Promise<RemovedRequests> {
  await app.db.transaction().execute(async (trx) => {
    // In one order: of two who take the same down at once, one waits for the other.
    const { rows } = await sql<{ id: string; status: string; votes: number }>`
      with found as (
        select id from content_requests where id = any(${ids}::uuid[]) and removed_at is null
         order by id for no key update)
      update content_requests r set removed_at = ${new Date(app.clock.now())}
        from found where r.id = found.id and r.removed_at is null returning r.id, r.status, r.votes`.execute(trx)
    const by = { memberId: requireMember(viewer).id }
    // Its words are what was wrong with it: they stand in the row, and not in a log that cannot be changed.
    for (const { id, ...details } of rows)
      await recordAuditEvent(trx, { action: 'request.removed', by, subject: { kind: 'request', id }, details })
  })
  const removed = await readRequestsById(app, viewer, ids)
  const found = new Set(removed.map(({ id }) => id))
  return { removed, gone: ids.filter((id) => !found.has(id)) }
}

const maxChoices = 8
/** The most similar of the newest matches are offered. */
const maxCompared = 50

/** Entries that an administrator may link: those whose names match, the most alike first; or else the nearest ones. */
export async function findItemChoices(
  app: RequestsApp,
  viewer: Viewer,
  { search }: { search: string },
): Promise<ItemChoices> {
  const { itemNumbers, nearest = [] } = searchItems(app, viewer, {
    page: 1,
    limit: maxCompared,
    ascending: false,
    text: search,
  })
  const likenessOf = likenessTo(foldTitle(search))
  const matching = (await choicesOf(app, viewer, itemNumbers))
    .map((choice) => ({ choice, likeness: likenessOf(foldTitle(choice.name)) }))
    .toSorted((a, b) => b.likeness - a.likeness)
    .map(({ choice }) => choice)
  return {
    items: matching.slice(0, maxChoices),
    nearest: matching.length > 0 ? [] : (await choicesOf(app, viewer, nearest)).slice(0, maxChoices),
  }
}

async function choicesOf(app: RequestsApp, viewer: Viewer, itemNumbers: number[]): Promise<ItemChoice[]> {
  const found = await app.listing.readItems(itemNumbers, viewer)
  const ids = found.map(({ item }) => (item as { id: string }).id)
  const names = await app.listing.readNames(ids, viewer)
  return found.flatMap(({ row }, place) => {
    const id = ids[place] ?? ''
    const item = names.get(id)
    if (item === undefined) return []
    return [{ id, name: item.name, path: item.path, contentType: row.contentType, opensAt: item.opensAt }]
  })
}

export const alreadyDecided = defineError({
  code: 'recommendation.decided',
  status: 409,
  sentence: (status: string) => `This request was already ${status}.`,
  members: { current: 'the request as it is now.' },
  remedy: 'Nothing: a request is decided once.',
})

export const decisionSettled = defineError({
  code: 'recommendation.settled',
  status: 409,
  sentence: 'This decision can no longer be undone.',
  members: { current: 'the request as it is now.' },
  remedy:
    'Nothing: a decision can be undone for seconds, while no entry fulfils the request and no other asks for the same.',
})

export const noSuchEntry = defineError({
  code: 'recommendation.item',
  status: 422,
  field: 'itemId',
  sentence: 'There is no published entry of this kind. Choose one from the list.',
  remedy: 'Take the id from GET /recommendations/items.',
})

export const notApproved = defineError({
  code: 'recommendation.not_approved',
  status: 409,
  sentence: (status: string) => `Only an approved request can be linked to an entry. This one is ${status}.`,
  members: { current: 'the request as it is now.' },
  remedy: 'Approve the request first.',
})
