import { type Config, readConfig, settings } from '../app/config.ts'
import { refuseOtherDatabase } from '../db/last-database.ts'
import type { GivenSettings } from '../platform/config/config.ts'
import { unknownSettingInWords, unknownSettings } from '../platform/config/unknown-settings.ts'

/**
 * Reads the settings of a command that uses the database, and names unknown ones on the error output.
 * @param options.insists whether another database than the server's is meant
 * @throws {ConfigError} for a wrong setting, {ConfigErrors} for several
 * @throws {OtherDatabaseError} where the server last used another one, and the command does not insist
 */
export async function readCommandConfig(
  given: GivenSettings,
  { insists = false }: { insists?: boolean } = {},
): Promise<Config> {
  const config = readConfig(given)
  for (const unknown of unknownSettings(given, settings)) process.stderr.write(`${unknownSettingInWords(unknown)}\n`)
  if (!insists) await refuseOtherDatabase(config)
  return config
}
