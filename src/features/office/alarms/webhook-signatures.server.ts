import type { MetricsPart } from '../../../platform/metrics/metric.ts'
import type { OfficeApp } from '../app.ts'
import type { Alarm, Alarms } from './alarms.server.ts'

/**
 * Anybody may send a webhook that nobody has signed. Ten in a row are worth a look where none with a right signature has
 * come for a day: otherwise the key is right, and a stranger rings no alarm.
 */
const alarmAfter = 10
const isProvenForMs = 86_400_000

const senders = {
  mail: { who: 'the mail provider', key: 'MAIL_WEBHOOK_KEY' },
  stripe: { who: 'Stripe', key: 'STRIPE_WEBHOOK_SECRET' },
}
type Sender = keyof typeof senders

/** The webhooks that came to this process with a wrong signature. */
export class WebhookSignatures {
  /** Since the start. */
  readonly refusals: Record<Sender, number> = { mail: 0, stripe: 0 }
  readonly #inARow: Record<Sender, number> = { mail: 0, stripe: 0 }
  readonly #provenAt: Record<Sender, number> = { mail: -Infinity, stripe: -Infinity }
  readonly #alarms: Pick<Alarms, 'raise'>

  constructor(alarms: Pick<Alarms, 'raise'>) {
    this.#alarms = alarms
  }

  refused(sender: Sender): void {
    this.refusals[sender] += 1
    this.#inARow[sender] += 1
    const isProven = performance.now() - this.#provenAt[sender] < isProvenForMs
    if (!isProven && this.#inARow[sender] >= alarmAfter) this.#alarms.raise(alarmOf(sender))
  }

  accepted(sender: Sender): void {
    this.#inARow[sender] = 0
    this.#provenAt[sender] = performance.now()
  }
}

function alarmOf(sender: Sender): Alarm {
  const { who, key } = senders[sender]
  return {
    name: `webhook ${sender}`,
    headline: `Webhooks with a wrong signature (${sender})`,
    sentence: `${alarmAfter} or more webhooks in a row did not bear the signature of ${who}. They were refused.`,
    advice: `Compare ${key} with what ${who} shows, and the clock of the server. If both are right, somebody else sends them, and nothing is to be done.`,
  }
}

export const signatureMetrics: MetricsPart<Pick<OfficeApp, 'signatures'>> = {
  metrics: {
    daybook_webhook_signatures_refused_total: {
      help: 'Webhooks with a wrong signature since the start, by who should have sent them: mail or stripe.',
      type: 'counter',
    },
  },
  read: ({ signatures }) => ({
    daybook_webhook_signatures_refused_total: Object.entries(signatures.refusals).map(([sender, value]) => ({
      labels: { sender },
      value,
    })),
  }),
}
