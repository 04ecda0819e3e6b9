import { uuidv7 } from 'uuidv7'
import { defineError } from '../../../platform/errors.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import type { RequestsApp } from '../app.ts'
import { forwardInquiry, storeHere } from './forward-inquiry.server.ts'
import { faultOfInquiry, tidyInquiry, type TypedInquiry } from './inquiry-rules.ts'
import { limitInquiries } from './support-limits.server.ts'
import { notifyOperator } from './notify-operator.server.ts'

/** Told to whoever has sent an inquiry. */
export const sentSentence = 'Your inquiry was sent successfully. We answer by email.'

/**
 * Takes an inquiry to the operator: it is kept for the administrators and mailed, or, with `SUPPORT_FORM_URL`, given to
 * that form service; what that refuses is kept and mailed too (docs/spec/notices.md#support). Only the session says whose it is, never a typed address.
 * @throws {AppError} `inquiry.invalid`, 422; `limit.exceeded`, 429; `inquiry.crowded`, 429
 */
export async function sendInquiry(
  app: RequestsApp,
  viewer: Viewer,
  { address, ...typed }: TypedInquiry & { address: string },
): Promise<void> {
  const fault = faultOfInquiry(typed)
  if (fault !== undefined) throw invalidInquiry(fault.message, fault)
  await limitInquiries(app, viewer, address)
  const { supportFormUrl } = app.config
  const inquiry = { ...tidyInquiry(typed), id: uuidv7() }
  const isVip = hasRole(viewer, 'vip')
  await app.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('inquiries')
      .values({
        ...inquiry,
        user_id: viewer.member?.id ?? null,
        is_vip: isVip,
        state: supportFormUrl === undefined ? 'open' : 'forwarding',
        created_at: new Date(app.clock.now()),
        closed_at: null,
      })
      .execute()
    if (supportFormUrl === undefined) await notifyOperator(trx, app, { id: inquiry.id, isVip })
  })
  if (supportFormUrl === undefined) return
  if ((await forwardInquiry(app, inquiry)) === 'refused') await storeHere(app, inquiry.id)
}

export const invalidInquiry = defineError({
  code: 'inquiry.invalid',
  status: 422,
  remedy: 'Correct what the sentence names.',
})
