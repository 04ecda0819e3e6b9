import { randomBytes } from 'node:crypto'
import type { AccountsApp } from '../app.ts'
import { digestOf } from '../sessions/tokens.server.ts'

/** What passkeys may be set to sign: who is to be shown, and in which session; a sign-in has none yet. */
export type ChallengeOf =
  | { userId: string; purpose: 'sign-in' }
  | { userId: string; purpose: 'proof' | 'registration'; sessionId: string }

export const challengeValidForMs = 5 * 60_000

/**
 * So many for a sign-in to an account. Whoever knows the password asks for fewer in five minutes
 * (`account-limits.server.ts`), so they push nobody's challenge out; and nobody fills the table.
 */
const maxOfAccount = 64

/** So many of a session for each purpose: whoever has stolen one pushes no challenge of another session out. */
const maxOfSession = 8

const sessionOf = (of: ChallengeOf): string | null => (of.purpose === 'sign-in' ? null : of.sessionId)

/** A challenge that works once, within five minutes; the database has its digest. */
export async function makeChallenge(
  { db, clock }: Pick<AccountsApp, 'db' | 'clock'>,
  of: ChallengeOf,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32))
  const { userId, purpose } = of
  const sessionId = sessionOf(of)
  await db
    .insertInto('factor_challenges')
    .values({
      challenge_hash: digestOf(Buffer.from(challenge).toString('base64url')),
      user_id: userId,
      session_id: sessionId,
      purpose,
      made_at: new Date(clock.now()),
    })
    .execute()
  await db
    .deleteFrom('factor_challenges')
    .where('challenge_hash', 'in', (select) =>
      select
        .selectFrom('factor_challenges')
        .select('challenge_hash')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .where('session_id', sessionId === null ? 'is' : '=', sessionId)
        .orderBy('made_at', 'desc')
        .orderBy('challenge_hash')
        .offset(sessionId === null ? maxOfAccount : maxOfSession)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
  return challenge
}

/** Whether this is a challenge that was made for that and is still good. From now on it is not. */
export async function takeChallenge(
  { db, clock }: Pick<AccountsApp, 'db' | 'clock'>,
  challenge: string,
  of: ChallengeOf,
): Promise<boolean> {
  const sessionId = sessionOf(of)
  const taken = await db
    .deleteFrom('factor_challenges')
    .where('challenge_hash', '=', digestOf(challenge))
    .where('user_id', '=', of.userId)
    .where('purpose', '=', of.purpose)
    .where('session_id', sessionId === null ? 'is' : '=', sessionId)
    .where('made_at', '>', new Date(clock.now() - challengeValidForMs))
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}
