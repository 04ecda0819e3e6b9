import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { noSuchCounterNotice } from '../notice/notice-errors.ts'
import { noticeMails, type NoticeMail } from '../notice/notice-mails.ts'
import type { LockedNotice } from '../notice/record-event.server.ts'

/**
 * A counter-notice to a notice.
 * @throws {AppError} `notice.counter_notice_not_found`, 404
 */
export async function findCounterNotice(trx: NoticesTransaction, { id }: LockedNotice, counterNoticeId: string) {
  const row = await trx
    .selectFrom('counter_notices')
    .select('received_at')
    .where('id', '=', counterNoticeId)
    .where('notice_id', '=', id)
    .executeTakeFirstOrThrow(() => noSuchCounterNotice())
  return row
}

export function notifyOfProgress(
  app: NoticesApp,
  trx: NoticesTransaction,
  counterNoticeId: string,
  what: NoticeMail<'counterProgress'>['what'],
): Promise<void> {
  return app.mail.queue(trx, noticeMails.counterProgress, { counterNoticeId, what })
}

export async function namedBy(trx: NoticesTransaction, counterNoticeId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('counter_notice_items')
    .select('item_id')
    .where('counter_notice_id', '=', counterNoticeId)
    .orderBy('item_id')
    .execute()
  return rows.map(({ item_id }) => item_id)
}
