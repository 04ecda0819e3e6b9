import { sql } from 'kysely'
import { lockInTransaction } from '../../../db/locks.ts'
import type { RequestsApp, RequestsTransaction } from '../app.ts'
import { manyReceivedEmail, receivedEmail } from './support-emails.ts'

/** This many inquiries have an email of their own within this time; later ones wait for one email about all of them. */
const maxSingle = 5
const withinMs = 600_000
const maxNamed = 20

type Notifying = Pick<RequestsApp, 'mail' | 'clock'>

/**
 * Mails the operator about an inquiry, in the transaction that puts it on their list. In a flood it waits for
 * `mailManyInquiries`; one of a VIP never does (docs/spec/notices.md#support-flood).
 */
export async function notifyOperator(
  trx: RequestsTransaction,
  { mail, clock }: Notifying,
  { id, isVip }: { id: string; isVip: boolean },
): Promise<void> {
  const now = clock.now()
  if (!isVip) {
    // Inquiries that come at the same moment count one after the other.
    await lockInTransaction(trx, 'inquiry-emails')
    if (await isFlooded(trx, { id, now })) return
    await recordEmail(trx, { now, isAboutMany: false })
  }
  await trx
    .updateTable('inquiries')
    .set({ mailed_at: new Date(now) })
    .where('id', '=', id)
    .execute()
  await mail.queue(trx, receivedEmail, { inquiryId: id })
}

/** Whether a new inquiry waits. It does while others wait: were it told of before them, more could follow for ever. */
async function isFlooded(trx: RequestsTransaction, { id, now }: { id: string; now: number }): Promise<boolean> {
  const { singles, aboutMany } = await countEmails(trx, now)
  if (singles >= maxSingle || aboutMany > 0) return true
  const waiting = await waitingInquiries(trx).where('id', '<>', id).limit(1).executeTakeFirst()
  return waiting !== undefined
}

async function countEmails(trx: RequestsTransaction, now: number): Promise<{ singles: number; aboutMany: number }> {
  const { rows } = await sql<{ singles: number; aboutMany: number }>`
    select count(*) filter (where not is_about_many)::int as singles,
           count(*) filter (where is_about_many)::int as "aboutMany"
      from inquiry_emails where queued_at > ${new Date(now - withinMs)}`.execute(trx)
  return rows[0] ?? { singles: 0, aboutMany: 0 }
}

/** Those that the operator was not mailed about yet, the oldest first. */
function waitingInquiries(trx: RequestsTransaction) {
  return trx
    .selectFrom('inquiries')
    .select('created_at')
    .where('mailed_at', 'is', null)
    .where('state', '<>', 'forwarding')
    .orderBy('created_at')
}

/** Counts an email. Those that do not count any more go, so that the table stays small. */
async function recordEmail(
  trx: RequestsTransaction,
  { now, isAboutMany }: { now: number; isAboutMany: boolean },
): Promise<void> {
  await trx
    .deleteFrom('inquiry_emails')
    .where('queued_at', '<=', new Date(now - withinMs))
    .execute()
  await trx
    .insertInto('inquiry_emails')
    .values({ queued_at: new Date(now), is_about_many: isAboutMany })
    .execute()
}

/**
 * Mails the operator once about all inquiries of a flood, ten minutes after the oldest that waits came, and no sooner than
 * ten minutes after the last such email.
 */
export async function mailManyInquiries({ db, mail, clock }: Notifying & Pick<RequestsApp, 'db'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockInTransaction(trx, 'inquiry-emails')
    const now = clock.now()
    const oldest = await waitingInquiries(trx).limit(1).executeTakeFirst()
    if (oldest === undefined || oldest.created_at.getTime() > now - withinMs) return
    if ((await countEmails(trx, now)).aboutMany > 0) return
    const waiting = await trx
      .updateTable('inquiries')
      .set({ mailed_at: new Date(now) })
      .where('mailed_at', 'is', null)
      .where('state', '<>', 'forwarding')
      .returning(['id', 'state'])
      .execute()
    // Inquiries that an administrator has answered or closed meanwhile are left out.
    const ids = waiting.flatMap(({ id, state }) => (state === 'open' ? id : [])).toSorted()
    const [only] = ids
    if (only === undefined) return
    await recordEmail(trx, { now, isAboutMany: true })
    if (ids.length === 1) return mail.queue(trx, receivedEmail, { inquiryId: only })
    await mail.queue(trx, manyReceivedEmail, { count: ids.length, inquiryIds: ids.slice(0, maxNamed) })
  })
}
