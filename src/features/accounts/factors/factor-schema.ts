import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { ProofForMember } from '../sessions/proof-schema.ts'

export const FactorKind = z.enum(['passkey', 'totp', 'recovery'])
export type FactorKind = z.infer<typeof FactorKind>

export const PasskeyForMember = z.object({
  id: z.string(),
  name: z.string(),
  addedAt: Instant,
  lastUsedAt: InstantOrNull,
})
export type PasskeyForMember = z.infer<typeof PasskeyForMember>

/** The second factor of a member: nothing in it opens anything. */
export const FactorsOfMember = z.object({
  passkeys: z.array(PasskeyForMember),
  /** Null without an authenticator app. */
  totp: z.nullable(z.object({ addedAt: Instant, lastUsedAt: InstantOrNull })),
  recoveryCodesLeft: z.int(),
})
export type FactorsOfMember = z.infer<typeof FactorsOfMember>

/** The second factor of a member, for administrators (GET /api/people/:id). */
export const FactorsForAdmin = z.object({
  passkeys: z.int(),
  totp: z.boolean(),
  recoveryCodesLeft: z.int(),
})
export type FactorsForAdmin = z.infer<typeof FactorsForAdmin>

/** The second factor of the caller (GET /auth/factors). */
export const FactorsForMember = z.object({
  ...FactorsOfMember.shape,
  /** Whether the last factor cannot be removed, because the site asks one of its administrators. */
  isRequired: z.boolean(),
  /** False at an address without a host name, where browsers know no passkeys. */
  passkeysPossible: z.boolean(),
})
export type FactorsForMember = z.infer<typeof FactorsForMember>

/** Ten codes, each of which works once; they are shown once. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** A factor was added; with the first one the recovery codes are made. */
export const FactorAdded = z.object({ recoveryCodes: z.nullable(z.array(z.string())) })
export type FactorAdded = z.infer<typeof FactorAdded>

/** The setup of an authenticator app (POST /auth/totp). */
export const TotpSetup = z.object({
  /** Base32, for people who cannot scan. */
  secret: z.string(),
  /** `otpauth://totp/…`: what the QR code holds. */
  uri: z.string(),
})
export type TotpSetup = z.infer<typeof TotpSetup>

/** The options of `navigator.credentials`, as the library takes them (PublicKeyCredential…OptionsJSON). */
export const PasskeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) })
export type PasskeyOptions = z.infer<typeof PasskeyOptions>

/** The request for a second factor after the right password (401 `factor.needed` and `factor.wrong`). */
export const NeededFactor = z.object({
  factors: z.array(FactorKind),
  /** The passkey options, if the member has one. */
  passkey: z.exactOptional(PasskeyOptions),
})
export type NeededFactor = z.infer<typeof NeededFactor>

/** The last proof of the caller, and with what they can give one beside the password (GET /auth/proof). */
export const ProofAndFactors = z.object({
  ...ProofForMember.shape,
  /** Empty without a second factor. */
  factors: z.array(FactorKind),
})
export type ProofAndFactors = z.infer<typeof ProofAndFactors>
