import { consumeAll, defineLimit, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import type { AccountsApp } from '../app.ts'

const minute = 60

/** Apart from those of sign-ins: a stranger who tries app passwords keeps nobody from signing in. */
const wrongForAccount = defineLimit({
  name: 'app-password.account',
  points: 10,
  seconds: 15 * minute,
  recordedAs: 'wrong app passwords',
})
/** A library behind one address has many readers. */
const wrongForBlock = defineLimit({ name: 'app-password.block', points: 200, seconds: 15 * minute })

/** Whether an account belongs to the caller is not known: each counts for what was typed. */
interface Tried {
  /** As it was typed, folded, whether or not anybody has it. */
  emailFolded: string
  address: string
}

/**
 * Counts a wrong one once it is known to be wrong. A right one is never refused: nobody finds 128 random bits by trying, and whoever
 * tries keeps no owner's program out.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function countWrongAppPassword(
  { limits }: Pick<AccountsApp, 'limits'>,
  { emailFolded, address }: Tried,
): Promise<void> {
  await consumeAll(limits, [...ipKeys(wrongForBlock, address), [wrongForAccount, emailFolded]])
}
