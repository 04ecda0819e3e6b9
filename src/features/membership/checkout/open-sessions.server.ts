import type { Stripe } from 'stripe'
import type { MembershipApp } from '../app.ts'
import { isMissing } from '../stripe/payments.server.ts'

/** Stripe's list is the truth: it also has the checkout whose answer a crash has lost. An unknown customer has none. */
export async function openSessionsOf(
  { payments }: Pick<MembershipApp, 'payments'>,
  customer: string,
): Promise<Stripe.Checkout.Session[]> {
  return payments.request(async (stripe) => {
    try {
      const sessions = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
      return sessions.data
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  })
}

/** @returns false when it could not be ended, because it is over or has been paid */
export async function expireSession(
  { payments }: Pick<MembershipApp, 'payments'>,
  sessionId: string,
): Promise<boolean> {
  return payments.request(async (stripe) => {
    try {
      await stripe.checkout.sessions.expire(sessionId)
      return true
    } catch (error) {
      if ((error as { type?: unknown }).type !== 'StripeInvalidRequestError') throw error
      return (await stripe.checkout.sessions.retrieve(sessionId)).status === 'expired'
    }
  })
}
