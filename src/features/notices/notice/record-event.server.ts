import { sql } from 'kysely'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import { recordForSafetyOfficers } from '../../office/audit/audit-secrecy.server.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import type { ItemEffect } from '../../catalogue/removal/item-effect.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { changeHolds } from './change-holds.server.ts'
import { boundNotice, giveRoomBack } from './hidden-at-once.server.ts'
import { moveClocks } from './move-clocks.server.ts'
import type { NoticeKind, NoticeStatus } from './notice-kinds.ts'
import { noSuchNotice, noticeConflict, refusedTransition } from './notice-errors.ts'
import { noticeMails } from './notice-mails.ts'
import { type CounterNoticeState, type NoticeState, openCounterNotices, transition } from './transition.ts'
import { type NoticeEventInput, noticeEventTypes } from './notice-event.ts'

export interface Applied {
  version: number
  status: NoticeStatus
  state: NoticeState
  eventNo: string
  effects: ItemEffect[]
}

export type NoticeActor = { kind: 'sender' } | { kind: 'system' } | { kind: 'administrator'; id: string }

/** A notice, locked for the rest of the transaction. */
export interface LockedNotice<State extends NoticeState | null = NoticeState> {
  id: string
  reference: string
  version: number
  receivedAt: Date
  /** Null before its first event. */
  state: State
}

/**
 * Records an event of a notice with its effects, on clocks and catalogue too, in the caller's transaction. It locks the
 * catalogue where needed, then the notice; a caller that takes more locks takes `lockCatalogue` first. The caller then
 * awaits `app.listing.catchUp()`.
 * @param recorded.version the one that was read; without it, any
 * @throws {AppError} `notice.not_found`, 404; `notice.conflict`, `notice.transition`, 409
 */
export async function recordNoticeEvent(
  app: NoticesApp,
  trx: NoticesTransaction,
  recorded: { noticeId: string; version?: number; event: NoticeEventInput; by: NoticeActor },
): Promise<Applied> {
  if (noticeEventTypes[recorded.event.type].touchesEntries) await lockCatalogue(trx)
  const notice = await lockNotice(trx, recorded.noticeId)
  if (recorded.version !== undefined && recorded.version !== notice.version) throw noticeConflict()
  return applyEvent(app, trx, { ...recorded, notice })
}

/**
 * Locks a notice for the rest of the transaction.
 * @throws {AppError} `notice.not_found`, 404
 */
export async function lockNotice(trx: NoticesTransaction, noticeId: string): Promise<LockedNotice> {
  const row = await trx
    .selectFrom('notices')
    .select(['id', 'reference', 'version', 'received_at', 'kind', 'status', 'missing', 'outcome', 'appeal'])
    .select(['holds', 'is_withheld', 'duplicate_of', 'completed_at'])
    .where('id', '=', noticeId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => noSuchNotice())
  return {
    id: row.id,
    reference: row.reference,
    version: row.version,
    receivedAt: row.received_at,
    state: stateOf(row, await readCounterNotices(trx, noticeId)),
  }
}

async function readCounterNotices(trx: NoticesTransaction, noticeId: string): Promise<NoticeState['counterNotices']> {
  const rows = await trx
    .selectFrom('counter_notices')
    .select(['id', 'state'])
    .where('notice_id', '=', noticeId)
    .orderBy('id')
    .execute()
  return Object.fromEntries(rows.map(({ id, state }) => [id, state]))
}

/** The state that a row of `notices`, and those of its counter-notices, are the projection of. */
export function stateOf(
  row: {
    kind: NoticeKind
    status: NoticeStatus
    missing: string[]
    outcome: NoticeState['outcome']
    appeal: NoticeState['appeal']
    holds: NoticeState['holds']
    is_withheld: boolean
    duplicate_of: string | null
    completed_at: Date | null
  },
  counterNotices: NoticeState['counterNotices'],
): NoticeState {
  const { kind, status, missing, outcome, appeal, holds } = row
  return {
    kind,
    status,
    missing,
    isWhole: row.completed_at !== null,
    outcome,
    appeal,
    counterNotices,
    holds,
    isWithheld: row.is_withheld,
    duplicateOf: row.duplicate_of,
  }
}

/**
 * The same for a notice that the caller has locked, after the lock of the catalogue, or has just inserted.
 * @throws {AppError} `notice.transition`, 409
 */
export async function applyEvent(
  app: NoticesApp,
  trx: NoticesTransaction,
  {
    notice,
    event: happened,
    by,
  }: { notice: LockedNotice<NoticeState | null>; event: NoticeEventInput; by: NoticeActor },
): Promise<Applied> {
  const before = notice.state
  const wanted = transition(before, happened)
  if (wanted.isRefused) throw refusedTransition(wanted.sentence)
  const event = await boundNotice(app, trx, { notice, before, wanted: wanted.state, event: happened, by })
  const next = transition(before, event)
  if (next.isRefused) throw refusedTransition(next.sentence)
  const { state } = next
  const version = before === null ? 1 : notice.version + (next.raisesVersion ? 1 : 0)
  const { type, ...details } = event
  const { no } = await trx
    .insertInto('notice_events')
    .values({
      notice_id: notice.id,
      type,
      by_kind: by.kind,
      by_id: by.kind === 'administrator' ? by.id : null,
      from_status: before?.status ?? null,
      to_status: state.status,
      version,
      details: JSON.stringify(details),
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  // Also what becomes of the entries would tell of a child at risk.
  const isSecret = isOfSafetyOfficers(before) || isOfSafetyOfficers(state)
  const effects = await recordForSafetyOfficers(isSecret, () =>
    // Only what touches entries has the lock of the catalogue.
    noticeEventTypes[event.type].touchesEntries
      ? changeHolds(app, trx, { notice, before, state, by: { auditActor: auditActorOf(by), attestor: attestorOf(by) } })
      : Promise.resolve([]),
  )
  await moveClocks(app, trx, { notice, before, state, event })
  await project(trx, { notice, before, state, version })
  await projectCounterNotices(app, trx, { before, state })
  await giveRoomBack(trx, { id: notice.id, state })
  return { version, status: state.status, state, effects, eventNo: no }
}

export function isOfSafetyOfficers(state: Pick<NoticeState, 'kind'> | null): boolean {
  return state?.kind === 'child-safety'
}

async function project(
  trx: NoticesTransaction,
  {
    notice,
    before,
    state,
    version,
  }: { notice: LockedNotice<NoticeState | null>; before: NoticeState | null; state: NoticeState; version: number },
): Promise<void> {
  const { kind, status, missing, outcome, appeal, holds, isWithheld, duplicateOf } = state
  const isDecidedAnew = outcome !== null && status === 'decided' && (before?.outcome ?? null) === null
  const isClosedNow = isOver(status) && (before === null || !isOver(before.status))
  await sql`
    update notices set
      kind = ${kind}, status = ${status}, missing = ${[...missing]}::text[], outcome = ${outcome}, appeal = ${appeal},
      open_counter_notices = ${openCounterNotices(state).length}::integer, holds = ${holds}, is_withheld = ${isWithheld}::boolean, duplicate_of = ${duplicateOf}::uuid, version = ${version}::integer,
      completed_at = case when ${state.isWhole}::boolean then coalesce(completed_at, now()) end,
      decided_at = case when ${isDecidedAnew}::boolean then now() else decided_at end,
      closed_at = case when ${isClosedNow}::boolean then now() when ${!isOver(status)}::boolean then null else closed_at end,
      due_at = (select min(due_at) from notice_clocks where notice_id = ${notice.id} and ended_at is null),
      search_text = left(lower(concat_ws(' ', reference, name, organization, email,
        (select string_agg(concat_ws(' ', i.snapshot ->> 'name', i.url), ' ' order by i.position)
           from notice_items i where i.notice_id = ${notice.id}))), 8000)
    where id = ${notice.id}`.execute(trx)
}

/** Writes the states of the counter-notices. The sender of an overtaken one is notified. */
async function projectCounterNotices(
  app: Pick<NoticesApp, 'mail'>,
  trx: NoticesTransaction,
  { before, state }: { before: NoticeState | null; state: NoticeState },
): Promise<void> {
  const changed = Object.entries(state.counterNotices).filter(([id, now]) => before?.counterNotices[id] !== now)
  const at: Partial<Record<CounterNoticeState, 'accepted_at' | 'refused_at' | 'action_notified_at' | 'restored_at'>> = {
    accepted: 'accepted_at',
    refused: 'refused_at',
    action: 'action_notified_at',
    restored: 'restored_at',
  }
  for (const [id, now] of changed) {
    const column = at[now]
    await trx
      .updateTable('counter_notices')
      .set({
        state: now,
        ...(column === undefined ? {} : { [column]: sql<Date>`now()` }),
        ...(now === 'overtaken' ? { overtaken_at: sql<Date>`now()` } : {}),
      })
      .where('id', '=', id)
      .execute()
    if (now === 'overtaken') {
      await app.mail.queue(trx, noticeMails.counterProgress, { counterNoticeId: id, what: 'overtaken' })
    }
  }
}

function isOver(status: NoticeStatus): boolean {
  return status === 'closed' || status === 'withdrawn' || status === 'duplicate'
}

export function auditActorOf(by: NoticeActor): AuditActor {
  return by.kind === 'administrator' ? { memberId: by.id } : 'system'
}

export function attestorOf(by: NoticeActor): string {
  return by.kind === 'administrator' ? by.id : 'system'
}
