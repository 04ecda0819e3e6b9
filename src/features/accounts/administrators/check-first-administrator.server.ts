import type { AccountsConfig } from '../accounts-config.server.ts'
import type { TextSettings } from '../../office/office-config.server.ts'
import { ConfigError } from '../../../platform/config/config.ts'
import { Passwords } from '../passwords/passwords.server.ts'
import { checkNewPassword, emailError } from '../user/registration.ts'

/** The name of the first administrator until they choose another one. */
export const firstAdministratorName = 'Administrator'

/**
 * Judges the administrator that the settings name, without a database: the doctor and the start ask before anything is made.
 * It does so also where the settings would change nobody.
 * @throws {ConfigError} for an address or a password that no administrator may have, without showing the password
 */
export async function checkFirstAdministrator(
  { firstAdmin, brandName }: Pick<AccountsConfig, 'firstAdmin'> & Pick<TextSettings, 'brandName'>,
  passwords?: Pick<Passwords, 'isWeak'>,
): Promise<void> {
  if (firstAdmin === undefined) return
  const { email, password } = firstAdmin
  const wrongEmail = emailError(email)
  if (wrongEmail !== undefined)
    throw new ConfigError('ADMIN_EMAIL', `an address that an account may have (${wrongEmail})`, email)
  const wrongPassword = checkNewPassword(password, { isAdmin: true })
  if (wrongPassword !== undefined)
    throw new ConfigError('ADMIN_PASSWORD', `one that an administrator may have (${wrongPassword.message})`, '***')
  const judge = passwords ?? (await Passwords.open())
  if (await judge.isWeak(password, { name: firstAdministratorName, email, brandName })) {
    throw new ConfigError(
      'ADMIN_PASSWORD',
      'a password that is not among the most common ones, nor made of the address or the name of the site',
      '***',
    )
  }
}
