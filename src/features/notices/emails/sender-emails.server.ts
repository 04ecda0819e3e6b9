import type { EmailContent } from '../../../platform/email/email-layout.ts'
import type { Email } from '../../../platform/email/message.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { trackingPath, trackingTokenOf } from '../intake/tracking-token.server.ts'
import { whatHappens } from '../intake/what-happens.ts'
import { kindChangedInWords } from '../notice/notice-kinds.ts'
import { elementLabel, isElementName } from '../notice/notice-elements.ts'
import type { NoticeMail } from '../notice/notice-mails.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { findAdministrator } from '../../accounts/administrators/find-administrator.server.ts'
import { daysLeft, endInWords } from '../transparency/agent.ts'

interface ToSender extends Pick<EmailContent, 'subject' | 'preview' | 'paragraphs'> {
  headline?: string
  /** On the button that leads to their private page. */
  label: string
  notes?: readonly string[]
  /** By default that they sent it. */
  reason?: string
}

/** An email to the sender of a notice; undefined for one who gave no address. */
export async function emailToSender(
  app: Pick<NoticesApp, 'db' | 'config' | 'texts'>,
  { id, email, name }: { id: string; email: string | null; name: string | null },
  { label, notes = [], ...content }: ToSender,
): Promise<Email | undefined> {
  if (email === null) return undefined
  return emailTo(
    app,
    { email, name: name ?? '' },
    {
      reason: `You're receiving this email because you sent this notice to ${app.texts.inForce.brandName}.`,
      ...content,
      button: { label, url: `${app.config.publicUrl}${trackingPath(await trackingTokenOf(app.db, id))}` },
      notes: ['Anyone with this link can act on your notice as you can. Keep it private.', ...notes],
    },
  )
}

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

/**
 * For the sender of a notice that is handled as another kind; undefined if the kind has changed again, or the notice is
 * over: a later email says so.
 */
export async function writeKindChanged(
  app: NoticesApp,
  { noticeId, kind }: NoticeMail<'kindChanged'>,
): Promise<Email | undefined> {
  const notice = await app.db
    .selectFrom('notices')
    .select(['id', 'reference', 'kind', 'received_as', 'status', 'missing', 'name', 'email'])
    .where('id', '=', noticeId)
    .executeTakeFirst()
  if (notice?.kind !== kind) return undefined
  if (!['received', 'needs-info', 'in-review', 'duplicate'].includes(notice.status)) return undefined
  const missing = notice.missing.filter(isElementName).map((element) => elementLabel(kind, element))
  const isDuplicate = notice.status === 'duplicate'
  return emailToSender(app, notice, {
    subject: `Your notice ${notice.reference} is handled differently`,
    preview: 'What that means, and what happens by when.',
    paragraphs: [
      kindChangedInWords(notice.received_as, kind),
      ...(isDuplicate
        ? ['We handle it together with another notice about the same.']
        : [whatHappens(kind, missing.length === 0)]),
      ...(isDuplicate || missing.length === 0
        ? []
        : [
            `For this kind of notice the law asks for more: ${missing.join('; ')}. You add it on the page of your notice.`,
          ]),
      'Nothing that you sent is lost, and you need not send it again.',
    ],
    label: !isDuplicate && missing.length > 0 ? 'Add what is missing' : 'Open your private page',
  })
}

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
