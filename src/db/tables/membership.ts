import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Timestamp, TimestampByDefault } from './columns.ts'

/** The tables that membership owns: no other room writes them. The migrations document each column. */
export interface MembershipTables {
  billing_customers: BillingCustomersTable
  subscriptions: SubscriptionsTable
  payments: PaymentsTable
  access_grants: AccessGrantsTable
  stripe_events: StripeEventsTable
  billing_changes: BillingChangesTable
  billing_runs: BillingRunsTable
  open_checkouts: OpenCheckoutsTable
  checkout_origins: CheckoutOriginsTable
  entry_conversions: EntryConversionsTable
  member_access: MemberAccessTable
  member_imports: MemberImportsTable
  member_import_rows: MemberImportRowsTable
}

interface BillingCustomersTable {
  user_id: string
  stripe_customer_id: string | null
  customers_made: Generated<number>
  checkouts_made: Generated<number>
  checkout_started_at: Timestamp | null
  lock_holder: string | null
  locked_until: Timestamp | null
  synced_at: Timestamp | null
}

interface SubscriptionsTable {
  stripe_id: string
  user_id: string | null
  plan_type: 'monthly' | 'annual'
  status: 'active' | 'trialing' | 'past_due' | 'unpaid' | 'paused' | 'incomplete' | 'incomplete_expired' | 'canceled'
  period_starts_at: Timestamp
  period_ends_at: Timestamp
  cancels_at: Timestamp | null
  ended_at: Timestamp | null
  past_due_since: Timestamp | null
  started_at: Timestamp
  unknown_price: string | null
}

interface PaymentsTable {
  id: string
  invoice_id: string
  user_id: string | null
  subscription_id: string
  plan_type: 'monthly' | 'annual'
  number: string | null
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  amount_cents: number
  refunded_cents: Generated<number>
  currency: string
  period_starts_at: Timestamp
  period_ends_at: Timestamp
  invoiced_at: Timestamp
  paid_at: Timestamp | null
  failed_at: Timestamp | null
  dispute: 'open' | 'won' | 'lost' | null
  dispute_reviewed_at: Timestamp | null
  receipt_queued_at: Timestamp | null
  failure_queued_at: Timestamp | null
}

interface AccessGrantsTable {
  id: string
  user_id: string
  source: 'stripe' | 'manual'
  subscription_id: string | null
  plan_type: 'monthly' | 'annual' | null
  basis: 'plan' | 'grace' | 'manual'
  renews: boolean
  starts_at: Timestamp
  ends_at: Timestamp
  effective_until: Timestamp
  revoked_at: Timestamp | null
  revoked_reason: 'refund' | 'dispute' | 'dispute_lost' | 'unpaid' | 'paused' | null
  granted_by: string | null
  created_at: Timestamp
  ending_queued_for: Timestamp | null
  ended_queued_for: Timestamp | null
}

interface StripeEventsTable {
  id: string
  type: string
  is_live: boolean
  account: string | null
  stripe_customer_id: string | null
  charge_id: string | null
  price_ids: string[]
  created_at: Timestamp
  received_at: Timestamp
  handled_at: Timestamp | null
  outcome: 'synced' | 'other_account' | 'other_mode' | 'other_product' | 'unknown_customer' | 'other_type' | null
}

interface BillingChangesTable {
  id: string
  user_id: string | null
  subscription_id: string | null
  cause: 'event' | 'checkout' | 'success' | 'administrator' | 'reconciliation' | 'deletion'
  is_drift: boolean
  what: string
  local: string | null
  remote: string | null
  changed_at: Timestamp
}

interface BillingRunsTable {
  id: string
  scope: 'due' | 'all'
  started_at: Timestamp
  finished_at: Timestamp | null
  checked_count: Generated<number>
  drift_count: Generated<number>
  failed_count: Generated<number>
  failure: string | null
}

interface OpenCheckoutsTable {
  user_id: string
  answer_id: string
  price_id: string
  url: string
  answered_at: Timestamp
}

interface CheckoutOriginsTable {
  user_id: string
  slug: string
  began_at: Timestamp
}

interface EntryConversionsTable {
  day: ColumnType<Date, string, string>
  slug: string
  checkouts: number
  purchases: number
}

/** Written by the database alone. */
interface MemberAccessTable {
  user_id: ColumnType<string, never, never>
  starts_at: ColumnType<Date, never, never>
  next_starts_at: ColumnType<Date, never, never>
  ends_at: ColumnType<Date | null, never, never>
  effective_until: ColumnType<Date | null, never, never>
  is_disabled: ColumnType<boolean, never, never>
}

interface MemberImportsTable {
  id: string
  started_by: string
  created_at: TimestampByDefault
  read_at: Timestamp | null
  confirmed_at: Timestamp | null
  finished_at: Timestamp | null
  stopped_at: Timestamp | null
  failure: string | null
  format: 'csv' | 'jsonl'
  new_count: Generated<number>
  existing_count: Generated<number>
  rejected_count: Generated<number>
  made_count: Generated<number>
}

interface MemberImportRowsTable {
  import_id: string
  line: number
  email: string
  email_folded: string
  name: string
  member_since: Timestamp | null
  vip_until: Timestamp | null
  outcome: 'new' | 'existing' | 'rejected' | 'made'
  reason: string | null
  cells: JSONColumnType<Record<string, string> | null, string | null | undefined, string | null>
}
