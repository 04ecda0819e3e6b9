import { httpSettings } from '../../http/http-config.ts'
import type { SettingInForce, SettingsReader } from '../../platform/config/config.ts'
import { emailOrWebAddress } from '../../platform/config/kinds.ts'
import { platformSettings } from '../../platform/config/platform-config.ts'
import { setting, type SettingTable } from '../../platform/config/setting.ts'
import { accountsSettings } from '../accounts/accounts-config.server.ts'
import { catalogueSettings } from '../catalogue/catalogue-config.server.ts'
import { membershipSettings, stripeSettings } from '../membership/membership-config.server.ts'
import { type NoticesConfig, noticesSettings } from '../notices/notices-config.server.ts'
import { officeSettings, textSettings } from '../office/office-config.server.ts'
import { requestsSettings } from '../requests/requests-config.server.ts'

const siteSettings = {
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
