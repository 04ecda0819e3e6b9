import type { AccountsTransaction } from '../app.ts'
import { defineError } from '../../../platform/errors.ts'

/** The database's error when the last administrator would go (`keep_an_administrator` in migration 0001). */
const lastAdministrator = 'DB006'

/** The same when administrators would stay without a safety officer (`keep_a_safety_officer`). */
const lastSafetyOfficer = 'DB016'

/**
 * Says for people that the database has refused to let the last administrator, or the last safety officer, go.
 * @param subject who it is, with the verb
 * @throws {AppError} `account.last_admin` and `account.last_safety_officer`, 409
 */
export async function refuseLastOne<T>(write: () => Promise<T>, subject = 'You are'): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === lastAdministrator) throw lastAdministratorStays(subject, { cause: error })
    if (code === lastSafetyOfficer) throw lastSafetyOfficerStays(subject, { cause: error })
    throw error
  }
}

export const lastAdministratorStays = defineError({
  code: 'account.last_admin',
  status: 409,
  sentence: (subject: string) => `${subject} the last administrator. Make somebody else an administrator first.`,
  remedy: 'Make somebody else an administrator first.',
})

export const lastSafetyOfficerStays = defineError({
  code: 'account.last_safety_officer',
  status: 409,
  sentence: (subject: string) => `${subject} the last safety officer. Name another safety officer first.`,
  remedy: 'Name another administrator as safety officer first.',
})

/** Makes administrators who leave at the same time wait for each other, in one order: the last one is refused. */
export async function lockAdministrators(trx: AccountsTransaction): Promise<void> {
  await trx.selectFrom('users').select('id').where('is_admin', '=', true).orderBy('id').forUpdate().execute()
}
