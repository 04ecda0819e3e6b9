import { type RawBuilder, sql } from 'kysely'
import type { AccountsApp } from '../app.ts'
import { rolesOfAccount } from '../user/roles-of-account.ts'
import { unknownMember } from '../user/unknown-member.server.ts'
import type { RoleSource, Viewer } from '../../office/viewer/viewer.ts'
import { composeRoles } from './compose-roles.server.ts'

/**
 * A member as the viewer that they would be, for what an administrator does on their request with the use cases of
 * members.
 * @param sources of all features, in the order of the row
 * @throws {AppError} `member.unknown`, 404
 */
export async function viewMember<A extends Pick<AccountsApp, 'db' | 'config'>>(
  app: A,
  { id }: { id: string },
  sources: readonly RoleSource<A>[],
): Promise<Viewer> {
  const row = await selectMember(app, sources)
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow(() => unknownMember())
  return composeMember(app, row, sources)
}

/** The facts of members of which their roles follow. */
export function selectMember({ db }: Pick<AccountsApp, 'db'>, sources: readonly { facts: RawBuilder<unknown> }[]) {
  return db
    .selectFrom('users')
    .select(['users.id', 'email', 'is_admin', 'is_safety_officer', 'has_second_factor', 'vip_disabled'])
    .select(sql<unknown[]>`json_build_array(${sql.join(sources.map(({ facts }) => facts))})`.as('facts'))
}

type MemberRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectMember>['executeTakeFirst']>>>

/** The viewer of such a row. There is no session behind it: its token opens nothing. */
export function composeMember<A extends Pick<AccountsApp, 'config'>>(
  app: A,
  row: MemberRow,
  sources: readonly RoleSource<A>[],
): Viewer {
  const member = {
    id: row.id,
    email: row.email,
    sessionId: '',
    token: '',
    provedAt: 0,
    isAdmin: row.is_admin,
    isVipDisabled: row.vip_disabled,
  }
  return composeRoles(app, { member, roles: rolesOfAccount(row, app.config), facts: row.facts }, sources)
}
