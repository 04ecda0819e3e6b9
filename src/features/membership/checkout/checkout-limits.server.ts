import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import { ipKeys, consumeAll } from '../../../platform/rate-limit/consume-all.ts'
import type { MembershipApp } from '../app.ts'

/*
 * Testing stolen cards takes many checkouts (docs/spec/billing.md#checkout-limits).
 * Every refusal is a 429 with `Retry-After`.
 */

const hour = 3_600

const checkoutForMember: LimitRule = { name: 'checkout.member', points: 10, seconds: hour }
const checkoutForBlock: LimitRule = { name: 'checkout.block', points: 30, seconds: hour }
const checkoutForSite: LimitRule = { name: 'checkout.site', points: 1_000, seconds: hour }

/** Each asks Stripe something, whose own limits are the whole account's. */
const portalForMember: LimitRule = { name: 'portal.member', points: 60, seconds: hour }
const queriesForMember: LimitRule = { name: 'checkout-state.member', points: 600, seconds: hour }

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitCheckout(
  { limits }: Pick<MembershipApp, 'limits'>,
  userId: string,
  address: string,
): Promise<void> {
  await consumeAll(limits, [
    [checkoutForMember, userId],
    ...ipKeys(checkoutForBlock, address),
    [checkoutForSite, 'site'],
  ])
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitPortal({ limits }: Pick<MembershipApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(portalForMember).consume(userId)
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitCheckoutQuery({ limits }: Pick<MembershipApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(queriesForMember).consume(userId)
}
