import { z } from 'zod'
import type { App } from '../../platform/app.ts'
import { layOutLetter, type LetterContent } from '../../platform/mail-layout.ts'
import type { Letter } from '../../platform/mail.ts'
import { foldEmail } from './email.ts'
import { issuePasswordReset } from './issue-password-reset.server.ts'

/** The reader as he was when the letter was put in line: an account that is deleted can be written to no other way. */
const Reader = z.object({ email: z.string(), name: z.string() })
type Reader = z.infer<typeof Reader>

/** An address that somebody typed, perhaps nobody's. */
const Typed = z.object({ email: z.string() })

/** Says how the letters about accounts are written. */
export function registerAccountLetters(app: App): void {
  const { mail } = app
  mail.register('accounts.welcome', (data) => Promise.resolve(writeWelcome(app, Reader.parse(data))))
  mail.register('accounts.reset-link', (data) => writeResetLink(app, Typed.parse(data).email))
  mail.register('accounts.password-changed', (data) => Promise.resolve(writePasswordChanged(app, Reader.parse(data))))
  mail.register('accounts.deleted', (data) => Promise.resolve(writeDeleted(app, Reader.parse(data))))
}

function writeWelcome(app: App, reader: Reader): Letter {
  const { brandName, publicUrl, contactEmail } = app.config
  return letterTo(app, reader, {
    subject: `Welcome to ${brandName}`,
    preview: 'Your account is ready.',
    headline: `Welcome to ${brandName}`,
    paragraphs: [`Your account is ready. You sign in with ${reader.email} and the password that you chose.`],
    button: { label: 'Look around', url: `${publicUrl}/` },
    notes: [
      `You did not create this account? Somebody used your address. Write to ${contactEmail} and we will delete it.`,
    ],
    reason: `You have this letter because an account was created with ${reader.email}.`,
  })
}

async function writeResetLink(app: App, email: string): Promise<Letter | undefined> {
  const user = await app.db
    .selectFrom('users')
    .select(['id', 'email', 'name'])
    .where('email_folded', '=', foldEmail(email))
    .executeTakeFirst()
  if (user === undefined) return undefined
  const { token } = await issuePasswordReset(app, { userId: user.id })
  const { brandName, publicUrl } = app.config
  return letterTo(app, user, {
    subject: `Reset your ${brandName} password`,
    preview: 'The link works once, within the next 30 minutes.',
    headline: 'Choose a new password',
    paragraphs: [
      `Somebody, we hope you, asked for a new password for your account at ${brandName}.`,
      'The link works once, within the next 30 minutes. Only the newest one is good.',
    ],
    // Made from the configured address: what a request says its host is must never end up in a letter.
    button: { label: 'Choose a new password', url: `${publicUrl}/reset-password?token=${token}` },
    notes: ['It was not you? There is nothing to do: your password stays.'],
    reason: `You have this letter because a new password was asked for with ${user.email}.`,
  })
}

function writePasswordChanged(app: App, reader: Reader): Letter {
  const { brandName, publicUrl, contactEmail } = app.config
  return letterTo(app, reader, {
    subject: `Your ${brandName} password was changed`,
    preview: 'If it was you, there is nothing to do.',
    headline: 'Your password was changed',
    paragraphs: [
      `The password of your account at ${brandName} was changed, and every other session was ended.`,
      'If it was you, there is nothing to do. If it was not, choose a new password now.',
    ],
    button: { label: 'It was not me', url: `${publicUrl}/forgot-password` },
    notes: [`You cannot get in any more? Write to ${contactEmail}.`],
    reason: `You have this letter because the password of ${reader.email} was changed.`,
  })
}

function writeDeleted(app: App, reader: Reader): Letter {
  const { brandName, contactEmail } = app.config
  return letterTo(app, reader, {
    subject: `Your ${brandName} account was deleted`,
    preview: 'This is our last letter to you.',
    headline: 'Your account was deleted',
    paragraphs: [
      `Your account at ${brandName} was deleted, with your name, your address and your sessions.`,
      'This is our last letter to you. Thank you for having been here.',
    ],
    notes: [`It was not you? Write to ${contactEmail}.`],
    reason: `You have this letter because the account of ${reader.email} was deleted.`,
  })
}

/** A letter to a member by his name, laid out as all letters of the site. */
export function letterTo(
  app: Pick<App, 'config'>,
  { email, name }: Reader,
  content: Omit<LetterContent, 'greeting'>,
): Letter {
  const called = greetableName(name)
  const greeting = called === undefined ? 'Hello' : `Hello ${called}`
  return {
    to: called === undefined ? { address: email } : { address: email, name: called },
    ...layOutLetter({ ...content, greeting }, app.config),
  }
}

/**
 * The name, if it can be one. Anyone can register a stranger's address under any name: what mail programs would turn
 * into a link, or what is long enough to be a message, does not reach the stranger over our letters.
 */
function greetableName(name: string): string | undefined {
  // Marks that turn the direction of writing could turn what follows.
  const plain = name.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()
  return plain === '' || plain.length > 60 || /[/@:\\]|[^\s.]\.[^\s.]/u.test(plain) ? undefined : plain
}
