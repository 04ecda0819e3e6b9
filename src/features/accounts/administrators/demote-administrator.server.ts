import type { AccountsApp } from '../app.ts'
import { changeByOperator } from './safety-officer.server.ts'
import { withdrawRole } from './withdraw-role.server.ts'

/**
 * Takes the role of an administrator from a member; their next request is already without it. They
 * and every administrator are notified by email. For the operator.
 * @throws {AppError} `account.not_found`, 404; `account.last_admin` and `account.last_safety_officer`, 409
 */
export function demoteAdministrator(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  { email }: { email: string },
): Promise<void> {
  return changeByOperator(app, { email, role: 'administrator' }, (trx, member) => withdrawRole(app, trx, member))
}
