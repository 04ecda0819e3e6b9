import { type Kysely, sql } from 'kysely'

/** Purchases, access, the events of Stripe, and files of members (docs/spec/membership.md, docs/spec/billing.md). */
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
      -- The holder may work on this member until then; work that takes longer commits nothing.
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
      started_at timestamptz not null,
      -- The price at Stripe, while it is none of those that the settings name; null for every other subscription.
      unknown_price text check (unknown_price <> '')
    )`.execute(db)
  await sql`
    create unique index subscriptions_one_live_per_user on subscriptions (user_id)
      where status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')`.execute(db)
  await sql`create index subscriptions_user_id on subscriptions (user_id)`.execute(db)
  await sql`
    create index subscriptions_period_ends_at on subscriptions (period_ends_at)
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
  await sql`create index payments_paid_at on payments (paid_at) where status = 'paid'`.execute(db)

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
      -- The end that access goes by: a renewal under way has some hours more.
      effective_until timestamptz not null,
      revoked_at timestamptz,
      revoked_reason text check (revoked_reason in ('refund', 'dispute', 'dispute_lost', 'unpaid', 'paused')),
      granted_by text,
      created_at timestamptz not null,
      -- The ends that the member was told of by mail; the second is cleared when access is in force again.
      ending_queued_for timestamptz,
      ended_queued_for timestamptz,
      check (effective_until >= ends_at and effective_until <= ends_at + interval '6 hours'),
      check ((source = 'stripe') = (subscription_id is not null)),
      check ((source = 'stripe') = (plan_type is not null)),
      check ((source = 'manual') = (basis = 'manual')),
      check ((revoked_at is null) = (revoked_reason is null))
    )`.execute(db)
  await sql`create index access_grants_user_id on access_grants (user_id, effective_until)`.execute(db)
  await sql`create index access_grants_ends_at on access_grants (ends_at)`.execute(db)
  await sql`create index access_grants_effective_until on access_grants (effective_until)`.execute(db)
  await sql`create index access_grants_revoked_at on access_grants (revoked_at) where revoked_at is not null`.execute(
    db,
  )

  /*
   * Access of each member as stretches: grants that overlap, or follow each other without a gap, are one. At an
   * instant the row with starts_at <= instant < next_starts_at counts: its end is the current end, or
   * the last one. An index can order by that, and nothing has to be written when a stretch begins. A disabled member
   * has a first row without an end, so that they are listed before anything begins. The triggers below keep it.
   */
  await sql`
    create table member_access (
      user_id uuid not null references users on delete cascade,
      starts_at timestamptz not null,
      next_starts_at timestamptz not null,
      ends_at timestamptz,
      effective_until timestamptz,
      is_disabled boolean not null,
      constraint member_access_pkey primary key (user_id, starts_at),
      constraint both_ends_or_none check ((ends_at is null) = (effective_until is null)),
      constraint a_stretch_begins_before_the_next check (starts_at < next_starts_at)
    )`.execute(db)
  await sql`
    create index member_access_vips on member_access (effective_until desc, user_id desc)
      include (starts_at, next_starts_at) where not is_disabled and effective_until is not null`.execute(db)
  await sql`
    create index member_access_disabled on member_access (effective_until desc nulls last, user_id desc)
      include (starts_at, next_starts_at) where is_disabled`.execute(db)
  // A grant that was revoked gave access until then.
  await sql`
    create function sum_up_member_access(member uuid) returns void language plpgsql as $$
    begin
      -- Waits for whoever else is at it; the statements after it see what they wrote. A lock of a row takes no place in
      -- the lock table, which a statement about ten thousand members would fill.
      perform from users where id = member for no key update;
      delete from member_access where user_id = member;
      insert into member_access (user_id, starts_at, next_starts_at, ends_at, effective_until, is_disabled)
      with given as (
        select least(starts_at, revoked_at, effective_until) as starts_at, least(ends_at, revoked_at) as ends_at,
               least(effective_until, revoked_at) as effective_until
          from access_grants where user_id = member
      ), marked as (
        select *, starts_at > max(effective_until) over (
                    order by starts_at, effective_until rows between unbounded preceding and 1 preceding) as is_after_gap
          from given
      ), numbered as (
        select *, count(*) filter (where is_after_gap) over (order by starts_at, effective_until rows unbounded preceding)
                  as stretch
          from marked
      ), stretches as (
        select min(starts_at) as starts_at, max(ends_at) as ends_at, max(effective_until) as effective_until
          from numbered group by stretch
        union all
        select '-infinity', null, null from users where id = member and vip_disabled
      )
      select users.id, starts_at, coalesce(lead(starts_at) over (order by starts_at), 'infinity'), ends_at,
             effective_until, vip_disabled
        from stretches join users on users.id = member;
    end $$`.execute(db)
  await sql`
    create function keep_member_access() returns trigger language plpgsql as $$
    begin
      perform sum_up_member_access(case when tg_op = 'DELETE' then old.user_id else new.user_id end);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger keep_member_access after insert or delete
      or update of starts_at, ends_at, effective_until, revoked_at
      on access_grants for each row execute function keep_member_access()`.execute(db)
  await sql`
    create function keep_member_disabled() returns trigger language plpgsql as $$
    begin
      perform sum_up_member_access(new.id);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger keep_member_disabled_of_new after insert on users
      for each row when (new.vip_disabled) execute function keep_member_disabled()`.execute(db)
  await sql`
    create trigger keep_member_disabled after update of vip_disabled on users
      for each row when (old.vip_disabled <> new.vip_disabled) execute function keep_member_disabled()`.execute(db)

  // The inbox: each event of Stripe once, with nothing personal in it.
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

  // Every change of our state, and why it was compared. A change that a reconciliation had to make is a drift.
  await sql`
    create table billing_changes (
      id uuid primary key,
      user_id uuid references users on delete set null,
      subscription_id text,
      cause text not null check (cause in ('event', 'checkout', 'success', 'administrator', 'reconciliation', 'deletion')),
      is_drift boolean not null,
      what text not null,
      local text,
      remote text,
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

  // The checkout that a member was last sent to: a request at the same moment, on another process, takes that answer.
  await sql`
    create table open_checkouts (
      user_id uuid primary key references users on delete cascade,
      -- Another one with each answer.
      answer_id uuid not null,
      price_id text not null,
      url text not null,
      answered_at timestamptz not null
    )`.execute(db)
  await sql`create index open_checkouts_answered_at on open_checkouts (answered_at)`.execute(db)

  // A file of members: its rows wait here between the dry run and the import, and until the report is deleted.
  await sql`
    create table member_imports (
      id uuid primary key,
      -- The administrator who uploaded the file, and then the one who had it imported.
      started_by uuid not null,
      created_at timestamptz not null default clock_timestamp(),
      -- Null while the file is being read: nothing of it can be imported.
      read_at timestamptz,
      confirmed_at timestamptz,
      finished_at timestamptz,
      -- It was stopped in the middle, because its administrator is none any more; another one may go on.
      stopped_at timestamptz,
      format text not null check (format in ('csv', 'jsonl')),
      -- The numbers of rows by their outcome; changed in the transaction of each batch.
      new_count integer not null default 0,
      existing_count integer not null default 0,
      rejected_count integer not null default 0,
      made_count integer not null default 0,
      -- Why it was given up. It may be started again, and goes on with what is left.
      failure text,
      constraint an_import_was_read_first check (confirmed_at is null or read_at is not null),
      constraint a_stopped_import_waits check (stopped_at is null or confirmed_at is null),
      constraint an_import_was_confirmed_first check (finished_at is null or confirmed_at is not null),
      constraint an_import_that_failed_was_stopped
        check (failure is null or stopped_at is not null)
    )`.execute(db)

  await sql`
    create table member_import_rows (
      import_id uuid not null references member_imports on delete cascade,
      line integer not null,
      email text not null,
      email_folded text not null,
      name text not null,
      member_since timestamptz,
      vip_until timestamptz,
      -- new: would be made. existing: has an account already, which stays as it is.
      outcome text not null check (outcome in ('new', 'existing', 'rejected', 'made')),
      reason text,
      -- The cells of a rejected row, for the rejects file.
      cells json,
      primary key (import_id, line),
      constraint a_rejected_row_has_a_reason check (outcome <> 'rejected' or reason is not null)
    )`.execute(db)
  await sql`create index member_import_rows_outcome on member_import_rows (import_id, outcome, line)`.execute(db)
  // An address counts once in a file.
  await sql`
    create unique index member_import_rows_email on member_import_rows (import_id, email_folded)
      where outcome in ('new', 'made')`.execute(db)
}
