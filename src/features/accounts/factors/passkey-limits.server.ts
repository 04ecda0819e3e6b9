import { consumeAll } from '../../../platform/rate-limit/consume-all.ts'
import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { AccountsApp } from '../app.ts'

/** Each is a row, and work for the library. Nobody makes or shows so many; what is stolen with a session costs its owner none. */
const optionsForSession: LimitRule = { name: 'passkey-options.session', points: 30, seconds: 15 * 60 }

/** All of these, as docs/operating.md tells them. */
export const passkeyLimits: readonly LimitRule[] = [optionsForSession]

/**
 * Before a browser is asked for a passkey in a session, to add one or to prove who the caller is.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitPasskeyOptions(app: Pick<AccountsApp, 'limits'>, sessionId: string): Promise<void> {
  await consumeAll(app.limits, [[optionsForSession, sessionId]])
}
