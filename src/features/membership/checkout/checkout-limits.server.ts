import { consumeAll, defineLimit, ipKeys, limitKey } from '../../../platform/rate-limit/consume-all.ts'
import type { SiteLimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { MembershipApp } from '../app.ts'

/*
 * Testing stolen cards takes many checkouts (docs/spec/billing.md#checkout-limits).
 * Every refusal is a 429 with `Retry-After`. Beyond the number for the whole site members wait in line; those who have been
 * members for a day have their own budget alone.
 */

const hour = 3_600

const checkoutForMember = defineLimit({ name: 'checkout.member', points: 10, seconds: hour, recordedAs: 'checkouts' })
const checkoutForBlock = defineLimit({ name: 'checkout.block', points: 30, seconds: hour })
const checkoutForSite = defineLimit<SiteLimitRule>({
  name: 'checkout.site',
  what: 'checkouts',
  points: 1_000,
  seconds: hour,
  inLine: { points: 2, seconds: 2 },
})
/** Testers of stolen cards use new accounts. */
const sparedAfterMs = 86_400_000

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitCheckout(
  { limits, db, clock }: Pick<MembershipApp, 'limits' | 'db' | 'clock'>,
  userId: string,
  address: string,
): Promise<void> {
  const isSpared = async (): Promise<boolean> => {
    const member = await db.selectFrom('users').select('created_at').where('id', '=', userId).executeTakeFirst()
    return member !== undefined && member.created_at.getTime() <= clock.now() - sparedAfterMs
  }
  const requests = [[checkoutForMember, userId] as const, ...ipKeys(checkoutForBlock, address)]
  await consumeAll(limits, requests, { rule: checkoutForSite, caller: userId, isSpared })
}

/** Each asks Stripe something, whose own limits are the whole account's. */
export const limitPortal = limitKey({ name: 'portal.member', points: 60, seconds: hour })

export const limitCheckoutQuery = limitKey({ name: 'checkout-state.member', points: 600, seconds: hour })
