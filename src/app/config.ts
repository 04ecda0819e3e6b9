import { accountsConfig, accountsSettings } from '../features/accounts/accounts-config.server.ts'
import {
  officeConfig,
  officeSettings,
  textSettings,
  type TextSettings,
} from '../features/office/office-config.server.ts'
import { catalogueConfig, catalogueSettings } from '../features/catalogue/catalogue-config.server.ts'
import {
  membershipConfig,
  membershipSettings,
  stripeSettings,
} from '../features/membership/membership-config.server.ts'
import { noticesConfig, noticesSettings } from '../features/notices/notices-config.server.ts'
import { requestsConfig, requestsSettings } from '../features/requests/requests-config.server.ts'
import { siteConfig, siteSettings, type SiteConfig } from '../features/site/site-config.server.ts'
import { httpConfig, httpSettings } from '../http/http-config.ts'
import {
  type ConfigError,
  type Environment,
  SettingsReader,
  throwFaults,
  variablesOf,
} from '../platform/config/config.ts'
import { platformConfig, platformSettings } from '../platform/config/platform-config.ts'

/** The settings, in the order of the documentation. */
export const settingTables = [
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
] as const

/** The variables of all settings. */
export const settingVariables: ReadonlySet<string> = variablesOf(settingTables)

/**
 * The environment, as the process reads it once. `app.config` is this without the first values of texts, which
 * administrators change while the site runs.
 */
export type Config = Readonly<SiteConfig & TextSettings>

/** Reads all settings. In place of a wrong one stands what holds while it is unset. */
export function readSettings(env: Environment): { config: Config; faults: ConfigError[] } {
  const reader = new SettingsReader(env)
  const http = httpConfig(reader, platformConfig(reader))
  const texts = reader.values(textSettings)
  const membership = membershipConfig(reader, accountsConfig(reader, officeConfig(reader, http, texts)))
  const requests = requestsConfig(reader, catalogueConfig(reader, membership))
  const config = { ...siteConfig(reader, noticesConfig(reader, requests)), ...texts }
  return { config: Object.freeze(config), faults: reader.faults }
}

/** @throws {ConfigError} for a wrong setting, {ConfigErrors} for several */
export function readConfig(env: Environment): Config {
  const { config, faults } = readSettings(env)
  throwFaults(faults)
  return config
}

/** The settings that never change: an object that the others cannot be read from, also not past the types. */
export function appConfigOf(config: Config): Readonly<SiteConfig> {
  const fixed: SiteConfig & Partial<TextSettings> = { ...config }
  for (const text of Object.keys(textSettings)) delete fixed[text as keyof TextSettings]
  return Object.freeze(fixed)
}
