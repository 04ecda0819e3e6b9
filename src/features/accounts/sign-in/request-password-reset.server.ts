import type { AccountsApp } from '../app.ts'
import { limitForgotPassword } from './account-limits.server.ts'
import { foldEmail } from '../user/email.ts'
import { emailError } from '../user/registration.ts'
import { assertValid } from '../user/assert-valid.server.ts'

/**
 * Queues an email with a reset link. Whether anybody has this address is looked up only when the email is
 * written: here the work, and with it the time, is the same for every address.
 * @throws {AppError} `account.invalid`, 422; `limit.exceeded`, 429
 */
export async function requestPasswordReset(
  app: AccountsApp,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const message = emailError(email)
  assertValid(message === undefined ? undefined : { field: 'email', message })
  const emailFolded = foldEmail(email)
  await limitForgotPassword(app, { emailFolded, address })
  await app.mail.queue(app.db, 'accounts.reset-link', { email: emailFolded })
}
