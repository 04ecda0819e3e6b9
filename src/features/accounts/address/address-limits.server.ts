import { consumeAll, defineLimit, limitAddress } from '../../../platform/rate-limit/consume-all.ts'
import type { SiteLimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { AccountsApp } from '../app.ts'

/*
 * How often emails go to an address that nobody has confirmed yet (docs/spec/security.md#rate-limits). Every refusal is a 429
 * with `Retry-After`.
 */

const hour = 3_600

const changeForAccount = defineLimit({
  name: 'change-address.account',
  points: 5,
  seconds: hour,
  recordedAs: 'changes of the email address',
})
/** Each is an email to somebody who may never have asked for it; whether anybody has that address makes no difference. */
const changeForEmail = defineLimit({ name: 'change-address.email', points: 5, seconds: hour })
const changeForSite = defineLimit<SiteLimitRule>({
  name: 'change-address.site',
  what: 'changes of addresses',
  points: 1_000,
  seconds: hour,
  inLine: { points: 2, seconds: 2 },
})

/** Before a link is looked at. */
export const limitAddressLooks = limitAddress({ name: 'confirm-address.block', points: 30, seconds: hour })

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitAddressChange(
  app: Pick<AccountsApp, 'limits'>,
  { userId, emailFolded }: { userId: string; emailFolded: string },
): Promise<void> {
  await consumeAll(
    app.limits,
    [
      [changeForAccount, userId],
      [changeForEmail, emailFolded],
    ],
    { rule: changeForSite, caller: userId },
  )
}
