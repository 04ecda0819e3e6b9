import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type Stripe from 'stripe'

/**
 * The effect of charging a card without its holder: `good` pays, `fails-later` is declined, `asks-later` requires its
 * holder's authorisation. All three pay at the checkout.
 */
export type CardKind = 'good' | 'fails-later' | 'asks-later'

/** A card as far as anybody may see it. */
export interface Card {
  kind: CardKind
  last4: string
  expMonth: number
  expYear: number
}

/** A portal session and when it was last used (seconds); null before its first use. */
export interface Portal {
  session: Stripe.BillingPortal.Session
  usedAt: number | null
}

/** The answer that was given under an idempotency key, for everybody who comes with the same key again. */
export interface StoredResponse {
  path: string
  parameters: string
  status: number
  body: string
  requestId: string
  /** Milliseconds of the sandbox's clock. */
  at: number
}

/** One event that is still to be delivered. */
export interface Delivery {
  eventId: string
  /** How often it was tried. */
  attempts: number
  /** Milliseconds of the machine's clock: waiting for an answer is real, whatever the sandbox's clock says. */
  dueAt: number
}

/** Everything the sandbox knows, by id and in the order of making. It is plain data: what is written is what is read. */
export interface State {
  customers: Record<string, Stripe.Customer>
  deletedCustomers: Record<string, Stripe.DeletedCustomer>
  sessions: Record<string, Stripe.Checkout.Session>
  lineItems: Record<string, Stripe.LineItem[]>
  /** The metadata that a session passes to its subscription: `subscription_data.metadata`. */
  subscriptionMetadata: Record<string, Record<string, string>>
  portals: Record<string, Portal>
  subscriptions: Record<string, Stripe.Subscription>
  invoices: Record<string, Stripe.Invoice>
  invoicePayments: Record<string, Stripe.InvoicePayment>
  paymentIntents: Record<string, Stripe.PaymentIntent>
  charges: Record<string, Stripe.Charge>
  refunds: Record<string, Stripe.Refund>
  disputes: Record<string, Stripe.Dispute>
  cards: Record<string, Card>
  /** Customers whose payments fail whatever their card. */
  failing: Record<string, true>
  events: Stripe.Event[]
  deliveries: Delivery[]
  kept: Record<string, StoredResponse>
}

function emptyState(): State {
  return {
    customers: {},
    deletedCustomers: {},
    sessions: {},
    lineItems: {},
    subscriptionMetadata: {},
    portals: {},
    subscriptions: {},
    invoices: {},
    invoicePayments: {},
    paymentIntents: {},
    charges: {},
    refunds: {},
    disputes: {},
    cards: {},
    failing: {},
    events: [],
    deliveries: [],
    kept: {},
  }
}

/** The state as it was last saved; an empty one when there is no file. A file that cannot be read is an error. */
export function readState(file: string | undefined): State {
  if (file === undefined || !existsSync(file)) return emptyState()
  try {
    return { ...emptyState(), ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<State>) }
  } catch (cause) {
    throw new Error(`The state of the sandbox in ${file} cannot be read. Take the file away to begin anew.`, { cause })
  }
}

/** Writes beside the file and renames, so that a process that dies leaves the old state or the new, never half of one. */
export function saveState(file: string | undefined, state: State): void {
  if (file === undefined) return
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
