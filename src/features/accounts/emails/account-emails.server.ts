import { z } from 'zod'
import type { EmailTemplates } from '../../../platform/email/email-contribution.ts'
import { layOutEmail, type EmailContent } from '../../../platform/email/email-layout.ts'
import type { Email } from '../../../platform/email/mail.ts'
import type { AccountsApp } from '../app.ts'
import { foldEmail } from '../user/email.ts'
import { invitationMs, issuePasswordReset } from '../sign-in/issue-password-reset.server.ts'

/** The reader as they were when the email was queued: a deleted account can be written to in no other way. */
const Reader = z.object({ email: z.string(), name: z.string() })
type Reader = z.infer<typeof Reader>

/** Emails that an earlier version queued have no bans: none was kept. */
const Deleted = Reader.extend({ areBansKept: z.boolean().default(false) })

/** An address that somebody typed, perhaps nobody's; or that of a member whom an administrator helps. */
const Typed = z.object({ email: z.string(), isFromAdministrator: z.boolean().default(false) })

/** A member who was imported. */
const Invited = z.object({ userId: z.string() })

/** The emails about accounts. */
export const accountEmails: EmailTemplates<AccountsApp> = {
  'accounts.welcome': (app, data) => Promise.resolve(writeWelcome(app, Reader.parse(data))),
  'accounts.reset-link': (app, data) => writeResetLink(app, Typed.parse(data)),
  'accounts.password-changed': (app, data) => Promise.resolve(writePasswordChanged(app, Reader.parse(data))),
  'accounts.invitation': (app, data) => writeInvitation(app, Invited.parse(data).userId),
  'accounts.administrator': (app, data) => Promise.resolve(writeAdministrator(app, Reader.parse(data))),
  'accounts.deleted': (app, data) => Promise.resolve(writeDeleted(app, Deleted.parse(data))),
}

function writeWelcome(app: AccountsApp, reader: Reader): Email {
  const { brandName, publicUrl, contactEmail } = app.config
  return emailTo(app, reader, {
    subject: `Welcome to ${brandName}`,
    preview: 'Your account is ready.',
    headline: `Welcome to ${brandName}`,
    paragraphs: [`Your account is ready. You sign in with ${reader.email} and the password that you chose.`],
    button: { label: 'Look around', url: `${publicUrl}/` },
    notes: [
      `If you did not create this account, somebody used your address: write to ${contactEmail} and we will delete it.`,
    ],
    reason: `You're receiving this email because an account was created with ${reader.email}.`,
  })
}

async function writeResetLink(
  app: AccountsApp,
  { email, isFromAdministrator }: z.infer<typeof Typed>,
): Promise<Email | undefined> {
  const user = await app.db
    .selectFrom('users')
    .select(['id', 'email', 'name'])
    .where('email_folded', '=', foldEmail(email))
    .executeTakeFirst()
  if (user === undefined) return undefined
  const { token } = await issuePasswordReset(app, { userId: user.id })
  const { brandName, publicUrl, contactEmail } = app.config
  return emailTo(app, user, {
    subject: `Reset your ${brandName} password`,
    preview: 'The link works once, within the next 30 minutes.',
    headline: 'Choose a new password',
    paragraphs: [
      isFromAdministrator
        ? `An administrator of ${brandName} sent you this link, with which you choose a new password for your account.`
        : `We received a request for a new password for your account at ${brandName}.`,
      'The link works once, within the next 30 minutes. Only the newest link works.',
    ],
    // Made from the configured address: what a request says its host is must never end up in an email.
    button: { label: 'Choose a new password', url: `${publicUrl}/reset-password?token=${token}` },
    notes: [
      isFromAdministrator
        ? `Until you use it, your password stays the same. If you did not expect this, write to ${contactEmail}.`
        : 'If this was not you, there is nothing to do: your password stays the same.',
    ],
    reason: isFromAdministrator
      ? `You're receiving this email because an administrator sent a link for a new password to ${user.email}.`
      : `You're receiving this email because a new password was requested for ${user.email}.`,
  })
}

/** Undefined for who has set a password meanwhile. */
async function writeInvitation(app: AccountsApp, userId: string): Promise<Email | undefined> {
  const user = await app.db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', userId)
    .where('password_hash', 'is', null)
    .executeTakeFirst()
  if (user === undefined) return undefined
  const { token } = await issuePasswordReset(app, { userId, validForMs: invitationMs })
  const { brandName, publicUrl, contactEmail } = app.config
  return emailTo(app, user, {
    subject: `Your account at ${brandName}`,
    preview: 'Choose a password, and you are in.',
    headline: 'Choose your password',
    paragraphs: [
      `An account was created for you at ${brandName}, with the address ${user.email}. It has no password yet.`,
      "The link works once, within the next 7 days. After that, 'Forgot password' sends you a new one.",
    ],
    button: { label: 'Choose a password', url: `${publicUrl}/reset-password?token=${token}` },
    notes: [`If you do not want this account, write to ${contactEmail} and we will delete it.`],
    reason: `You're receiving this email because an account was created with ${user.email}.`,
  })
}

function writeAdministrator(app: AccountsApp, reader: Reader): Email {
  const { brandName, publicUrl, contactEmail } = app.config
  return emailTo(app, reader, {
    subject: `You administer ${brandName} now`,
    preview: 'Sign in again. An administrator needs a strong password.',
    headline: 'You are an administrator now',
    paragraphs: [
      `Another administrator of ${brandName} gave you this role. You were signed out everywhere: sign in again to use it.`,
      "The password of an administrator has at least 12 characters. If yours is weaker, you cannot sign in with it any more: choose another one with 'Forgot password' first.",
    ],
    button: { label: 'Sign in', url: `${publicUrl}/login` },
    notes: [`If you did not expect this, write to ${contactEmail}.`],
    reason: `You're receiving this email because the role of ${reader.email} was changed.`,
  })
}

function writePasswordChanged(app: AccountsApp, reader: Reader): Email {
  const { brandName, publicUrl, contactEmail } = app.config
  return emailTo(app, reader, {
    subject: `Your ${brandName} password was changed`,
    preview: 'If this was you, there is nothing to do.',
    headline: 'Your password was changed',
    paragraphs: [
      `The password of your account at ${brandName} was changed, and every other session was ended.`,
      'If this was you, there is nothing to do. If it was not, choose a new password now.',
    ],
    button: { label: 'This was not me', url: `${publicUrl}/forgot-password` },
    notes: [`If you cannot sign in any more, write to ${contactEmail}.`],
    reason: `You're receiving this email because the password of ${reader.email} was changed.`,
  })
}

function writeDeleted(app: AccountsApp, reader: z.infer<typeof Deleted>): Email {
  const { brandName, contactEmail } = app.config
  return emailTo(app, reader, {
    subject: `Your ${brandName} account was deleted`,
    preview: 'This is our last email to you.',
    headline: 'Your account was deleted',
    paragraphs: [
      `Your account at ${brandName} was deleted, with your name, your address and your sessions.`,
      ...(reader.areBansKept
        ? [
            'Restrictions on the account outlive it. For them we keep a keyed code of your address, from which the address cannot be read, until the restriction ends. It is used only to recognise the address when an account is created with it.',
          ]
        : []),
      'This is our last email to you. Thank you for having been with us.',
    ],
    notes: [`If this was not you, write to ${contactEmail}.`],
    reason: `You're receiving this email because the account of ${reader.email} was deleted.`,
  })
}

/** An email that greets a member by name, laid out as all emails of the site. */
export function emailTo(
  app: Pick<AccountsApp, 'config'>,
  { email, name }: Reader,
  content: Omit<EmailContent, 'greeting'>,
): Email {
  const called = greetableName(name)
  const greeting = called === undefined ? 'Hello' : `Hello ${called}`
  return {
    to: called === undefined ? { address: email } : { address: email, name: called },
    ...layOutEmail({ ...content, greeting }, app.config),
  }
}

/**
 * The name, if it can be one. Anyone can register a stranger's address under any name: what mail programs would turn
 * into a link, or what is long enough to be a message, does not reach the stranger over our emails.
 */
function greetableName(name: string): string | undefined {
  // Marks that turn the direction of writing could turn what follows.
  const plain = name.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()
  return plain === '' || plain.length > 60 || /[/@:\\]|[^\s.]\.[^\s.]/u.test(plain) ? undefined : plain
}
