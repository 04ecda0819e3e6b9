import { z } from 'zod'
import type { EmailTemplates } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/mail.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { readWaiting } from '../desk/waiting-acts.server.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { reasonOf, seenBy } from './desk-digest-email.server.ts'

const AboutSecond = z.object({ userId: z.string(), noticeId: z.string(), eventNo: z.coerce.string() })

/** The email that asks the other safety officers to agree, or not. */
export const secondOfficerEmails: EmailTemplates<NoticesApp> = {
  [noticeMails.secondWanted]: {
    urgency: 'awaited',
    purpose: 'work',
    write: (app, data) => writeSecondWanted(app, AboutSecond.parse(data)),
  },
}

/** Undefined if the act no longer waits. */
async function writeSecondWanted(
  app: NoticesApp,
  { userId, noticeId }: z.infer<typeof AboutSecond>,
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
