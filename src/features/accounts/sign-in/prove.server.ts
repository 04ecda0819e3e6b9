import { type AppError, defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import {
  checkFactor,
  type FactorInput,
  readFactorKinds,
  type ShownFactor,
  wrongFactor,
} from '../factors/check-factor.server.ts'
import type { ProofAndFactors } from '../factors/factor-schema.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { findKnownDevice } from '../devices/known-devices.server.ts'
import type { Caller } from '../../../platform/fair-queue/fair-queue.ts'
import type { ProofForMember } from '../sessions/proof-schema.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { foldEmail } from '../user/email.ts'
import { limits } from '../user/registration.ts'
import { requireMember, type SignedInMember, type Viewer } from '../../office/viewer/viewer.ts'
import { beginFactor, beginPassword } from './sign-in-limits.server.ts'
import { recordWrongProof } from './record-wrong-proof.server.ts'
import { readUnlockedAt } from './sign-in.server.ts'

/** The proof that a member shows; `checkProof` has a branch for each kind. */
export type ProofInput = { kind: 'password'; password: string } | FactorInput

/**
 * Records that the caller has proved who they are: their session is fresh again, under the same token
 * (docs/spec/accounts.md#proof). A wrong password counts for the account, a wrong factor for the known device or the
 * session.
 * @param input.address as `clientAddressOf` gives it
 * @throws {AppError} `proof.wrong`, 403; `account.invalid`, 422; `limit.exceeded`, 429; `passwords.busy`, 503;
 * `session.invalid`, 401
 */
export async function prove(
  app: Pick<AccountsApp, 'db' | 'clock' | 'config' | 'limits' | 'mail' | 'passwords' | 'countedEvents' | 'alarms'>,
  viewer: Viewer,
  {
    proof,
    address,
    deviceSecrets = [],
    siteUrl = app.config.publicUrl,
  }: { proof: ProofInput; address: string; deviceSecrets?: readonly string[]; siteUrl?: string },
): Promise<ProofForMember> {
  const member = requireMember(viewer)
  refuseImpossible(proof)
  const emailFolded = foldEmail(member.email)
  const device = await findKnownDevice(app.db, { emailFolded, secrets: deviceSecrets, now: app.clock.now() })
  const readUnlock = (): Promise<Date | undefined> => readUnlockedAt(app, emailFolded)
  const attempt =
    proof.kind === 'password'
      ? await beginPassword(app, { emailFolded, address, device, readUnlock })
      : await beginFactor(app, { emailFolded, device, sessionId: member.sessionId })
  let right: RightProof | undefined
  try {
    right = await checkProof(app, member, proof, { caller: { account: emailFolded, address, device }, siteUrl })
  } catch (error) {
    // Nothing was learned of the proof.
    await attempt.refund()
    throw error
  }
  if (right === undefined) {
    recordWrongProof(app, 'proof.refused', { id: member.id, isAdmin: member.isAdmin })
    throw wrongProof(proof)
  }
  await attempt.succeeded()
  const now = app.clock.now()
  // A change of the password meanwhile has ended every session but one, which had no proof of the new password.
  const { passwordHash, factor } = right
  await app.db.transaction().execute(async (trx) => {
    if (factor?.use !== undefined && !(await factor.use(trx))) throw wrongProof(proof)
    const { numUpdatedRows } = await trx
      .updateTable('sessions')
      .set({ proved_at: new Date(now) })
      .where('id', '=', member.sessionId)
      .where('user_id', 'in', (users) =>
        users.selectFrom('users').select('id').where('id', '=', member.id).where('password_hash', '=', passwordHash),
      )
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw invalidSession()
    await recordAuditEvent(trx, { action: 'proof.given', by: { memberId: member.id } })
  })
  return proofAt(now, now)
}

/** When the caller has last proved who they are, how long ago that was, and what they can show beside the password. */
export async function readProof(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  viewer: Viewer,
  { siteUrl }: { siteUrl: string },
): Promise<ProofAndFactors> {
  const { id: userId, provedAt } = requireMember(viewer)
  return { ...proofAt(provedAt, app.clock.now()), factors: await readFactorKinds(app, { userId, siteUrl }) }
}

function proofAt(provedAt: number, now: number): ProofForMember {
  return {
    provedAt: new Date(provedAt).toISOString(),
    ageSeconds: Math.max(0, Math.floor((now - provedAt) / 1_000)),
  }
}

/** @throws {AppError} before anything is counted or compared, for what can be nobody's proof */
function refuseImpossible(proof: ProofInput): void {
  if (proof.kind !== 'password') return
  if (proof.password === '') assertValid({ field: 'password', message: 'Password is required' })
  if (proof.password.length > 4 * limits.password) throw wrongProof(proof)
}

interface RightProof {
  /** The hash of the member's password at this moment. */
  passwordHash: string
  factor?: ShownFactor
}

/** @returns undefined where the proof is not right */
async function checkProof(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail' | 'passwords'>,
  member: SignedInMember,
  proof: ProofInput,
  { caller, siteUrl }: { caller: Caller; siteUrl: string },
): Promise<RightProof | undefined> {
  const user = await app.db.selectFrom('users').select('password_hash').where('id', '=', member.id).executeTakeFirst()
  const passwordHash = user?.password_hash ?? undefined
  const withPassword = (factor?: ShownFactor): RightProof | undefined =>
    passwordHash === undefined ? undefined : { passwordHash, ...(factor === undefined ? {} : { factor }) }
  switch (proof.kind) {
    case 'password':
      return (await app.passwords.matches(proof.password, passwordHash, caller)) ? withPassword() : undefined
    case 'code':
    case 'passkey': {
      const of = { userId: member.id, purpose: 'proof', sessionId: member.sessionId } as const
      const shown = await checkFactor(app, proof, { of, siteUrl })
      return shown === undefined ? undefined : withPassword(shown)
    }
  }
}

function wrongProof({ kind }: ProofInput): AppError {
  const message = kind === 'password' ? 'This is not your current password.' : wrongFactor[kind]
  return proofWrong(message, { field: kind })
}

export const proofWrong = defineError({
  code: 'proof.wrong',
  status: 403,
  remedy: "Ask again. Each wrong one counts among the account's wrong passwords or factors.",
})
