import { type AppError, defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import type { ChallengeOf } from '../factors/challenges.server.ts'
import {
  checkFactor,
  type FactorInput,
  type ShownFactor,
  waysToShow,
  wrongFactor,
} from '../factors/check-factor.server.ts'
import { beginFactor, type SigningIn } from './sign-in-limits.server.ts'
import { recordWrongProof } from './record-wrong-proof.server.ts'
import { recordUnfinished } from './unfinished-sign-ins.server.ts'

/**
 * The second step of a sign-in, after the right password. Only a holder of the password learns here that there is a
 * second factor.
 * @returns the factor that was shown, which whoever opens something uses up; undefined for an account that has none
 * @throws {AppError} `factor.needed` and `factor.wrong`, 401, with what can be shown; `limit.exceeded`, 429
 */
export async function requireFactor(
  app: Pick<AccountsApp, 'db' | 'clock' | 'limits' | 'mail' | 'countedEvents' | 'alarms'>,
  input: FactorInput | undefined,
  {
    userId,
    isAdmin,
    siteUrl,
    userAgent,
    caller,
  }: { userId: string; isAdmin: boolean; siteUrl: string; userAgent: string; caller: SigningIn },
): Promise<ShownFactor | undefined> {
  const { has_second_factor: isNeeded } =
    (await app.db.selectFrom('users').select('has_second_factor').where('id', '=', userId).executeTakeFirst()) ?? {}
  if (isNeeded !== true) return undefined
  const of: ChallengeOf = { userId, purpose: 'sign-in' }
  const { address, device } = caller
  const from = { userId, address, userAgent, isKnownDevice: device !== undefined }
  if (input === undefined) {
    await recordUnfinished(app, from)
    throw factorNeeded({ details: await waysToShow(app, { of, siteUrl }) })
  }
  const attempt = await beginFactor(app, caller)
  let shown: ShownFactor | undefined
  try {
    shown = await checkFactor(app, input, { of, siteUrl })
  } catch (error) {
    // Nothing was learned of the factor.
    await attempt.refund()
    throw error
  }
  if (shown === undefined) {
    recordWrongProof(app, 'factor.refused', { id: userId, isAdmin })
    await recordUnfinished(app, from)
    throw await refusedFactor(app, input, { userId, siteUrl })
  }
  await attempt.succeeded()
  return shown
}

/** The answer to a factor that is not right, or was used by somebody else meanwhile. */
export async function refusedFactor(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { kind }: FactorInput,
  { userId, siteUrl }: { userId: string; siteUrl: string },
): Promise<AppError> {
  return factorWrong(wrongFactor[kind], {
    field: kind,
    details: await waysToShow(app, { of: { userId, purpose: 'sign-in' }, siteUrl }),
  })
}

export const factorNeeded = defineError({
  code: 'factor.needed',
  status: 401,
  sentence: 'Your password is right. This account needs a second factor as well.',
  members: {
    factors: 'what can be shown: passkey, totp, recovery.',
    passkey: 'the options for the browser, where there is a passkey.',
  },
  remedy: 'Send the same request again, with code or passkey.',
})

export const factorWrong = defineError({
  code: 'factor.wrong',
  status: 401,
  members: {
    factors: 'what can be shown: passkey, totp, recovery.',
    passkey: 'new options for the browser, where there is a passkey.',
  },
  remedy: 'Ask for the next code, or use the new options. Each wrong one counts among those of the account.',
})
