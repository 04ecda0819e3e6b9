import { uuidv7 } from 'uuidv7'
import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'
import { beginSignIn } from './account-limits.server.ts'
import { foldEmail } from './email.ts'
import { limits, emailProblem } from './registration.ts'
import { refuseProblem } from './refuse-problem.server.ts'
import { sessionLifetimes } from './session-lifetimes.ts'
import { digestOf, makeToken } from './tokens.server.ts'
import type { Viewer } from './viewer.ts'

/** Longer names of a program say nothing more. */
const mostUserAgent = 400
/** Right passwords are not limited: without an end to its sessions, one account could fill the table and its own list. */
const mostSessions = 100

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
 * @throws {AppError} `sign_in.failed`, 401; `limit.exceeded`, 429; `passwords.busy`, 503; `account.invalid`, 422
 */
export async function signIn(
  app: App,
  _viewer: Viewer,
  { email, password, isRemembered, address, userAgent }: SignIn,
): Promise<{ token: string; name: string; email: string }> {
  if (email.trim() === '') refuseProblem({ field: 'email', message: emailProblem(email) ?? 'Email is required' })
  if (password === '') refuseProblem({ field: 'password', message: 'Password is required' })
  // Nobody has such an address or password: they must not fill the stores of the limits.
  if (email.length > 4 * limits.email || password.length > 4 * limits.password) throw signInFailed()
  const emailFolded = foldEmail(email)
  const attempt = await beginSignIn(app, { emailFolded, address })
  let user: { id: string; name: string; email: string; password_hash: string } | undefined
  let isRight: boolean
  try {
    user = await app.db
      .selectFrom('users')
      .select(['id', 'name', 'email', 'password_hash'])
      .where('email_folded', '=', emailFolded)
      .executeTakeFirst()
    isRight = await app.passwords.matches(password, user?.password_hash)
  } catch (error) {
    // Nothing was learned of the password.
    await attempt.giveBack()
    throw error
  }
  const { id, name, email: writtenEmail, password_hash: verified } = user ?? {}
  if (!isRight || id === undefined || name === undefined || writtenEmail === undefined || verified === undefined) {
    throw signInFailed()
  }
  await attempt.succeeded()

  const now = app.clock.now()
  const token = makeToken()
  const { absoluteMs } = isRemembered ? sessionLifetimes.remembered : sessionLifetimes.untilClosed
  const isOpen = await app.db.transaction().execute(async (trx) => {
    // A change of the password that is under way ends all sessions, also one that is being opened with the old password.
    const current = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where('password_hash', '=', verified)
      .forShare()
      .executeTakeFirst()
    if (current === undefined) return false
    // Those that were left unused the longest make room. Who signs in at the same time makes room for himself.
    await trx
      .deleteFrom('sessions')
      .where('id', 'in', (select) =>
        select
          .selectFrom('sessions')
          .select('id')
          .where('user_id', '=', id)
          .orderBy('last_seen_at', 'desc')
          .orderBy('id', 'desc')
          .offset(mostSessions - 1)
          .forUpdate()
          .skipLocked(),
      )
      .execute()
    await trx
      .insertInto('sessions')
      .values({
        id: uuidv7(),
        user_id: id,
        token_hash: digestOf(token),
        is_remembered: isRemembered,
        user_agent: userAgent.slice(0, mostUserAgent),
        created_at: new Date(now),
        last_seen_at: new Date(now),
        expires_at: new Date(now + absoluteMs),
      })
      .execute()
    return true
  })
  if (!isOpen) throw signInFailed()
  return { token, name, email: writtenEmail }
}

function signInFailed(): AppError {
  return new AppError({ code: 'sign_in.failed', status: 401, message: 'Invalid email or password.' })
}
