import { sql } from 'kysely'
import type { InDeletion } from '../../accounts/account/account-parts.ts'
import { lockUser } from '../../accounts/user/lock-user.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { RequestsApp, RequestsTransaction } from '../app.ts'
import type { RequestsOfMember } from './request-schema.ts'

/** The caller's requests and votes for their data export, the newest first. */
export async function exportRequests({ db }: Pick<RequestsApp, 'db'>, viewer: Viewer): Promise<RequestsOfMember> {
  const { id } = requireMember(viewer)
  const own = await db
    .selectFrom('content_requests')
    .select(['id', 'title', 'description', 'status', 'votes', 'created_at'])
    .where('author_id', '=', id)
    .orderBy('content_requests.id', 'desc')
    .execute()
  const votes = await db
    .selectFrom('request_votes as v')
    .innerJoin('content_requests as r', 'r.id', 'v.request_id')
    .select(['r.id as requestId', 'r.title', 'v.voted_at'])
    .where('v.user_id', '=', id)
    .where('r.removed_at', 'is', null)
    .orderBy('r.id', 'desc')
    .execute()
  return {
    own: own.map(({ created_at, ...request }) => ({ ...request, createdAt: created_at.toISOString() })),
    votes: votes.map(({ voted_at, ...vote }) => ({ ...vote, votedAt: voted_at.toISOString() })),
  }
}

/**
 * Around the deletion of an account: its votes go, its requests stay without an author. The locks are taken in the order
 * in which votes take them.
 */
export async function releaseRequests(
  _app: unknown,
  viewer: Viewer,
  proceed: (inDeletion?: InDeletion) => Promise<void>,
): Promise<void> {
  const { id } = requireMember(viewer)
  await proceed(async (accountsTrx) => {
    const trx = accountsTrx as unknown as RequestsTransaction
    await lockUser(trx, id)
    await trx
      .selectFrom('content_requests as r')
      .select('r.id')
      .where(
        sql<boolean>`r.author_id = ${id}::uuid or r.id in (select request_id from request_votes where user_id = ${id}::uuid)`,
      )
      .orderBy('r.id')
      .forUpdate()
      .execute()
    await trx.deleteFrom('request_votes').where('user_id', '=', id).execute()
    return {}
  })
}
