import { sql, type RawBuilder } from 'kysely'
import type { Invariant } from '../../office/contributions.ts'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { SqlRunner } from '../../../db/queryable.ts'
import { clockNames, noticeKinds, outcomes } from '../notice/notice-kinds.ts'
import { stateOf } from '../notice/record-event.server.ts'
import { type CounterNoticeState, type NoticeState, replay } from '../notice/transition.ts'
import type { NoticeEventInput } from '../notice/notice-event.ts'

const pastTheRules =
  'Somebody has written into the tables past their rules: look who may write to the database, and restore the last backup where you do not know what was changed.'

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

/** The invariants of notices (docs/spec/notices.md#invariants). */
export const noticeInvariants: readonly Invariant[] = [
  {
    name: 'notices.deadlines',
    headline: 'Notices past a deadline that the record does not tell of',
    sentence: 'A deadline of theirs passed more than five minutes ago, and there is no event of it.',
    advice:
      'If the site stood still, start it: it works the deadlines off, the gravest first. Otherwise look whether the job notices.clocks runs, and what the log says of it.',
    over: { table: sql`notice_clocks`, key: 'id', type: 'uuid' },
    findBroken: (batch) => sql`
      select distinct c.notice_id::text as id from ${batch} c
       where c.ended_at is null and c.due_at < now() - interval '5 minutes' and not exists (
         select from notice_events e
          where e.notice_id = c.notice_id and e.type = 'overdue' and e.details ->> 'clock' = c.name and e.at >= c.due_at
            and e.details ->> 'counterNoticeId' is not distinct from c.counter_notice_id::text)`,
  },
  ledgerInvariant,
  {
    name: 'notices.removals',
    headline: 'Removed entries that are on the site',
    sentence:
      'The decision in force has removed them, and they are neither removed nor deleted, nor were they given back.',
    advice: pastTheRules,
    over: { table: sql`notices`, key: 'id', type: 'uuid' },
    findBroken: (batch) => sql`
      select distinct i.id::text as id from ${batch} n
        join lateral (select d.id, d.outcome from notice_decisions d
                       where d.notice_id = n.id order by d.no desc limit 1) d on d.outcome = 'remove'
        join notice_decision_items x on x.decision_id = d.id and x.effect = 'removed'
        join items i on i.id = x.item_id
       where i.status <> 'removed'`,
    to: (id) => `/admin/settings?edit=${id}`,
  },
  {
    name: 'notices.holds',
    headline: 'Notices that hold entries which they must not hold, or leave some on the site',
    sentence:
      'They are not open and hold an entry still, or an entry that they hide is on the site, and they do not say that too many came at once.',
    advice: pastTheRules,
    over: { table: sql`notices`, key: 'id', type: 'uuid' },
    findBroken: (batch) => sql`
      select n.id::text as id from ${batch} n
       where n.holds = 'none' and exists (
               select from item_holds h where h.reference = n.reference and h.kind = 'notice' and h.released_at is null)
          or n.holds = 'hides' and not n.is_withheld and exists (
               select from notice_items x join items i on i.id = x.item_id
                where x.notice_id = n.id and i.status = 'published')`,
  },
]
