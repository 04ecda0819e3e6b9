import type { Email } from '../../../platform/email/message.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { readWaiting } from '../desk/waiting-acts.server.ts'
import type { NoticeMail } from '../notice/notice-mails.ts'
import { reasonOf, seenBy } from './desk-digest-email.server.ts'

/** Asks another safety officer to agree, or not; undefined if the act no longer waits. */
export async function writeSecondWanted(
  app: NoticesApp,
  { userId, noticeId }: NoticeMail<'secondWanted'>,
): Promise<Email | undefined> {
  const notice = await app.db
    .selectFrom('notices')
    .select(['id', 'reference', 'kind', 'version'])
    .where('id', '=', noticeId)
    .executeTakeFirst()
  if (notice === undefined || (await readWaiting(app, notice)).length === 0) return undefined
  const { reader, notices } = await seenBy(app, userId, [notice])
  if (reader === undefined || notices.length === 0) return undefined
  const subject = `Notice ${notice.reference} waits for a second safety officer`
  return emailTo(app, reader, {
    subject,
    preview: 'Another safety officer wants to give back what it names.',
    paragraphs: [
      'Another safety officer wants to give back what this notice names. It stays as it is until you agree. Look at the case yourself, and decide as you see it.',
    ],
    button: { label: 'Look at it', url: `${app.config.publicUrl}/admin/notices/${notice.reference}` },
    reason: reasonOf(app, notice.kind),
  })
}
