import type { Account } from './account.ts'
import type { CardKind } from './state.ts'

/** A membership that somebody has bought before now. */
export interface PastPurchase {
  /** The member at the site, as `metadata.user_id` names them. */
  userId: string
  email: string
  name: string
  plan: 'monthly' | 'annual'
  /** Seconds. */
  boughtAt: number
  /** Seconds: when it was cancelled for the end of its first period. */
  cancelledAt?: number
  card?: CardKind
}

/**
 * Lets memberships have been bought, and everything happen that has come due since, each thing at its own moment. A member
 * who has a customer already keeps them as they are.
 * @returns the customer of each member
 */
export function playPast(
  account: Account,
  prices: { monthly: string; annual: string },
  purchases: readonly PastPurchase[],
): Record<string, string> {
  const customers: Record<string, string> = {}
  for (const { id, metadata } of Object.values(account.state.customers)) {
    if (metadata['user_id'] !== undefined) customers[metadata['user_id']] = id
  }
  const wanted = purchases.filter(({ userId }) => customers[userId] === undefined)
  for (const purchase of wanted.toSorted((a, b) => a.boughtAt - b.boughtAt)) {
    customers[purchase.userId] = buy(account, prices[purchase.plan], purchase)
  }
  account.tick()
  return Object.fromEntries(purchases.map(({ userId }) => [userId, customers[userId] ?? '']))
}

/** As the site's checkout does it. @returns the customer */
function buy(account: Account, price: string, purchase: PastPurchase): string {
  const { userId, email, name, plan, boughtAt, cancelledAt, card = 'good' } = purchase
  const metadata = { user_id: userId, plan_type: plan, price }
  return account.at(boughtAt, () => {
    const customer = account.createCustomer({ email, name, metadata: { user_id: userId } })
    const session = account.createSession({
      customer: customer.id,
      lines: [{ price, quantity: 1 }],
      successUrl: 'http://localhost/success?session_id={CHECKOUT_SESSION_ID}',
      cancelUrl: 'http://localhost/cancel',
      reference: userId,
      metadata,
      subscriptionMetadata: metadata,
      expiresAt: undefined,
    })
    account.pay(session.id, { card })
    const [subscription] = account.subscriptionsOf(customer.id)
    if (cancelledAt !== undefined && subscription !== undefined) {
      account.at(cancelledAt, () => void account.cancel(subscription.id, 'period_end'))
    }
    return customer.id
  })
}
