import { type Config, readConfig, settings } from '../app/config.ts'
import type { GivenSettings } from '../platform/config/config.ts'
import { unknownSettingInWords, unknownSettings } from '../platform/config/unknown-settings.ts'

/**
 * Reads the settings of a command, and names unknown ones on the error output.
 * @throws {ConfigError} for a wrong setting, {ConfigErrors} for several
 */
export function readCommandConfig(given: GivenSettings): Config {
  const config = readConfig(given)
  for (const unknown of unknownSettings(given, settings)) process.stderr.write(`${unknownSettingInWords(unknown)}\n`)
  return config
}
