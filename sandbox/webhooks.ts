import { createHmac, randomInt } from 'node:crypto'
import type Stripe from 'stripe'
import type { Delivery, State } from './state.ts'

/** Waits before the second, third and further tries, in milliseconds; the last one is repeated. */
const waits = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000]

/** After so many tries an event is given up: about three days, as at Stripe. */
const maxAttempts = 76

/** How long an endpoint may take to answer. */
const timeoutMs = 10_000

/** Events that come about together are sent together when they are to be shuffled: they wait this long for each other. */
const shuffleMs = 30

export interface WebhookFaults {
  webhooks: 'on' | 'never' | 'late' | 'twice' | 'shuffled'
  lateMs: number
}

/**
 * Stripe's signature of a payload.
 * @param timestampSeconds the moment it is said to have been signed
 * @see https://docs.stripe.com/webhooks/signatures
 */
export function signPayload(payload: string, secret: string, timestampSeconds: number): string {
  const mac = createHmac('sha256', secret).update(`${timestampSeconds}.${payload}`).digest('hex')
  return `t=${timestampSeconds},v1=${mac}`
}

/** Delivers events in the order in which they came about, each again and again until its endpoint answers with 2xx. */
export class Webhooks {
  readonly #state: State
  readonly #faults: WebhookFaults
  readonly #secret: string
  readonly #save: () => void
  /** The clock of the account: signatures have its time, waits have the machine's. */
  readonly #now: () => number
  readonly #closing = new AbortController()
  #url: string | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #idle: (() => void)[] = []

  constructor({
    state,
    faults,
    secret,
    url,
    save,
    now,
  }: {
    state: State
    faults: WebhookFaults
    secret: string
    url: string | undefined
    save: () => void
    now: () => number
  }) {
    this.#state = state
    this.#faults = faults
    this.#secret = secret
    this.#url = url
    this.#save = save
    this.#now = now
    this.#wake()
  }

  setUrl(url: string): void {
    this.#url = url
    this.#wake()
  }

  /** Puts an event in line, as the faults of the moment will have it. */
  add(event: Stripe.Event): void {
    const { webhooks, lateMs } = this.#faults
    if (webhooks === 'never') return
    const wait = webhooks === 'late' ? lateMs : webhooks === 'shuffled' ? shuffleMs : 0
    const times = webhooks === 'twice' ? 2 : 1
    event.pending_webhooks = 1
    for (let i = 0; i < times; i += 1)
      this.#state.deliveries.push({ eventId: event.id, attempts: 0, dueAt: Date.now() + wait })
    this.#wake()
  }

  /** Sends one event now, once, whatever the line is doing. @returns the status, 0 when there was no answer */
  async send(event: Stripe.Event): Promise<number> {
    if (this.#url === undefined) throw new Error('The sandbox has no webhook address to deliver to.')
    const payload = JSON.stringify(event, null, 2)
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signPayload(payload, this.#secret, Math.floor(this.#now() / 1000)),
        },
        body: payload,
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]),
      })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      // Refused, broken off or too slow: to the sender all of it is "no answer", and the event is tried again.
      return 0
    }
  }

  /** Resolves when nothing is under way and nothing is due now; what waits for its next try does not count. */
  async idle(): Promise<void> {
    if (this.#running === undefined && !this.#hasDue()) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Breaks off what is under way; what is not delivered stays in line in the saved state. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#closing.abort()
    await this.#running
    this.#tellIdle()
  }

  #hasDue(): boolean {
    return this.#url !== undefined && !this.#closing.signal.aborted && this.#due().length > 0
  }

  #due(): Delivery[] {
    // Shuffled ones wait a moment for each other; to whoever waits for silence they are due.
    const horizon = Date.now() + (this.#faults.webhooks === 'shuffled' ? shuffleMs : 0)
    return this.#state.deliveries.filter(({ dueAt }) => dueAt <= horizon)
  }

  #wake(): void {
    if (this.#url === undefined || this.#running !== undefined || this.#closing.signal.aborted) return
    clearTimeout(this.#timer)
    if (this.#state.deliveries.length === 0) {
      this.#tellIdle()
      return
    }
    const next = Math.min(...this.#state.deliveries.map(({ dueAt }) => dueAt))
    // Never within the turn of its cause: the answer to the call that made an event goes out no later than the event.
    this.#timer = setTimeout(
      () => {
        this.#running = this.#work().finally(() => {
          this.#running = undefined
          this.#wake()
          if (!this.#hasDue()) this.#tellIdle()
        })
      },
      Math.min(Math.max(0, next - Date.now()), 60_000),
    )
  }

  async #work(): Promise<void> {
    for (;;) {
      if (this.#closing.signal.aborted) return
      const due = this.#state.deliveries.filter(({ dueAt }) => dueAt <= Date.now())
      const delivery = this.#faults.webhooks === 'shuffled' ? due[randomInt(Math.max(1, due.length))] : due[0]
      if (delivery === undefined) return
      const event = this.#state.events.find(({ id }) => id === delivery.eventId)
      const status = event === undefined ? 200 : await this.send(event)
      if (this.#closing.signal.aborted && status === 0) return
      this.#settle(delivery, event, status)
      this.#save()
    }
  }

  #settle(delivery: Delivery, event: Stripe.Event | undefined, status: number): void {
    delivery.attempts += 1
    const isDone = (status >= 200 && status < 300) || delivery.attempts >= maxAttempts
    if (!isDone) {
      delivery.dueAt = Date.now() + (waits[Math.min(delivery.attempts, waits.length) - 1] ?? 0)
      return
    }
    this.#state.deliveries.splice(this.#state.deliveries.indexOf(delivery), 1)
    if (event !== undefined && !this.#state.deliveries.some(({ eventId }) => eventId === event.id))
      event.pending_webhooks = 0
  }

  #tellIdle(): void {
    for (const tell of this.#idle.splice(0)) tell()
  }
}
