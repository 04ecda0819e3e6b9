import { sql } from 'kysely'
import { counted } from '../../../platform/counted.ts'
import { countedToThousand, moreToThousand, mostCounted } from '../../../platform/counted-to-thousand.ts'
import type { HomeRow, Problem, Waiting } from '../../office/contributions.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import { kindLabels, noticeKinds } from '../notice/notice-kinds.ts'
import type { NoticeInQueue } from './desk-schema.ts'
import { isApart, listNotices } from './list-notices.server.ts'
import { visibleKinds } from './may-see.ts'
import { nextStepInWords } from './next-step.ts'

const shownNotices = 8

/** The notices on the main list that wait for this administrator, and how many of them are overdue. */
export async function readWaitingNotices(
  app: Pick<NoticesApp, 'db' | 'config'>,
  viewer: Viewer,
): Promise<Waiting | undefined> {
  const { rows } = await sql<{ count: number; overdue: number; countered: number }>`
    select count(*)::int as count, (count(*) filter (where due_at <= now()))::int as overdue,
           coalesce(sum(open_counter_notices), 0)::int as countered
      from (select due_at, open_counter_notices from notices n
             where queue = 'open' and kind = any(${visibleKinds(viewer)}::text[]) and not ${isApart}
             order by rank, coalesce(due_at, timestamptz 'infinity'), gravity, id limit ${mostCounted}) n`.execute(
    app.db,
  )
  const { count = 0, overdue = 0, countered = 0 } = rows[0] ?? {}
  if (count === 0) return undefined
  // Among those that were counted.
  const least = count >= mostCounted ? 'at least ' : ''
  const late = overdue === 0 ? '' : `, ${least}${overdue.toLocaleString('en-US')} of them overdue`
  const waiting = countered === 0 ? '' : `; ${least}${counted(countered, 'counter-notice')} among them`
  return {
    group: 'notices',
    sentence: `${countedToThousand(count, 'notice')} to work on${late}${waiting}`,
    count,
    to: '/admin/notices',
    rows: () => readRows(app, viewer, count),
  }
}

/** The first of the desk's list; one row for all others, with the least time left among them. */
async function readRows(app: Pick<NoticesApp, 'db' | 'config'>, viewer: Viewer, count: number): Promise<HomeRow[]> {
  const { notices } = await listNotices(app, viewer, { state: 'open', search: '', limit: shownNotices })
  const things = count - notices.length
  const rows = notices.map(rowOf)
  if (things <= 0) return rows
  const references = notices.map(({ reference }) => reference)
  const next = await sql<{ until: Date; isOverdue: boolean }>`
    select due_at as until, due_at <= now() as "isOverdue" from notices n
     where queue = 'open' and due_at is not null and kind = any(${visibleKinds(viewer)}::text[]) and not ${isApart}
       and reference <> all(${references}::text[])
     order by due_at limit 1`.execute(app.db)
  const sentence = `${moreToThousand(count, notices.length, 'notice')} to work on`
  return [...rows, { sentence, things, ...next.rows[0], to: '/admin/notices' }]
}

function rowOf(notice: NoticeInQueue): HomeRow {
  const { kind, reference, receivedAt, clock, missing, counterNotices, hasAppeal } = notice
  const facts = [
    reference,
    ...(missing.length > 0 ? [`${counted(missing.length, 'element')} missing`] : []),
    ...(hasAppeal ? ['appeal'] : []),
    ...(counterNotices > 0 ? [counted(counterNotices, 'counter-notice')] : []),
  ].join(' · ')
  const line = lineOf(notice)
  return {
    sentence: kindLabels[kind],
    facts,
    ...(line === undefined ? {} : { line }),
    ...(clock === null
      ? { since: new Date(receivedAt) }
      : { until: new Date(clock.dueAt), isOverdue: clock.isOverdue }),
    verb: nextStepInWords(notice),
    to: `/admin/notices/${reference}`,
  }
}

function lineOf({ isNothingFound, isWithheld, item }: NoticeInQueue): string | undefined {
  if (isNothingFound) return 'No entry was found at the addresses that it names, so nothing is hidden.'
  if (isWithheld) return 'Too many came at once: its entries stay on the site until a person hides them.'
  return item === null ? undefined : `“${item.name}”`
}

/** Every administrator reads problems, so matters of the safety officers stand among what waits for them. */
const kinds = noticeKinds.filter((kind) => kind !== 'child-safety')

export async function readOverdueNotices({ db }: Pick<NoticesApp, 'db'>): Promise<Problem[]> {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*)::int as count, min(due_at) as since
      from (select due_at from notices where queue = 'open' and due_at <= now() and kind = any(${kinds}::text[])
             order by due_at limit ${mostCounted}) n`.execute(db)
  const { count = 0, since = null } = rows[0] ?? {}
  if (since === null) return []
  const verb = count === 1 ? 'is' : 'are'
  return [
    {
      sentence: `${countedToThousand(count, 'notice')} ${verb} overdue.`,
      since,
      to: '/admin/notices',
      isToldByWaiting: true,
    },
  ]
}
