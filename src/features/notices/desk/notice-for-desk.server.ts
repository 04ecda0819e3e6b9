import { type Selectable, sql } from 'kysely'
import { isoOf } from '../../../platform/time/iso-of.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { readReportedEntries } from '../../catalogue/removal/read-reported-entries.server.ts'
import type { NoticesApp, NoticesDatabase } from '../app.ts'
import { restoreTimes } from '../notice/clocks.ts'
import { businessCalendar } from '../notice/holidays.server.ts'
import { elementLabel, elementNames, isGiven, neededElements, type NoticeFields } from '../notice/notice-elements.ts'
import { noSuchNotice } from '../notice/notice-errors.ts'
import { type ClockName, isNothingFound, type NoticeKind } from '../notice/notice-kinds.ts'
import { readReference } from '../notice/reference.ts'
import { deskOf } from '../notice/notify-desk.server.ts'
import type { AppealState } from '../notice/transition.ts'
import { lastDecision } from './decide.server.ts'
import type { Clock, Decision, NoticeEvent, NoticeForDesk, ReportedAddress, ReportedEntry } from './desk-schema.ts'
import { eventInWords } from './event-in-words.ts'
import { readAssignment } from './assignment.server.ts'
import { maySee, visibleKinds } from './may-see.ts'
import { readWaiting, type WaitingAct } from './waiting-acts.server.ts'
import type { NoticeEventInput } from '../notice/notice-event.ts'

type Reading = Pick<NoticesApp, 'db' | 'config'>

/**
 * The id of the notice with a reference.
 * @throws {AppError} `notice.not_found`, 404, also for one that this administrator may not know of
 */
export async function findNotice(
  { db }: Pick<NoticesApp, 'db'>,
  viewer: Pick<Viewer, 'roles'>,
  typed: string,
): Promise<{ id: string; kind: NoticeKind; reference: string }> {
  const reference = readReference(typed)
  if (reference === undefined) throw noSuchNotice()
  const row = await db
    .selectFrom('notices')
    .select(['id', 'kind', 'reference'])
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (row === undefined || !maySee(viewer, row.kind)) throw noSuchNotice()
  return row
}

/**
 * A notice with everything that belongs to it.
 * @throws {AppError} `notice.not_found`, 404, also for one that this administrator may not know of
 */
export async function readNoticeForDesk(app: Reading, viewer: Viewer, typed: string): Promise<NoticeForDesk> {
  const { id } = await findNotice(app, viewer, typed)
  const { db } = app
  const row = await db.selectFrom('notices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const fields = fieldsOf(row)
  const { name, organization, address, phone, email, workDescription, explanation, lawCited, signature } = fields
  const addresses = await readAddresses(app, id)
  const clocks = await readClocks(app, id)
  const needed = neededElements[row.kind]
  const first = (await readWaiting(app, row)).at(-1)
  return {
    ...(await readAssignment(app, viewer, id)),
    reference: row.reference,
    kind: row.kind,
    status: row.status,
    version: row.version,
    receivedAt: row.received_at.toISOString(),
    completedAt: isoOf(row.completed_at),
    decidedAt: isoOf(row.decided_at),
    forgottenAt: isoOf(row.forgotten_at),
    sender: { name, organization, address, phone, email },
    workDescription,
    explanation,
    lawCited,
    signature,
    elements: elementNames
      .filter((element) => needed.includes(element) || row.missing.includes(element))
      .map((element) => ({
        name: element,
        label: elementLabel(row.kind, element),
        // An element that was requested again counts as missing, although it was sent.
        isGiven:
          (row.forgotten_at !== null || isGiven(row.kind, element, fields, addresses.length)) &&
          !row.missing.includes(element),
      })),
    addresses,
    isNothingFound: isNothingFound(row, addresses.filter(({ asReported }) => asReported !== null).length),
    isOverdue: clocks.some((clock) => clock.isOverdue),
    clocks,
    events: await readEvents(app, viewer, { id, kind: row.kind }),
    decisions: await readDecisions(app, id),
    duplicateOf: row.duplicate_of === null ? null : await referenceOf(app, viewer, row.duplicate_of),
    isWithheld: row.is_withheld,
    sameNetwork: await countSameNetwork(app, viewer, row),
    waitsForSecond: first !== undefined,
    firstAct: first === undefined ? null : await firstActOf(app, viewer, first),
    appeal: await readAppeal(app, viewer, row),
    counterNotices: await readCounterNotices(app, id),
  }
}

/** The elements of a notice as its row has them. */
export function fieldsOf(row: Selectable<NoticesDatabase['notices']>): NoticeFields {
  const { name, organization, address, phone, email, explanation, accuracy, perjury, signature } = row
  const { work_description: workDescription, law_cited: lawCited, good_faith: goodFaith } = row
  const texts = { workDescription, explanation, lawCited, signature }
  return { name, organization, address, phone, email, ...texts, goodFaith, accuracy, perjury }
}

async function referenceOf({ db }: Reading, viewer: Viewer, id: string): Promise<string | null> {
  const row = await db.selectFrom('notices').select(['reference', 'kind']).where('id', '=', id).executeTakeFirst()
  return row === undefined || !maySee(viewer, row.kind) ? null : row.reference
}

async function countSameNetwork(
  { db }: Reading,
  viewer: Viewer,
  { id, network }: { id: string; network: string | null },
): Promise<number> {
  if (network === null) return 0
  const { count } = await db
    .selectFrom('notices')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('network', '=', network)
    .where('queue', '=', 'open')
    .where('kind', 'in', visibleKinds(viewer))
    .where('id', '<>', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function readAddresses({ db }: Reading, noticeId: string): Promise<ReportedAddress[]> {
  const rows = await db
    .selectFrom('notice_items')
    .select(['id', 'url', 'item_id', 'snapshot'])
    .where('notice_id', '=', noticeId)
    .orderBy('position')
    .execute()
  const entries = await readReportedEntries(db, [...new Set(rows.flatMap(({ item_id }) => item_id ?? []))])
  return rows.map(({ id, url, item_id, snapshot }) => ({
    id,
    url,
    asReported: snapshot as ReportedEntry | null,
    asItIs: item_id === null ? null : (entries.get(item_id) ?? null),
  }))
}

async function readClocks({ db }: Reading, noticeId: string): Promise<Clock[]> {
  const { rows } = await sql<{ name: ClockName; due_at: Date; isOverdue: boolean }>`
    select name, due_at, due_at <= now() as "isOverdue" from notice_clocks
     where notice_id = ${noticeId} and ended_at is null order by due_at, gravity, name`.execute(db)
  return rows.map(({ name, due_at, isOverdue }) => ({ name, dueAt: due_at.toISOString(), isOverdue }))
}

/**
 * The events that this administrator may know of: not those of the time in which the notice was a matter of the safety officers, and no
 * reference of one that is.
 */
async function readEvents(
  { db }: Reading,
  viewer: Viewer,
  { id: noticeId, kind }: { id: string; kind: NoticeKind },
): Promise<NoticeEvent[]> {
  const all = await db
    .selectFrom('notice_events as e')
    .leftJoin('users as u', 'u.id', 'e.by_id')
    .select(['e.at', 'e.type', 'e.by_kind', 'e.details', 'u.name'])
    .where('e.notice_id', '=', noticeId)
    .orderBy('e.no')
    .execute()
  const kinds = kindsBetween(all.map(({ type, details }) => ({ type, ...details }) as NoticeEventInput))
  const rows = all.filter((row, no) => row.type === 'received' || kinds[no]?.every((one) => maySee(viewer, one)))
  const events = rows.map(({ type, details }) => ({ type, ...details }) as NoticeEventInput)
  const others = events.flatMap(othersIn)
  const references = new Map(
    others.length === 0
      ? []
      : (await db.selectFrom('notices').select(['id', 'reference', 'kind']).where('id', 'in', others).execute())
          .filter((other) => maySee(viewer, other.kind))
          .map(({ id, reference }) => [id, reference] as const),
  )
  const isShown = (one: NoticeKind): boolean => maySee(viewer, one)
  return rows.map(({ at, type, by_kind, name }, no) => ({
    at: at.toISOString(),
    type,
    sentence: eventInWords(events[no] as NoticeEventInput, {
      by: by_kind === 'administrator' ? { kind: by_kind, name } : { kind: by_kind },
      kind,
      references,
      isShown,
    }),
  }))
}

function othersIn(event: NoticeEventInput): string[] {
  if (event.type === 'marked-duplicate') return [event.of]
  if (event.type === 'joined') return [event.duplicate]
  return []
}

/** The kinds that a notice had before and after each event of its ledger. */
function kindsBetween(events: readonly NoticeEventInput[]): NoticeKind[][] {
  let before: NoticeKind[] = []
  return events.map((event) => {
    const changed = event.type === 'received' || event.type === 'reclassified'
    const after = changed ? [event.kind] : before
    const both = [...before, ...after]
    before = after
    return both
  })
}

async function readDecisions({ db }: Reading, noticeId: string): Promise<Decision[]> {
  const rows = await db
    .selectFrom('notice_decisions as d')
    .leftJoin('users as u', 'u.id', 'd.decided_by')
    .selectAll('d')
    .select('u.name as decider')
    .where('d.notice_id', '=', noticeId)
    .orderBy('d.no')
    .execute()
  const items = await db
    .selectFrom('notice_decision_items')
    .selectAll()
    .where(sql<boolean>`decision_id = any(${rows.map(({ id }) => id)}::uuid[])`)
    .orderBy('was_reported', 'desc')
    .orderBy('name')
    .orderBy('item_id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    outcome: row.outcome,
    ground: row.ground,
    legalGround: row.legal_ground,
    facts: row.facts,
    explanation: row.explanation,
    decidedBy: row.decided_by === null ? null : (row.decider ?? 'A former administrator'),
    decidedAt: row.decided_at.toISOString(),
    reverses: row.reverses,
    items: items
      .filter(({ decision_id }) => decision_id === row.id)
      .map(({ item_id, name, path, was_reported, effect, reasons }) => ({
        id: item_id,
        name,
        path,
        wasReported: was_reported,
        effect,
        reasons,
      })),
  }))
}

async function firstActOf(
  { db }: Reading,
  viewer: Viewer,
  { byId, at, act, of, legalGround, facts, explanation }: WaitingAct,
): Promise<NonNullable<NoticeForDesk['firstAct']>> {
  const { name } = await db.selectFrom('users').select('name').where('id', '=', byId).executeTakeFirstOrThrow()
  const isOwn = byId === requireMember(viewer).id
  return {
    act,
    of: of ?? null,
    by: name,
    isOwn,
    at: at.toISOString(),
    legalGround: legalGround ?? null,
    facts: facts ?? null,
    explanation: explanation ?? null,
  }
}

async function readAppeal(
  app: Reading,
  viewer: Viewer,
  notice: { id: string; kind: NoticeKind; version: number; appeal: AppealState },
): Promise<NoticeForDesk['appeal']> {
  const row = await app.db
    .selectFrom('notice_appeals')
    .selectAll()
    .where('notice_id', '=', notice.id)
    .orderBy('filed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    state: notice.appeal,
    statement: row.statement,
    filedAt: row.filed_at.toISOString(),
    answeredAt: isoOf(row.answered_at),
    isUpheld: row.is_upheld,
    answer: row.answer,
    mayAnswer: row.answered_at === null && (await mayAnswerAppeal(app, viewer, notice)),
  }
}

/** Whether this administrator may answer an appeal: not the one who decided, if there is another. */
export async function mayAnswerAppeal(
  app: Reading,
  viewer: Viewer,
  notice: { id: string; version: number } & ({ kind: NoticeKind } | { state: { kind: NoticeKind } }),
): Promise<boolean> {
  const decision = await lastDecision(app.db, notice.id)
  const { id: own } = requireMember(viewer)
  if (decision?.decidedBy !== own) return true
  // The second officer of a restoration may be the one who removed the entry.
  if ((await readWaiting(app, notice)).some(({ act, byId }) => act === 'keep' && byId !== own)) return true
  const kind = 'state' in notice ? notice.state.kind : notice.kind
  return (await deskOf(app, kind)).every((userId) => userId === own)
}

/** Replaces forgotten data (docs/spec/notices.md#forgotten). */
const erasedText = '(no longer kept)'

async function readCounterNotices(app: Reading, noticeId: string): Promise<NoticeForDesk['counterNotices']> {
  const rows = await app.db
    .selectFrom('counter_notices')
    .selectAll()
    .where('notice_id', '=', noticeId)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  if (rows.length === 0) return []
  const items = await app.db
    .selectFrom('counter_notice_items')
    .selectAll()
    .where(sql<boolean>`counter_notice_id = any(${rows.map(({ id }) => id)}::uuid[])`)
    .orderBy('name')
    .orderBy('item_id')
    .execute()
  const calendar = await businessCalendar(app.config)
  const now = (await sql<{ now: Date }>`select now() as now`.execute(app.db)).rows[0]?.now ?? new Date()
  return rows.map((row) => {
    const isOpen = row.state === 'received' || row.state === 'accepted'
    const times = { receivedAt: row.received_at.getTime(), acceptedAt: (row.accepted_at ?? now).getTime() }
    const window = restoreTimes(times, calendar)
    return {
      id: row.id,
      state: row.state,
      entries: items
        .filter(({ counter_notice_id }) => counter_notice_id === row.id)
        .map(({ item_id, name, path }) => ({ id: item_id, name, path })),
      name: row.name,
      address: row.forgotten_at === null ? row.address : erasedText,
      phone: row.forgotten_at === null ? row.phone : erasedText,
      email: row.email,
      explanation: row.explanation,
      signature: row.forgotten_at === null ? row.signature : erasedText,
      receivedAt: row.received_at.toISOString(),
      acceptedAt: isoOf(row.accepted_at),
      refusedAt: isoOf(row.refused_at),
      refusal: row.refusal,
      actionNotifiedAt: isoOf(row.action_notified_at),
      actionNote: row.action_note,
      restoredAt: isoOf(row.restored_at),
      overtakenAt: isoOf(row.overtaken_at),
      restoreFrom: isOpen ? isoOf(window.from) : null,
      restoreUntil: isOpen ? isoOf(window.until) : null,
    }
  })
}
