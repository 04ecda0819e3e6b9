import { AppError } from '../platform/errors.ts'
import { type Access, type Method, type ProofMinutes, proofOf } from './route.ts'

/** The accesses of a viewer beside being signed in. */
export type Role = Exclude<Access, 'anyone'>

/**
 * The server's questions about a viewer, whose type it does not know. A right that a policy does not know is nobody's.
 */
export interface AccessPolicy<Viewer> {
  /** Every access that the viewer has; none for whoever has not signed in. */
  rolesOf(viewer: Viewer): readonly Role[]
  /** When the viewer has last proved who they are, in milliseconds since 1970; undefined where they never have. */
  provedAt?(viewer: Viewer): number | undefined
  /** The step that a viewer must take first for an access of theirs; undefined without one. */
  missingFor?(viewer: Viewer, access: Role): { code: string; message: string } | undefined
  /** The id of the account of whoever has signed in. */
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

/** The keys that came with a request. */
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
    throw new AppError({
      code: 'client.key',
      status: 401,
      message: "The header api-key must hold the site's public client key.",
      field: 'api-key',
    })
  }
  const { access } = route
  if (access !== 'anyone') {
    const roles = policy.rolesOf(viewer)
    if (roles.length === 0)
      throw new AppError({ code: 'session.missing', status: 401, message: 'Please sign in first.' })
    if (!roles.includes(access)) {
      throw new AppError({ status: 403, ...(policy.missingFor?.(viewer, access) ?? refusals[access]) })
    }
  }
  const expectedKey = route.needsAdminKey === true ? policy.adminKeyOf?.(viewer) : undefined
  if (route.needsAdminKey === true && (expectedKey === undefined || adminKey !== expectedKey)) {
    throw new AppError({
      code: 'admin.key',
      status: 401,
      message: "The header admin-key must hold the administrator's key.",
      field: 'admin-key',
    })
  }
  const proofMinutes = proofOf(route)
  if (proofMinutes === undefined) return
  const provedAt = policy.provedAt?.(viewer)
  if (provedAt === undefined || provedAt + proofMinutes * 60_000 <= now) {
    throw new AppError({
      code: 'proof.needed',
      status: 403,
      message: 'Please confirm who you are, and try again. Nothing was changed.',
      details: { withinMinutes: proofMinutes },
    })
  }
}

const refusals: Record<Role, { code: string; message: string }> = {
  member: { code: 'member.only', message: 'You are not a member to access this page.' },
  vip: { code: 'vip.only', message: 'You are not a VIP to access this page.' },
  admin: { code: 'admin.only', message: 'You are not an administrator to access this page.' },
}
