import type { Role, RolesOfMember, RoleSource, SignedInMember, Viewer } from '../../office/viewer/viewer.ts'

/**
 * A member as the rules see them: with the role of their account, and what each feature gives them.
 * @param facts what the sources have asked of the database, in their order
 */
export function composeRoles<A>(
  app: A,
  { member, roles: own, facts }: { member: SignedInMember; roles: readonly Role[]; facts: readonly unknown[] },
  sources: readonly RoleSource<A>[],
): Viewer {
  const roles = new Set(own)
  const profile: Record<string, unknown> = {}
  for (const [index, source] of sources.entries()) {
    const found: RolesOfMember = source.rolesOf(app, member, facts[index])
    for (const role of found.roles) roles.add(role)
    Object.assign(profile, found.profile)
  }
  return { member, roles, profile }
}
