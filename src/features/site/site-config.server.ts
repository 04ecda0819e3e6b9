import { httpSettings } from '../../http/http-config.ts'
import type { SettingInForce, SettingsReader } from '../../platform/config/config.ts'
import { bucket, emailOrWebAddress, list, matching, path, wholeNumber } from '../../platform/config/kinds.ts'
import { platformSettings } from '../../platform/config/platform-config.ts'
import { type Kind, setting, type SettingTable } from '../../platform/config/setting.ts'
import { accountsSettings } from '../accounts/accounts-config.server.ts'
import { catalogueSettings } from '../catalogue/catalogue-config.server.ts'
import { membershipSettings, stripeSettings } from '../membership/membership-config.server.ts'
import { type NoticesConfig, noticesSettings } from '../notices/notices-config.server.ts'
import { officeSettings, textSettings } from '../office/office-config.server.ts'
import { requestsSettings } from '../requests/requests-config.server.ts'
import { agePattern } from './backup/age.server.ts'

const aBucket = bucket('backups')

const folderOrBucket: Kind<string> = {
  expected:
    'the path of a folder, or an address like https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket?region=eu-central-1',
  read: (value) => (/^[a-z][a-z\d+.-]*:/i.test(value) ? aBucket.read(value) : path.read(value)),
}

const siteSettings = {
  backupAt: setting({
    name: 'BACKUP_AT',
    kind: matching(/^(?:off|(?:[01]\d|2[0-3]):[0-5]\d)$/, 'a time of the day like 03:00, or off'),
    default: '03:00',
    sentence: "when a [backup](#scheduled-backups) is made each day, in the site's time zone; `off`: never",
  }),
  backupKeep: setting({
    name: 'BACKUP_KEEP',
    kind: wholeNumber(1, 1_000),
    default: 7,
    sentence: 'how many backups of the clock are kept',
  }),
  backupAge: setting({
    name: 'BACKUP_AGE',
    kind: list('recipients of age like age1…, separated by commas', (each) => agePattern.test(each)),
    byDefault: 'unset: they are not encrypted',
    sentence: 'for whom [every backup is encrypted](#encrypted-backups): recipients of age, separated by commas',
  }),
  backupTo: setting({
    name: 'BACKUP_TO',
    kind: folderOrBucket,
    isSecret: true,
    byDefault: 'unset: `DATA_DIR/backups`',
    sentence: 'where they go: a folder, or a bucket with an address like that of `EVIDENCE_URL`',
  }),
  metricsToken: setting({
    name: 'METRICS_TOKEN',
    kind: matching(/^[\x21-\x7e]{16,}$/, 'a token of at least 16 visible ASCII characters, without spaces'),
    isSecret: true,
    byDefault: 'unset: there is no `/metrics`',
    sentence: 'opens [`/metrics`](#watching), as a bearer; make one with `openssl rand -hex 32`',
  }),
  securityContact: setting({
    name: 'SECURITY_CONTACT',
    kind: emailOrWebAddress,
    byDefault: 'unset: there is no such file',
    sentence: 'whom to tell of a weakness, an email or https address; stands in `/.well-known/security.txt`',
  }),
}

/** The settings of all features, in the order of the documentation. */
export const settingTables: readonly SettingTable[] = [
  platformSettings,
  httpSettings,
  textSettings,
  officeSettings,
  accountsSettings,
  membershipSettings,
  stripeSettings,
  catalogueSettings,
  requestsSettings,
  noticesSettings,
  siteSettings,
]

export interface SiteConfig extends ReturnType<typeof siteConfig> {}

export function siteConfig(reader: SettingsReader, left: NoticesConfig) {
  if (left.isPublic) reader.refusePlaceholders(siteSettings)
  const config = { ...left, ...reader.values(siteSettings) }
  return { ...config, settings: describeSettings(reader, config) }
}

/** Every setting with its value and where that is from. */
function describeSettings(reader: SettingsReader, config: NoticesConfig): readonly SettingInForce[] {
  const { isOff, isSandbox } = config.payments
  const payments = isOff ? 'off' : isSandbox ? 'sandbox' : 'stripe'
  const inForce: Record<string, unknown> = { ...config, ...config.gateway, host: config.hosts, payments }
  return settingTables.flatMap((table) =>
    Object.entries(table).map(([line, each]) => reader.describe(each, inForce[line] ?? each.default)),
  )
}
