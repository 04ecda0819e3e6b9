import type { Transaction } from 'kysely'
import type { AccountsTables } from '../../../db/tables/accounts.ts'
import { AppError } from '../../../platform/errors.ts'

/** The database's error when the last administrator would go (migration 0003). */
const lastAdministrator = 'DB006'

/**
 * Says the database's refusal for people.
 * @param subject who it is, with the verb
 * @throws {AppError} `account.last_admin`, 409
 */
export async function refuseLastAdministrator<T>(write: () => Promise<T>, subject = 'You are'): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if ((error as { code?: unknown }).code !== lastAdministrator) throw error
    throw lastAdministratorStays(subject, error)
  }
}

export function lastAdministratorStays(subject = 'You are', cause?: unknown): AppError {
  return new AppError({
    code: 'account.last_admin',
    status: 409,
    message: `${subject} the last administrator. Make somebody else an administrator first.`,
    cause,
  })
}

/** Has administrators who leave at the same time wait for each other, in one order: the last one is then told so. */
export async function lockAdministrators(trx: Transaction<AccountsTables>): Promise<void> {
  await trx.selectFrom('users').select('id').where('is_admin', '=', true).orderBy('id').forUpdate().execute()
}
