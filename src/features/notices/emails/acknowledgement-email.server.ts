import { z } from 'zod'
import type { EmailTemplates } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/mail.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { acknowledgementEmail } from '../intake/intake-emails.ts'
import { whatHappens } from '../intake/notice-forms.ts'
import { trackingPath, trackingTokenOf } from '../intake/tracking-token.server.ts'
import { elementLabel, isElementName } from '../notice/notice-elements.ts'

const AboutNotice = z.object({ noticeId: z.string() })

/** The emails that answer what senders do. */
export const intakeEmails: EmailTemplates<NoticesApp> = {
  [acknowledgementEmail]: {
    urgency: 'awaited',
    purpose: 'requested',
    write: (app, data) => writeAcknowledgement(app, AboutNotice.parse(data).noticeId),
  },
}

/** Nothing that was typed stands in it but the name: the address may be a stranger's. */
async function writeAcknowledgement(app: NoticesApp, id: string): Promise<Email | undefined> {
  const notice = await app.db
    .selectFrom('notices')
    .select(['reference', 'kind', 'missing', 'name', 'email', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (notice === undefined || notice.email === null) return undefined
  const { reference, kind, name, email } = notice
  const missing = notice.missing.filter(isElementName).map((element) => elementLabel(kind, element))
  const { publicUrl } = app.config
  const { brandName } = app.texts.inForce
  const isComplete = missing.length === 0
  return emailTo(
    app,
    { email, name: name ?? '' },
    {
      subject: `Your notice ${reference}`,
      preview: isComplete ? 'We received it. Here is how to follow it.' : 'We received it, but something is missing.',
      headline: `We received your notice ${reference}`,
      paragraphs: [
        whatHappens(kind, isComplete),
        ...(isComplete ? [] : [`Your notice still needs: ${missing.join('; ')}. You can add it on your private page.`]),
      ],
      button: {
        label: isComplete ? 'Follow your notice' : 'Add what is missing',
        url: `${publicUrl}${trackingPath(await trackingTokenOf(app.db, id))}`,
      },
      notes: [
        'Anyone with this link can act on your notice as you can. Keep it private.',
        'If you did not send this notice, somebody else entered your address. You do not need to do anything.',
      ],
      reason: `You're receiving this email because a notice with the address ${email} was sent to ${brandName}.`,
    },
  )
}
