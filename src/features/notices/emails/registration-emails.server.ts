import type { Email } from '../../../platform/email/message.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { findAdministrator } from '../../accounts/administrators/find-administrator.server.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { daysLeft, endInWords } from '../transparency/agent.ts'
import type { NoticeMail } from '../notice/notice-mails.ts'

/**
 * The email about the agent's registration (docs/spec/notices.md#agent); undefined if the end was put off, or its
 * reader is no administrator any more.
 */
export async function writeReminder(
  app: NoticesApp,
  { endsOn, userId }: NoticeMail<'registrationEnds'>,
): Promise<Email | undefined> {
  const { texts, config, clock } = app
  if (texts.get('agent.until') !== endsOn) return undefined
  const reader = await findAdministrator(app, userId)
  if (reader === undefined) return undefined
  const { brandName } = texts.inForce
  const left = daysLeft(endsOn, dayOf(clock.now(), config.timeZone))
  const state = endInWords(left)
  return emailTo(app, reader, {
    subject: `The registration of the DMCA agent ${state}`,
    preview: 'Renew it with the U.S. Copyright Office, and enter its new end.',
    paragraphs: [
      `The registration of the agent that ${brandName} names for copyright notices ${left < 0 ? 'ended after' : 'lasts until'} ${endsOn}.`,
      'Renew it in the directory of the U.S. Copyright Office (dmca.copyright.gov). Without a registration, U.S. law no longer shields the site from liability for what others publish on it.',
      'Then enter its new end in the texts of the site, under Legal. The reminders begin anew with it.',
    ],
    button: { label: 'Enter its new end', url: `${config.publicUrl}/admin/texts` },
    reason: `You're receiving this email because you administer ${brandName}: every administrator hears of this.`,
  })
}
