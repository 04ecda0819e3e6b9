import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { SqlRunner } from '../../../db/queryable.ts'
import type { Invariant } from '../../office/contributions.ts'
import { clockNames, noticeKinds, outcomes } from '../notice/notice-kinds.ts'
import { stateOf } from '../notice/record-event.server.ts'
import { type CounterNoticeState, type NoticeState, replay } from '../notice/transition.ts'
import type { NoticeEventInput } from '../notice/notice-event.ts'

/** The fields of an event that the state of the notice depends on; the others are for readers. */
const LedgerEvent = z.discriminatedUnion('type', [
  event('received', {
    kind: z.enum(noticeKinds),
    missing: z.array(z.string()),
    isWithheld: z.boolean().optional(),
  }),
  event('answered', { missing: z.array(z.string()), isWithheld: z.boolean().optional() }),
  event('completed', { isWithheld: z.boolean().optional() }),
  event('asked', { missing: z.array(z.string()) }),
  event('reviewed', {}),
  event('reclassified', {
    kind: z.enum(noticeKinds),
    missing: z.array(z.string()),
    with: z.string().optional(),
    isWithheld: z.boolean().optional(),
  }),
  event('entries-changed', { isWithheld: z.boolean().optional() }),
  event('marked-duplicate', { of: z.string() }),
  event('joined', { duplicate: z.string(), hides: z.boolean(), isWithheld: z.boolean().optional() }),
  event('withdrawn', {}),
  event('decided', { decisionId: z.string(), outcome: z.enum(outcomes) }),
  event('reversed', { decisionId: z.string(), outcome: z.enum(outcomes) }),
  event('appealed', { appealId: z.string() }),
  event('appeal-answered', {
    appealId: z.string(),
    decisionId: z.string().nullable(),
    outcome: z.enum(outcomes),
  }),
  event('counter-received', { counterNoticeId: z.string() }),
  event('counter-accepted', { counterNoticeId: z.string(), receivedAt: z.string() }),
  event('counter-refused', { counterNoticeId: z.string() }),
  event('action-notified', { counterNoticeId: z.string(), stops: z.array(z.string()).optional() }),
  event('restored', {
    counterNoticeId: z.string(),
    decisionId: z.string(),
    outcome: z.enum(outcomes),
    overtakes: z.array(z.string()),
  }),
  event('hidden', {
    clock: z.enum(clockNames).optional(),
    items: z.array(z.string()),
    isWithheld: z.boolean().optional(),
  }),
  event('overdue', { clock: z.enum(clockNames), counterNoticeId: z.string().optional() }),
  event('second-wanted', {}),
  event('closed', {}),
])

function event<Type extends NoticeEventInput['type'], Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.looseObject({ type: z.literal(type), ...shape })
}

type Row = Parameters<typeof stateOf>[0] & {
  id: string
  version: number
  counterNotices: { id: string; state: CounterNoticeState }[]
  events: { type: string; details: Record<string, unknown> }[]
}

/** This many ledgers, with all texts, fit into memory at once. */
const rowsAtOnce = 200

/** Every notice is what its events make of it, one after the other (docs/spec/notices.md#invariants). */
export const ledgerInvariant: Invariant = {
  name: 'notices.ledger',
  headline: 'Notices that are not what their record says',
  sentence: 'Their state is another one than their events have left, or an event in their record cannot have happened.',
  advice:
    'Somebody has written into the tables past their rules: look who may write to the database, and restore the last backup where you do not know what was changed.',
  over: { table: sql`notices`, key: 'id', type: 'uuid' },
  rowsAtOnce,
  // Checks the last event only; the nightly job replays the whole ledger.
  findBroken: (batch) => sql`
    select n.id::text as id from ${batch} n
      left join lateral (select e.to_status, e.version from notice_events e
                          where e.notice_id = n.id order by e.no desc limit 1) l on true
     where l.to_status is distinct from n.status or l.version is distinct from n.version
        or n.outcome is distinct from (select d.outcome from notice_decisions d
                                        where d.notice_id = n.id order by d.no desc limit 1)`,
  examine: findUnlikeTheirLedger,
}

/** One statement sees one moment: a notice that changes meanwhile is not reported as broken. */
async function findUnlikeTheirLedger(db: SqlRunner, batch: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<Row>`
    select n.id, n.version, n.kind, n.status, n.missing, n.outcome, n.appeal, n.holds, n.is_withheld, n.duplicate_of, n.completed_at,
           coalesce((select json_agg(json_build_object('id', c.id, 'state', c.state))
                       from counter_notices c where c.notice_id = n.id), '[]') as "counterNotices",
           coalesce((select json_agg(json_build_object('type', e.type, 'details', e.details) order by e.no)
                       from notice_events e where e.notice_id = n.id), '[]') as events
      from ${batch} n`.execute(db)
  return rows.filter((row) => !isWhatItsEventsMake(row)).map(({ id }) => id)
}

function isWhatItsEventsMake({ version, counterNotices, events, ...row }: Row): boolean {
  const parsed = z.array(LedgerEvent).safeParse(events.map(({ type, details }) => ({ ...details, type })))
  if (!parsed.success) return false
  const replayed = replayLedger(parsed.data as unknown as NoticeEventInput[])
  const states = Object.fromEntries(counterNotices.map(({ id, state }) => [id, state]))
  return replayed?.version === version && isDeepStrictEqual({ ...replayed.state }, stateOf(row, states))
}

/** @returns undefined where an event was impossible */
function replayLedger(events: readonly NoticeEventInput[]): { state: NoticeState; version: number } | undefined {
  try {
    return replay(events)
  } catch {
    return undefined
  }
}
