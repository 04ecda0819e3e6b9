import { type EmailContent, type EmailSender, layOutEmail } from '../../../platform/email/email-layout.ts'
import type { Email } from '../../../platform/email/message.ts'
import { instantInZone } from '../../../platform/time/instant-in-words.ts'
import type { AccountsApp } from '../app.ts'

type Writing = Pick<AccountsApp, 'config' | 'texts'>

/** The content of an email; its headline is the subject where none is given. */
type Content = Omit<EmailContent, 'greeting' | 'headline'> & { headline?: string }

/** The facts of the site that emails state. */
export function emailFacts({ config, texts }: Writing): EmailSender & { contactEmail: string; timeZone: string } {
  const { brandName, contactEmail } = texts.inForce
  return { brandName, contactEmail, publicUrl: config.publicUrl, timeZone: config.timeZone }
}

/** An email that greets a member by name, laid out as all emails of the site. */
export function emailTo(app: Writing, { email, name }: { email: string; name: string }, content: Content): Email {
  const called = greetableName(name)
  const { to, ...laidOut } = emailToAddress(app, email, content, called === undefined ? 'Hello' : `Hello ${called}`)
  return { to: called === undefined ? to : { ...to, name: called }, ...laidOut }
}

/** The same to an address whose reader has no name. */
export function emailToAddress(app: Writing, address: string, content: Content, greeting?: string): Email {
  return { to: { address }, ...layOutEmail({ headline: content.subject, ...content, greeting }, emailFacts(app)) }
}

/**
 * Tells a member what was done with their account, which may have been somebody else.
 * @param content.act what was done
 * @param content.ifSo what to do if it was them, in a sentence
 * @param content.ifNot what to do if it was not them, after 'If it was not, '
 */
export function emailAboutAct(
  app: Writing,
  reader: { email: string; name: string },
  {
    act,
    ifSo = 'If this was you, there is nothing to do.',
    ifNot,
    notes = [],
    ...content
  }: Partial<Content> & Pick<Content, 'subject' | 'reason'> & { act: string; ifSo?: string; ifNot: string },
): Email {
  const { publicUrl, contactEmail } = emailFacts(app)
  return emailTo(app, reader, {
    preview: ifSo,
    paragraphs: [act, `${ifSo} If it was not, ${ifNot}`],
    button: { label: 'This was not me', url: `${publicUrl}/forgot-password` },
    ...content,
    notes: [...notes, `If you cannot sign in any more, write to ${contactEmail}.`],
  })
}

/** 'on March 5, 2024 at 2:07 PM (Europe/Berlin)' */
export function whenInWords({ config: { timeZone } }: Pick<AccountsApp, 'config'>, at: string): string {
  return `on ${instantInZone(Date.parse(at), timeZone)}`
}

/** The paragraphs of a text that somebody wrote. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
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
