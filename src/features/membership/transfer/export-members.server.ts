import { recordMembersExport } from '../../accounts/people/record-members-export.server.ts'
import { limitMembersExport } from '../../accounts/sign-in/account-limits.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { isCurrent } from '../access/current-access.server.ts'
import type { MembershipApp } from '../app.ts'
import { memberColumns, type MembersFileFormat } from './members-file.ts'
import { headerOfMembers, linesOfMembers } from './write-members-file.server.ts'

const rowsAtOnce = 1_000

/**
 * All members, piece by piece in the order of their ids, in the columns that an import reads. It is recorded before
 * the first piece, and every administrator is notified by email. The VIP access of who is disabled is left out: an import elsewhere would give it back.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function exportMembers(
  app: Pick<MembershipApp, 'db' | 'clock' | 'mail' | 'limits'>,
  viewer: Viewer,
  { format }: { format: MembersFileFormat },
): Promise<AsyncIterable<string>> {
  await limitMembersExport(app, requireMember(viewer).id)
  await recordMembersExport(app, viewer)
  return pieces(app, format)
}

async function* pieces(
  { db, clock }: Pick<MembershipApp, 'db' | 'clock'>,
  format: MembersFileFormat,
): AsyncGenerator<string> {
  const header = headerOfMembers(format, memberColumns)
  if (header !== '') yield header
  const at = new Date(clock.now())
  let after: string | undefined
  for (;;) {
    const rows = await db
      .selectFrom('users')
      .leftJoin('member_access', (join) =>
        join.onRef('member_access.user_id', '=', 'users.id').on(isCurrent('member_access', at)),
      )
      .select(['users.id', 'users.email', 'users.name', 'users.created_at', 'users.is_admin', 'users.vip_disabled'])
      .select('member_access.ends_at')
      .$if(after !== undefined, (query) => query.where('users.id', '>', after as string))
      .orderBy('users.id')
      .limit(rowsAtOnce)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    yield linesOfMembers(
      format,
      memberColumns,
      rows.map((row) => ({
        email: row.email,
        name: row.name,
        createdAt: row.created_at.toISOString(),
        vipUntil: row.vip_disabled ? null : row.ends_at?.toISOString(),
        isAdmin: row.is_admin,
      })),
    )
  }
}
