import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server'
import { uuidv7 } from 'uuidv7'
import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { limitPasskeyOptions } from './passkey-limits.server.ts'
import { checkedName } from '../user/checked-name.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { type ChallengeOf, challengeValidForMs, makeChallenge, takeChallenge } from './challenges.server.ts'
import type { FactorAdded, PasskeyOptions } from './factor-schema.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { lockFactors, recordAddedFactor, recordRemovedFactor } from './second-factor.server.ts'

/** The algorithms of authenticators: EdDSA, ES256 and RS256, by their numbers in COSE. */
const algorithms = [-8, -7, -257]

/** It takes a fifth of a second to load, and a site without passkeys never does. */
const loadLibrary = () => import('@simplewebauthn/server')
const loadHelpers = () => import('@simplewebauthn/server/helpers')
type Helpers = Awaited<ReturnType<typeof loadHelpers>>

const maxPasskeys = 20

/** A browser's answer, as JSON; the library checks its shape. */
export type PasskeyResponse = Record<string, unknown>

/**
 * The options with which the browser makes a passkey.
 * @throws {AppError} `passkey.impossible`, 409, at an address without a host name; `limit.exceeded`, 429
 */
export async function offerPasskey(
  app: AccountsApp,
  viewer: Viewer,
  { siteUrl }: { siteUrl: string },
): Promise<PasskeyOptions> {
  const member = requireMember(viewer)
  const { id: rpID } = requireRelyingParty(siteUrl)
  await limitPasskeyOptions(app, member.sessionId)
  const [held, challenge] = await Promise.all([
    credentialsOf(app, member.id),
    makeChallenge(app, { userId: member.id, purpose: 'registration', sessionId: member.sessionId }),
  ])
  const { generateRegistrationOptions } = await loadLibrary()
  const options = await generateRegistrationOptions({
    rpName: app.texts.inForce.brandName,
    rpID,
    userName: member.email,
    // One for all passkeys of the account, and no address: an authenticator shows it to its holder.
    userID: Uint8Array.from(Buffer.from(member.id.replaceAll('-', ''), 'hex')),
    challenge,
    timeout: challengeValidForMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials: held,
    supportedAlgorithmIDs: algorithms,
  })
  return { options: { ...options } }
}

/**
 * Adds a passkey to the caller's account.
 * @param input.response what the browser has made of `offerPasskey`
 * @throws {AppError} `passkey.invalid`, 422; `passkey.exists` and `passkey.too_many`, 409; `account.invalid`, 422
 */
export async function addPasskey(
  app: AccountsApp,
  viewer: Viewer,
  { name, response, siteUrl }: { name: string; response: PasskeyResponse; siteUrl: string },
): Promise<FactorAdded> {
  const member = requireMember(viewer)
  const called = checkedName(name)
  const made = await verifyNew(app, response, requireRelyingParty(siteUrl), {
    userId: member.id,
    purpose: 'registration',
    sessionId: member.sessionId,
  })
  if (made === undefined) {
    throw badPasskey()
  }
  return app.db.transaction().execute(async (trx) => {
    const user = await lockFactors(trx, member.id)
    const held = await trx.selectFrom('passkeys').select('id').where('user_id', '=', member.id).execute()
    if (held.length >= maxPasskeys) {
      throw tooManyPasskeys()
    }
    const added = await trx
      .insertInto('passkeys')
      .values({
        id: uuidv7(),
        user_id: member.id,
        credential_id: made.id,
        public_key: Buffer.from(made.publicKey),
        counter: made.counter,
        transports: transportsOf(made.transports),
        name: called,
        added_at: new Date(app.clock.now()),
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added === undefined) {
      throw passkeyExists()
    }
    return { recoveryCodes: await recordAddedFactor(app, trx, { member, user, kind: 'passkey' }) }
  })
}

/**
 * Gives one of the caller's passkeys another name.
 * @throws {AppError} `passkey.not_found`, 404, also for one of somebody else; `account.invalid`, 422
 */
export async function renamePasskey(
  app: AccountsApp,
  viewer: Viewer,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const member = requireMember(viewer)
  const called = checkedName(name)
  await app.db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('passkeys')
      .set({ name: called })
      .where('id', '=', id)
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw passkeyNotFound()
    await recordMemberEvent(trx, 'factor.renamed', { of: member.id, details: { kind: 'passkey' } })
  })
}

/**
 * Removes one of the caller's passkeys.
 * @throws {AppError} `passkey.not_found`, 404, also for one of somebody else; `factor.last`, 409
 */
export async function removePasskey(app: AccountsApp, viewer: Viewer, { id }: { id: string }): Promise<void> {
  const member = requireMember(viewer)
  await app.db.transaction().execute(async (trx) => {
    const user = await lockFactors(trx, member.id)
    const { numDeletedRows } = await trx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw passkeyNotFound()
    await recordRemovedFactor(app, trx, { member, user, kind: 'passkey' })
  })
}

export const passkeyNotFound = defineError({
  code: 'passkey.not_found',
  status: 404,
  sentence: 'This passkey is already removed.',
  remedy: 'Read the list of factors again.',
})

/** The options with which the browser uses one of a member's passkeys. */
export async function askForPasskey(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { of, relyingParty }: { of: ChallengeOf; relyingParty: RelyingParty },
): Promise<PasskeyOptions> {
  const [allowCredentials, challenge] = await Promise.all([credentialsOf(app, of.userId), makeChallenge(app, of)])
  const { generateAuthenticationOptions } = await loadLibrary()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    allowCredentials,
    challenge,
    timeout: challengeValidForMs,
    userVerification: 'preferred',
  })
  return { options: { ...options } }
}

/** Whether this is the answer of one of the member's passkeys to a challenge, which is used up with it. */
export async function takePasskey(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { of, response, siteUrl }: { of: ChallengeOf; response: PasskeyResponse; siteUrl: string },
): Promise<boolean> {
  const relyingParty = relyingPartyOf(siteUrl)
  const challenge = challengeOf(response, await loadHelpers())
  if (relyingParty === undefined || challenge === undefined) return false
  if (!(await takeChallenge(app, challenge, of))) return false
  const { id } = response
  if (!isCredentialId(id)) return false
  const passkey = await app.db
    .selectFrom('passkeys')
    .select(['id', 'public_key', 'counter'])
    .where('credential_id', '=', id)
    .where('user_id', '=', of.userId)
    .executeTakeFirst()
  if (passkey === undefined) return false
  const counter = Number(passkey.counter)
  const { verifyAuthenticationResponse } = await loadLibrary()
  const shown = await orRefused(() =>
    verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      credential: { id, publicKey: Uint8Array.from(passkey.public_key), counter },
      // The password was right, or a session is open: this is the second factor.
      requireUserVerification: false,
    }),
  )
  if (shown?.verified !== true) return false
  const { numUpdatedRows } = await app.db
    .updateTable('passkeys')
    .set({ counter: shown.authenticationInfo.newCounter, last_used_at: new Date(app.clock.now()) })
    .where('id', '=', passkey.id)
    // Only one of two concurrent answers of a copied authenticator counts on.
    .where('counter', '=', passkey.counter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The passkey that a browser has made, once its challenge is taken; undefined for what is none, or none of this site. */
async function verifyNew(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  response: PasskeyResponse,
  relyingParty: RelyingParty,
  of: ChallengeOf,
): Promise<WebAuthnCredential | undefined> {
  const challenge = challengeOf(response, await loadHelpers())
  if (challenge === undefined || !(await takeChallenge(app, challenge, of))) return undefined
  if (!hasNoChain(response, await loadHelpers())) return undefined
  const { verifyRegistrationResponse } = await loadLibrary()
  const found = await orRefused(() =>
    verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  if (found?.verified !== true) return undefined
  const { credential } = found.registrationInfo
  return isCredentialId(credential.id) ? credential : undefined
}

/**
 * Whether the maker of the authenticator vouches for nothing: that was not asked for. A chain of certificates would have the
 * library look up what they name, at addresses of the caller's choice.
 */
function hasNoChain({ response }: PasskeyResponse, { decodeAttestationObject, isoBase64URL }: Helpers): boolean {
  try {
    const { attestationObject } = response as { attestationObject: string }
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  } catch {
    // Malformed: no attestation.
    return false
  }
}

function challengeOf({ response }: PasskeyResponse, { decodeClientDataJSON }: Helpers): string | undefined {
  try {
    const { clientDataJSON } = response as { clientDataJSON: string }
    const { challenge } = decodeClientDataJSON(clientDataJSON) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    // Malformed: no answer.
    return undefined
  }
}

/** The library throws for whatever is wrong with an answer; it asks nothing of the database or the network. */
async function orRefused<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

/** Base64url of at most 1,023 bytes (WebAuthn, 4). */
function isCredentialId(id: unknown): id is string {
  return typeof id === 'string' && /^[\w-]{1,1364}$/.test(id)
}

type Transport = (typeof knownTransports)[number]

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** The browser's transports, as far as they are valid. */
function transportsOf(said: unknown): Transport[] {
  return knownTransports.filter((transport) => Array.isArray(said) && said.includes(transport))
}

async function credentialsOf(
  { db }: Pick<AccountsApp, 'db'>,
  userId: string,
): Promise<{ id: string; transports: Transport[] }[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('added_at')
    .execute()
  return rows.map(({ credential_id: id, transports }) => ({ id, transports: transportsOf(transports) }))
}

function requireRelyingParty(siteUrl: string): RelyingParty {
  const relyingParty = relyingPartyOf(siteUrl)
  if (relyingParty === undefined) {
    throw passkeyImpossible()
  }
  return relyingParty
}

export const badPasskey = defineError({
  code: 'passkey.invalid',
  status: 422,
  field: 'response',
  sentence: 'This passkey could not be added. Please try again.',
  remedy:
    'Ask for new options: each are good once, for five minutes, in the session that asked, at the address of the site.',
})

export const tooManyPasskeys = defineError({
  code: 'passkey.too_many',
  status: 409,
  sentence: `You have ${maxPasskeys} passkeys already. Remove one that you do not use any more.`,
  remedy: 'Remove a passkey first.',
})

export const passkeyExists = defineError({
  code: 'passkey.exists',
  status: 409,
  sentence: 'This passkey was added already.',
  remedy: 'Nothing: it is there already.',
})

export const passkeyImpossible = defineError({
  code: 'passkey.impossible',
  status: 409,
  sentence: 'Passkeys need a site with a name, over https. Use an authenticator app here.',
  remedy: 'Open the site by its https address, or on http://localhost.',
})
