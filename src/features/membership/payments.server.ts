import type { Stripe } from 'stripe'
import type { PaymentsConfig } from '../../platform/config.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { PlanType } from './plans.ts'

declare module '../../platform/app.ts' {
  interface App {
    payments: Payments
  }
}

/**
 * The version of Stripe's interface that this code was written against, and the only one it speaks (BILLING.md,
 * "Webhook", 5). The SDK's types belong to it: both are raised together.
 */
const stripeApiVersion = '2026-10-28.endive'

/** Two tries of so long end before the browser gives up its call. */
const timeoutMs = 8_000
const retries = 1

/** Stripe, or what stands in its place: one code path, through the official SDK. */
export class Payments {
  readonly #log: Log
  #config: PaymentsConfig
  #client: Promise<Stripe> | undefined

  constructor(config: PaymentsConfig, log: Log) {
    this.#config = config
    this.#log = log
  }

  get config(): PaymentsConfig {
    return this.#config
  }

  /** Has somebody else answer from now on: the sandbox, once it runs. */
  use(config: PaymentsConfig): void {
    this.#config = config
    this.#client = undefined
  }

  /** The SDK. It is large: loaded at its first use, so that a command that needs no payments starts without it. */
  async stripe(): Promise<Stripe> {
    this.#client ??= this.#open()
    return this.#client
  }

  async #open(): Promise<Stripe> {
    const { Stripe } = await import('stripe')
    const { secretKey, apiBase } = this.config
    const base = apiBase === undefined ? undefined : new URL(apiBase)
    return new Stripe(secretKey, {
      apiVersion: stripeApiVersion,
      timeout: timeoutMs,
      maxNetworkRetries: retries,
      telemetry: false,
      appInfo: { name: 'Daybook' },
      ...(base === undefined
        ? {}
        : {
            protocol: base.protocol === 'http:' ? 'http' : 'https',
            host: base.hostname.replace(/^\[|\]$/g, ''),
            port: base.port === '' ? (base.protocol === 'http:' ? 80 : 443) : base.port,
          }),
    })
  }

  /** The price that is sold for a plan. */
  priceOf(plan: PlanType): string {
    return this.config.prices[plan][0] as string
  }

  /** The plan that a price buys, also a price that is no longer sold; undefined for what is no product of ours. */
  readonly planOf = (priceId: string): PlanType | undefined => {
    const { monthly, annual } = this.config.prices
    if (monthly.includes(priceId)) return 'monthly'
    return annual.includes(priceId) ? 'annual' : undefined
  }

  /**
   * Has Stripe do something.
   * @throws {AppError} `payments.unavailable`, 503, when it cannot be reached, is broken, busy, or refuses our key; what
   *   else it refuses is a defect of ours and thrown as it came
   */
  async ask<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    try {
      return await work(await this.stripe())
    } catch (error) {
      const { type, statusCode } = error as { type?: unknown; statusCode?: unknown }
      const isOurs = type === 'StripeAuthenticationError' || type === 'StripePermissionError'
      if (isOurs) this.#log.error({ err: error }, 'Stripe refuses the key: see STRIPE_SECRET_KEY.')
      const isAway =
        type === 'StripeConnectionError' ||
        type === 'StripeRateLimitError' ||
        type === 'StripeAPIError' ||
        statusCode === 429 ||
        // A key that another process of ours is using at this moment.
        statusCode === 409 ||
        (typeof statusCode === 'number' && statusCode >= 500)
      if (isOurs || isAway) throw unavailable(error)
      throw error
    }
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError({
    code: 'payments.unavailable',
    status: 503,
    message:
      'The payment service does not answer at the moment. Nothing was charged. Please try again in a few minutes.',
    retryAfterSeconds: 60,
    cause,
  })
}

/** Whether Stripe says that there is no such object, or that it is over already. */
export function isMissing(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'resource_missing'
}
