import type Stripe from 'stripe'
import { idOf, makeId, randomLetters } from './ids.ts'
import type { Card } from './state.ts'

/**
 * The objects as Stripe answers them, every field of the pinned version: the SDK's own types prove that none is missing
 * and none is invented. Times are seconds, money is cents.
 */

export const apiVersion = '2026-10-28.endive' satisfies Stripe.LatestApiVersion

/** On the wire a decimal is a string; the SDK makes its own object of it. */
function decimal(cents: number): Stripe.Decimal {
  return String(cents) as unknown as Stripe.Decimal
}

export function listOf<T>(data: T[], url: string): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: false, url }
}

export function makePrice(
  id: string,
  {
    product,
    nickname,
    amount,
    interval,
    isLive = false,
  }: { product: string; nickname: string; amount: number; interval: 'month' | 'year' | null; isLive?: boolean },
): Stripe.Price {
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: 1_700_000_000,
    currency: 'usd',
    custom_unit_amount: null,
    livemode: isLive,
    lookup_key: null,
    metadata: {},
    nickname,
    product,
    recurring:
      interval === null
        ? null
        : { interval, interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: interval === null ? 'one_time' : 'recurring',
    unit_amount: amount,
    unit_amount_decimal: decimal(amount),
  }
}

/** The older form of a price, which every subscription item still carries beside it. */
function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

export function makeCustomer({
  created,
  email = null,
  name = null,
  phone = null,
  description = null,
  metadata = {},
}: {
  created: number
  email?: string | null
  name?: string | null
  phone?: string | null
  description?: string | null
  metadata?: Record<string, string>
}): Stripe.Customer {
  return {
    id: makeId('cus_'),
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description,
    discount: null,
    email,
    invoice_prefix: randomLetters(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata,
    name,
    next_invoice_sequence: 1,
    phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

export function makeLineItem(price: Stripe.Price, quantity: number, description: string): Stripe.LineItem {
  const total = (price.unit_amount ?? 0) * quantity
  return {
    id: `li_${randomLetters(24)}`,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description,
    metadata: {},
    price,
    quantity,
  }
}

export function makeSession(requested: {
  id: string
  created: number
  expiresAt: number
  customer: Stripe.Customer
  amount: number
  currency: string
  url: string
  successUrl: string
  cancelUrl: string | null
  reference: string | null
  metadata: Record<string, string>
}): Stripe.Checkout.Session {
  return {
    id: requested.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    // Cards are all that its pages know.
    allowed_payment_method_types: ['card'],
    amount_subtotal: requested.amount,
    amount_total: requested.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: requested.cancelUrl,
    client_reference_id: requested.reference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: requested.created,
    currency: requested.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: requested.customer.id,
    customer_account: null,
    customer_creation: null,
    customer_details: {
      address: null,
      business_name: null,
      email: requested.customer.email,
      individual_name: null,
      name: requested.customer.name ?? null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: null,
    },
    customer_email: null,
    discounts: [],
    expires_at: requested.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: requested.metadata,
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: requested.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: requested.url,
    wallet_options: null,
  }
}

export function makePortalSession(requested: {
  id: string
  created: number
  customer: string
  returnUrl: string | null
  url: string
}): Stripe.BillingPortal.Session {
  return {
    id: requested.id,
    object: 'billing_portal.session',
    configuration: 'bpc_1SandboxDefaultPortal',
    created: requested.created,
    customer: requested.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: requested.returnUrl,
    url: requested.url,
  }
}

export function makeSubscription(requested: {
  customer: string
  price: Stripe.Price
  quantity: number
  start: number
  end: number
  status: Stripe.Subscription.Status
  paymentMethod: string | null
  metadata: Record<string, string>
}): Stripe.Subscription {
  const id = makeId('sub_')
  const item: Stripe.SubscriptionItem = {
    id: makeId('si_'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: requested.start,
    current_period_end: requested.end,
    current_period_start: requested.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(requested.price),
    price: requested.price,
    quantity: requested.quantity,
    subscription: id,
    tax_rates: [],
  }
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: requested.start,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible', updated_at: requested.start },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: requested.start,
    currency: requested.price.currency,
    customer: requested.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: requested.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf([item], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: requested.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: requested.start,
    status: requested.status,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: null,
  }
}

/** Puts another price on the one item of a subscription. */
export function setPrice(item: Stripe.SubscriptionItem, price: Stripe.Price): void {
  item.price = price
  item.plan = planOf(price)
}

/** The line of an invoice: a price over a stretch of time, or a credit for the rest of it. */
export interface InvoicedPeriod {
  price: Stripe.Price
  amount: number
  start: number
  end: number
  description: string
  proration: boolean
}

export function makeInvoice(requested: {
  created: number
  customer: Stripe.Customer
  subscription: Stripe.Subscription
  item: Stripe.SubscriptionItem
  periods: InvoicedPeriod[]
  reason: Stripe.Invoice.BillingReason
  periodStart: number
  periodEnd: number
  accountName: string
  pages: string
}): Stripe.Invoice {
  const id = makeId('in_')
  const { customer, subscription, item } = requested
  const sum = requested.periods.reduce((total, { amount }) => total + amount, 0)
  const startingBalance = customer.balance
  const due = Math.max(0, sum + startingBalance)
  const lines = requested.periods.map((period): Stripe.InvoiceLineItem => {
    return {
      id: makeId('il_'),
      object: 'line_item',
      amount: period.amount,
      currency: subscription.currency,
      description: period.description,
      discount_amounts: [],
      discountable: !period.proration,
      discounts: [],
      invoice: id,
      livemode: false,
      metadata: subscription.metadata,
      parent: {
        invoice_item_details: null,
        subscription_item_details: {
          invoice_item: null,
          proration: period.proration,
          proration_details: period.proration ? { credited_items: null } : null,
          subscription: subscription.id,
          subscription_item: item.id,
        },
        type: 'subscription_item_details',
      },
      period: { end: period.end, start: period.start },
      pretax_credit_amounts: [],
      pricing: {
        price_details: { price: period.price.id, product: idOf(period.price.product) },
        type: 'price_details',
        unit_amount_decimal: decimal(period.amount),
      },
      quantity: item.quantity ?? 1,
      quantity_decimal: decimal(item.quantity ?? 1),
      subscription: subscription.id,
      subtotal: period.amount,
      taxes: [],
    }
  })
  const sequence = customer.next_invoice_sequence ?? 1
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: requested.accountName,
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: requested.reason,
    collection_method: 'charge_automatically',
    created: requested.created,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: requested.created,
    ending_balance: Math.min(0, sum + startingBalance),
    footer: null,
    from_invoice: null,
    hosted_invoice_url: `${requested.pages}/i/${id}`,
    invoice_pdf: `${requested.pages}/i/${id}`,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(sequence).padStart(4, '0')}`,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: requested.periodEnd,
    period_start: requested.periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: startingBalance,
    statement_descriptor: null,
    status: 'open',
    status_transitions: {
      finalized_at: requested.created,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: sum,
    subtotal_excluding_tax: sum,
    test_clock: null,
    total: sum,
    total_discount_amounts: [],
    total_excluding_tax: sum,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: requested.created,
  }
}

export function makeInvoicePayment(invoice: Stripe.Invoice, paymentIntent: string): Stripe.InvoicePayment {
  return {
    id: makeId('inpay_'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: invoice.created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: paymentIntent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
}

export function makePaymentIntent(invoice: Stripe.Invoice, paymentMethod: string | null): Stripe.PaymentIntent {
  const id = makeId('pi_')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomLetters(25)}`,
    confirmation_method: 'automatic',
    created: invoice.created,
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description: invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_confirmation',
    transfer_data: null,
    transfer_group: null,
  }
}

export function makeCharge(requested: {
  intent: Stripe.PaymentIntent
  card: Card
  created: number
  declined: { code: string; message: string } | null
  pages: string
  accountName: string
}): Stripe.Charge {
  const { intent, card, declined } = requested
  const id = makeId('ch_')
  const paid = declined === null
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? `txn_${randomLetters(24)}` : null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: requested.accountName.toUpperCase().slice(0, 22),
    captured: paid,
    created: requested.created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: declined?.code ?? null,
    failure_message: declined?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: paid ? null : '01',
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: paid ? null : 'generic_decline',
      risk_level: 'normal',
      risk_score: 12,
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details with this decline.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: typeof intent.payment_method === 'string' ? intent.payment_method : null,
    payment_method_details: {
      card: {
        amount_authorized: paid ? intent.amount : null,
        authorization_code: paid ? '123456' : null,
        brand: 'visa',
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
        country: 'US',
        electronic_commerce_indicator: null,
        exp_month: card.expMonth,
        exp_year: card.expYear,
        fingerprint: 'SandboxFingerprt',
        funding: 'credit',
        installments: null,
        last4: card.last4,
        mandate: null,
        network: 'visa',
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
      type: 'card',
    },
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    receipt_url: paid ? `${requested.pages}/i/${id}` : null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  }
}

export function makeRefund(charge: Stripe.Charge, amount: number, created: number): Stripe.Refund {
  return {
    id: makeId('re_'),
    object: 'refund',
    amount,
    balance_transaction: `txn_${randomLetters(24)}`,
    charge: charge.id,
    created,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

export function makeDispute(charge: Stripe.Charge, created: number): Stripe.Dispute {
  return {
    id: makeId('du_'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      access_activity_log: null,
      billing_address: null,
      cancellation_policy: null,
      cancellation_policy_disclosure: null,
      cancellation_rebuttal: null,
      customer_communication: null,
      customer_email_address: null,
      customer_name: null,
      customer_purchase_ip: null,
      customer_signature: null,
      duplicate_charge_documentation: null,
      duplicate_charge_explanation: null,
      duplicate_charge_id: null,
      enhanced_evidence: {},
      product_description: null,
      receipt: null,
      refund_policy: null,
      refund_policy_disclosure: null,
      refund_refusal_explanation: null,
      service_date: null,
      service_documentation: null,
      shipping_address: null,
      shipping_carrier: null,
      shipping_date: null,
      shipping_documentation: null,
      shipping_tracking_number: null,
      uncategorized_file: null,
      uncategorized_text: null,
    },
    evidence_details: {
      due_by: created + 9 * 24 * 3600,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network: 'visa', network_reason_code: '10.4' },
      type: 'card',
    },
    reason: 'fraudulent',
    status: 'needs_response',
  }
}
