import { randomBytes } from 'node:crypto'
import type { AccountsApp } from '../app.ts'
import { digestOf } from '../sessions/tokens.server.ts'
import { whileSignedIn } from '../sessions/while-signed-in.server.ts'

/** The purpose of a passkey's signature: the member, and the session; a sign-in has none yet. */
export type ChallengeOf =
  | { userId: string; purpose: 'sign-in' }
  | { userId: string; purpose: 'proof' | 'registration'; sessionId: string }

export const challengeValidForMs = 5 * 60_000

/**
 * The most challenges of sign-ins to an account. A password allows fewer in five minutes (`sign-in-limits.server.ts`),
 * so nobody pushes a challenge of others out or fills the table.
 */
const maxOfAccount = 64

/** The most challenges of a session for each purpose: a stolen session pushes no challenge of another one out. */
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
  await whileSignedIn(
    db
      .insertInto('factor_challenges')
      .values({
        challenge_hash: digestOf(Buffer.from(challenge).toString('base64url')),
        user_id: userId,
        session_id: sessionId,
        purpose,
        made_at: new Date(clock.now()),
      })
      .execute(),
  )
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
