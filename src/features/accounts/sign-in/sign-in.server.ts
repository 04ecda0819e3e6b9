import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { defineError, isAppError } from '../../../platform/errors.ts'
import type { AccountsDatabase, AccountsApp } from '../app.ts'
import type { FactorInput, ShownFactor } from '../factors/check-factor.server.ts'
import { insertAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requestOrigin } from '../../office/audit/request-origin.server.ts'
import { findKnownDevice, forgetUnusedDevices, isKnownBy } from '../devices/known-devices.server.ts'
import type { Caller } from '../../../platform/fair-queue/fair-queue.ts'
import { deviceInWords } from '../sessions/device-in-words.server.ts'
import { beginPassword, mayNotifyOfDevice } from './sign-in-limits.server.ts'
import { refusedFactor, requireFactor } from './require-factor.server.ts'
import { recordWrongProof } from './record-wrong-proof.server.ts'
import { callerHash } from './unfinished-sign-ins.server.ts'
import { foldEmail } from '../user/email.ts'
import { checkNewPassword, limits, emailError } from '../user/registration.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { lifetimeOf, type SessionOwner } from '../sessions/session-lifetimes.ts'
import { recordSeen } from '../sessions/record-seen.server.ts'
import { digestOf, makeToken } from '../sessions/tokens.server.ts'
import { accountMails } from '../account-mails.ts'
import { passwordsBusy } from '../passwords/passwords.server.ts'

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
  /** The secrets of the caller's browser (`readDeviceSecrets`). */
  deviceSecrets?: readonly string[]
  factor?: FactorInput | undefined
  /** The site's address as the caller knows it: passkeys belong to one. */
  siteUrl?: string
}

export interface SignedIn {
  token: string
  name: string
  email: string
  /** The secrets that the browser stores from now on (`writeDeviceSecrets`). */
  deviceSecrets: string[]
}

interface Candidate {
  id: string
  name: string
  email: string
  password_hash: string | null
  is_admin: boolean
  last_seen_at: Date | null
}

/**
 * Opens a session for a holder of the password (docs/spec/accounts.md#sessions). Unknown addresses and wrong passwords
 * have the same answer after the same work. A second factor is required before anything is opened.
 * @returns the token and the secrets of the device, stored as digests
 * @throws {AppError} `sign_in.failed`, `factor.needed`, `factor.wrong`, 401; `sign_in.weak_password`, 403;
 * `limit.exceeded`, 429; `passwords.busy`, 503; `account.invalid`, 422
 */
export async function signIn(
  app: AccountsApp,
  {
    email,
    password,
    isRemembered,
    address,
    userAgent,
    deviceSecrets = [],
    factor,
    siteUrl = app.config.publicUrl,
  }: SignIn,
): Promise<SignedIn> {
  if (email.trim() === '') assertValid({ field: 'email', message: emailError(email) ?? 'Email is required' })
  if (password === '') assertValid({ field: 'password', message: 'Password is required' })
  // An impossible address or password must not fill the stores of the limits.
  if (email.length > 4 * limits.email || password.length > 4 * limits.password) throw signInFailed()
  const emailFolded = foldEmail(email)
  const device = await findKnownDevice(app.db, { emailFolded, secrets: deviceSecrets, now: app.clock.now() })
  const caller: Caller = { account: emailFolded, address, device }
  const readUnlock = (): Promise<Date | undefined> => readUnlockedAt(app, emailFolded)
  const attempt = await beginPassword(app, { emailFolded, address, device, readUnlock })
  let user: Candidate | undefined
  let isRight: boolean
  try {
    user = await app.db
      .selectFrom('users')
      .select(['id', 'name', 'email', 'password_hash', 'is_admin', 'last_seen_at'])
      .where('email_folded', '=', emailFolded)
      .executeTakeFirst()
    isRight = await app.passwords.matches(password, user?.password_hash, caller)
  } catch (error) {
    // Nothing was learned of the password.
    await attempt.refund()
    throw error
  }
  if (!isRight || user === undefined || user.password_hash === null) {
    if (user !== undefined) recordWrongProof(app, 'session.refused', { id: user.id, isAdmin: user.is_admin })
    throw signInFailed()
  }
  const { id, name, email: writtenEmail, password_hash: verified } = user
  await attempt.succeeded()
  if (user.is_admin) await refuseWeakAdministrator(app, password, user)
  const program = userAgent.slice(0, maxUserAgent)
  const signingIn = { emailFolded, address, device }
  const by = { userId: id, isAdmin: user.is_admin, siteUrl, userAgent: program, caller: signingIn }
  const shownFactor = await requireFactor(app, factor, by)

  const token = makeToken()
  const owner = { isRemembered: isRemembered && !user.is_admin, isAdmin: user.is_admin }
  const opening = { user, token, owner, userAgent: program, address, deviceSecrets, device, shownFactor }
  const open = async (verified: string): Promise<string[] | undefined> => {
    try {
      return await openSession(app, { ...opening, verified })
    } catch (error) {
      if (error instanceof FactorUsed && factor !== undefined) throw await refusedFactor(app, factor, by)
      throw error
    }
  }
  let secrets = await open(verified)
  if (secrets === undefined) {
    // A first second factor was added meanwhile, the password was changed, or another sign-in has renewed its hash.
    if (shownFactor === undefined) await requireFactor(app, undefined, by)
    const changed = await readHash(app, id)
    if (changed === verified || !(await app.passwords.matches(password, changed, caller))) throw signInFailed()
    secrets = await open(changed as string)
    if (secrets === undefined) throw signInFailed()
  }
  await renewHash(app, { id, password, verified, caller })
  await recordSeen(app, id)
  await closeUnusedSessions(app, id)
  return { token, name, email: writtenEmail, deviceSecrets: secrets }
}

/** When the limits of the account were cleared, if that was within the last day: no limit of sign-in lasts longer. */
export async function readUnlockedAt(
  { db, clock }: Pick<AccountsApp, 'db' | 'clock'>,
  emailFolded: string,
): Promise<Date | undefined> {
  const user = await db
    .selectFrom('users')
    .select('unlocked_at')
    .where('email_folded', '=', emailFolded)
    .where('unlocked_at', '>', new Date(clock.now() - 86_400_000))
    .executeTakeFirst()
  return user?.unlocked_at ?? undefined
}

async function readHash({ db }: Pick<AccountsApp, 'db'>, id: string): Promise<string | null | undefined> {
  const user = await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirst()
  return user?.password_hash
}

interface Opening {
  user: Pick<Candidate, 'id' | 'name' | 'email' | 'last_seen_at'>
  token: string
  owner: SessionOwner
  /** Cut to `maxUserAgent`. */
  userAgent: string
  address: string
  deviceSecrets: readonly string[]
  /** The caller's device, if it was known. */
  device: string | undefined
  shownFactor: ShownFactor | undefined
  verified: string
}

/** Undoes what was to open the session: the password is not the one that was verified any more. */
class NotOpened extends Error {}

/** The same: somebody has used the recovery code meanwhile. */
class FactorUsed extends Error {}

/**
 * Opens the session, and makes its device known. The factor is used up only together with it.
 * @returns the secrets that the browser is to hold; undefined where the password is not the one that was verified any more
 * @throws {FactorUsed}
 */
async function openSession(app: AccountsApp, opening: Opening): Promise<string[] | undefined> {
  const { user, userAgent, device, shownFactor } = opening
  const now = app.clock.now()
  // A new member needs no email about their own device.
  const isNotified = device === undefined && user.last_seen_at !== null && (await mayNotifyOfDevice(app, user.id))
  const openWithMore = (): Promise<string[]> =>
    app.db.transaction().execute(async (trx) => {
      if (shownFactor?.use !== undefined && !(await shownFactor.use(trx))) throw new FactorUsed()
      const held = await insertSession(trx, opening, now)
      if (held === undefined) throw new NotOpened()
      if (isNotified) {
        const news = { device: deviceInWords(userAgent), at: new Date(now).toISOString() }
        await app.mail.queue(trx, accountMails.newDevice, { email: user.email, name: user.name, ...news })
      }
      return held
    })
  // One statement alone where there is no more to do.
  const isAlone = !isNotified && shownFactor?.use === undefined
  const secrets = isAlone ? await insertSession(app.db, opening, now) : await orNotOpened(openWithMore)
  if (device === undefined && secrets !== undefined) await forgetUnusedDevices(app.db, user.id)
  return secrets
}

async function orNotOpened<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof NotOpened) return undefined
    throw error
  }
}

/** @returns as `openSession` */
async function insertSession(
  db: Kysely<AccountsDatabase>,
  { user, token, owner, userAgent: program, address, deviceSecrets, shownFactor, verified }: Opening,
  now: number,
): Promise<string[] | undefined> {
  const { isRemembered } = owner
  const { absoluteMs } = lifetimeOf(owner)
  const instant = new Date(now)
  const opened = {
    action: 'session.opened' as const,
    details: {
      remembered: isRemembered,
      ...(shownFactor === undefined ? {} : { factor: shownFactor.kind }),
      ...requestOrigin(),
    },
  }
  const finished = callerHash({ userId: user.id, address, userAgent: program })
  // For this account alone: a secret put into somebody else's browser makes no device known for them.
  const made = makeToken()
  // One statement that locks the account as it was verified: a change of the password that is under way ends all
  // sessions, also one that is being opened with the old password, and so does a first second factor with one without it. It writes the device and the event too, and forgets that the sign-in was not finished, for no further way.
  const { rows } = await sql<{ used: Uint8Array | null }>`
    with opened as (
      insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at, proved_at)
      select ${uuidv7()}::uuid, id, ${digestOf(token)}::bytea, ${isRemembered}::boolean,
             ${program}, ${instant}::timestamptz, ${instant}::timestamptz,
             ${new Date(now + absoluteMs)}::timestamptz, ${instant}::timestamptz
        from users where id = ${user.id} and password_hash = ${verified}
         and (${shownFactor !== undefined}::boolean or not has_second_factor) for share
      returning user_id
    ), used as (
      update known_devices set user_agent = ${program}, last_used_at = ${instant}::timestamptz
        from opened
       where known_devices.user_id = opened.user_id and ${isKnownBy(deviceSecrets, now)}
      returning secret_hash
    ), made as (
      insert into known_devices (id, user_id, secret_hash, user_agent, created_at, last_used_at)
      select ${uuidv7()}::uuid, user_id, ${digestOf(made)}::bytea, ${program}, ${instant}::timestamptz, ${instant}::timestamptz
        from opened where not exists (select from used)
    ), finished as (
      delete from unfinished_sign_ins using opened
       where unfinished_sign_ins.user_id = opened.user_id and caller_hash = ${finished}::bytea
    ), recorded as (
      ${insertAuditEvent({ ...opened, memberId: sql`(select user_id from opened)` })}
    )
    select (select secret_hash from used limit 1) as used from opened`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { used } = row
  const own = used === null ? made : deviceSecrets.find((secret) => digestOf(secret).equals(used))
  return [own ?? made, ...deviceSecrets.filter((secret) => secret !== own)]
}

/** The password is at hand at no other time. While too many wait for a hash, the next sign-in will do. */
async function renewHash(
  app: Pick<AccountsApp, 'db' | 'passwords'>,
  { id, password, verified, caller }: { id: string; password: string; verified: string; caller: Caller },
): Promise<void> {
  if (!app.passwords.isOutdated(verified)) return
  let renewed: string
  try {
    renewed = await app.passwords.hash(password, caller)
  } catch (error) {
    if (isAppError(error) && error.code === passwordsBusy.code) return
    throw error
  }
  await app.db
    .updateTable('users')
    .set({ password_hash: renewed })
    .where('id', '=', id)
    .where('password_hash', '=', verified)
    .execute()
}

/**
 * A member who was made an administrator may have a password that an administrator may not. Only now it is known: they
 * choose another one by the link of an email.
 * @throws {AppError} `sign_in.weak_password`, 403
 */
async function refuseWeakAdministrator(
  app: Pick<AccountsApp, 'texts' | 'passwords'>,
  password: string,
  { name, email }: { name: string; email: string },
): Promise<void> {
  const isFit =
    checkNewPassword(password, { isAdmin: true }) === undefined &&
    !(await app.passwords.isWeak(password, { name, email, brandName: app.texts.inForce.brandName }))
  if (isFit) return
  throw weakPassword()
}

/** Closes the sessions that were unused the longest. Sign-ins at the same time each make room for themselves. */
async function closeUnusedSessions({ db }: Pick<AccountsApp, 'db'>, userId: string): Promise<void> {
  await sql`
    delete from sessions where id in (
      select id from sessions where user_id = ${userId}
       order by last_seen_at desc, id desc offset ${maxSessions} for update skip locked)`.execute(db)
}

export const signInFailed = defineError({
  code: 'sign_in.failed',
  status: 401,
  sentence: 'Invalid email or password.',
  remedy: 'Correct the address or the password. The answer does not tell which of them is wrong.',
})

export const weakPassword = defineError({
  code: 'sign_in.weak_password',
  status: 403,
  field: 'password',
  sentence:
    "You administer this site now, and your password is too weak for that. Choose one of at least 12 characters with 'Forgot password', then sign in.",
  remedy: 'Set a stronger password by the link of POST /forgot-password, then sign in with it.',
})
