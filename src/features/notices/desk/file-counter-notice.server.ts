import { sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import { matchReported, type Reported } from '../../catalogue/removal/match-reported.server.ts'
import { keptOff } from '../../catalogue/removal/remove-items.server.ts'
import type { NoticesApp, NoticesDatabase } from '../app.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { applyEvent, type LockedNotice, lockNotice, type NoticeActor } from '../notice/record-event.server.ts'
import { readReference } from '../notice/reference.ts'
import { notifyOfCounterNotice } from '../notice/notify-desk.server.ts'
import { hasFullDesk, type NoticeState } from '../notice/transition.ts'
import { lastDecision } from './decide.server.ts'

/** The elements of a counter-notice (17 U.S.C. 512(g)(3)). */
export interface CounterNoticeFields {
  name: string
  address: string
  phone: string
  email: string
  explanation: string
  signature: string
}

export interface FiledCounterNotice {
  /** That of the notice, as it was typed. */
  reference: string
  /** The addresses of the removed material, read before the lock of the catalogue is taken. */
  reported: readonly Reported[]
  fields: CounterNoticeFields
  /** Whether whoever sends it gets emails about it. */
  isAnswered: boolean
}

/**
 * Takes in a counter-notice against a decision that keeps something off the site after a copyright notice, in the caller's transaction,
 * and tells the desk and whoever sent it. Nothing is forwarded or restored before an administrator accepts it. One whose reference
 * is that of nothing it can answer is kept too, and waits at the desk without a notice (`unattached.server.ts`).
 */
export async function fileCounterNotice(
  app: NoticesApp,
  trx: Transaction<NoticesDatabase>,
  { reference, reported, fields, isAnswered }: FiledCounterNotice,
): Promise<{ noticeId: string | null; counterNoticeId: string }> {
  const id = uuidv7()
  // In the order in which everybody takes them: the catalogue, the notice.
  await lockCatalogue(trx)
  const answered = await findAnswered(trx, { reference, reported, email: fields.email })
  await trx
    .insertInto('counter_notices')
    .values({
      id,
      notice_id: answered?.notice.id ?? null,
      decision_id: answered?.decisionId ?? null,
      reference,
      state: answered === undefined ? 'unmatched' : 'received',
      is_answered: isAnswered,
      ...fields,
    })
    .execute()
  if (answered !== undefined) await receiveAt(app, trx, { answered, counterNoticeId: id, by: { kind: 'sender' } })
  await notifyOfCounterNotice(app, trx, id)
  if (isAnswered) await app.mail.queue(trx, noticeMails.counterProgress, { counterNoticeId: id, what: 'received' })
  return { noticeId: answered?.notice.id ?? null, counterNoticeId: id }
}

/** The limit of open counter-notices from one email address at one notice: no sender takes the places of all others. */
const maxOfOneSender = 3

/** The notice that it can answer, as `findAnswerable`; none where as many wait as may. */
async function findAnswered(
  trx: Transaction<NoticesDatabase>,
  { email, ...typed }: { reference: string; reported: readonly Reported[]; email: string },
): Promise<Answerable | undefined> {
  const found = await findAnswerable(trx, typed)
  if (found === undefined) return undefined
  const { notice, items } = found
  if (hasFullDesk(notice.state, { isMatched: items.length > 0 })) return undefined
  return (await countOfSender(trx, notice.id, email)) >= maxOfOneSender ? undefined : found
}

/** A notice that a counter-notice can answer, locked. */
export interface Answerable {
  notice: LockedNotice & { state: NoticeState }
  /** The decision in force. */
  decisionId: string
  /** The ids of the entries that it names, of those that the decision keeps off. */
  items: string[]
}

/**
 * The notice that a counter-notice can answer by what was typed into it: one of copyright whose decision in force keeps something off the
 * site; and which of that it names. The caller has the lock of the catalogue.
 */
export async function findAnswerable(
  trx: Transaction<NoticesDatabase>,
  { reference: typed, reported }: { reference: string; reported: readonly Reported[] },
): Promise<Answerable | undefined> {
  const reference = readReference(typed)
  if (reference === undefined) return undefined
  const row = await trx
    .selectFrom('notices')
    .select('id')
    .where('reference', '=', reference)
    .where('kind', '=', 'copyright')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const notice = await lockNotice(trx, row.id)
  const { kind, outcome } = notice.state
  // Nobody learns of a notice of another kind.
  if (kind !== 'copyright' || outcome === null || outcome === 'keep') return undefined
  const off = new Set(await keptOff(trx, notice.reference))
  const matched = (await matchReported(trx, reported)).flatMap((item) => item?.id ?? []).filter((one) => off.has(one))
  const decision = await lastDecision(trx, row.id)
  return decision === undefined ? undefined : { notice, decisionId: decision.id, items: [...new Set(matched)] }
}

/**
 * Records at a notice that a counter-notice, whose row names it, has come in.
 * @param received.receivedAt when it came, where a person has attached it later
 */
export async function receiveAt(
  app: NoticesApp,
  trx: Transaction<NoticesDatabase>,
  {
    answered: { notice, decisionId, items },
    counterNoticeId,
    receivedAt,
    by,
  }: { answered: Answerable; counterNoticeId: string; receivedAt?: Date; by: NoticeActor },
): Promise<void> {
  if (items.length > 0) await saveItems(trx, { counterNoticeId, decisionId, items })
  const event = {
    type: 'counter-received',
    counterNoticeId,
    isMatched: items.length > 0,
    ...(receivedAt === undefined ? {} : { receivedAt: receivedAt.toISOString() }),
  } as const
  await applyEvent(app, trx, { notice, event, by })
}

/** How many of an email address wait at a notice, however it is written. */
async function countOfSender(trx: Transaction<NoticesDatabase>, noticeId: string, email: string): Promise<number> {
  const { count } = await trx
    .selectFrom('counter_notices')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('notice_id', '=', noticeId)
    .where('state', 'in', ['received', 'unmatched', 'accepted'])
    .where(sql<boolean>`lower(email) = lower(${email}::text)`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The entries that it names, as the decision names them. */
async function saveItems(
  trx: Transaction<NoticesDatabase>,
  { counterNoticeId, decisionId, items }: { counterNoticeId: string; decisionId: string; items: readonly string[] },
): Promise<void> {
  await trx
    .insertInto('counter_notice_items')
    .columns(['counter_notice_id', 'item_id', 'name', 'path'])
    .expression((eb) =>
      eb
        .selectFrom('notice_decision_items')
        .select((of) => [of.val(counterNoticeId).$castTo<string>().as('counter_notice_id'), 'item_id', 'name', 'path'])
        .where('decision_id', '=', decisionId)
        .where('item_id', 'in', [...items]),
    )
    .execute()
}
