import type { SettingsReader } from '../../platform/config/config.ts'
import { email, flag, oneOf, text } from '../../platform/config/kinds.ts'
import { setting } from '../../platform/config/setting.ts'
import { mailProviders, webhookKeys } from './sent-emails/mail-providers.server.ts'
import type { OfficeConfig } from '../office/office-config.server.ts'

export const accountsSettings = {
  adminEmail: setting({
    name: 'ADMIN_EMAIL',
    kind: email,
    sentence:
      'with `ADMIN_PASSWORD` creates the first administrator at the start, if there is none. Remove both settings once the account exists',
  }),
  adminPassword: setting({
    name: 'ADMIN_PASSWORD',
    kind: text,
    isSecret: true,
    keepsSpaces: true,
    sentence: "the first administrator's password: at least 12 characters, and not a common one",
  }),
  mailProvider: setting({
    name: 'MAIL_PROVIDER',
    kind: oneOf(mailProviders),
    sentence:
      '`mailgun`, `sendgrid` or `resend`: it reports bounces and complaints to `/webhooks/mail/…` ([Mail](#mail)). Unset: nobody does',
  }),
  mailWebhookKey: setting({
    name: 'MAIL_WEBHOOK_KEY',
    kind: text,
    isSecret: true,
    sentence:
      'with it reports of `MAIL_PROVIDER` are checked: the signing key of Mailgun, the verification key of SendGrid, the signing secret of Resend',
  }),
  demo: setting({
    name: 'DEMO',
    kind: flag,
    byDefault: '1 on the embedded database while `ADMIN_EMAIL` is unset and the site is not public, else 0',
    sentence: "1 fills an empty database with the demo's catalogue and, unless the site is public, its accounts",
  }),
  requiresAdminSecondFactor: setting({
    name: 'REQUIRE_ADMIN_SECOND_FACTOR',
    kind: flag,
    byDefault: '1 where `PUBLIC_URL` is https, else 0',
    sentence:
      '1: an administrator without a passkey or an authenticator app can do no more than set one up ([Second factor](#second-factor))',
  }),
}

export interface AccountsConfig extends ReturnType<typeof accountsConfig> {}

export function accountsConfig(reader: SettingsReader, left: OfficeConfig) {
  const { adminEmail, adminPassword, demo: isDemo, ...values } = reader.values(accountsSettings)
  if (left.isPublic) reader.refusePlaceholders(accountsSettings)
  if (adminPassword !== undefined && !reader.isSet(accountsSettings.adminEmail)) {
    reader.refuse(accountsSettings.adminEmail, 'the address of the administrator whose password is ADMIN_PASSWORD')
  }
  const { mailProvider, mailWebhookKey } = values
  if ((mailProvider === undefined) !== (mailWebhookKey === undefined)) {
    const missing = mailProvider === undefined ? accountsSettings.mailProvider : accountsSettings.mailWebhookKey
    reader.refuse(missing, 'set: MAIL_PROVIDER and MAIL_WEBHOOK_KEY go together')
  } else if (mailProvider !== undefined && !webhookKeys[mailProvider].isOne(mailWebhookKey ?? '')) {
    reader.refuse(accountsSettings.mailWebhookKey, webhookKeys[mailProvider].what)
  }
  // A demo that is filled by itself is for a trial on this machine.
  const isTrial = !reader.isSet(accountsSettings.adminEmail) && left.databaseUrl === undefined && !left.isPublic
  const demo = isDemo ?? isTrial
  return {
    ...left,
    mailProvider,
    mailWebhookKey,
    requiresAdminSecondFactor: values.requiresAdminSecondFactor ?? left.publicUrl.startsWith('https:'),
    /**
     * The first administrator, which the start creates if there is none. The address alone makes nobody: the password may be
     * taken out of the environment once they exist.
     */
    firstAdmin:
      adminEmail === undefined || adminPassword === undefined
        ? undefined
        : { email: adminEmail, password: adminPassword },
    demo,
    /** Whether the demo's accounts are made and their passwords shown: never on a public site. */
    hasDemoAccounts: demo && !left.isPublic,
  }
}
