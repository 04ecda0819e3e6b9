import type { HttpConfig } from '../../http/http-config.ts'
import type { SettingsReader } from '../../platform/config/config.ts'
import { email, flag, line, sender, text, webAddress, wholeNumber } from '../../platform/config/kinds.ts'
import { setting, type ValuesOf } from '../../platform/config/setting.ts'

/** First values of texts that administrators change while the site runs; `app.texts.inForce` has those in force. */
export const textSettings = {
  brandName: setting({
    name: 'BRAND_NAME',
    kind: line('a name', 60),
    default: 'Daybook',
    sentence: "the site's name",
  }),
  contactEmail: setting({
    name: 'CONTACT_EMAIL',
    kind: email,
    default: 'contact@example.org',
    sentence: 'the address for questions, which the pages name',
  }),
  dmcaEmail: setting({
    name: 'DMCA_EMAIL',
    kind: email,
    default: 'dmca@example.org',
    sentence: 'the address for copyright notices, which the pages name',
  }),
  communityUrl: setting({
    name: 'COMMUNITY_URL',
    kind: webAddress,
    default: 'https://discord.com/',
    sentence: 'the community link',
  }),
  vipCommunityUrl: setting({
    name: 'VIP_COMMUNITY_URL',
    kind: webAddress,
    default: 'https://discord.com/',
    sentence: 'the community link of VIPs',
  }),
  accessDeniedMessage: setting({
    name: 'ACCESS_DENIED_MESSAGE',
    kind: line('a text', 300),
    default: 'This content is exclusively available to VIP members.',
    sentence: 'the text on pages that only VIPs may enter, at most 300 characters',
  }),
}

export type TextSettings = ValuesOf<typeof textSettings>

export const accountsSettings = {
  mailFrom: setting({
    name: 'MAIL_FROM',
    kind: sender,
    byDefault: "the site's name and `CONTACT_EMAIL`",
    sentence: 'the sender of all emails, like `Library <desk@library.example>`',
  }),
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
  auditDays: setting({
    name: 'AUDIT_DAYS',
    // The database keeps events for 30 days, whoever deletes (migration 0001).
    kind: wholeNumber(30, 36_500),
    default: 400,
    sentence: 'how long the [audit log](#audit-log) keeps its events, in days; 30 at least',
  }),
}

export interface AccountsConfig extends ReturnType<typeof accountsConfig> {}

export function accountsConfig(reader: SettingsReader, left: HttpConfig, texts: TextSettings) {
  const { mailFrom, adminEmail, adminPassword, demo: isDemo, ...values } = reader.values(accountsSettings)
  if (left.isPublic) reader.refusePlaceholders(accountsSettings)
  if (adminPassword !== undefined && !reader.isSet(accountsSettings.adminEmail)) {
    reader.refuse(accountsSettings.adminEmail, 'the address of the administrator whose password is ADMIN_PASSWORD')
  }
  // A demo that is filled by itself is for a trial on this machine.
  const isTrial = !reader.isSet(accountsSettings.adminEmail) && left.databaseUrl === undefined && !left.isPublic
  const demo = isDemo ?? isTrial
  return {
    ...left,
    auditDays: values.auditDays,
    requiresAdminSecondFactor: values.requiresAdminSecondFactor ?? left.publicUrl.startsWith('https:'),
    /** The sender of every mail; named after the site, it goes by the name in force (`SiteTexts.sender`). */
    mailFrom: {
      name: mailFrom === undefined || mailFrom.name === '' ? texts.brandName : mailFrom.name,
      address: mailFrom?.address ?? texts.contactEmail,
    },
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
