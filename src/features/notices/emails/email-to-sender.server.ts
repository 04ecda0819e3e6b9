import type { EmailContent } from '../../../platform/email/email-layout.ts'
import type { Email } from '../../../platform/email/message.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { trackingPath, trackingTokenOf } from '../intake/tracking-token.server.ts'

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
