import { checkFirstAdministrator } from '../features/accounts/administrators/check-first-administrator.server.ts'
import { checkHolidays } from '../features/notices/notice/holidays.server.ts'
import { ConfigError, type GivenSettings } from '../platform/config/config.ts'
import { type Config, readSettings } from './config.ts'

/** Reads all settings, and asks what takes longer than reading: whether the password is weak, the holidays known. */
export async function examineConfig(given: GivenSettings): Promise<{ config: Config; faults: ConfigError[] }> {
  const { config, faults } = readSettings(given)
  for (const check of [checkFirstAdministrator, checkHolidays]) {
    try {
      await check(config)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      faults.push(error)
    }
  }
  return { config, faults }
}
