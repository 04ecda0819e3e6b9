import { AppError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/uuid.ts'
import { recordAuditEvent } from '../../accounts/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../accounts/user/viewer.ts'
import { searchItems } from '../../catalogue/search/search-items.server.ts'
import type { RequestsApp } from '../app.ts'
import { noSuchRequest, readRequest } from './read-requests.server.ts'
import type { ItemChoices, RequestForAdmin } from './request-schema.ts'

/** Mails those who wanted it. */
export const tellVotersJob = 'requests.tell-voters'

/**
 * Approves or rejects a pending request. It is decided once: two clicks or two administrators make one decision.
 * @throws {AppError} `recommendation.not_found`, 404; `recommendation.decided`, 409, with the request as it is
 */
export async function decideRequest(
  app: RequestsApp,
  viewer: Viewer,
  { id, status }: { id: string; status: 'approved' | 'rejected' },
): Promise<RequestForAdmin> {
  if (!isUuid(id)) throw noSuchRequest()
  const isDecided = await app.db.transaction().execute(async (trx) => {
    const decided = await trx
      .updateTable('content_requests')
      .set({ status, decided_at: new Date(app.clock.now()) })
      .where('id', '=', id)
      .where('status', '=', 'pending')
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
  throw new AppError({
    code: 'recommendation.decided',
    status: 409,
    message: `This request was already ${current.status}.`,
    details: { current },
  })
}

/**
 * Links an approved request to the item that fulfils it. Whoever voted is told by mail, once, when they can open it; a request that is linked
 * to another item later tells only those who were not told yet.
 * @throws {AppError} `recommendation.not_found`, 404; `recommendation.not_approved`, 409, with the request as it is; `recommendation.item`, 422
 */
export async function fulfilRequest(
  app: RequestsApp,
  viewer: Viewer,
  { id, itemId }: { id: string; itemId: string },
): Promise<RequestForAdmin> {
  if (!isUuid(id)) throw noSuchRequest()
  const item = isUuid(itemId) ? (await app.listing.readNames([itemId], viewer)).get(itemId) : undefined
  if (item === undefined) {
    const message = 'There is no published entry of this kind. Choose one from the list.'
    throw new AppError({ code: 'recommendation.item', status: 422, message, field: 'itemId' })
  }
  const isFulfilled = await app.db.transaction().execute(async (trx) => {
    const request = await trx
      .selectFrom('content_requests')
      .select(['status', 'title', 'item_id', 'fulfilled_at'])
      .where('id', '=', id)
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
    await app.jobs.add(trx, tellVotersJob, { requestId: id })
    return true
  })
  const current = await readRequest(app, viewer, id)
  if (isFulfilled) return current
  throw new AppError({
    code: 'recommendation.not_approved',
    status: 409,
    message: `Only an approved request can be linked to an entry. This one is ${current.status}.`,
    details: { current },
  })
}

const maxChoices = 8

/** Entries that an administrator may link: those whose names match, or else the nearest ones. */
export async function findItemChoices(
  app: RequestsApp,
  viewer: Viewer,
  { search }: { search: string },
): Promise<ItemChoices> {
  const { itemNumbers, nearest = [] } = await searchItems(app, viewer, {
    page: 1,
    limit: maxChoices,
    ascending: false,
    text: search,
  })
  const found = await app.listing.readItems(itemNumbers.length > 0 ? itemNumbers : nearest, viewer)
  const ids = found.map(({ item }) => (item as { id: string }).id)
  const names = await app.listing.readNames(ids, viewer)
  return {
    items: found.flatMap(({ row }, place) => {
      const id = ids[place] ?? ''
      const item = names.get(id)
      if (item === undefined) return []
      return [{ id, name: item.name, path: item.path, contentType: row.contentType, opensAt: item.opensAt }]
    }),
  }
}
