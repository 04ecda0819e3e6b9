import type { Email } from '../../../platform/email/message.ts'
import type { NoticesApp } from '../app.ts'
import { whatHappens } from '../intake/what-happens.ts'
import { elementLabel, isElementName } from '../notice/notice-elements.ts'
import type { NoticeMail } from '../notice/notice-mails.ts'
import { emailToSender } from './email-to-sender.server.ts'

/** Acknowledges a notice. It holds nothing typed but the name: the address may be a stranger's. */
export async function writeAcknowledgement(
  app: NoticesApp,
  { noticeId: id }: NoticeMail<'received'>,
): Promise<Email | undefined> {
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
