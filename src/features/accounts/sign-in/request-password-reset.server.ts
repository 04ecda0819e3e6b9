import type { AccountsApp } from '../app.ts'
import { findKnownDevice } from '../devices/known-devices.server.ts'
import { limitForgotPassword } from './account-limits.server.ts'
import { foldEmail } from '../user/email.ts'
import { emailError } from '../user/registration.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { accountMails } from '../account-mails.ts'

/**
 * Queues an email with a reset link. Whether the address is known, and whether an email has just gone there, is looked
 * up when the email is written, so the work and its time are the same for every address. A known device of the account
 * is not limited by strangers' requests.
 * @throws {AppError} `account.invalid`, 422; `limit.exceeded`, 429
 */
export async function requestPasswordReset(
  app: AccountsApp,
  { email, address, deviceSecrets = [] }: { email: string; address: string; deviceSecrets?: readonly string[] },
): Promise<void> {
  const message = emailError(email)
  assertValid(message === undefined ? undefined : { field: 'email', message })
  const emailFolded = foldEmail(email)
  const device = await findKnownDevice(app.db, { emailFolded, secrets: deviceSecrets, now: app.clock.now() })
  await limitForgotPassword(app, { address, device })
  await app.mail.queue(app.db, accountMails.resetLink, { email: emailFolded })
}
