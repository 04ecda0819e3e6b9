import { sql } from 'kysely'
import type { AccountsApp } from '../app.ts'
import { unknownMember } from '../user/unknown-member.server.ts'
import type { Role, RoleSource, Viewer } from '../user/viewer.ts'

/**
 * A member as the viewer that they would be, for what an administrator does on their request with the use cases of
 * members. There is no session behind it: its token opens nothing.
 * @param sources of all features, in the order of the row
 * @throws {AppError} `member.unknown`, 404
 */
export async function viewMember<A extends Pick<AccountsApp, 'db'>>(
  app: A,
  { id }: { id: string },
  sources: readonly RoleSource<A>[],
): Promise<Viewer> {
  const row = await app.db
    .selectFrom('users')
    .select(['id', 'email', 'is_admin', 'vip_disabled'])
    .select(sql<unknown[]>`json_build_array(${sql.join(sources.map(({ facts }) => facts))})`.as('facts'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw unknownMember()
  const member = { id: row.id, email: row.email, sessionId: '', token: '', isVipDisabled: row.vip_disabled }
  const roles = new Set<Role>(row.is_admin ? ['admin'] : [])
  const profile: Record<string, unknown> = {}
  for (const [index, source] of sources.entries()) {
    const found = source.rolesOf(app, member, row.facts[index])
    for (const role of found.roles) roles.add(role)
    Object.assign(profile, found.profile)
  }
  return { member, roles, profile }
}
