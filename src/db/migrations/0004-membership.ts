import { type Kysely, sql } from 'kysely'

/** Purchases, access, and the events of Stripe. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // User and Stripe customer, one to one; also the lock of everything that is done with a member's money.
  await sql`
    create table billing_customers (
      user_id uuid primary key references users on delete cascade,
      -- Null until the first checkout, and again when the customer was deleted at Stripe.
      stripe_customer_id text unique check (stripe_customer_id <> ''),
      -- Counts the customers that were made for this user: part of the idempotency key of the next one.
      customers_made integer not null default 0,
      -- Counts the checkouts: part of the idempotency key of the next one.
      checkouts_made integer not null default 0,
      checkout_started_at timestamptz,
      -- The worker on this member holds the lock until then; later work commits nothing.
      lock_holder uuid,
      locked_until timestamptz,
      -- When our state was last made equal to Stripe's.
      synced_at timestamptz,
      check ((lock_holder is null) = (locked_until is null))
    )`.execute(db)
  await sql`create index billing_customers_synced_at on billing_customers (synced_at)`.execute(db)

  await sql`
    create table subscriptions (
      stripe_id text primary key,
      -- Records outlive the account, without saying whose they were.
      user_id uuid references users on delete set null,
      plan_type text not null check (plan_type in ('monthly', 'annual')),
      status text not null check (status in
        ('active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled')),
      period_starts_at timestamptz not null,
      period_ends_at timestamptz not null,
      -- When it ends by itself, where that is settled.
      cancels_at timestamptz,
      ended_at timestamptz,
      past_due_since timestamptz,
      started_at timestamptz not null
    )`.execute(db)
  await sql`
    create unique index subscriptions_one_live_per_user on subscriptions (user_id)
      where status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')`.execute(db)
  await sql`create index subscriptions_user_id on subscriptions (user_id)`.execute(db)
  await sql`create index subscriptions_period_ends_at on subscriptions (period_ends_at)
    where status in ('active', 'trialing', 'past_due')`.execute(db)

  await sql`
    create table payments (
      id uuid primary key,
      invoice_id text not null unique,
      user_id uuid references users on delete set null,
      subscription_id text not null,
      plan_type text not null check (plan_type in ('monthly', 'annual')),
      -- The number that stands on the invoice.
      number text,
      status text not null check (status in ('draft', 'open', 'paid', 'uncollectible', 'void')),
      amount_cents integer not null check (amount_cents >= 0),
      refunded_cents integer not null default 0 check (refunded_cents between 0 and amount_cents),
      currency text not null check (currency ~ '^[a-z]{3}$'),
      period_starts_at timestamptz not null,
      period_ends_at timestamptz not null,
      invoiced_at timestamptz not null,
      paid_at timestamptz,
      -- The first time that the card was refused.
      failed_at timestamptz,
      dispute text check (dispute in ('open', 'won', 'lost')),
      -- Set by an administrator: a lost dispute no longer keeps the member from buying.
      dispute_reviewed_at timestamptz,
      -- Which letters about it are in line or sent.
      receipt_queued_at timestamptz,
      failure_queued_at timestamptz
    )`.execute(db)
  await sql`create index payments_user_id on payments (user_id, invoiced_at)`.execute(db)

  await sql`
    create table access_grants (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      source text not null check (source in ('stripe', 'manual')),
      subscription_id text unique,
      plan_type text check (plan_type in ('monthly', 'annual')),
      basis text not null check (basis in ('plan', 'grace', 'manual')),
      -- Whether Stripe goes on by itself at the end.
      renews boolean not null,
      starts_at timestamptz not null,
      -- The end that the member sees.
      ends_at timestamptz not null,
      -- The end for the guards: a renewal under way has some hours more.
      held_until timestamptz not null,
      revoked_at timestamptz,
      revoked_reason text check (revoked_reason in ('refund', 'dispute', 'dispute_lost', 'unpaid', 'paused')),
      granted_by text,
      created_at timestamptz not null,
      -- The ends that the member was notified of by mail; the second is cleared when access is in force again.
      ending_queued_for timestamptz,
      ended_queued_for timestamptz,
      check (held_until >= ends_at and held_until <= ends_at + interval '6 hours'),
      check ((source = 'stripe') = (subscription_id is not null)),
      check ((source = 'stripe') = (plan_type is not null)),
      check ((source = 'manual') = (basis = 'manual')),
      check ((revoked_at is null) = (revoked_reason is null))
    )`.execute(db)
  await sql`create index access_grants_user_id on access_grants (user_id, held_until)`.execute(db)
  await sql`create index access_grants_ends_at on access_grants (ends_at)`.execute(db)
  await sql`create index access_grants_held_until on access_grants (held_until)`.execute(db)
  await sql`create index access_grants_revoked_at on access_grants (revoked_at) where revoked_at is not null`.execute(
    db,
  )

  // The inbox: what Stripe has sent, each once. Nothing personal is kept of an event.
  await sql`
    create table stripe_events (
      id text primary key,
      type text not null,
      is_live boolean not null,
      account text,
      stripe_customer_id text,
      -- For events that name no customer.
      charge_id text,
      -- The prices that it names; empty where it names none.
      price_ids text[] not null,
      created_at timestamptz not null,
      received_at timestamptz not null,
      handled_at timestamptz,
      outcome text check (outcome in
        ('synced', 'other_account', 'other_mode', 'other_product', 'unknown_customer', 'other_type')),
      check ((handled_at is null) = (outcome is null))
    )`.execute(db)
  await sql`create index stripe_events_customer on stripe_events (stripe_customer_id, received_at)`.execute(db)
  await sql`create index stripe_events_unhandled on stripe_events (received_at) where handled_at is null`.execute(db)
  await sql`create index stripe_events_handled_at on stripe_events (handled_at)`.execute(db)

  // Every change of our billing data, with the cause of the look. A change found by a reconciliation is a drift.
  await sql`
    create table billing_changes (
      id uuid primary key,
      user_id uuid references users on delete set null,
      subscription_id text,
      cause text not null check (cause in ('event', 'checkout', 'success', 'administrator', 'reconciliation')),
      is_drift boolean not null,
      what text not null,
      ours text,
      stripes text,
      changed_at timestamptz not null
    )`.execute(db)
  await sql`create index billing_changes_user_id on billing_changes (user_id, changed_at)`.execute(db)
  await sql`create index billing_changes_drift on billing_changes (changed_at) where is_drift`.execute(db)

  await sql`
    create table billing_runs (
      id uuid primary key,
      scope text not null check (scope in ('due', 'all')),
      started_at timestamptz not null,
      finished_at timestamptz,
      checked_count integer not null default 0,
      drift_count integer not null default 0,
      failed_count integer not null default 0,
      -- Why it stopped early, where it did.
      failure text
    )`.execute(db)

  // Memberships were a date on the account; each becomes a grant by hand, which is what it was.
  await sql`
    insert into access_grants
      (id, user_id, source, basis, renews, starts_at, ends_at, held_until, created_at, ended_queued_for)
    select gen_random_uuid(), id, 'manual', 'manual', false, created_at,
      greatest(vip_expires_at, created_at), greatest(vip_expires_at, created_at), created_at,
      case when vip_expires_at <= now() then vip_expires_at end
    from users where vip_expires_at is not null`.execute(db)
  await sql`alter table users drop column vip_expires_at`.execute(db)
}
