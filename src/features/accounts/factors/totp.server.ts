import { Secret, TOTP } from 'otpauth'
import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { whileSignedIn } from '../sessions/while-signed-in.server.ts'
import type { FactorAdded, TotpSetup } from './factor-schema.ts'
import { lockFactors, recordAddedFactor, recordRemovedFactor } from './second-factor.server.ts'

export const setupValidForMs = 15 * 60_000

/** The settings that every authenticator app knows (RFC 6238). */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const

const secretOf = (stored: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(stored).buffer })

/** Six digits, which may be typed in groups; undefined for what can be no code of an app. */
export function totpCodeOf(typed: string): string | undefined {
  const code = typed.length > 100 ? '' : typed.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}

/** The step of 30 seconds whose code this is: the present one, or one of those beside it. */
function stepOf(code: string, secret: Uint8Array, now: number): number | undefined {
  const delta = TOTP.validate({ ...settings, token: code, secret: secretOf(secret), timestamp: now, window: 1 })
  return delta === null ? undefined : TOTP.counter({ period: settings.period, timestamp: now }) + delta
}

/**
 * Makes the secret of an authenticator app for the caller. It is in force once their session has shown a code of it, within
 * 15 minutes; one that was made before and is not in force ends.
 */
export async function setUpTotp(app: AccountsApp, viewer: Viewer): Promise<TotpSetup> {
  const member = requireMember(viewer)
  const secret = new Secret({ size: 20 })
  const made = { session_id: member.sessionId, secret: Buffer.from(secret.bytes), made_at: new Date(app.clock.now()) }
  await whileSignedIn(
    app.db
      .insertInto('totp_setups')
      .values({ user_id: member.id, ...made })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(made))
      .execute(),
  )
  const issuer = app.texts.inForce.brandName
  return { secret: secret.base32, uri: new TOTP({ ...settings, secret, issuer, label: member.email }).toString() }
}

/**
 * Puts the authenticator app into force that the caller has set up. It takes the place of another one. The code that shows
 * it is used up.
 * @throws {AppError} `totp.none`, 409, where none is being set up in this session; `totp.wrong`, 422
 */
export async function confirmTotp(app: AccountsApp, viewer: Viewer, { code }: { code: string }): Promise<FactorAdded> {
  const member = requireMember(viewer)
  const now = app.clock.now()
  return app.db.transaction().execute(async (trx) => {
    const user = await lockFactors(trx, member.id)
    const setup = await trx
      .selectFrom('totp_setups')
      .select('secret')
      .where('user_id', '=', member.id)
      .where('session_id', '=', member.sessionId)
      .where('made_at', '>', new Date(now - setupValidForMs))
      .executeTakeFirst()
    if (setup === undefined) {
      throw noTotp()
    }
    const digits = totpCodeOf(code)
    const step = digits === undefined ? undefined : stepOf(digits, setup.secret, now)
    if (step === undefined) {
      throw wrongTotp()
    }
    await trx.deleteFrom('totp_setups').where('user_id', '=', member.id).execute()
    const factor = { secret: setup.secret, last_step: step, added_at: new Date(now), last_used_at: null }
    await trx
      .insertInto('totp_factors')
      .values({ user_id: member.id, ...factor })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(factor))
      .execute()
    return { recoveryCodes: await recordAddedFactor(app, trx, { member, user, kind: 'totp' }) }
  })
}

/**
 * Removes the caller's authenticator app.
 * @throws {AppError} `totp.not_found`, 404; `factor.last`, 409
 */
export async function removeTotp(app: AccountsApp, viewer: Viewer): Promise<void> {
  const member = requireMember(viewer)
  await app.db.transaction().execute(async (trx) => {
    const user = await lockFactors(trx, member.id)
    const { numDeletedRows } = await trx
      .deleteFrom('totp_factors')
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) {
      throw totpNotFound()
    }
    await recordRemovedFactor(app, trx, { member, user, kind: 'totp' })
  })
}

/** Whether this is a code of the member's app that was not used yet. From now on it is, and so are those before it. */
export async function takeTotpCode(
  { db, clock }: Pick<AccountsApp, 'db' | 'clock'>,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const now = clock.now()
  const factor = await db.selectFrom('totp_factors').select('secret').where('user_id', '=', userId).executeTakeFirst()
  if (factor === undefined) return false
  const step = stepOf(code, factor.secret, now)
  if (step === undefined) return false
  // Only one of two concurrent uses of a code changes the row.
  const { numUpdatedRows } = await db
    .updateTable('totp_factors')
    .set({ last_step: step, last_used_at: new Date(now) })
    .where('user_id', '=', userId)
    .where('secret', '=', factor.secret)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const noTotp = defineError({
  code: 'totp.none',
  status: 409,
  sentence: 'No authenticator app is being set up any more. Please begin again.',
  remedy: 'Ask for a new secret: POST /auth/totp. It lives for 15 minutes, in its session.',
})

export const wrongTotp = defineError({
  code: 'totp.wrong',
  status: 422,
  field: 'code',
  sentence: 'That code is not right. Wait for the next one, and check that your phone sets its time automatically.',
  remedy: 'Ask for the code that the app shows now; its clock may be wrong.',
})

export const totpNotFound = defineError({
  code: 'totp.not_found',
  status: 404,
  sentence: 'You have no authenticator app.',
  remedy: 'Read the list of factors again.',
})
