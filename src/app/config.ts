import { accountsConfig } from '../features/accounts/accounts-config.server.ts'
import { officeConfig, textSettings, type TextSettings } from '../features/office/office-config.server.ts'
import { catalogueConfig } from '../features/catalogue/catalogue-config.server.ts'
import { membershipConfig } from '../features/membership/membership-config.server.ts'
import { noticesConfig } from '../features/notices/notices-config.server.ts'
import { requestsConfig } from '../features/requests/requests-config.server.ts'
import { settingTables, siteConfig, type SiteConfig } from '../features/site/site-config.server.ts'
import { httpConfig } from '../http/http-config.ts'
import { type ConfigError, type GivenSettings, SettingsReader, throwFaults } from '../platform/config/config.ts'
import { platformConfig } from '../platform/config/platform-config.ts'
import type { Setting } from '../platform/config/setting.ts'

export const settings: readonly Setting[] = settingTables.flatMap((table) => Object.values(table))

/**
 * The settings, as the process reads them once. `app.config` is this without the first values of texts, which
 * administrators change while the site runs.
 */
export type Config = Readonly<SiteConfig & TextSettings>

/** Reads all settings. In place of a wrong one stands what holds while it is unset. */
export function readSettings(given: GivenSettings): { config: Config; faults: ConfigError[] } {
  const reader = new SettingsReader(given)
  const http = httpConfig(reader, platformConfig(reader))
  const texts = reader.values(textSettings)
  const membership = membershipConfig(reader, accountsConfig(reader, officeConfig(reader, http, texts)))
  const requests = requestsConfig(reader, catalogueConfig(reader, membership))
  const config = { ...siteConfig(reader, noticesConfig(reader, requests)), ...texts }
  return { config: Object.freeze(config), faults: reader.faults }
}

/** @throws {ConfigError} for a wrong setting, {ConfigErrors} for several */
export function readConfig(given: GivenSettings): Config {
  const { config, faults } = readSettings(given)
  throwFaults(faults)
  return config
}

/** The settings that never change: an object that the others cannot be read from, also not past the types. */
export function appConfigOf(config: Config): Readonly<SiteConfig> {
  const fixed: SiteConfig & Partial<TextSettings> = { ...config }
  for (const text of Object.keys(textSettings)) delete fixed[text as keyof TextSettings]
  return Object.freeze(fixed)
}
