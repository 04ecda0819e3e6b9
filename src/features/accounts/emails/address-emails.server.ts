import { type EmailTemplate, templateOf } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/message.ts'
import { issueAddressLink } from '../address/issue-address-link.server.ts'
import { accountMails, type Reader } from '../account-mails.ts'
import type { AccountsApp } from '../app.ts'
import { changeHours, confirmationDays } from '../user/address-times.ts'
import { foldEmail } from '../user/email.ts'
import { emailAboutAct, emailFacts, emailTo } from './email-to.server.ts'

/** The emails that confirm an address, or report another one (docs/spec/accounts.md#address-confirmation). */
export const addressEmails: readonly EmailTemplate<AccountsApp>[] = [
  templateOf(accountMails.confirmAddress, writeConfirmation),
  templateOf(accountMails.changeAddress, writeChange),
  templateOf(accountMails.addressChangeRequested, writeChangeRequested),
  templateOf(accountMails.emailChanged, writeEmailChanged),
]

/**
 * A link that confirms the address of an account.
 * @param wanted.email the address that the email goes to
 * @returns undefined where there is nothing to confirm: it is done, the account has another address or is gone
 */
export async function linkOfUnconfirmed(
  app: Pick<AccountsApp, 'db' | 'clock' | 'config'>,
  { userId, email, emailId }: { userId: string; email: string; emailId: string },
): Promise<string | undefined> {
  const user = await app.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('email', '=', email)
    .where('email_confirmed_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined) return undefined
  const token = await issueAddressLink(app, { userId, email, kind: 'confirmation', emailId })
  return token === undefined ? undefined : addressOfLink(app, token)
}

/** Made from the configured address: what a request says its host is must never end up in an email. */
function addressOfLink({ config }: Pick<AccountsApp, 'config'>, token: string): string {
  return `${config.publicUrl}/confirm-address?token=${token}`
}

/** Undefined if they have confirmed their address meanwhile. */
async function writeConfirmation(
  app: AccountsApp,
  { userId }: { userId: string },
  emailId: string,
): Promise<Email | undefined> {
  const user = await app.db.selectFrom('users').select(['email', 'name']).where('id', '=', userId).executeTakeFirst()
  if (user === undefined) return undefined
  const url = await linkOfUnconfirmed(app, { userId, email: user.email, emailId })
  if (url === undefined) return undefined
  const { brandName, contactEmail } = app.texts.inForce
  return emailTo(app, user, {
    subject: `Confirm your address for ${brandName}`,
    preview: `The link works for ${confirmationDays} days.`,
    headline: 'Confirm your address',
    paragraphs: [
      `Please confirm that ${user.email} is the address of your account at ${brandName}. The link works for ${confirmationDays} days.`,
    ],
    button: { label: 'Confirm your address', url },
    notes: [
      `If you have no account there, somebody used your address: do not confirm it, write to ${contactEmail}, and we will delete the account.`,
    ],
    reason: `You're receiving this email because the account with ${user.email} asked for a link that confirms the address.`,
  })
}

/**
 * To the wanted address. Undefined if the member wants another one now; if the address already belongs to an account,
 * its owner is notified instead.
 */
async function writeChange(
  app: AccountsApp,
  { userId, email }: { userId: string; email: string },
  emailId: string,
): Promise<Email | undefined> {
  const user = await app.db
    .selectFrom('users')
    .innerJoin('address_changes', 'address_changes.user_id', 'users.id')
    .select('users.name')
    .where('users.id', '=', userId)
    .where('address_changes.email', '=', email)
    .executeTakeFirst()
  if (user === undefined) return undefined
  const holder = await app.db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('email_folded', '=', foldEmail(email))
    .where('id', '<>', userId)
    .executeTakeFirst()
  if (holder !== undefined) return writeInUse(app, holder)
  const token = await issueAddressLink(app, { userId, email, kind: 'change', emailId })
  if (token === undefined) return undefined
  const { brandName } = app.texts.inForce
  return emailTo(
    app,
    { email, name: user.name },
    {
      subject: `Confirm your new address for ${brandName}`,
      preview: `The link works for ${changeHours} hours.`,
      headline: 'Confirm your new address',
      paragraphs: [
        `A member of ${brandName} wants ${email} as the address of their account. If this is you, confirm it: from then on you sign in with this address.`,
        `The link works for ${changeHours} hours.`,
      ],
      button: { label: 'Confirm the new address', url: addressOfLink(app, token) },
      notes: ['If this was not you, there is nothing to do: nothing changes.'],
      reason: `You're receiving this email because somebody gave ${email} as their new address.`,
    },
  )
}

function writeInUse(app: AccountsApp, holder: { name: string; email: string }): Email {
  const { brandName, contactEmail, publicUrl } = emailFacts(app)
  return emailTo(app, holder, {
    subject: `You have an account at ${brandName} already`,
    preview: 'Somebody wanted your address for another account.',
    headline: 'You have an account with this address already',
    paragraphs: [
      `Somebody wanted ${holder.email} as the address of another account at ${brandName}. It is the address of yours, so nothing has changed.`,
      'If this was you, sign in with this address. To use it for the other account, delete this one or give it another address first.',
    ],
    button: { label: 'Sign in', url: `${publicUrl}/login` },
    notes: [`If this was not you, there is nothing to do. If it happens again, write to ${contactEmail}.`],
    reason: `You're receiving this email because ${holder.email} is the address of your account.`,
  })
}

function writeChangeRequested(app: AccountsApp, { wanted, ...reader }: Reader & { wanted: string }): Email {
  const { brandName } = emailFacts(app)
  return emailAboutAct(app, reader, {
    subject: `Another address for your ${brandName} account`,
    headline: 'Your account is to have another address',
    act: `In your account at ${brandName} somebody asked to change its address from ${reader.email} to ${wanted}. Nothing changes until the link is used that we sent there.`,
    // The link waits at the other address.
    ifSo: 'If this was you, there is nothing to do here.',
    ifNot: 'choose a new password now: that ends the change, and signs out everybody who uses your account.',
    reason: `You're receiving this email because ${reader.email} is the address of your account.`,
  })
}

function writeEmailChanged(app: AccountsApp, { after, ...reader }: Reader & { after: string }): Email {
  const { brandName, contactEmail } = app.texts.inForce
  return emailTo(app, reader, {
    subject: `Your ${brandName} account has another address`,
    preview: 'This is our last email to this address.',
    headline: 'Your account has another address',
    paragraphs: [
      `The address of your account at ${brandName} was changed from ${reader.email} to ${after}. You sign in with the new one, and all our emails go there.`,
      'If this was you, there is nothing to do.',
      `If it was not, somebody else may use your account: write to ${contactEmail} at once, from this address, so that we can see whose account it was.`,
    ],
    reason: `You're receiving this email because ${reader.email} was the address of your account.`,
  })
}
