import { hash } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { defineError } from '../../../platform/errors.ts'
import { whileSignedIn } from '../../accounts/sessions/while-signed-in.server.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import type { RequestsApp, RequestsTransaction } from '../app.ts'
import { forwardInquiry, storeHere } from './forward-inquiry.server.ts'
import { faultOfInquiry, tidyInquiry, type TypedInquiry } from './inquiry-rules.ts'
import { limitInquiries } from './support-limits.server.ts'
import { notifyOperator } from './notify-operator.server.ts'

export const sentSentence = 'Your inquiry was sent successfully. We answer by email.'

interface Sender {
  userId: string | null
  isVip: boolean
  /** Tells this form from every other one that was sent. */
  sendingDigest: Buffer | null
}

/**
 * Takes an inquiry to the operator: stored and mailed, or sent to the form service of `SUPPORT_FORM_URL`
 * (docs/spec/notices.md#support). Only the session says whose it is. The same form from the same page is one inquiry.
 * @param sending random text of the page; empty where it has none
 * @throws {AppError} `inquiry.invalid`, 422; `limit.exceeded`, `inquiry.crowded`, 429
 */
export async function sendInquiry(
  app: RequestsApp,
  viewer: Viewer,
  { address, sending, ...typed }: TypedInquiry & { address: string; sending: string },
): Promise<void> {
  const fault = faultOfInquiry(typed)
  if (fault !== undefined) throw invalidInquiry(fault.message, fault)
  await limitInquiries(app, viewer, address)
  const { supportFormUrl } = app.config
  const inquiry = tidyInquiry(typed)
  const from = {
    userId: viewer.member?.id ?? null,
    isVip: hasRole(viewer, 'vip'),
    sendingDigest: sending === '' ? null : hash('sha256', JSON.stringify([sending, inquiry]), 'buffer'),
  }
  const id = await whileSignedIn(
    app.db
      .transaction()
      .execute((trx) =>
        supportFormUrl === undefined
          ? receiveInquiry(app, trx, inquiry, from)
          : addInquiry(app, trx, { ...inquiry, ...from, state: 'forwarding' }),
      ),
  )
  if (supportFormUrl === undefined || id === undefined) return
  if ((await forwardInquiry(app, { ...inquiry, id })) === 'refused') await storeHere(app, id)
}

/**
 * Puts an inquiry on the operator's list and mails them, in the caller's transaction.
 * @returns its id; undefined for one that is there already
 */
export async function receiveInquiry(
  app: Pick<RequestsApp, 'mail' | 'clock'>,
  trx: RequestsTransaction,
  inquiry: TypedInquiry,
  from: Sender = { userId: null, isVip: false, sendingDigest: null },
): Promise<string | undefined> {
  const id = await addInquiry(app, trx, { ...inquiry, ...from, state: 'open' })
  if (id !== undefined) await notifyOperator(trx, app, { id, isVip: from.isVip })
  return id
}

async function addInquiry(
  { clock }: Pick<RequestsApp, 'clock'>,
  trx: RequestsTransaction,
  { userId, isVip, sendingDigest, ...row }: TypedInquiry & Sender & { state: 'open' | 'forwarding' },
): Promise<string | undefined> {
  const added = await trx
    .insertInto('inquiries')
    .values({
      ...row,
      id: uuidv7(),
      user_id: userId,
      is_vip: isVip,
      sending_digest: sendingDigest,
      created_at: new Date(clock.now()),
      closed_at: null,
    })
    .onConflict((conflict) => conflict.column('sending_digest').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id
}

export const invalidInquiry = defineError({
  code: 'inquiry.invalid',
  status: 422,
  remedy: 'Correct what the sentence names.',
})
