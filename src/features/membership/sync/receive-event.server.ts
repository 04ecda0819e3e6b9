import { z } from 'zod'
import { defineError } from '../../../platform/errors.ts'
import type { Queryable } from '../../../db/queryable.ts'
import type { MembershipApp, MembershipDatabase } from '../app.ts'
import { idOf } from '../stripe/stripe-state.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

/** The events that we ask Stripe for (docs/spec/billing.md#webhook-events). */
export const handledEventTypes: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
])

export const eventJob = defineJob<{ eventId: string }>('membership.event')

/** How far the time of a signature may lie from ours, before or after. */
const toleranceSeconds = 300

/**
 * Takes an event in: proves that Stripe sent it, stores it once however often it comes, and queues its work in the same
 * transaction. Its content is not trusted: it only names the customer to look up.
 * @param input.payload the body, byte for byte
 * @throws {AppError} `webhook.signature`, `webhook.event`, 400; `payments.off`, 503, upon which Stripe comes again
 */
export async function receiveEvent(
  app: Pick<MembershipApp, 'db' | 'clock' | 'jobs' | 'payments' | 'signatures'>,
  { payload, signature }: { payload: Buffer; signature: string | undefined },
): Promise<void> {
  app.payments.refuseOff()
  if (!(await isSigned(app, payload, signature))) {
    app.signatures.refused('stripe')
    throw badSignature()
  }
  app.signatures.accepted('stripe')
  const event = eventIn(payload)
  const receivedAt = new Date(app.clock.now())
  const outcome = outcomeAtOnce(app, event)
  await app.db.transaction().execute(async (trx) => {
    const isNew = await recordEvent(trx, event, { receivedAt, outcome })
    if (isNew && outcome === undefined) await app.jobs.add(trx, eventJob, { eventId: event.id })
  })
}

/**
 * Writes an event into the inbox, once.
 * @param outcome what has become of it already; undefined while there is work to do
 * @returns false when it is stored already
 */
export async function recordEvent(
  db: Queryable<MembershipDatabase>,
  event: ReceivedEvent,
  { receivedAt, outcome }: { receivedAt: Date; outcome: EventOutcome | undefined },
): Promise<boolean> {
  const inserted = await db
    .insertInto('stripe_events')
    .values({
      id: event.id,
      type: event.type,
      is_live: event.livemode,
      account: event.account,
      stripe_customer_id: event.customerId,
      charge_id: event.chargeId,
      price_ids: event.priceIds,
      created_at: new Date(event.createdSeconds * 1_000),
      received_at: receivedAt,
      ...(outcome === undefined ? {} : { handled_at: receivedAt, outcome }),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Stripe's SDK takes signatures from the future, so the time is looked at here; and either of two secrets will do. */
async function isSigned(
  { payments, clock }: Pick<MembershipApp, 'payments' | 'clock'>,
  payload: Buffer,
  signature: string | undefined,
): Promise<boolean> {
  const times = [...(signature ?? '').matchAll(/(?:^|,)\s*t=([^,]*)/g)].map(([, time]) => time ?? '')
  const [time = ''] = times
  const ageSeconds = Math.floor(clock.now() / 1_000) - Number(time)
  const isInTime = times.length === 1 && /^\d{1,12}$/.test(time) && Math.abs(ageSeconds) <= toleranceSeconds
  if (signature === undefined || !isInTime) return false
  const { webhooks } = await payments.stripe()
  return payments.config.webhookSecrets.some((secret) => {
    try {
      webhooks.constructEvent(payload, signature, secret, toleranceSeconds, undefined, clock.now())
      return true
    } catch (error) {
      const { type } = error as { type?: unknown }
      // The SDK throws plain errors as well, for a header without a signature and for a body that is not JSON.
      if (type === 'StripeSignatureVerificationError' || isUnreadable(payload) || !/(?:^|,)\s*v1=[^,]/.test(signature))
        return false
      throw error
    }
  })
}

function isUnreadable(payload: Buffer): boolean {
  try {
    JSON.parse(payload.toString())
    return false
  } catch {
    return true
  }
}

export const badSignature = defineError({
  code: 'webhook.signature',
  status: 400,
  sentence: 'The signature does not prove that this event comes from Stripe, now.',
  remedy: 'Compare STRIPE_WEBHOOK_SECRET with the secret of the endpoint at Stripe, and the clock of the server.',
})

type EventOutcome = NonNullable<MembershipDatabase['stripe_events']['outcome']>

/** The part of an event that is needed: its customer. */
export interface ReceivedEvent {
  id: string
  type: string
  livemode: boolean
  account: string | null
  createdSeconds: number
  customerId: string | null
  chargeId: string | null
  priceIds: string[]
  /** Whether it is about a subscription that a checkout like ours has made, whatever it costs. */
  isOfCheckout: boolean
}

function eventIn(payload: Buffer): ReceivedEvent {
  let event: unknown
  try {
    event = JSON.parse(payload.toString('utf8'))
  } catch {
    throw notAnEvent()
  }
  return readEvent(event)
}

/** Stripe promises no more characters, and an index of the database takes no more than some thousand bytes. */
const Id = z.string().max(255)
/** The id of a thing of Stripe's, or the thing itself. */
const Reference = z.union([Id, z.looseObject({ id: Id })]).nullish()
const List = <Item extends z.ZodType>(item: Item) => z.looseObject({ data: z.array(item).nullish() }).nullish()
const Metadata = z.looseObject({ user_id: z.string().nullish() }).nullish()

/** The fields of an event that we read; all others are ignored. */
const EventObject = z.looseObject({
  object: z.string().nullish(),
  id: Id.nullish(),
  customer: Reference,
  charge: Reference,
  metadata: Metadata,
  parent: z.looseObject({ subscription_details: z.looseObject({ metadata: Metadata }).nullish() }).nullish(),
  items: List(z.looseObject({ price: Reference })),
  lines: List(
    z.looseObject({
      pricing: z.looseObject({ price_details: z.looseObject({ price: Reference }).nullish() }).nullish(),
    }),
  ),
})

const Event = z.looseObject({
  id: Id.regex(/^evt_\w+$/),
  type: Id.regex(/^[\w.]+$/),
  // Seconds; what a date of the database can hold.
  created: z.int().min(0).max(8.64e12),
  livemode: z.boolean(),
  account: Id.nullish(),
  data: z.looseObject({ object: z.looseObject({}) }),
})

type EventObject = z.output<typeof EventObject>

/** @throws {AppError} `webhook.event`, 400, for what has not the shape of an event */
export function readEvent(value: unknown): ReceivedEvent {
  const { data: event } = Event.safeParse(value)
  if (event === undefined) throw notAnEvent()
  const { id, type, created, livemode, account } = event
  const { data: read } = EventObject.safeParse(event.data.object)
  // Events that we do not handle may have any shape.
  if (read === undefined && handledEventTypes.has(type)) throw notAnEvent()
  const object: EventObject = read ?? {}
  const received = {
    id,
    type,
    livemode,
    account: account ?? null,
    createdSeconds: created,
    customerId: (object.object === 'customer' ? textIn(object.id) : idIn(object.customer)) ?? null,
    chargeId: idIn(object.charge) ?? null,
    priceIds: pricesIn(object),
    isOfCheckout: namesUser(object),
  }
  // JSON can spell what is no text to the database.
  const texts = [received.account, received.customerId, received.chargeId, ...received.priceIds]
  if (texts.some((text) => text !== null && (!text.isWellFormed() || text.includes('\0')))) throw notAnEvent()
  return received
}

/** A subscription, or the invoice of one, that has what our checkout writes into what it sells. */
function namesUser({ metadata, parent }: EventObject): boolean {
  return [metadata, parent?.subscription_details?.metadata].some((one) => textIn(one?.user_id) !== undefined)
}

/** The prices of a subscription's items or of an invoice's lines. */
function pricesIn({ items, lines }: EventObject): string[] {
  const found = [
    ...(items?.data ?? []).map(({ price }) => idIn(price)),
    ...(lines?.data ?? []).map(({ pricing }) => idIn(pricing?.price_details?.price)),
  ]
  return [...new Set(found.filter((price) => price !== undefined))]
}

function idIn(value: string | { id: string } | null | undefined): string | undefined {
  return textIn(idOf(value))
}

function textIn(value: string | null | undefined): string | undefined {
  return value === null || value === '' ? undefined : value
}

export const notAnEvent = defineError({
  code: 'webhook.event',
  status: 400,
  sentence: "This is not one of Stripe's events.",
  remedy: 'Send an event of Stripe as it came.',
})

/** Foreign events are counted and ignored (docs/spec/billing.md#webhook-foreign). */
export function outcomeAtOnce(
  { payments }: Pick<MembershipApp, 'payments'>,
  event: ReceivedEvent,
): EventOutcome | undefined {
  if (event.account !== null) return 'other_account'
  if (event.livemode !== payments.config.isLive) return 'other_mode'
  if (!handledEventTypes.has(event.type)) return 'other_type'
  // One of ours may have a price that the settings do not name: whether it is, its customer tells.
  const isOtherProduct =
    !event.isOfCheckout &&
    event.priceIds.length > 0 &&
    event.priceIds.every((price) => payments.planOf(price) === undefined)
  return isOtherProduct ? 'other_product' : undefined
}
