import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import { matchReported, type Reported, readReported } from '../../catalogue/removal/match-reported.server.ts'
import { keptOff } from '../../catalogue/removal/remove-items.server.ts'
import { receiveInquiry } from '../../requests/support/send-inquiry.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { applyEvent, type LockedNotice, lockNotice } from '../notice/record-event.server.ts'
import { readReference } from '../notice/reference.ts'
import { notifyDesk } from '../notice/notify-desk.server.ts'
import { hasFullDesk } from '../notice/transition.ts'
import { lastDecision } from './decide.server.ts'
import { faultsOfCounterNotice } from '../intake/counter-notice-form.ts'
import { limitCounterNotices, mayAcknowledge } from '../intake/notice-limits.server.ts'
import { refuseFaults } from '../intake/send-notice.server.ts'
import { addressesIn, fieldsIn, type Typed } from '../intake/typed-notice.ts'

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
 * Takes a counter-notice against a decision that keeps entries off the site, in the caller's transaction, and notifies
 * the desk and its sender. Nothing is forwarded or restored before an administrator accepts it. One that answers
 * nothing is a support inquiry, indistinguishable for its sender.
 * @returns its id; undefined for one that answers nothing
 */
export async function fileCounterNotice(
  app: NoticesApp,
  trx: NoticesTransaction,
  filed: FiledCounterNotice,
): Promise<string | undefined> {
  const { reference, fields, isAnswered } = filed
  // Everybody locks in this order: the catalogue, the notice.
  await lockCatalogue(trx)
  const answered = await findAnswered(trx, filed)
  if (answered === undefined) {
    const { name, email } = fields
    const message = cutTo(inquiryLength, inquiryOf(filed))
    const inquiryId = await receiveInquiry(app, trx, { name: cutTo(inquiryNameLength, name), email, message })
    if (isAnswered && inquiryId !== undefined) await app.mail.queue(trx, noticeMails.counterReceipt, { inquiryId })
    return undefined
  }
  const { notice, decisionId, items } = answered
  const id = uuidv7()
  await trx
    .insertInto('counter_notices')
    .values({
      id,
      notice_id: notice.id,
      decision_id: decisionId,
      reference,
      state: 'received',
      is_answered: isAnswered,
      ...fields,
    })
    .execute()
  await saveItems(trx, { counterNoticeId: id, decisionId, items })
  const event = { type: 'counter-received', counterNoticeId: id } as const
  await applyEvent(app, trx, { notice, event, by: { kind: 'sender' } })
  await notifyDesk(app, trx)
  if (isAnswered) await app.mail.queue(trx, noticeMails.counterReceipt, { counterNoticeId: id })
  return id
}

/** In characters, as the table of inquiries has them. */
const inquiryLength = 20_000
const inquiryNameLength = 120

function inquiryOf({ reference, fields }: FiledCounterNotice): string {
  const { name, address, phone, email, explanation, signature } = fields
  return [
    'This is a counter-notice, and it answers no decision that keeps an entry off the site: look whether reference and addresses are right.',
    `Reference: ${reference}`,
    `Name: ${name}`,
    `Email: ${email}`,
    `Telephone: ${phone}`,
    `Address: ${address}`,
    `Signature: ${signature}`,
    explanation,
  ].join('\n')
}

function cutTo(length: number, text: string): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/** The limit of open counter-notices of one email address at one notice: no sender fills all places. */
const maxOfOneSender = 3

/** A notice that a counter-notice can answer, locked. */
interface Answerable {
  notice: LockedNotice
  decisionId: string
  /** The ids of the entries that it names, of those that the decision keeps off. */
  items: string[]
}

/**
 * The notice that a counter-notice answers: one of copyright whose decision in force keeps a named entry off the site,
 * unless too many counter-notices wait. The caller holds the lock of the catalogue.
 */
async function findAnswered(
  trx: NoticesTransaction,
  { reference: typed, reported, fields }: FiledCounterNotice,
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
  if (kind !== 'copyright' || outcome === null || outcome === 'keep' || hasFullDesk(notice.state)) return undefined
  if ((await countOfSender(trx, notice.id, fields.email)) >= maxOfOneSender) return undefined
  const off = new Set(await keptOff(trx, notice.reference))
  const named = (await matchReported(trx, reported)).flatMap((item) => item?.id ?? []).filter((one) => off.has(one))
  const decision = await lastDecision(trx, row.id)
  if (named.length === 0 || decision === undefined) return undefined
  return { notice, decisionId: decision.id, items: [...new Set(named)] }
}

/** How many counter-notices of an email address wait at a notice, whatever its spelling. */
async function countOfSender(trx: NoticesTransaction, noticeId: string, email: string): Promise<number> {
  const { count } = await trx
    .selectFrom('counter_notices')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('notice_id', '=', noticeId)
    .where('state', 'in', ['received', 'accepted'])
    .where(sql<boolean>`lower(email) = lower(${email}::text)`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The entries that it names, as the decision names them. */
async function saveItems(
  trx: NoticesTransaction,
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

/**
 * A counter-notice against a removal. Its caller does not learn whether there is such a notice.
 * @throws {AppError} `notice.invalid`, 422, with `faults`; `limit.exceeded`, 429
 */
export async function sendCounterNotice(
  app: NoticesApp,
  { typed, address }: { typed: Typed; address: string },
): Promise<void> {
  refuseFaults(faultsOfCounterNotice(typed))
  await limitCounterNotices(app, address)
  const { name, address: postal, phone, email, explanation, signature } = fieldsIn(typed)
  const isWhole = name !== null && postal !== null && phone !== null && explanation !== null && signature !== null
  if (!isWhole || email === null) throw new Error('A counter-notice without a fault lacks something.')
  const urls = addressesIn(typed.itemUrls ?? '')
  const fields = {
    name,
    address: postal,
    phone,
    email,
    // The law requires the place of the removed material, so the sender of the notice receives both.
    explanation: `${explanation}\n\nIt stood at:\n${urls.join('\n')}`,
    signature,
  }
  const isAnswered = await mayAcknowledge(app, email)
  const reported = await readReported(app, urls)
  const filed = { reference: (typed.reference ?? '').trim(), reported, fields, isAnswered }
  await app.db.transaction().execute((trx) => fileCounterNotice(app, trx, filed))
}
