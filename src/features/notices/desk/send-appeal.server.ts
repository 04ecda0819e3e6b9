import type { NoticesApp } from '../app.ts'
import { limitFollowUps } from '../intake/notice-limits.server.ts'
import { noticeOfToken } from '../intake/read-tracked-notice.server.ts'
import { refuseFaults } from '../intake/send-notice.server.ts'
import { faultsIn, fieldsIn, type Typed } from '../intake/typed-notice.ts'
import { fileAppeal } from './file-appeal.server.ts'

/**
 * The appeal of a sender against the decision in force, sent from the private page of the notice.
 * @throws {AppError} `notice.not_found`, 404; `notice.invalid`, 422; `notice.transition`, 409; `notice.too_late`, 409; `limit.exceeded`, 429
 */
export async function sendAppeal(
  app: NoticesApp,
  { token, typed, address }: { token: string; typed: Typed; address: string },
): Promise<void> {
  const noticeId = await noticeOfToken(app, token)
  const statement = fieldsIn(typed).explanation
  refuseFaults(faultsIn(typed))
  if (statement === null) return refuseFaults([{ field: 'explanation', message: 'Write why you disagree.' }])
  await limitFollowUps(app, address)
  await app.db.transaction().execute((trx) => fileAppeal(app, trx, { noticeId, statement }))
}
