import type { RawBuilder } from 'kysely'

/**
 * The rights beyond those of every member. The accounts give `admin`, and `safety-officer` to administrators alone; the
 * membership gives `vip`.
 */
export type Role = 'admin' | 'safety-officer' | 'vip'

/** The caller, as the rules see them. */
export interface Viewer {
  /** Undefined for a caller who has not signed in. */
  member: SignedInMember | undefined
  /** The roles that the features give this viewer at this moment; none without a member. */
  roles: ReadonlySet<Role>
  /** Facts for the member's own dashboard, which the sources of roles have read on the way. */
  profile: Readonly<Record<string, unknown>>
}

export interface SignedInMember {
  id: string
  email: string
  sessionId: string
  /** The bearer token, as it came with this request; it is stored nowhere. */
  token: string
  /** When they have last proved who they are in this session, in milliseconds since 1970 (docs/spec/accounts.md#proof). */
  provedAt: number
  /**
   * Their account administers the site. The role is not in force where the site asks for a second factor and they have
   * none (`lacksSecondFactor`).
   */
  isAdmin: boolean
  /** An administrator has disabled their membership, whatever was paid. */
  isVipDisabled: boolean
}

/** Everyone who has not signed in. */
export const anonymous: Viewer = Object.freeze({
  member: undefined,
  roles: new Set<Role>(),
  profile: Object.freeze({}),
})

/** A feature's answer about a signed-in member. */
export interface RolesOfMember {
  roles: readonly Role[]
  /** Facts for the member's own dashboard, so that nothing is read twice. */
  profile?: Readonly<Record<string, unknown>>
}

/**
 * Gives roles to members. A feature lists its sources in its contributions. Their facts are read in the one query that
 * recognises the session, for every request of a member and never for anybody else.
 */
export interface RoleSource<App> {
  /** SQL for one JSON value about a row of `users`, by an index. */
  facts: RawBuilder<unknown>
  /** @param facts that value */
  rolesOf(app: App, member: SignedInMember, facts: unknown): RolesOfMember
}

/** Whether a viewer has exactly this role. For what a role opens, ask `rolesOpen`: administrators enter the VIP area too. */
export function hasRole({ roles }: Pick<Viewer, 'roles'>, role: Role): boolean {
  return roles.has(role)
}

/** Whether an administrator may do no more than set up a second factor (docs/spec/accounts.md#second-factor). */
export function lacksSecondFactor({ member, roles }: Pick<Viewer, 'member' | 'roles'>): boolean {
  return member?.isAdmin === true && !roles.has('admin')
}

/** The member behind a route for members: its access has made sure that there is one. */
export function requireMember(viewer: Viewer): SignedInMember {
  if (viewer.member === undefined) throw new TypeError('A use case for members was called for somebody else.')
  return viewer.member
}
