import { type RawBuilder, sql } from 'kysely'
import { defineError, isAppError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { recordSeen, seenToMs } from './record-seen.server.ts'
import { isSessionOver } from './session-lifetimes.ts'
import { digestOf, looksLikeToken } from './tokens.server.ts'
import { rolesOfAccount } from '../user/roles-of-account.ts'
import type { Role, SignedInMember } from '../../office/viewer/viewer.ts'

/** A use is written down at most so often. */
const seenEveryMs = 60_000

/** The account and the session behind a bearer token, and the roles that the account itself has. */
export interface RecognisedSession {
  member: SignedInMember
  roles: readonly Role[]
  /** The facts that the sources of roles have read, in their order. */
  facts: readonly unknown[]
}

/**
 * The account and the session behind this `Authorization` header; undefined without one. Both are read each time, so an
 * end holds everywhere.
 * @param facts read along with it, for the sources of roles
 * @param isUnattended sent by an unattended browser: no use of the session
 * @throws {AppError} `session.invalid`, 401, without a living session, also on public calls
 */
export async function recogniseSession(
  app: Pick<AccountsApp, 'db' | 'clock' | 'config' | 'diskSpace'>,
  authorization: string | undefined,
  facts: readonly RawBuilder<unknown>[],
  { isUnattended = false }: { isUnattended?: boolean } = {},
): Promise<RecognisedSession | undefined> {
  if (authorization === undefined) return undefined
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  if (!looksLikeToken(token)) throw invalidSession()
  const now = app.clock.now()
  const row = await app.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id as session_id',
      'sessions.is_remembered',
      'sessions.created_at',
      'sessions.last_seen_at',
      'sessions.expires_at',
      'sessions.proved_at',
      'users.id',
      'users.email',
      'users.is_admin',
      'users.is_safety_officer',
      'users.has_second_factor',
      'users.vip_disabled',
      'users.last_seen_at as member_seen_at',
      sql<unknown[]>`json_build_array(${sql.join(facts)})`.as('facts'),
    ])
    .where('sessions.token_hash', '=', digestOf(token))
    .where('sessions.expires_at', '>', new Date(now))
    .executeTakeFirstOrThrow(() => invalidSession())
  const stored = {
    isRemembered: row.is_remembered,
    isAdmin: row.is_admin,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }
  if (isSessionOver(stored, now)) throw invalidSession()
  if (!isUnattended && row.last_seen_at.getTime() + seenEveryMs <= now && !app.diskSpace.isFull) {
    try {
      await app.db
        .updateTable('sessions')
        .set({ last_seen_at: new Date(now) })
        .where('id', '=', row.session_id)
        .where('last_seen_at', '<', new Date(now))
        .execute()
      if ((row.member_seen_at?.getTime() ?? 0) + seenToMs <= now) await recordSeen(app, row.id)
    } catch (error) {
      // A database that can only be read for now answers what is read all the same.
      if (!isAppError(error) || error.status !== 503) throw error
    }
  }
  const { id, email, session_id: sessionId, is_admin: isAdmin, vip_disabled: isVipDisabled } = row
  return {
    member: { id, email, sessionId, token, provedAt: row.proved_at.getTime(), isAdmin, isVipDisabled },
    roles: rolesOfAccount(row, app.config),
    facts: row.facts,
  }
}

export const invalidSession = defineError({
  code: 'session.invalid',
  status: 401,
  sentence: 'Your session is not valid. Please sign in again.',
  remedy:
    'Sign in again. Public routes, too, refuse the token of a session that has ended: send none, or a living one.',
})
