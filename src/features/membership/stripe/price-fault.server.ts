import type { Stripe } from 'stripe'
import type { PaymentsConfig } from '../membership-config.server.ts'
import { ConfigError } from '../../../platform/config/config.ts'
import { moneyInWords } from '../plans/format-money.ts'
import { plans, planTypes, type PlanType } from '../plans/plans.ts'

const variables: Record<PlanType, string> = { monthly: 'STRIPE_PRICE_MONTHLY', annual: 'STRIPE_PRICE_ANNUAL' }
const key = 'STRIPE_SECRET_KEY'

/**
 * Tries the settings for payments by reading every price that they name: the sold ones and the older ones.
 * @returns the fault, with the variable to correct; undefined when all is well
 * @throws whatever else Stripe answers: then nothing is known
 */
export async function findPriceFault(stripe: Stripe, config: PaymentsConfig): Promise<ConfigError | undefined> {
  const named = planTypes.flatMap((plan) =>
    config.prices[plan].map((id, place) => ({ variable: variables[plan], id, plan, isSold: place === 0 })),
  )
  const faults = await Promise.all(named.map((price) => faultOf(stripe, config, price)))
  return faults.find((fault) => fault !== undefined)
}

async function faultOf(
  stripe: Stripe,
  { isLive }: PaymentsConfig,
  { variable, id, plan, isSold }: { variable: string; id: string; plan: PlanType; isSold: boolean },
): Promise<ConfigError | undefined> {
  const [own, other] = isLive ? ['live', 'test'] : ['test', 'live']
  const ofOtherMode = (): ConfigError =>
    new ConfigError(variable, `the id of a price in ${own} mode, as ${key} is; this one is in ${other} mode`, id)
  let price
  try {
    price = await stripe.prices.retrieve(id)
  } catch (error) {
    const { type, code, message = '' } = error as { type?: unknown; code?: unknown; message?: string }
    if (type === 'StripeAuthenticationError') return new ConfigError(key, 'a key that Stripe accepts', '***')
    if (type === 'StripePermissionError') return new ConfigError(key, 'a key that may read prices', '***')
    if (code !== 'resource_missing') throw error
    if (/similar object exists in \w+ mode/.test(message)) return ofOtherMode()
    return new ConfigError(variable, `the id of a price that Stripe has in the account of ${key}`, id)
  }
  if (price.livemode !== isLive) return ofOtherMode()
  if (price.recurring === null) return new ConfigError(variable, 'the id of a price that recurs', id)
  const { interval, priceCents, currency } = plans[plan]
  if (price.recurring.interval !== interval || price.recurring.interval_count !== 1) {
    return new ConfigError(variable, `the id of a price that recurs every ${interval}`, id)
  }
  // The plans page names this one. A price that was sold before may have been another.
  if (isSold && (price.unit_amount !== priceCents || price.currency !== currency)) {
    const wanted = moneyInWords(priceCents, currency)
    return new ConfigError(variable, `the id of a price of ${wanted} (${currency}), as the plans page says`, id)
  }
  return undefined
}
