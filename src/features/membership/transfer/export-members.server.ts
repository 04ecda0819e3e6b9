import { csvLines } from '../../../platform/csv/csv.ts'
import { recordAuditEvent } from '../../accounts/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../accounts/user/viewer.ts'
import { isCurrent } from '../access/current-access.server.ts'
import type { MembershipApp } from '../app.ts'
import { memberColumns } from './members-file.ts'

const rowsAtOnce = 1_000

/**
 * All members as CSV, piece by piece in the order of their ids, in the columns that an import reads. It is recorded before
 * the first piece. The VIP access of who is disabled is left out: an import elsewhere would give it back.
 */
export async function exportMembers(
  app: Pick<MembershipApp, 'db' | 'clock'>,
  viewer: Viewer,
): Promise<AsyncIterable<string>> {
  await app.db
    .transaction()
    .execute((trx) => recordAuditEvent(trx, { action: 'members.exported', by: { memberId: requireMember(viewer).id } }))
  return pieces(app)
}

async function* pieces({ db, clock }: Pick<MembershipApp, 'db' | 'clock'>): AsyncGenerator<string> {
  yield csvLines([memberColumns])
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
    yield csvLines(
      rows.map((row) => [
        row.email,
        row.name,
        row.created_at.toISOString(),
        row.vip_disabled ? '' : (row.ends_at?.toISOString() ?? ''),
        String(row.is_admin),
      ]),
    )
  }
}
