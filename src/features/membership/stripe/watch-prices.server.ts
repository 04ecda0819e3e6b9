import { setTimeout as wait } from 'node:timers/promises'
import type { MembershipApp } from '../app.ts'

/**
 * Tries the key and the prices at the start, and while Stripe does not answer again and again beside everything else:
 * until it has, `startCheckout` sells nothing.
 * @param options.firstMs for so long the start waits for Stripe
 * @throws {ConfigError} for what Stripe refuses at once: the start is over
 */
export async function watchPrices(
  { payments, log }: Pick<MembershipApp, 'payments' | 'log'>,
  { firstMs = 10_000, againMs = 30_000 }: { firstMs?: number; againMs?: number } = {},
): Promise<{ stop(): void }> {
  if (payments.config.isOff) return { stop: () => {} }
  const stopping = new AbortController()
  const timeout = new AbortController()
  const reason = await Promise.race([
    payments.tryPrices().then(
      () => 'good' as const,
      (error: unknown) => error,
    ),
    wait(firstMs, new Error('No answer came in time.'), { signal: timeout.signal }),
  ]).finally(() => timeout.abort())
  if (payments.fault !== undefined) throw payments.fault
  if (reason === 'good') return { stop: () => {} }
  log.warn({ err: reason }, 'Stripe has not confirmed the prices yet: nothing is sold until it has.')

  const tryAgain = async (): Promise<void> => {
    let reported: string | undefined
    for (;;) {
      await wait(againMs, undefined, { signal: stopping.signal })
      try {
        await payments.tryPrices()
        log.info('Stripe has confirmed the prices: plans are sold.')
        return
      } catch (error) {
        // At the start a refusal stops the process; later it is only logged.
        const { fault } = payments
        if (fault === undefined || fault.message === reported) continue
        reported = fault.message
        log.error({ err: error }, 'Nothing is sold: the settings for payments are not valid.')
      }
    }
  }
  tryAgain().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ err: error }, 'The prices are no longer tried.')
  })
  return { stop: () => stopping.abort() }
}
