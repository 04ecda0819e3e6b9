import type { AccountsApp } from '../app.ts'
import type { PasswordOwner } from './password-strength.server.ts'
import { assertValid } from '../user/assert-valid.server.ts'

export interface NamedSite {
  texts: { inForce: { brandName: string } }
}

/**
 * @param owner as the account is, or will be, with this password
 * @throws {AppError} `account.invalid`, 422, for a password that is among the first to be guessed
 */
export async function refuseCommonPassword(
  app: Pick<AccountsApp, 'passwords'> & NamedSite,
  password: string,
  { name, email }: Pick<PasswordOwner, 'name' | 'email'>,
): Promise<void> {
  if (!(await app.passwords.isWeak(password, { name, email, brandName: app.texts.inForce.brandName }))) return
  assertValid({
    field: 'password',
    message: 'This password is one of the most common ones. Please choose another.',
  })
}
