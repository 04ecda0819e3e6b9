import { z } from 'zod'
import type { EmailTemplates } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/mail.ts'
import type { NoticesApp } from '../app.ts'
import { whatHappens } from '../intake/what-happens.ts'
import { elementLabel, isElementName } from '../notice/notice-elements.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { emailToSender } from './email-to-sender.server.ts'

const AboutNotice = z.object({ noticeId: z.string() })

/** The emails that answer what senders do. */
export const intakeEmails: EmailTemplates<NoticesApp> = {
  [noticeMails.received]: {
    urgency: 'awaited',
    purpose: 'requested',
    write: (app, data) => writeAcknowledgement(app, AboutNotice.parse(data).noticeId),
  },
}

/** Nothing that was typed stands in it but the name: the address may be a stranger's. */
async function writeAcknowledgement(app: NoticesApp, id: string): Promise<Email | undefined> {
  const notice = await app.db
    .selectFrom('notices')
    .select(['id', 'reference', 'kind', 'missing', 'name', 'email'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (notice === undefined) return undefined
  const { reference, kind, email } = notice
  const missing = notice.missing.filter(isElementName).map((element) => elementLabel(kind, element))
  const isComplete = missing.length === 0
  return emailToSender(app, notice, {
    subject: `Your notice ${reference}`,
    preview: isComplete ? 'We received it. Here is how to follow it.' : 'We received it, but something is missing.',
    headline: `We received your notice ${reference}`,
    paragraphs: [
      whatHappens(kind, isComplete),
      ...(isComplete ? [] : [`Your notice still needs: ${missing.join('; ')}. You can add it on your private page.`]),
    ],
    label: isComplete ? 'Follow your notice' : 'Add what is missing',
    notes: ['If you did not send this notice, somebody else entered your address. You do not need to do anything.'],
    reason: `You're receiving this email because a notice with the address ${email} was sent to ${app.texts.inForce.brandName}.`,
  })
}
