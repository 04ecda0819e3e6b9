import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import type { AuditAction } from '../audit/audit-event.ts'
import { beginSignIn } from './account-limits.server.ts'
import { foldEmail } from '../user/email.ts'
import { checkNewPassword, limits, emailError } from '../user/registration.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { sessionLifetimes } from '../sessions/session-lifetimes.ts'
import { noteSeen } from '../sessions/note-seen.server.ts'
import { digestOf, makeToken } from '../sessions/tokens.server.ts'

/** Longer names of a program say nothing more. */
const maxUserAgent = 400
/** An hour of sign-ins: without an end to its sessions, one account could fill the table and its own list. */
const maxSessions = 100

export interface SignIn {
  email: string
  password: string
  /** 'Remember me'. */
  isRemembered: boolean
  address: string
  userAgent: string
}

/**
 * Opens a session for who knows the password. An address that nobody has and a wrong password are the same: the same
 * answer after the same work. Of an account's sessions the hundred last used stay open.
 * @returns the token, which is nowhere else: the database keeps its digest
 * @throws {AppError} `sign_in.failed`, 401; `sign_in.weak_password`, 403, for an administrator; `limit.exceeded`, 429; `passwords.busy`, 503; `account.invalid`, 422
 */
export async function signIn(
  app: AccountsApp,
  { email, password, isRemembered, address, userAgent }: SignIn,
): Promise<{ token: string; name: string; email: string }> {
  if (email.trim() === '') assertValid({ field: 'email', message: emailError(email) ?? 'Email is required' })
  if (password === '') assertValid({ field: 'password', message: 'Password is required' })
  // Nobody has such an address or password: they must not fill the stores of the limits.
  if (email.length > 4 * limits.email || password.length > 4 * limits.password) throw signInFailed()
  const emailFolded = foldEmail(email)
  const attempt = await beginSignIn(app, { emailFolded, address })
  let user: { id: string; name: string; email: string; password_hash: string | null; is_admin: boolean } | undefined
  let isRight: boolean
  try {
    user = await app.db
      .selectFrom('users')
      .select(['id', 'name', 'email', 'password_hash', 'is_admin'])
      .where('email_folded', '=', emailFolded)
      .executeTakeFirst()
    isRight = await app.passwords.matches(password, user?.password_hash, { account: emailFolded, address })
  } catch (error) {
    // Nothing was learned of the password.
    await attempt.refund()
    throw error
  }
  if (!isRight || user === undefined || user.password_hash === null) throw signInFailed()
  const { id, name, email: writtenEmail, password_hash: verified } = user
  await attempt.succeeded()
  if (user.is_admin) refuseWeakAdministrator(app, password, user)

  const now = app.clock.now()
  const token = makeToken()
  const { absoluteMs } = isRemembered ? sessionLifetimes.remembered : sessionLifetimes.untilClosed
  const instant = new Date(now)
  const opened = { action: 'session.opened' satisfies AuditAction, details: { remembered: isRemembered } }
  // One statement that locks the account as it was verified: a change of the password that is under way ends all
  // sessions, also one that is being opened with the old password. It writes the event too, for no further way.
  const { numAffectedRows } = await sql`
    with opened as (
      insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at)
      select ${uuidv7()}::uuid, id, ${digestOf(token)}::bytea, ${isRemembered}::boolean,
             ${userAgent.slice(0, maxUserAgent)}, ${instant}::timestamptz, ${instant}::timestamptz,
             ${new Date(now + absoluteMs)}::timestamptz
        from users where id = ${id} and password_hash = ${verified} for share
      returning id
    )
    insert into audit_events (id, action, actor, actor_id, details)
    select ${uuidv7()}::uuid, ${opened.action}, 'member', ${id}::uuid, ${JSON.stringify(opened.details)}::json
      from opened`.execute(app.db)
  if (numAffectedRows !== 1n) throw signInFailed()
  await noteSeen(app, id)
  await closeUnusedSessions(app, id)
  return { token, name, email: writtenEmail }
}

/**
 * A member who was made an administrator may have a password that an administrator may not. Only now it is known: they
 * choose another one by the link of an email.
 * @throws {AppError} `sign_in.weak_password`, 403
 */
function refuseWeakAdministrator(
  app: Pick<AccountsApp, 'config' | 'passwords'>,
  password: string,
  { name, email }: { name: string; email: string },
): void {
  const isFit =
    checkNewPassword(password, { isAdmin: true }) === undefined &&
    !app.passwords.isWeak(password, { name, email, brandName: app.config.brandName })
  if (isFit) return
  throw new AppError({
    code: 'sign_in.weak_password',
    status: 403,
    message:
      "You administer this site now, and your password is too weak for that. Choose one of at least 12 characters with 'Forgot password', then sign in.",
    field: 'password',
  })
}

/** Closes the sessions that were unused the longest. Sign-ins at the same time each make room for themselves. */
async function closeUnusedSessions({ db }: Pick<AccountsApp, 'db'>, userId: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (select) =>
      select
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(maxSessions)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}

function signInFailed(): AppError {
  return new AppError({ code: 'sign_in.failed', status: 401, message: 'Invalid email or password.' })
}
