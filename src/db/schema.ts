import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** Every table, as the queries see it. What each column means and forbids stands in the migrations. */
export interface Database {
  categories: CategoriesTable
  items: ItemsTable
  clearances: ClearancesTable
  consent_records: ConsentRecordsTable
  evidence_files: EvidenceFilesTable
  prohibited_terms: ProhibitedTermsTable
  catalogue_state: CatalogueStateTable
  catalogue_changes: CatalogueChangesTable
  users: UsersTable
  sessions: SessionsTable
  password_resets: PasswordResetsTable
  billing_customers: BillingCustomersTable
  subscriptions: SubscriptionsTable
  payments: PaymentsTable
  access_grants: AccessGrantsTable
  stripe_events: StripeEventsTable
  billing_changes: BillingChangesTable
  billing_runs: BillingRunsTable
}

/** Written as a date or its ISO text, read as a date. */
type Timestamp = ColumnType<Date, Date | string, Date | string>
/** The same, set by the database when nothing is given. */
type TimestampByDefault = ColumnType<Date, Date | string | undefined, Date | string>

interface CategoriesTable {
  id: GeneratedAlways<number>
  name: string
  name_folded: string
  is_fixed: Generated<boolean>
  created_at: TimestampByDefault
}

interface ItemsTable {
  no: GeneratedAlways<number>
  status: Generated<'draft' | 'published' | 'restricted' | 'removed'>
  post_month: number
  post_date: Timestamp
  created_at: TimestampByDefault
  lapses_at: Timestamp | null
  restriction: 'rights_lapsed' | 'consent' | 'notice' | null
  category_id: number
  content_type: string
  region: string
  facets: GeneratedAlways<number>
  name_folded: string
  name: string
  slug: string
  id: string
  external_id: string | null
  updated_at: TimestampByDefault
  version: Generated<number>
  rating: Generated<'general' | 'mature'>
  link: string | null
  link2: string | null
  link_g: string | null
  link_p: string | null
  link_mv1: string | null
  link_mv2: string | null
  link_mv3: string | null
  link_mv4: string | null
  people: 'none' | 'not_identifiable' | 'identifiable' | null
  rights_basis: string | null
  rights_holder: string | null
  rights_licence: string | null
  rights_evidence: string | null
  permits_download: Generated<boolean>
  permits_paid_access: Generated<boolean>
  rights_valid_from: Timestamp | null
  rights_valid_until: Timestamp | null
  rights_revoked_at: Timestamp | null
  rights_attested_by: string | null
  rights_attested_at: Timestamp | null
  rights_verified_by: string | null
  rights_verified_at: Timestamp | null
  import_digest: string | null
  cleared_version: number | null
  name_grams: number[]
  fingerprint: GeneratedAlways<string>
}

interface ClearancesTable {
  item_id: string
  version: number
  fingerprint: string
  checks: JSONColumnType<string[]>
  cleared_by: string
  cleared_at: TimestampByDefault
}

interface ConsentRecordsTable {
  id: string
  item_id: string
  pseudonym: string
  permits_publication: boolean
  permits_download: boolean
  evidence: string
  verified_adult: Generated<'yes' | 'no' | 'unknown'>
  valid_until: Timestamp | null
  withdrawn_at: Timestamp | null
  recorded_by: string
  recorded_at: TimestampByDefault
}

interface EvidenceFilesTable {
  id: string
  item_id: string
  consent_id: string | null
  file_name: string
  media_type: string
  byte_size: ColumnType<string, number, never>
  sha256: string
  stored_by: string
  stored_at: TimestampByDefault
}

interface ProhibitedTermsTable {
  term_folded: string
  added_at: TimestampByDefault
}

interface CatalogueStateTable {
  only_row: Generated<boolean>
  version: ColumnType<string, number, number>
  time_zone: string
}

interface CatalogueChangesTable {
  version: ColumnType<string, number, never>
  item_no: number | null
  changed_at: TimestampByDefault
}

interface UsersTable {
  id: string
  email: string
  email_folded: string
  name: string
  password_hash: string
  password_changed_at: Timestamp
  profile_image: string | null
  is_admin: Generated<boolean>
  vip_disabled: Generated<boolean>
  created_at: Timestamp
}

interface SessionsTable {
  id: string
  user_id: string
  token_hash: Uint8Array
  is_remembered: boolean
  user_agent: string
  created_at: Timestamp
  last_seen_at: Timestamp
  expires_at: Timestamp
}

interface PasswordResetsTable {
  user_id: string
  token_hash: Uint8Array
  expires_at: Timestamp
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
  held_until: Timestamp
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
  cause: 'event' | 'checkout' | 'success' | 'administrator' | 'reconciliation'
  is_drift: boolean
  what: string
  ours: string | null
  stripes: string | null
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
