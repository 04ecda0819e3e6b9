import { defineError } from '../../../platform/errors.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { AccountsApp } from '../app.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { recordUse } from '../sessions/record-seen.server.ts'
import { lockUser } from '../user/lock-user.server.ts'
import { digestOf, makeToken } from '../sessions/tokens.server.ts'
import type { FeedToken } from './feed-token-schema.ts'

/**
 * Makes the caller's token; the one before it ends. It is stored nowhere, and told this once.
 * @param searchId a saved search of theirs, whose feed has a token of its own
 * @throws {AppError} `session.invalid`, 401, for a session that has ended meanwhile
 */
export async function makeFeedToken(
  { db, clock }: Pick<AccountsApp, 'db' | 'clock'>,
  viewer: Viewer,
  searchId: string | null = null,
): Promise<string> {
  const { id, sessionId } = requireMember(viewer)
  const token = makeToken()
  const made = { token_hash: digestOf(token), created_at: new Date(clock.now()), last_used_at: null }
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, id)
    // A password that was changed meanwhile has ended the session: no feed outlives it.
    await trx
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow(() => invalidSession())
    await trx
      .insertInto('feed_tokens')
      .values({ user_id: id, search_id: searchId, ...made })
      .onConflict((conflict) => conflict.columns(['user_id', 'search_id']).doUpdateSet(made))
      .execute()
    await recordMemberEvent(trx, 'account.feed_made', { of: id })
  })
  return token
}

/** The token of a member, without what opens the feed; undefined without one. */
export async function feedTokenOf(
  { db }: Pick<AccountsApp, 'db'>,
  { memberId }: { memberId: string },
): Promise<FeedToken | undefined> {
  const row = await db
    .selectFrom('feed_tokens')
    .select(['created_at', 'last_used_at'])
    .where('user_id', '=', memberId)
    .where('search_id', 'is', null)
    .executeTakeFirst()
  return row && { createdAt: row.created_at.toISOString(), lastUsedAt: row.last_used_at?.toISOString() ?? null }
}

/** @throws {AppError} `feed.not_found`, 404, without one */
export async function readFeedToken(app: Pick<AccountsApp, 'db'>, viewer: Viewer): Promise<FeedToken> {
  const found = await feedTokenOf(app, { memberId: requireMember(viewer).id })
  if (found === undefined) throw feedTokenNotFound()
  return found
}

/** The same in the file of the caller's data. */
export async function exportFeedToken(app: Pick<AccountsApp, 'db'>, viewer: Viewer): Promise<FeedToken[]> {
  const found = await feedTokenOf(app, { memberId: requireMember(viewer).id })
  return found === undefined ? [] : [found]
}

/**
 * Ends the caller's private feed, or that of a saved search of theirs.
 * @throws {AppError} `feed.not_found`, 404, without one
 */
export async function endFeedToken(
  { db }: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  searchId: string | null = null,
): Promise<void> {
  const { id } = requireMember(viewer)
  await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('feed_tokens')
      .where('user_id', '=', id)
      .where('search_id', searchId === null ? 'is' : '=', searchId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw feedTokenNotFound()
    await recordMemberEvent(trx, 'account.feed_ended', { of: id })
  })
}

/** The member whose private feed a token opens, and the saved search that it is of; undefined for one that was never made or has ended. */
export async function findFeedOwner(
  app: Pick<AccountsApp, 'db' | 'clock' | 'diskSpace'>,
  token: string,
): Promise<{ memberId: string; searchId: string | null } | undefined> {
  const row = await app.db
    .selectFrom('feed_tokens')
    .select(['user_id', 'search_id', 'last_used_at'])
    .where('token_hash', '=', digestOf(token))
    .executeTakeFirst()
  if (row === undefined) return undefined
  await recordUse(app, row.last_used_at, (at) =>
    app.db.updateTable('feed_tokens').set({ last_used_at: at }).where('token_hash', '=', digestOf(token)).execute(),
  )
  return { memberId: row.user_id, searchId: row.search_id }
}

export const feedTokenNotFound = defineError({
  code: 'feed.not_found',
  status: 404,
  sentence: 'You have no private feed.',
  remedy: 'Make one; it may have ended with a new password.',
})
