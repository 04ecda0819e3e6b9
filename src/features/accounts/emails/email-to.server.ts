import { type EmailContent, type EmailSender, layOutEmail } from '../../../platform/email/email-layout.ts'
import type { Email } from '../../../platform/email/message.ts'
import type { AccountsApp } from '../app.ts'

export function senderOf({ config, texts }: Pick<AccountsApp, 'config' | 'texts'>): EmailSender {
  return { brandName: texts.inForce.brandName, publicUrl: config.publicUrl }
}

/** An email that greets a member by name, laid out as all emails of the site. */
export function emailTo(
  app: Pick<AccountsApp, 'config' | 'texts'>,
  { email, name }: { email: string; name: string },
  content: Omit<EmailContent, 'greeting' | 'headline'> & {
    /** By default the subject. */
    headline?: string
  },
): Email {
  const called = greetableName(name)
  const greeting = called === undefined ? 'Hello' : `Hello ${called}`
  return {
    to: called === undefined ? { address: email } : { address: email, name: called },
    ...layOutEmail({ headline: content.subject, ...content, greeting }, senderOf(app)),
  }
}

/**
 * The name, if it can be one. Anyone can register a stranger's address under any name: what mail programs would turn
 * into a link, or what is long enough to be a message, does not reach the stranger over our emails.
 */
export function greetableName(name: string): string | undefined {
  // Marks that turn the direction of writing could turn what follows.
  const plain = name.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()
  return plain === '' || plain.length > 60 || /[/@:\\]|[^\s.]\.[^\s.]/u.test(plain) ? undefined : plain
}
