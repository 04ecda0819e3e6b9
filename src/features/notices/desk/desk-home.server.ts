import { sql } from 'kysely'
import { counted } from '../../../platform/counted.ts'
import type { Problem, Waiting } from '../../office/contributions.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import { noticeKinds } from '../notice/notice-kinds.ts'
import { isApart } from './list-notices.server.ts'
import { visibleKinds } from './may-see.ts'

/** Beyond a thousand nobody counts. */
const mostCounted = 1_001

/** The notices on the main list that wait for this administrator, and how many of them are overdue. */
export async function readWaitingNotices({ db }: Pick<NoticesApp, 'db'>, viewer: Viewer): Promise<Waiting | undefined> {
  const { rows } = await sql<{ count: number; overdue: number; countered: number }>`
    select count(*)::int as count, (count(*) filter (where due_at <= now()))::int as overdue,
           coalesce(sum(open_counter_notices), 0)::int as countered
      from (select due_at, open_counter_notices from notices n
             where queue = 'open' and kind = any(${visibleKinds(viewer)}::text[]) and not ${isApart}
             order by rank, coalesce(due_at, timestamptz 'infinity'), gravity, id limit ${mostCounted}) n`.execute(db)
  const { count = 0, overdue = 0, countered = 0 } = rows[0] ?? {}
  if (count === 0) return undefined
  const late = overdue === 0 ? '' : `, ${overdue.toLocaleString('en-US')} of them overdue`
  const waiting = countered === 0 ? '' : `; ${counted(countered, 'counter-notice')} among them`
  return { sentence: `${inWords(count, 'notice')} to work on${late}${waiting}`, count, to: '/admin/notices' }
}

/** Every administrator reads problems, so matters of the safety officers stand among what waits for them. */
const kinds = noticeKinds.filter((kind) => kind !== 'child-safety')

/** How many notices are overdue, and since when the first of them is. */
export async function readOverdueNotices({ db }: Pick<NoticesApp, 'db'>): Promise<Problem[]> {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*)::int as count, min(due_at) as since
      from (select due_at from notices where queue = 'open' and due_at <= now() and kind = any(${kinds}::text[])
             order by due_at limit ${mostCounted}) n`.execute(db)
  const { count = 0, since = null } = rows[0] ?? {}
  if (since === null) return []
  const verb = count === 1 ? 'is' : 'are'
  return [{ sentence: `${inWords(count, 'notice')} ${verb} overdue.`, at: since, to: '/admin/notices' }]
}

function inWords(count: number, one: string): string {
  return count >= mostCounted ? `More than 1,000 ${one}s` : counted(count, one)
}
