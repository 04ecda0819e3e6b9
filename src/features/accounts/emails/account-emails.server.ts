import type { z } from 'zod'
import { type EmailTemplate, templateOf } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/message.ts'
import { alarmMail } from '../../office/alarms/alarm-mail.ts'
import { accountMails, type Reader } from '../account-mails.ts'
import type { AccountsApp } from '../app.ts'
import { confirmationDays } from '../user/address-times.ts'
import { foldEmail } from '../user/email.ts'
import { issuePasswordReset } from '../sign-in/issue-password-reset.server.ts'
import { findAdministrator } from '../administrators/find-administrator.server.ts'
import { emailAboutAct, emailFacts, emailTo, whenInWords } from './email-to.server.ts'
import { addressEmails, linkOfUnconfirmed } from './address-emails.server.ts'
import { factorEmails } from './factor-emails.server.ts'
import { administratorEmails } from './administrator-emails.server.ts'

export const accountEmails: readonly EmailTemplate<AccountsApp>[] = [
  templateOf(accountMails.welcome, writeWelcome),
  templateOf(accountMails.resetLink, writeResetLink),
  templateOf(accountMails.passwordChanged, writePasswordChanged),
  templateOf(accountMails.appPasswordMade, writeAppPasswordMade),
  templateOf(accountMails.newDevice, writeNewDevice),
  templateOf(accountMails.passwordKnown, writePasswordKnown),
  templateOf(alarmMail, writeAlarm),
  templateOf(accountMails.invitation, writeInvitation),
  ...administratorEmails,
  ...addressEmails,
  ...factorEmails,
  templateOf(accountMails.deleted, writeDeleted),
]

type DataOf<Kind extends keyof typeof accountMails> = z.infer<(typeof accountMails)[Kind]['data']>

/** With the link that confirms the address, unless that is done already. */
async function writeWelcome(
  app: AccountsApp,
  { userId, ...reader }: DataOf<'welcome'>,
  emailId: string,
): Promise<Email> {
  const { brandName, contactEmail, publicUrl } = emailFacts(app)
  const link = await linkOfUnconfirmed(app, { userId, email: reader.email, emailId })
  return emailTo(app, reader, {
    subject: `Welcome to ${brandName}`,
    preview: link === undefined ? 'Your account is ready.' : 'Your account is ready. Please confirm your address.',
    paragraphs: [
      `Your account is ready. You sign in with ${reader.email} and the password that you chose.`,
      ...(link === undefined
        ? []
        : [`Please confirm that this is your address. The link works for ${confirmationDays} days.`]),
    ],
    button:
      link === undefined
        ? { label: 'Look around', url: `${publicUrl}/` }
        : { label: 'Confirm your address', url: link },
    notes: [
      `If you did not create this account, somebody used your address: do not confirm it, write to ${contactEmail}, and we will delete the account.`,
    ],
    reason: `You're receiving this email because an account was created with ${reader.email}.`,
  })
}

/** Undefined too where one has just gone to the address: a stranger who types it fills no inbox. */
async function writeResetLink(
  app: AccountsApp,
  { email, isFromAdministrator }: DataOf<'resetLink'>,
  emailId: string,
): Promise<Email | undefined> {
  const user = await app.db
    .selectFrom('users')
    .select(['id', 'email', 'name'])
    .where('email_folded', '=', foldEmail(email))
    .executeTakeFirst()
  if (user === undefined) return undefined
  const kind = isFromAdministrator ? 'administrator' : 'forgotten'
  const token = await issuePasswordReset(app, { userId: user.id, kind, emailId })
  if (token === undefined) return undefined
  const { brandName, contactEmail, publicUrl } = emailFacts(app)
  return emailTo(app, user, {
    subject: `Reset your ${brandName} password`,
    preview: 'The link works once, within the next 30 minutes.',
    headline: 'Choose a new password',
    paragraphs: [
      isFromAdministrator
        ? `An administrator of ${brandName} sent you this link, with which you choose a new password for your account.`
        : `We received a request for a new password for your account at ${brandName}.`,
      'The link works once, within the next 30 minutes.',
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

/** Undefined if they have set a password meanwhile. */
async function writeInvitation(
  app: AccountsApp,
  { userId }: DataOf<'invitation'>,
  emailId: string,
): Promise<Email | undefined> {
  const user = await app.db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', userId)
    .where('password_hash', 'is', null)
    .executeTakeFirst()
  if (user === undefined) return undefined
  const token = await issuePasswordReset(app, { userId, kind: 'invitation', emailId })
  if (token === undefined) return undefined
  const { brandName, contactEmail, publicUrl } = emailFacts(app)
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

function writePasswordChanged(app: AccountsApp, reader: Reader): Email {
  const { brandName } = emailFacts(app)
  return emailAboutAct(app, reader, {
    subject: `Your ${brandName} password was changed`,
    headline: 'Your password was changed',
    act: `The password of your account at ${brandName} was changed, and every other session was ended.`,
    ifNot: 'choose a new password now.',
    reason: `You're receiving this email because the password of ${reader.email} was changed.`,
  })
}

/** Without its name: whoever made it could write something there for the owner to read. */
function writeAppPasswordMade(app: AccountsApp, reader: Reader): Email {
  const { brandName } = emailFacts(app)
  return emailAboutAct(app, reader, {
    subject: `An app password was made at ${brandName}`,
    headline: 'An app password was made',
    act: `An app password was made for your account at ${brandName}. With it a reading program opens the catalogues as you.`,
    ifNot: 'choose a new password now, which ends every session and every app password.',
    reason: `You're receiving this email because an app password of ${reader.email} was made.`,
  })
}

function writeNewDevice(app: AccountsApp, { device, at, ...reader }: DataOf<'newDevice'>): Email {
  const { brandName, publicUrl } = emailFacts(app)
  return emailAboutAct(app, reader, {
    subject: `Sign-in to ${brandName} from a new device`,
    headline: 'A new device signed in',
    act: `Somebody signed in to your account at ${brandName} with your password, on a device that we did not know: ${device}, ${whenInWords(app, at)}.`,
    ifNot: 'somebody knows your password: choose a new one now, which ends every session.',
    notes: [
      `Your devices are listed at ${publicUrl}/account/security. A browser that deletes its cookies counts as a new one.`,
    ],
    reason: `You're receiving this email because somebody signed in as ${reader.email} on a new device.`,
  })
}

function writePasswordKnown(app: AccountsApp, { device, at, ...reader }: DataOf<'newDevice'>): Email {
  const { brandName, publicUrl } = emailFacts(app)
  return emailAboutAct(app, reader, {
    subject: `Somebody knows your password at ${brandName}`,
    preview: 'Your second factor kept them out. If this was you, there is nothing to do.',
    headline: 'A sign-in stopped after your password',
    act: `Somebody began to sign in to your account at ${brandName} with your right password, on a device that we did not know: ${device}, ${whenInWords(app, at)}. They did not show your second factor, so nothing was opened.`,
    ifNot: 'somebody knows your password: choose a new one now, which ends every session, and use it nowhere else.',
    button: { label: 'Choose a new password', url: `${publicUrl}/forgot-password` },
    notes: ['You hear of this once a day at the most.'],
    reason: `You're receiving this email because somebody typed the password of ${reader.email}.`,
  })
}

/** Undefined if the reader is no administrator any more. */
async function writeAlarm(
  app: AccountsApp,
  { userId, headline, sentence, advice, to, times, since }: z.infer<typeof alarmMail.data>,
): Promise<Email | undefined> {
  const reader = await findAdministrator(app, userId)
  if (reader === undefined) return undefined
  const { brandName, publicUrl } = emailFacts(app)
  const counted =
    since === null
      ? []
      : [
          `It was noticed ${times.toLocaleString('en-US')} times since the last email about it, which was ${whenInWords(app, since)}.`,
        ]
  return emailTo(app, reader, {
    subject: `${headline} at ${brandName}`,
    preview: sentence,
    headline,
    paragraphs: [sentence, ...counted, advice],
    button: { label: 'Open the administration', url: `${publicUrl}${to ?? '/admin'}` },
    notes: [
      'You get at most one email an hour about the same alarm. It stands on the home of the administration for a week.',
    ],
    reason: `You're receiving this email because you administer ${brandName}: every administrator hears of this.`,
  })
}

function writeDeleted(app: AccountsApp, reader: DataOf<'deleted'>): Email {
  const { brandName, contactEmail } = app.texts.inForce
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
