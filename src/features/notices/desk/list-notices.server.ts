import { type RawBuilder, sql } from 'kysely'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { NoticesApp } from '../app.ts'
import { type ClockName, isNothingFound, type NoticeKind, type NoticeStatus } from '../notice/notice-kinds.ts'
import type { assignedFilters, NoticeInQueue, NoticesForDesk, QueueState } from './desk-schema.ts'
import { assigneeOfNotice, isUnassigned, withSelf } from './assignment.server.ts'
import { visibleKinds } from './may-see.ts'
import { officersInForce } from './waiting-acts.server.ts'

/**
 * The last line of a page of the queue: its rank, the end of its clock in microseconds since 1970 or `infinity`, its
 * gravity, its id.
 */
export interface QueuePlace {
  rank: number
  dueAt: string
  gravity: number
  id: string
}

/** @returns undefined for a place that no answer has named */
export function readPlace(text: string): QueuePlace | undefined {
  const [rank, dueAt = '', gravity = '', id = '', ...rest] = text.split('.')
  const isPlace =
    /^[0-2]$/.test(rank ?? '') && /^(\d{1,17}|infinity)$/.test(dueAt) && /^[1-6]$/.test(gravity) && isUuid(id)
  return isPlace && rest.length === 0 ? { rank: Number(rank), dueAt, gravity: Number(gravity), id } : undefined
}

interface Row {
  id: string
  reference: string
  kind: NoticeKind
  status: NoticeStatus
  version: number
  sender: string | null
  missing: string[]
  is_asked: boolean
  received_at: Date
  appeal: string
  open_counter_notices: number
  is_withheld: boolean
  waits_for_second: boolean
  place: string
  clock: { name: ClockName; dueAt: string; isOverdue: boolean } | null
  addresses: number
  item: { name: string; path: string } | null
  assignee: { id: string; name: string } | null
}

const endless = sql`timestamptz 'infinity'`
const place = sql`concat_ws('.', n.rank,
  case when n.due_at is null then 'infinity' else (extract(epoch from n.due_at) * 1000000)::bigint::text end, n.gravity, n.id)`

/**
 * The columns of a line, for the notices in `part`.
 * @param officers the safety officers in force: with fewer than two, no second one is waited for
 */
const columnsOfPart = (officers: readonly string[]): RawBuilder<unknown> => sql`
    select n.id, n.reference, n.kind, n.status, n.version, coalesce(n.name, n.organization, n.email, n.phone) as sender, n.missing, n.received_at, n.appeal, n.open_counter_notices,
           n.is_withheld,
           coalesce((select e.type = 'asked' from notice_events e
              where e.notice_id = n.id and e.type in ('asked', 'answered', 'completed') order by e.no desc limit 1), false) as is_asked,
           n.kind = 'child-safety' and exists (
             select from notice_events e
              where e.notice_id = n.id and e.type = 'second-wanted' and e.version = n.version
                and e.by_id = any(${officers.length < 2 ? [] : [...officers]}::uuid[])) as waits_for_second,
           ${place} as place,
           (select json_build_object('name', c.name, 'dueAt', to_char(c.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                     'isOverdue', c.due_at <= now())
              from notice_clocks c where c.notice_id = n.id and c.ended_at is null order by c.due_at, c.name limit 1) as clock,
           (select count(*)::int from notice_items i where i.notice_id = n.id) as addresses,
           (select json_build_object('name', i.snapshot ->> 'name', 'path', i.snapshot ->> 'path')
              from notice_items i where i.notice_id = n.id and i.snapshot is not null order by i.position limit 1) as item,
           ${assigneeOfNotice} as assignee
      from part n`

/**
 * Incomplete notices that nobody has begun stand in a list of their own. Grave and withheld ones, and those with less
 * than a day left, stay in the main list.
 */
export const isApart = sql`(n.rank = 2 and n.status = 'needs-info' and n.completed_at is null
                     and (n.due_at is null or n.due_at > now() + interval '1 day'))`

/** Notices by their ids, as lines of the queue; in no order. */
export async function readInQueue(
  { db, config }: Pick<NoticesApp, 'db' | 'config'>,
  viewer: Viewer,
  ids: readonly string[],
): Promise<NoticeInQueue[]> {
  const columns = columnsOfPart(await officersInForce({ db, config }))
  const { rows } = await sql<Row>`
    with part as (select * from notices where id = any(${[...ids]}::uuid[])) ${columns} order by n.id`.execute(db)
  return rows.map((row) => inQueue(row, viewer))
}

/**
 * The newest notices, of every state, with a text in their reference, their sender, a reported address or an entry's name, of
 * those that this administrator may know of.
 */
export async function findNotices(
  app: Pick<NoticesApp, 'db' | 'config'>,
  viewer: Viewer,
  text: string,
  limit: number,
): Promise<NoticeInQueue[]> {
  const { rows } = await sql<{ id: string }>`
    select id from notices where kind = any(${visibleKinds(viewer)}::text[]) and strpos(search_text, lower(${text})) > 0
     order by id desc limit ${limit}`.execute(app.db)
  const ids = rows.map(({ id }) => id)
  const found = await readInQueue(app, viewer, ids)
  // By the time of their receipt: they were read in the order of their ids.
  return found.toReversed()
}

/**
 * Notices that this administrator may know of. Waiting ones: withheld first, then the two gravest kinds, then by the
 * time left, gravity and age. Others: the newest first.
 * @param wanted.network only those from the network of the notice with this id
 * @param wanted.assigned only those that the caller works on, or nobody
 * @param wanted.search a part of the reference, the sender, a reported address, or an entry's name
 */
export async function listNotices(
  { db, config }: Pick<NoticesApp, 'db' | 'config'>,
  viewer: Viewer,
  wanted: {
    state: QueueState
    kind?: NoticeKind | undefined
    search: string
    network?: string | undefined
    assigned?: (typeof assignedFilters)[number]
    after?: QueuePlace | undefined
    limit: number
  },
): Promise<NoticesForDesk> {
  const { state, kind, search, network, assigned = 'all', after, limit } = wanted
  const kinds = visibleKinds(viewer)
  const shown = kind === undefined ? kinds : kinds.filter((one) => one === kind)
  const waits = state === 'open' || state === 'incomplete'
  const conditions: RawBuilder<unknown>[] = [sql`n.queue = ${sql.lit(waits ? 'open' : state)}`]
  if (state === 'incomplete') conditions.push(isApart)
  // A flood of one network is shown as a whole, and so is what somebody works on.
  else if (state === 'open' && network === undefined && assigned !== 'mine') conditions.push(sql`not ${isApart}`)
  if (shown.length < 6) conditions.push(sql`n.kind = any(${shown}::text[])`)
  if (search.trim() !== '') conditions.push(sql`strpos(n.search_text, lower(${search.trim()})) > 0`)
  if (network !== undefined) {
    conditions.push(sql`n.network = (select network from notices where id = ${network})`)
  }
  if (assigned === 'mine')
    conditions.push(
      sql`exists (select from notice_assignments a where a.notice_id = n.id and a.member_id = ${requireMember(viewer).id})`,
    )
  if (assigned === 'nobody') conditions.push(isUnassigned)
  const order = waits ? sql`n.rank, coalesce(n.due_at, ${endless}), n.gravity, n.id` : sql`n.id desc`
  if (after !== undefined) {
    conditions.push(
      waits
        ? sql`(n.rank, coalesce(n.due_at, ${endless}), n.gravity, n.id)
              > (${after.rank}::smallint, ${instantOf(after.dueAt)}, ${after.gravity}::smallint, ${after.id}::uuid)`
        : sql`n.id < ${after.id}::uuid`,
    )
  }
  // An index picks the page; only then are details of its notices read.
  const { rows } = await sql<Row>`
    with part as materialized (
      select n.* from notices n where ${sql.join(conditions, sql` and `)} order by ${order} limit ${limit + 1})
    ${columnsOfPart(await officersInForce({ db, config }))} order by ${order}`.execute(db)
  const part = rows.slice(0, limit)
  const last = rows.length > limit ? part.at(-1) : undefined
  return {
    notices: part.map((row) => inQueue(row, viewer)),
    next: last?.place ?? null,
    counts: await countNotices({ db }, viewer),
  }
}

function instantOf(dueAt: string): RawBuilder<unknown> {
  return dueAt === 'infinity' ? endless : sql`(timestamptz 'epoch' + ${dueAt}::bigint * interval '1 microsecond')`
}

function inQueue(row: Row, viewer: Viewer): NoticeInQueue {
  return {
    reference: row.reference,
    kind: row.kind,
    status: row.status,
    version: row.version,
    sender: row.sender,
    receivedAt: row.received_at.toISOString(),
    clock: row.clock,
    isOverdue: row.clock?.isOverdue === true,
    addresses: row.addresses,
    item: row.item,
    isNothingFound: isNothingFound(row, row.item === null ? 0 : 1),
    missing: row.missing,
    isAsked: row.is_asked,
    isWithheld: row.is_withheld,
    waitsForSecond: row.waits_for_second,
    hasAppeal: row.appeal === 'open',
    counterNotices: row.open_counter_notices,
    assignee: withSelf(row.assignee, viewer),
  }
}

/**
 * How many wait, whole and incomplete, how many of these are overdue, how many of them wait for an answer to an appeal, and how many counter-notices
 * wait.
 */
async function countNotices(
  { db }: Pick<NoticesApp, 'db'>,
  viewer: Pick<Viewer, 'roles'>,
): Promise<NoticesForDesk['counts']> {
  const kinds = visibleKinds(viewer)
  const { rows } = await sql<NoticesForDesk['counts']>`
    select (count(*) filter (where not ${isApart}))::int as open, (count(*) filter (where ${isApart}))::int as incomplete,
           (count(*) filter (where due_at <= now()))::int as overdue,
           (count(*) filter (where appeal = 'open'))::int as appeals,
           coalesce(sum(open_counter_notices), 0)::int as "counterNotices"
      from notices n where queue = 'open' and kind = any(${kinds}::text[])`.execute(db)
  return rows[0] ?? { open: 0, incomplete: 0, overdue: 0, appeals: 0, counterNotices: 0 }
}
