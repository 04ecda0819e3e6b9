import type { App } from '../../platform/app.ts'
import { limitForgottenPassword } from './account-limits.server.ts'
import { foldEmail } from './email.ts'
import { emailProblem } from './registration.ts'
import { refuseProblem } from './refuse-problem.server.ts'
import type { Viewer } from './viewer.ts'

/**
 * Puts a letter with a reset link in line. Whether anybody has this address is looked up only when the letter is
 * written: here the work, and with it the time, is the same for every address.
 * @throws {AppError} `account.invalid`, 422; `limit.exceeded`, 429
 */
export async function requestPasswordReset(
  app: App,
  _viewer: Viewer,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const message = emailProblem(email)
  refuseProblem(message === undefined ? undefined : { field: 'email', message })
  const emailFolded = foldEmail(email)
  await limitForgottenPassword(app, { emailFolded, address })
  await app.mail.queue(app.db, 'accounts.reset-link', { email: emailFolded })
}
