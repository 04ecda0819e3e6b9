import type { HttpConfig } from '../../http/http-config.ts'
import type { SettingsReader } from '../../platform/config/config.ts'
import { email, flag, line, sender, webAddress, wholeNumber } from '../../platform/config/kinds.ts'
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

export const officeSettings = {
  mailFrom: setting({
    name: 'MAIL_FROM',
    kind: sender,
    byDefault: "the site's name and `CONTACT_EMAIL`",
    sentence: 'the sender of all emails, like `Library <desk@library.example>`',
  }),
  auditDays: setting({
    name: 'AUDIT_DAYS',
    // The database keeps events for 30 days against any deletion (migration 0001).
    kind: wholeNumber(30, 36_500),
    default: 400,
    sentence: 'how long the [audit log](#audit-log) keeps its events, in days; 30 at least',
  }),
  rehearsal: setting({
    name: 'REHEARSAL',
    kind: flag,
    default: false,
    byDefault: '0',
    sentence: '1: the site is a copy that sends no email and takes no payment ([Rehearsal](#rehearsal))',
  }),
}

export interface OfficeConfig extends ReturnType<typeof officeConfig> {}

export function officeConfig(reader: SettingsReader, left: HttpConfig, texts: TextSettings) {
  const { mailFrom, ...values } = reader.values(officeSettings)
  if (left.isPublic) reader.refusePlaceholders(officeSettings)
  return {
    ...left,
    ...values,
    /** The sender of every mail; named after the site, it goes by the name in force (`SiteTexts.sender`). */
    mailFrom: {
      name: mailFrom === undefined || mailFrom.name === '' ? texts.brandName : mailFrom.name,
      address: mailFrom?.address ?? texts.contactEmail,
    },
  }
}
