import { hash, randomUUID } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { digestOf } from '../../accounts/sessions/tokens.server.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import { readReported } from '../../catalogue/removal/match-reported.server.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import type { NoticesApp } from '../app.ts'
import { missingElements } from '../notice/notice-elements.ts'
import { invalidNotice } from '../notice/notice-errors.ts'
import { isGrave } from '../notice/notice-kinds.ts'
import { recordRemovals } from '../journal/reconcile-journal.server.ts'
import { beginNotice } from '../notice/begin-notice.server.ts'
import { fieldsOf, type NoticeForm } from './notice-forms.ts'
import { limitNotices, mayAcknowledge } from './notice-limits.server.ts'
import { trackingTokenOf } from './tracking-token.server.ts'
import {
  byField,
  emptyFieldsIn,
  type Fault,
  faultsOfNotice,
  fieldsIn,
  kindOf,
  reportedIn,
  type Typed,
} from './typed-notice.ts'

/** The faults of a form that was refused, all at once (docs/spec/notices.md#forms). */
export function refuseFaults(faults: readonly Fault[]): void {
  const [first] = faults
  if (first === undefined) return
  throw invalidNotice(first.message, { field: first.field, details: { faults } })
}

/**
 * Takes a notice: its clocks run, and its entries are held or hidden before this returns. An incomplete one is taken
 * where its sender knows it, or a child is at risk. A form of a page is one notice.
 * @returns the secret of its private page, which finds its receipt
 * @throws {AppError} `notice.invalid`, 422, with `faults`; `limit.exceeded`, 429
 */
export async function sendNotice(
  app: NoticesApp,
  { form, typed, address }: { form: NoticeForm; typed: Typed; address: string },
): Promise<string> {
  const asked = fieldsOf(form)
  const isTakenAsItIs = form === 'child-safety' || typed.incomplete === 'yes'
  refuseFaults(byField(asked, [...faultsOfNotice(form, typed), ...(isTakenAsItIs ? [] : emptyFieldsIn(asked, typed))]))
  const kind = kindOf(form, typed)
  const fields = fieldsIn(typed)
  const urls = reportedIn(kind, typed)
  const missing = missingElements(kind, fields, urls.length)
  const { email } = fields
  // The same form from the same page, once more: a second click, or a browser that asks again.
  const sending = typed.sending === undefined || typed.sending === '' ? randomUUID() : typed.sending
  const sendingDigest = hash('sha256', JSON.stringify([sending, kind, fields, urls]), 'buffer')

  const known = await readSent(app, sendingDigest)
  if (known !== undefined) return trackingTokenOf(app.db, known.id)
  await limitNotices(app, form, address)
  const isAcknowledged = email !== null && (await mayAcknowledge(app, email))
  const id = uuidv7()
  const reported = await readReported(app, urls)
  const tokenDigest = digestOf(await trackingTokenOf(app.db, id))
  const begun = await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    // It may have come a moment ago: the holder of the lock sees it.
    const sent = await readSent({ db: trx }, sendingDigest)
    if (sent !== undefined) return sent
    const notice = await beginNotice(app, trx, {
      id,
      kind,
      fields,
      reported,
      missing,
      tokenDigest,
      sendingDigest,
      from: address,
    })
    if (isAcknowledged) {
      await app.mail.queue(trx, noticeMails.received, { noticeId: id })
      await trx.updateTable('notices').set({ is_acknowledged: true }).where('id', '=', id).execute()
    }
    return notice
  })
  await app.listing.catchUp()
  if (isGrave(kind)) await recordRemovals(app, begun)
  return trackingTokenOf(app.db, begun.id)
}

function readSent(
  { db }: Pick<NoticesApp, 'db'>,
  sendingDigest: Buffer,
): Promise<{ id: string; reference: string } | undefined> {
  return db
    .selectFrom('notices')
    .select(['id', 'reference'])
    .where('sending_digest', '=', sendingDigest)
    .executeTakeFirst()
}
