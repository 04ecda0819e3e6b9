import { sql } from 'kysely'
import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp, AccountsTransaction } from '../app.ts'
import { limitPasskeyOptions } from './passkey-limits.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { ChallengeOf } from './challenges.server.ts'
import type { FactorKind, PasskeyOptions } from './factor-schema.ts'
import { askForPasskey, type PasskeyResponse, takePasskey } from './passkeys.server.ts'
import { findRecoveryCode, useRecoveryCode } from './recovery-codes.server.ts'
import { relyingPartyOf } from './relying-party.ts'
import { totpCodeOf, takeTotpCode } from './totp.server.ts'

/** The second factor that somebody shows. */
export type FactorInput = { kind: 'code'; code: string } | { kind: 'passkey'; response: PasskeyResponse }

/** The factors that work at this address of the site; empty without a second factor. */
export async function readFactorKinds(
  { db }: Pick<AccountsApp, 'db'>,
  { userId, siteUrl }: { userId: string; siteUrl: string },
): Promise<FactorKind[]> {
  const { rows } = await sql<Record<FactorKind, boolean>>`
    select exists (select from passkeys where user_id = users.id) as passkey,
           exists (select from totp_factors where user_id = users.id) as totp,
           exists (select from recovery_codes where user_id = users.id) as recovery
      from users where id = ${userId} and has_second_factor`.execute(db)
  const [has] = rows
  if (has === undefined) return []
  const canUsePasskeys = has.passkey && relyingPartyOf(siteUrl) !== undefined
  return [
    ...(canUsePasskeys ? (['passkey'] as const) : []),
    ...(has.totp ? (['totp'] as const) : []),
    ...(has.recovery ? (['recovery'] as const) : []),
  ]
}

/** A factor that was shown and is right. */
export interface ShownFactor {
  kind: FactorKind
  /**
   * Uses it up, in the transaction of what it opens; false where another has done so meanwhile. Recovery codes alone have it:
   * an app and a passkey have further answers, which are used up when they are checked.
   */
  use?(trx: AccountsTransaction): Promise<boolean>
}

/**
 * The factor that was shown, if it is one of the member's. A right code of an app is used up, and so is a challenge; a
 * recovery code is not yet.
 */
export async function checkFactor(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  input: FactorInput,
  { of, siteUrl }: { of: ChallengeOf; siteUrl: string },
): Promise<ShownFactor | undefined> {
  const { userId } = of
  if (input.kind === 'passkey') {
    const isRight = await takePasskey(app, { of, response: input.response, siteUrl })
    return isRight ? { kind: 'passkey' } : undefined
  }
  // The form of a code says whether it is of an authenticator app.
  const code = totpCodeOf(input.code)
  if (code !== undefined) return (await takeTotpCode(app, { userId, code })) ? { kind: 'totp' } : undefined
  const digest = await findRecoveryCode(app, { userId, typed: input.code })
  if (digest === undefined) return undefined
  return { kind: 'recovery', use: (trx) => useRecoveryCode(app, trx, { userId, digest }) }
}

/** The sentence for a factor that is not right, at sign-in and as a proof. */
export const wrongFactor: Record<FactorInput['kind'], string> = {
  code: 'That code is wrong or has already been used.',
  passkey: 'This passkey was not accepted. Please try again.',
}

/** The member's factors, and the challenge for a passkey if one works at this address. */
export async function waysToShow(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { of, siteUrl }: { of: ChallengeOf; siteUrl: string },
): Promise<{ factors: FactorKind[]; passkey?: PasskeyOptions }> {
  const factors = await readFactorKinds(app, { userId: of.userId, siteUrl })
  const relyingParty = relyingPartyOf(siteUrl)
  if (relyingParty === undefined || !factors.includes('passkey')) return { factors }
  return { factors, passkey: await askForPasskey(app, { of, relyingParty }) }
}

/**
 * The options with which the browser asks for a passkey, as a fresh proof.
 * @throws {AppError} `passkey.none`, 409, where they have none that works at this address; `limit.exceeded`, 429
 */
export async function askForProof(
  app: Pick<AccountsApp, 'db' | 'clock' | 'limits'>,
  viewer: Viewer,
  { siteUrl }: { siteUrl: string },
): Promise<PasskeyOptions> {
  const { id: userId, sessionId } = requireMember(viewer)
  await limitPasskeyOptions(app, sessionId)
  const { passkey } = await waysToShow(app, { of: { userId, purpose: 'proof', sessionId }, siteUrl })
  if (passkey === undefined) {
    throw noPasskey()
  }
  return passkey
}

export const noPasskey = defineError({
  code: 'passkey.none',
  status: 409,
  sentence: 'You have no passkey that works here.',
  remedy: 'Prove who you are with the password or a code.',
})
