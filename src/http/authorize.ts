import { type AppError, type DefinedError, defineError } from '../platform/errors.ts'
import { type Access, type Method, type ProofMinutes, proofOf } from './route.ts'

/** The accesses of a viewer beside being signed in. */
export type Role = Exclude<Access, 'anyone'>

/**
 * The server's questions about a viewer, whose type it does not know. A right that a policy does not know is nobody's.
 */
export interface AccessPolicy<Viewer> {
  /** Every access that the viewer has; none for an anonymous one. */
  rolesOf(viewer: Viewer): readonly Role[]
  /** When the viewer has last proved who they are, in milliseconds since 1970; undefined where they never have. */
  provedAt?(viewer: Viewer): number | undefined
  /** The step that a viewer must take first for an access of theirs; undefined without one. */
  missingFor?(viewer: Viewer, access: Role): (() => AppError) | undefined
  accountOf?(viewer: Viewer): string | undefined
  /** The key of this administrator, for the calls that need it. */
  adminKeyOf?(viewer: Viewer): string | undefined
}

/** A route's requirements of its callers. */
interface Requirements {
  access: Access
  method: Method
  needsClientKey?: boolean
  needsAdminKey?: boolean
  needsProofWithin?: ProofMinutes
}

interface Keys {
  clientKey: string | undefined
  adminKey: string | undefined
}

/**
 * The proof is asked for last: whoever may not call the route at all is told that.
 * @param by.now in milliseconds since 1970
 * @throws {AppError} 401 or 403 when the viewer may not call the route; `proof.needed`, 403, when they may after a proof
 */
export function authorize<Viewer>(
  route: Requirements,
  viewer: Viewer,
  { clientKey, adminKey }: Keys,
  { policy, clientApiKey, now }: { policy: AccessPolicy<Viewer>; clientApiKey: string; now: number },
): void {
  if (route.needsClientKey === true && clientKey !== clientApiKey) {
    throw clientKeyNeeded()
  }
  const { access } = route
  if (access !== 'anyone') {
    const roles = policy.rolesOf(viewer)
    if (roles.length === 0) throw signInFirst()
    if (!roles.includes(access)) {
      const refuse = policy.missingFor?.(viewer, access) ?? refusals[access]
      throw refuse()
    }
  }
  const expectedKey = route.needsAdminKey === true ? policy.adminKeyOf?.(viewer) : undefined
  if (route.needsAdminKey === true && (expectedKey === undefined || adminKey !== expectedKey)) {
    throw adminKeyNeeded()
  }
  const proofMinutes = proofOf(route)
  if (proofMinutes === undefined) return
  const provedAt = policy.provedAt?.(viewer)
  if (provedAt === undefined || provedAt + proofMinutes * 60_000 <= now) {
    throw proofNeeded({ details: { withinMinutes: proofMinutes } })
  }
}

const refusals: Record<Role, DefinedError<[]>> = {
  member: defineError({
    code: 'member.only',
    status: 403,
    sentence: 'You are not a member to access this page.',
    remedy: 'Sign in as a member.',
  }),
  vip: defineError({
    code: 'vip.only',
    status: 403,
    sentence: 'You are not a VIP to access this page.',
    remedy: 'Sign in as a member with a plan.',
  }),
  admin: defineError({
    code: 'admin.only',
    status: 403,
    sentence: 'You are not an administrator to access this page.',
    remedy: 'Sign in as an administrator.',
  }),
}

const clientKeyNeeded = defineError({
  code: 'client.key',
  status: 401,
  field: 'api-key',
  sentence: "The header api-key must hold the site's public client key.",
  remedy: 'Send the header api-key. The key is public: CLIENT_API_KEY of the settings.',
})

const signInFirst = defineError({
  code: 'session.missing',
  status: 401,
  sentence: 'Please sign in first.',
  remedy: 'Send the header authorization: Bearer with the token of a session.',
})

const adminKeyNeeded = defineError({
  code: 'admin.key',
  status: 401,
  field: 'admin-key',
  sentence: "The header admin-key must hold the administrator's key.",
  remedy: 'Send the header admin-key with the key of the administrator whose session it is.',
})

const proofNeeded = defineError({
  code: 'proof.needed',
  status: 403,
  sentence: 'Please confirm who you are, and try again. Nothing was changed.',
  members: { withinMinutes: 'how old the proof may be, in minutes.' },
  remedy:
    'Prove who you are, with the current password for example, then send the same request again. The token stays.',
})
