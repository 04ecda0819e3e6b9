import type { z } from 'zod'
import { type EmailTemplate, templateOf } from '../../../platform/email/email-contribution.ts'
import type { EmailContent } from '../../../platform/email/email-layout.ts'
import type { Email } from '../../../platform/email/message.ts'
import { counted } from '../../../platform/counted.ts'
import { accountMails, type NamedAct, type NamedActor, type NamedPerson, type RoleChange } from '../account-mails.ts'
import type { AccountsApp } from '../app.ts'
import { emailFacts, emailTo, emailToAddress, greetableName, whenInWords } from './email-to.server.ts'

/** The emails about the role of administrators, and about what is done with it (docs/spec/security.md#told-by-email). */
export const administratorEmails: readonly EmailTemplate<AccountsApp>[] = [
  templateOf(accountMails.administrator, writeAdministrator),
  templateOf(accountMails.administratorNoMore, writeNoMore),
  templateOf(accountMails.safetyOfficer, writeSafetyOfficer),
  templateOf(accountMails.safetyOfficerNoMore, writeNoSafetyOfficer),
  templateOf(accountMails.graveAct, writeGraveAct),
  templateOf(accountMails.graveActs, writeGraveActs),
  templateOf(accountMails.addressChanged, writeAddressChanged),
]

type RoleEmail = Pick<EmailContent, 'subject' | 'preview' | 'headline' | 'paragraphs' | 'button' | 'notes'>

function aboutRole(app: AccountsApp, reader: RoleChange, content: RoleEmail): Email {
  return emailTo(app, reader, {
    ...content,
    reason: `You're receiving this email because the role of ${reader.email} was changed.`,
  })
}

/** A role or mark was given to the reader. */
function aboutNewRole(app: AccountsApp, reader: RoleChange, content: RoleEmail): Email {
  const { contactEmail } = emailFacts(app)
  return aboutRole(app, reader, { ...content, notes: [`If you did not expect this, write to ${contactEmail}.`] })
}

/** @param content.back what another administrator can do about it */
function aboutLostRole(
  app: AccountsApp,
  reader: RoleChange,
  { back, ...content }: RoleEmail & { back: string },
): Email {
  const { contactEmail, publicUrl } = emailFacts(app)
  return aboutRole(app, reader, {
    ...content,
    paragraphs: [
      ...content.paragraphs,
      `If this was wrong, ask another administrator to ${back}, or write to ${contactEmail}. If you did it and do not remember it, somebody else may know your password: choose a new one now.`,
    ],
    button: { label: 'Choose a new password', url: `${publicUrl}/forgot-password` },
  })
}

function writeAdministrator(app: AccountsApp, reader: RoleChange): Email {
  const { brandName, publicUrl } = emailFacts(app)
  return aboutNewRole(app, reader, {
    subject: `You administer ${brandName} now`,
    preview: 'Sign in again. An administrator needs a strong password.',
    headline: 'You are an administrator now',
    paragraphs: [
      `${roleSentence(app, reader, 'gave you this role')} You were signed out everywhere: sign in again to use it.`,
      "The password of an administrator has at least 12 characters. If yours is weaker, you cannot sign in with it any more: choose another one with 'Forgot password' first.",
    ],
    button: { label: 'Sign in', url: `${publicUrl}/login` },
  })
}

function writeNoMore(app: AccountsApp, reader: RoleChange): Email {
  return aboutLostRole(app, reader, {
    subject: `You no longer administer ${emailFacts(app).brandName}`,
    preview: 'Your account stays, as that of a member.',
    headline: 'You are no longer an administrator',
    paragraphs: [
      roleSentence(app, reader, 'took the role of an administrator from you'),
      'Your account stays, as that of a member.',
    ],
    back: 'give you the role back',
  })
}

function writeSafetyOfficer(app: AccountsApp, reader: RoleChange): Email {
  const { brandName, publicUrl } = emailFacts(app)
  return aboutNewRole(app, reader, {
    subject: `You are a safety officer of ${brandName} now`,
    preview: 'You see notices about children, which no other administrator sees.',
    headline: 'You are a safety officer now',
    paragraphs: [
      roleSentence(app, reader, 'named you as a safety officer'),
      'Notices about children are shown to safety officers alone. Look at each within 4 hours: what was reported is hidden until you have decided.',
    ],
    button: { label: 'Open the notices', url: `${publicUrl}/admin/notices` },
  })
}

function writeNoSafetyOfficer(app: AccountsApp, reader: RoleChange): Email {
  return aboutLostRole(app, reader, {
    subject: `You are no longer a safety officer of ${emailFacts(app).brandName}`,
    preview: 'You stay an administrator.',
    headline: 'You are no longer a safety officer',
    paragraphs: [
      roleSentence(app, reader, 'took the mark of a safety officer from you'),
      'You do not see notices about children any more. You stay an administrator.',
    ],
    back: 'name you again',
  })
}

function roleSentence(app: AccountsApp, { by, at, email, times }: RoleChange, did: string): string {
  const { brandName } = app.texts.inForce
  const said = `${inWords(by, { reader: email, brandName })} ${did}, ${whenInWords(app, at)}.`
  return times === 1 ? said : `${said} It was the last of ${times} changes of your role within some minutes.`
}

function writeGraveAct(
  app: AccountsApp,
  { action, by, at, member, count, address, ...reader }: NamedPerson & NamedAct,
): Email {
  const { brandName, publicUrl } = emailFacts(app)
  const isReader = typeof by !== 'string' && by.id === reader.id
  const { subject } = inSentence({ action, member, count, address })
  return emailTo(app, reader, {
    subject: `${subject} at ${brandName}`,
    preview: 'If this was right, there is nothing to do.',
    headline: subject,
    paragraphs: [
      sentenceOf(app, { action, by, at, member, count, address }, reader.email),
      'If this was right, there is nothing to do.',
      whatToDo(by, isReader),
    ],
    button: { label: 'Open the audit log', url: `${publicUrl}/admin/audit` },
    reason: `You're receiving this email because you administer ${brandName}: every administrator hears of this.`,
  })
}

function sentenceOf(app: AccountsApp, act: NamedAct, reader: string | undefined): string {
  const { brandName } = app.texts.inForce
  return `${inWords(act.by, { reader, brandName })} ${inSentence(act).did}, ${whenInWords(app, act.at)}.`
}

function writeGraveActs(
  app: AccountsApp,
  { count, acts, ...reader }: z.infer<typeof accountMails.graveActs.data>,
): Email {
  const { brandName, publicUrl } = emailFacts(app)
  const more = count - acts.length
  return emailTo(app, reader, {
    subject: `${count.toLocaleString('en-US')} security alerts at ${brandName}`,
    preview: 'Many came within minutes: this is one email about those that followed.',
    headline: `${count.toLocaleString('en-US')} security alerts within a few minutes`,
    paragraphs: [
      ...acts.map((act) => sentenceOf(app, act, reader.email)),
      ...(more > 0 ? [`And ${more.toLocaleString('en-US')} more, which stand in the audit log.`] : []),
      'If this was right, there is nothing to do.',
      `${whatToDo(undefined, false)} If you did not do what is said of you, somebody else uses your account: choose a new password with 'Forgot password', which ends all sessions.`,
    ],
    button: { label: 'Open the audit log', url: `${publicUrl}/admin/audit` },
    reason: `You're receiving this email because you administer ${brandName}: every administrator hears of this.`,
  })
}

/** To the old address, which may have another reader. */
function writeAddressChanged(
  app: AccountsApp,
  { address, by, at, times }: z.infer<typeof accountMails.addressChanged.data>,
): Email {
  const { brandName } = app.texts.inForce
  const act: NamedAct = { action: 'address.changed', by, at, address }
  const said = sentenceOf(app, act, undefined)
  const { subject } = inSentence(act)
  return emailToAddress(app, address.before, {
    subject: `${subject} at ${brandName}`,
    preview: 'Messages no longer reach this address.',
    headline: subject,
    paragraphs: [
      times === 1 ? said : `${said} It was the last of ${times} changes within some minutes.`,
      'If this was right, there is nothing to do. If it was wrong, tell the administrators, or whoever runs the server: they can put this address back under Texts.',
    ],
    reason: `You're receiving this email because ${address.before} stood at ${brandName} as: ${address.label}.`,
  })
}

function inSentence({ action, member, count, address }: Pick<NamedAct, 'action' | 'member' | 'count' | 'address'>): {
  subject: string
  did: string
} {
  const { id, name, email } = member ?? { id: '', name: '', email: '' }
  const called = email === '' ? `a member without an account (${id})` : nameOf({ name, email })
  switch (action) {
    case 'role.granted':
      return { subject: 'There is a new administrator', did: `made ${called} an administrator` }
    case 'role.withdrawn':
      return { subject: 'An administrator lost the role', did: `took the role of an administrator from ${called}` }
    case 'role.safety_officer_named':
      return { subject: 'There is a new safety officer', did: `named ${called} as a safety officer` }
    case 'role.safety_officer_withdrawn':
      return {
        subject: 'An administrator is no safety officer any more',
        did: `took the mark of a safety officer from ${called}`,
      }
    case 'members.exported':
      return count === undefined
        ? { subject: 'All members were exported', did: 'began a file of all members, with names and addresses' }
        : {
            subject: 'Many members were listed at once',
            did: `had ${counted(count, 'member')} listed at once, with names and addresses`,
          }
    case 'members.imported':
      return {
        subject: 'Members are imported from a file',
        did: `began to import ${counted(count ?? 0, 'member')} from a file, each of whom is invited by email`,
      }
    case 'account.erased':
      // The name is erased: an email would keep it.
      return { subject: 'An account was deleted', did: `deleted the account with the id ${id}` }
    case 'email.changed':
      return {
        subject: 'An administrator has another email address',
        did: 'changed the email address of their own account to this one',
      }
    case 'address.changed':
      return {
        subject: 'An address of the site was changed',
        did: `changed the text '${address?.label}' from ${address?.before} to ${address?.after}`,
      }
  }
}

function whatToDo(by: NamedActor | undefined, isReader: boolean): string {
  if (isReader) {
    return "If it was not you, somebody else uses your account: choose a new password with 'Forgot password', which ends all sessions, and look at the audit log."
  }
  if (typeof by === 'string') return 'If it was wrong, ask whoever runs the server.'
  return 'If it was wrong, or they say that it was not them, open their page under Members: end their sessions, and take the role away until they have a new password. Whoever runs the server can do the same with the command admin demote.'
}

function inWords(by: NamedActor, { reader, brandName }: { reader: string | undefined; brandName: string }): string {
  if (by === 'operator') return 'The operator of the server, on its command line,'
  if (by === 'system') return `The settings of ${brandName}, at a start,`
  if (by.email === reader) return `You (${by.email})`
  return by.email === '' ? `A member without an account (${by.id})` : nameOf(by)
}

/** A name that could be an address or a message is left out: the address alone says who it is. */
function nameOf({ name, email }: { name: string; email: string }): string {
  const plain = greetableName(name)
  return plain === undefined ? email : `${plain} (${email})`
}
