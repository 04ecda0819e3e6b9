import type { Stripe } from 'stripe'
import type { PaymentsConfig } from '../membership-config.server.ts'
import type { ConfigError } from '../../../platform/config/config.ts'
import { type DefinedError, defineError, isAppError, tryLater } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { rehearsalOn } from '../../office/rehearsal.server.ts'
import { notSold, type PlanType } from '../plans/plans.ts'
import { findPriceFault } from './price-fault.server.ts'

/**
 * The version of Stripe's interface that this code was written against, and the only one it speaks
 * (docs/spec/billing.md#webhook-version). The SDK's types belong to it: both are raised together.
 */
const stripeApiVersion = '2026-10-28.endive'

/** Two tries of so long end before the browser gives up its call. */
const usualTimeoutMs = 8_000
const retries = 1

/** Stripe, or what stands in its place: one code path, through the official SDK. */
export class Payments {
  readonly #log: Log
  readonly #timeoutMs: number
  readonly #isRehearsal: () => boolean
  #config: PaymentsConfig
  #client: Promise<Stripe> | undefined
  /** Whether the prices have answered as they have to; undefined before they have answered at all. */
  #tried: 'good' | ConfigError | undefined
  #trying: Promise<void> | undefined
  readonly #seenPrices = new Set<string>()

  /**
   * @param options.timeoutMs how long one try at a call of Stripe may take
   * @param options.isRehearsal while it says so, payments are off
   */
  constructor(
    config: PaymentsConfig,
    log: Log,
    { timeoutMs = usualTimeoutMs, isRehearsal = () => false }: { timeoutMs?: number; isRehearsal?: () => boolean } = {},
  ) {
    this.#timeoutMs = timeoutMs
    this.#isRehearsal = isRehearsal
    this.#config = config
    this.#log = log
  }

  get config(): PaymentsConfig {
    return this.#isRehearsal() ? { ...this.#config, isOff: true } : this.#config
  }

  /** Has somebody else answer from now on: the sandbox, once it runs. */
  use(config: PaymentsConfig): void {
    this.#config = config
    this.#client = undefined
    this.#tried = undefined
    this.#trying = undefined
  }

  /** The fault of the settings, by Stripe's answer; undefined also before it has answered. */
  get fault(): ConfigError | undefined {
    return this.#tried === 'good' ? undefined : this.#tried
  }

  /**
   * Reads the prices, unless they have answered well before.
   * @throws {ConfigError} for an invalid key or price
   * @throws {AppError} 503 with a code of `paymentsFailures`, when Stripe does not say
   */
  async tryPrices(): Promise<void> {
    if (this.#tried === 'good') return
    this.#trying ??= this.#readPrices().finally(() => {
      this.#trying = undefined
    })
    await this.#trying
    if (this.fault !== undefined) throw this.fault
  }

  async #readPrices(): Promise<void> {
    const config = this.#config
    const fault = await this.request((stripe) => findPriceFault(stripe, config))
    if (config === this.#config) this.#tried = fault ?? 'good'
  }

  /**
   * Nothing is sold before the prices have answered: what is bought at a wrong one would give nothing.
   * @throws {AppError} `payments.untried`, `payments.misset`, 503
   */
  async requirePrices(): Promise<void> {
    try {
      await this.tryPrices()
    } catch (error) {
      if (this.fault !== undefined) throw pricesMisset({ cause: error })
      throw paymentsFailure(error) === undefined ? error : pricesUntried({ cause: error })
    }
  }

  /** Whether a price is seen for the first time: so that the log tells of each once. */
  isFirstSightOf(price: string): boolean {
    if (this.#seenPrices.has(price)) return false
    this.#seenPrices.add(price)
    return true
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
      timeout: this.#timeoutMs,
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

  /** @throws {AppError} `payments.off` and `rehearsal.on`, 503, where nothing is sold */
  refuseOff(): void {
    if (this.#isRehearsal()) throw rehearsalOn()
    if (!this.config.isOff) return
    throw paymentsOff()
  }

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
   * @throws {AppError} `payments.off`, 503, where nothing is sold; 503 with a code of `paymentsFailures`, when Stripe does
   *   not do it now; what else it refuses is a defect of ours and thrown as it came
   */
  async request<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    this.refuseOff()
    try {
      return await work(await this.stripe())
    } catch (error) {
      const code = failureCodeOf(error)
      if (code === undefined) throw error
      if (code === 'payments.key') this.#log.error({ err: error }, 'Stripe refuses the key: see STRIPE_SECRET_KEY.')
      throw paymentsFailures[code].error({ cause: error })
    }
  }
}

/** Why Stripe has not done what it was asked. */
export interface PaymentsFailure {
  /** Half a sentence for people. */
  reason: string
  forAdmin: string
  later: string
  retryAfterSeconds: number
}

/** Every way in which Stripe fails without a defect of ours, by the code of its error. */
const paymentsFailures = {
  'payments.unavailable': failing('payments.unavailable', {
    reason: 'the payment service does not answer',
    forAdmin: 'Stripe does not answer.',
  }),
  'payments.failing': failing('payments.failing', {
    reason: 'the payment service answers with an error',
    forAdmin: 'Stripe answers with an error.',
  }),
  'payments.busy': failing('payments.busy', {
    reason: 'the payment service is too busy',
    forAdmin: 'Stripe is too busy to answer.',
  }),
  'payments.pending': failing('payments.pending', {
    reason: 'the payment service is busy with an earlier request',
    forAdmin: 'Stripe is busy with an earlier request.',
  }),
  'payments.key': failing('payments.key', {
    reason: 'payments are not set up as they should be',
    forAdmin: 'Stripe refuses our key: see STRIPE_SECRET_KEY.',
    later: 'later',
    retryAfterSeconds: 600,
    remedy: 'The operator corrects the key of the payment service; the log says so.',
  }),
}

/** The errors of routes that ask Stripe. */
export const stripeErrors = Object.values(paymentsFailures).map(({ error }) => error)

function failing(
  code: string,
  {
    later = 'in a few minutes',
    retryAfterSeconds = 60,
    remedy = tryLater,
    ...said
  }: Pick<PaymentsFailure, 'reason' | 'forAdmin'> & Partial<PaymentsFailure> & { remedy?: string },
): PaymentsFailure & { error: DefinedError<[]> } {
  const happened = `${said.reason.charAt(0).toUpperCase()}${said.reason.slice(1)} at the moment.`
  const sentence = `${happened} Nothing was charged. Please try again ${later}.`
  const error = defineError({ code, status: 503, sentence, remedy, retryAfterSeconds })
  return { ...said, later, retryAfterSeconds, error }
}

type PaymentsFailureCode = keyof typeof paymentsFailures

function failureCodeOf(error: unknown): PaymentsFailureCode | undefined {
  const { type, statusCode } = error as { type?: unknown; statusCode?: unknown }
  if (type === 'StripeAuthenticationError' || type === 'StripePermissionError') return 'payments.key'
  if (type === 'StripeRateLimitError' || statusCode === 429) return 'payments.busy'
  // The same idempotency key is in use: by another process of ours, or by an attempt that took too long.
  if (statusCode === 409) return 'payments.pending'
  if (type === 'StripeConnectionError') return 'payments.unavailable'
  if (type === 'StripeAPIError' || (typeof statusCode === 'number' && statusCode >= 500)) return 'payments.failing'
  return undefined
}

/** Undefined for an error with another cause than Stripe. */
export function paymentsFailure(error: unknown): PaymentsFailure | undefined {
  return isAppError(error) && Object.hasOwn(paymentsFailures, error.code)
    ? paymentsFailures[error.code as PaymentsFailureCode]
    : undefined
}

export const pricesUntried = defineError({
  code: 'payments.untried',
  status: 503,
  sentence:
    'Nothing can be bought yet: the payment service has not confirmed the prices since this site was started. Nothing was charged. Please try again in a few minutes.',
  remedy: tryLater,
  retryAfterSeconds: 60,
})

export const pricesMisset = defineError({
  code: 'payments.misset',
  status: 503,
  sentence:
    'Nothing can be bought at the moment: payments are not set up as they should be, and the operator knows. Nothing was charged. Please try again later.',
  remedy: 'The operator corrects the prices in the settings; the log names what is wrong.',
  retryAfterSeconds: 600,
})

/** Whether Stripe says that there is no such object, or that it is over already. */
export function isMissing(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'resource_missing'
}

export const paymentsOff = defineError({
  code: 'payments.off',
  status: 503,
  sentence: notSold,
  remedy: 'Nothing is sold here while the operator keeps payments off.',
  isCounted: true,
})
