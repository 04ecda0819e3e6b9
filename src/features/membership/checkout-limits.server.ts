import type { App } from '../../platform/app.ts'
import type { LimitRule } from '../../platform/rate-limits.ts'
import { placesOf, takeAll } from '../../platform/take-all.ts'

/*
 * Who tries stolen cards needs many checkouts (BILLING.md, "Checkout", 3; the numbers: PRODUCT.md, section 12,
 * "Billing"). Every refusal is a 429 with `Retry-After`.
 */

const hour = 3_600

const checkoutForMember: LimitRule = { name: 'checkout.member', points: 10, seconds: hour }
const checkoutForBlock: LimitRule = { name: 'checkout.block', points: 30, seconds: hour }
const checkoutForSite: LimitRule = { name: 'checkout.site', points: 1_000, seconds: hour }

/** Each asks Stripe something, whose own limits are the whole account's. */
const portalForMember: LimitRule = { name: 'portal.member', points: 60, seconds: hour }
const questionForMember: LimitRule = { name: 'checkout-state.member', points: 600, seconds: hour }

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitCheckout({ limits }: Pick<App, 'limits'>, userId: string, address: string): Promise<void> {
  await takeAll(limits, [
    [checkoutForMember, userId],
    ...placesOf(checkoutForBlock, address),
    [checkoutForSite, 'site'],
  ])
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitPortal({ limits }: Pick<App, 'limits'>, userId: string): Promise<void> {
  await limits.limit(portalForMember).take(userId)
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitCheckoutQuestion({ limits }: Pick<App, 'limits'>, userId: string): Promise<void> {
  await limits.limit(questionForMember).take(userId)
}
