import { type EmailTemplate, templateOf } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/message.ts'
import { counted } from '../../../platform/counted.ts'
import { accountMails, type Reader } from '../account-mails.ts'
import type { AccountsApp } from '../app.ts'
import type { FactorChange } from '../factors/factor-change.ts'
import { emailAboutAct, emailFacts } from './email-to.server.ts'

export const factorEmails: readonly EmailTemplate<AccountsApp>[] = [
  templateOf(accountMails.factorsChanged, writeChanged),
  templateOf(accountMails.recoveryCodeUsed, writeCodeUsed),
]

const sentences: Record<FactorChange, { headline: string; sentence: string }> = {
  'passkey-added': { headline: 'A passkey was added', sentence: 'A passkey was added to your account' },
  'passkey-removed': { headline: 'A passkey was removed', sentence: 'A passkey was removed from your account' },
  'totp-added': {
    headline: 'An authenticator app was added',
    sentence: 'An authenticator app was added to your account',
  },
  'totp-removed': {
    headline: 'The authenticator app was removed',
    sentence: 'The authenticator app was removed from your account',
  },
  'codes-made': {
    headline: 'New recovery codes were made',
    sentence: 'New recovery codes were made for your account, and those before them have ended,',
  },
  'removed-by-administrator': {
    headline: 'Your second factor was removed',
    sentence: 'An administrator removed the second factor of your account, and ended every session,',
  },
  'removed-by-operator': {
    headline: 'Your second factor was removed',
    sentence: 'The operator removed the second factor of your account, and ended every session,',
  },
}

function writeChanged(app: AccountsApp, { change, ...reader }: Reader & { change: FactorChange }): Email {
  const { brandName } = emailFacts(app)
  const { headline, sentence } = sentences[change]
  const act = `${sentence} at ${brandName}.`
  return emailAboutAct(app, reader, {
    subject: `${headline} at ${brandName}`,
    headline,
    act,
    ifNot:
      'choose a new password now, which ends every session, and look at the second factors under Security and data on your account page.',
    ...(change === 'removed-by-administrator' || change === 'removed-by-operator'
      ? {
          preview: 'You sign in with your password alone.',
          paragraphs: [
            act,
            'You sign in with your password alone until you add another one under Security and data on your account page. If you did not ask for this, choose a new password now.',
          ],
        }
      : {}),
    reason: `You're receiving this email because the second factor of ${reader.email} was changed.`,
  })
}

function writeCodeUsed(app: AccountsApp, { left, ...reader }: Reader & { left: number }): Email {
  const { brandName } = emailFacts(app)
  const remaining = left === 0 ? 'It was your last one.' : `${counted(left, 'code is', 'codes are')} left.`
  return emailAboutAct(app, reader, {
    subject: `A recovery code was used at ${brandName}`,
    preview: remaining,
    headline: 'A recovery code was used',
    act: `Somebody used one of the recovery codes of your account at ${brandName}. ${remaining}`,
    ifSo: 'If this was you, make new ones under Security and data on your account page before they are used up.',
    ifNot: 'choose a new password now, which ends every session, and make new codes.',
    reason: `You're receiving this email because a recovery code of ${reader.email} was used.`,
  })
}
