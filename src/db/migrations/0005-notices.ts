import { type Kysely, sql } from 'kysely'

/**
 * Notices (docs/spec/notices.md): what was reported, the ledger of everything that happened to it, the clocks that run, and
 * the decisions with their consequences.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notices (
      id uuid primary key,
      reference text not null unique check (reference ~ '^N-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$'),
      kind text not null check (kind in ('copyright', 'intimate-image', 'child-safety', 'privacy', 'consent', 'other')),
      -- The projection of its events: written in the transaction that adds the event, and nowhere else.
      status text not null check (status in ('received', 'needs-info', 'in-review', 'decided', 'closed', 'withdrawn', 'duplicate')),
      version integer not null default 1 check (version >= 1),
      -- The elements of its form that are still missing, by their form names.
      missing text[] not null default '{}',
      -- The outcome of the decision in force, and what was said against it.
      outcome text check (outcome in ('remove', 'restrict', 'keep')),
      appeal text not null default 'none' check (appeal in ('none', 'open', 'answered')),
      -- How many counter-notices against it wait.
      open_counter_notices integer not null default 0 check (open_counter_notices >= 0),
      -- Its effect on its entries while it is open.
      holds text not null default 'none' check (holds in ('none', 'holds', 'hides')),
      -- When the next of its clocks ends, or the first ended that is overdue; null where none runs.
      due_at timestamptz,
      -- When the desk was told of it at once; null where its kind waits for its turn, or a flood has it wait.
      notified_at timestamptz,
      -- The desk searches in it, in lower case.
      search_text text not null default '',
      name text,
      organization text,
      address text,
      phone text,
      email text,
      work_description text,
      explanation text,
      law_cited text,
      good_faith boolean not null default false,
      accuracy boolean not null default false,
      perjury boolean not null default false,
      signature text,
      -- SHA-256 of the secret in the address of its private page.
      token_digest bytea not null unique check (octet_length(token_digest) = 32),
      -- SHA-256 of the page that it was sent from and of what was in it: the same form that comes twice is one notice.
      sending_digest bytea unique check (octet_length(sending_digest) = 32),
      duplicate_of uuid references notices (id),
      received_at timestamptz not null default now(),
      completed_at timestamptz,
      decided_at timestamptz,
      closed_at timestamptz,
      -- Its list at the desk: while somebody waits for the site, also for an appeal or a counter-notice, it is open.
      queue text not null generated always as (
        case when status in ('received', 'needs-info', 'in-review') or appeal = 'open' or open_counter_notices > 0
             then 'open' when status = 'decided' then 'decided' else 'closed' end) stored,
      gravity smallint not null generated always as (
        case kind when 'child-safety' then 1 when 'intimate-image' then 2 when 'consent' then 3 when 'copyright' then 4
                  when 'privacy' then 5 else 6 end) stored,
      -- The two gravest kinds stand above all others until they are decided.
      is_urgent boolean not null generated always as (
        kind in ('child-safety', 'intimate-image') and status in ('received', 'needs-info', 'in-review')) stored,
      -- The network of its sender, a /24 or a /48, for 14 days.
      network text,
      -- The bound left entries on the site that it hides otherwise: a person hides them.
      is_withheld boolean not null default false,
      -- Its place among those that wait, before their time counts.
      rank smallint not null generated always as (
        case when is_withheld then 0
           when kind in ('child-safety', 'intimate-image') and status in ('received', 'needs-info', 'in-review') then 1
           else 2 end) stored,
      -- The public figures count by it: a number that moved from one kind to another would tell what was found in a notice.
      received_as text not null,
      -- Whether its sender gets the acknowledgement by email; an address that was typed too often gets none.
      is_acknowledged boolean not null default false,
      -- When postal address, telephone and signature were emptied: NOTICE_DAYS after it was closed.
      forgotten_at timestamptz,
      check ((status = 'duplicate') = (duplicate_of is not null)),
      -- A notice that is not open holds nothing.
      check (holds = 'none' or status in ('received', 'needs-info', 'in-review')),
      check ((outcome is null) = (status not in ('decided', 'closed'))),
      check (duplicate_of is distinct from id),
      check (not is_withheld or holds = 'hides'),
      check (received_as in ('copyright', 'intimate-image', 'child-safety', 'privacy', 'consent', 'other'))
    )`.execute(db)
  await sql`create index notices_settled on notices (queue, id desc) where queue <> 'open'`.execute(db)
  await sql`create index notices_due on notices (due_at) where queue = 'open'`.execute(db)
  await sql`create index notices_appeals on notices (kind) where appeal = 'open'`.execute(db)
  await sql`create index notices_unnotified on notices (id) where notified_at is null and (is_urgent or is_withheld)`.execute(
    db,
  )
  await sql`create index notices_notified on notices (notified_at) where notified_at is not null`.execute(db)
  await sql`create index notices_duplicates on notices (duplicate_of) where duplicate_of is not null`.execute(db)
  await sql`create index notices_by_network on notices (network, received_at) where network is not null`.execute(db)
  await sql`
    create index notices_queue on notices
    (rank, coalesce(due_at, timestamptz 'infinity'), gravity, id) where queue = 'open'`.execute(db)
  await sql`create index notices_withheld on notices (id) where is_withheld`.execute(db)
  await sql`create index notices_unforgotten on notices (closed_at) where forgotten_at is null`.execute(db)
  await sql`
    create function keep_received_as() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        new.received_as := coalesce(new.received_as, new.kind);
      else
        new.received_as := old.received_as;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger keep_received_as before insert or update of received_as on notices
      for each row execute function keep_received_as()`.execute(db)

  await sql`
    create table notice_items (
      id uuid primary key,
      notice_id uuid not null references notices (id),
      position smallint not null check (position >= 1),
      -- As it was typed.
      url text not null,
      item_id uuid references items (id) on delete set null,
      -- The entry as it was when it was reported; null where the address led to none.
      snapshot json,
      unique (notice_id, position)
    )`.execute(db)
  await sql`create index notice_items_by_item on notice_items (item_id, notice_id) where item_id is not null`.execute(
    db,
  )

  await sql`
    create table notice_events (
      no bigint generated always as identity primary key,
      notice_id uuid not null references notices (id),
      at timestamptz not null default now(),
      type text not null,
      by_kind text not null check (by_kind in ('sender', 'administrator', 'system')),
      -- No reference: what an administrator did stays when their account goes.
      by_id uuid,
      from_status text,
      to_status text not null,
      version integer not null,
      details json not null default '{}',
      check ((by_kind = 'administrator') = (by_id is not null))
    )`.execute(db)
  await sql`create index notice_events_by_notice on notice_events (notice_id, no)`.execute(db)
  await sql`
    create trigger notice_events_are_a_record before update or delete or truncate on notice_events
      for each statement execute function refuse_change()`.execute(db)

  await sql`
    create table notice_clocks (
      id uuid primary key,
      notice_id uuid not null references notices (id),
      name text not null,
      -- The counter-notice that it counts for, where there is one.
      counter_notice_id uuid,
      -- The graver is worked first; 1 is the gravest.
      gravity smallint not null,
      started_at timestamptz not null default now(),
      due_at timestamptz not null,
      ended_at timestamptz,
      outcome text check (outcome in ('met', 'expired', 'cancelled')),
      -- That its time is over is an event since then; it runs on until what it waits for happens.
      overdue_at timestamptz,
      -- When there is something to do about it: at its end, again after a failure, or to tell of it again. Null: nothing.
      work_at timestamptz,
      failures integer not null default 0,
      -- When the desk was last told by email that its time is over.
      notified_at timestamptz,
      check ((ended_at is null) = (outcome is null)),
      check (ended_at is null or work_at is null)
    )`.execute(db)
  await sql`create index notice_clocks_overdue on notice_clocks (gravity, notified_at) where overdue_at is not null`.execute(
    db,
  )
  await sql`create index notice_clocks_to_work_on on notice_clocks (gravity, work_at, id) where work_at is not null`.execute(
    db,
  )
  await sql`
    create unique index notice_clocks_running on notice_clocks (notice_id, name, counter_notice_id)
    nulls not distinct where ended_at is null`.execute(db)
  await sql`create index notice_clocks_due on notice_clocks (due_at, gravity) where ended_at is null`.execute(db)

  // How many entries notices have hidden by themselves within the last hour: what bounds a flood.
  await sql`
    create table notice_hides (
      notice_id uuid not null references notices (id) on delete cascade,
      at timestamptz not null default now(),
      entries integer not null check (entries >= 1)
    )`.execute(db)
  await sql`create index notice_hides_by_time on notice_hides (at)`.execute(db)
  await sql`create index notice_hides_by_notice on notice_hides (notice_id)`.execute(db)

  await sql`
    create table notice_decisions (
      id uuid primary key,
      no integer generated always as identity unique,
      notice_id uuid not null references notices (id),
      outcome text not null check (outcome in ('remove', 'restrict', 'keep')),
      ground text not null check (ground in ('illegal', 'terms')),
      legal_ground text not null,
      facts text not null,
      explanation text not null,
      -- Null: the site itself.
      decided_by uuid,
      decided_at timestamptz not null default now(),
      -- Set where it takes the place of an earlier decision on the same notice. A decision is reversed once.
      reverses uuid unique references notice_decisions (id),
      -- The European database of statements of reasons asks for these, besides.
      category text not null,
      source_type text not null check (source_type in ('ARTICLE_16', 'OTHER_NOTIFICATION', 'VOLUNTARY')),
      automated_decision text not null check (automated_decision in ('NOT_AUTOMATED', 'PARTIALLY', 'FULLY')),
      applies_from timestamptz not null default now()
    )`.execute(db)
  await sql`create index notice_decisions_by_notice on notice_decisions (notice_id, no)`.execute(db)
  // One decision that stands: the next one reverses it.
  await sql`create unique index notice_decisions_first on notice_decisions (notice_id) where reverses is null`.execute(
    db,
  )
  await sql`
    create trigger notice_decisions_are_a_record before update or delete or truncate on notice_decisions
      for each statement execute function refuse_change()`.execute(db)

  await sql`
    create table notice_decision_items (
      decision_id uuid not null references notice_decisions (id),
      item_id uuid not null,
      name text not null,
      path text not null,
      -- Whether it was reported, or is taken off because it has a link that this decision blocks.
      was_reported boolean not null,
      -- Its status after the decision.
      effect text not null check (effect in ('removed', 'restricted', 'published', 'draft', 'unchanged')),
      -- The reasons of the gate, where it refused to publish it again.
      reasons json not null default '[]',
      primary key (decision_id, item_id)
    )`.execute(db)
  await sql`
    create trigger notice_decision_items_are_a_record before update or delete or truncate on notice_decision_items
      for each statement execute function refuse_change()`.execute(db)

  await sql`
    create table notice_appeals (
      id uuid primary key,
      notice_id uuid not null references notices (id),
      decision_id uuid not null unique references notice_decisions (id),
      statement text not null,
      filed_at timestamptz not null default now(),
      -- The decision that answers it: the same outcome again, or another one.
      answered_at timestamptz,
      answered_by uuid,
      -- Whether the decision stays in force.
      is_upheld boolean,
      answer text,
      check ((answered_at is null) = (is_upheld is null))
    )`.execute(db)

  await sql`
    create table counter_notices (
      id uuid primary key,
      -- The notice and the decision that it answers.
      notice_id uuid not null references notices (id),
      decision_id uuid not null references notice_decisions (id),
      -- As it was typed.
      reference text not null,
      -- The projection of the events of the notice.
      state text not null default 'received'
        check (state in ('received', 'accepted', 'refused', 'action', 'restored', 'overtaken')),
      name text not null,
      address text not null,
      phone text not null,
      email text not null,
      explanation text not null,
      signature text not null,
      received_at timestamptz not null default now(),
      -- When the desk was told of it; null while a flood has it wait.
      notified_at timestamptz,
      -- Whether its sender gets emails about it: an address that was typed too often gets none.
      is_answered boolean not null,
      -- An administrator has forwarded it to the sender of the notice.
      accepted_at timestamptz,
      refused_at timestamptz,
      refusal text,
      -- A court action was notified: nothing is restored.
      action_notified_at timestamptz,
      action_note text,
      restored_at timestamptz,
      -- The decision by which what it names was given back.
      restored_by uuid references notice_decisions (id),
      overtaken_at timestamptz,
      -- When its postal address, telephone and signature were emptied.
      forgotten_at timestamptz,
      check ((state = 'accepted') <= (accepted_at is not null)),
      check ((state = 'restored') = (restored_at is not null)),
      check ((refused_at is null) = (state <> 'refused')),
      check ((overtaken_at is null) = (state <> 'overtaken'))
    )`.execute(db)
  await sql`create index counter_notices_by_notice on counter_notices (notice_id, id)`.execute(db)
  await sql`create index counter_notices_unnotified on counter_notices (received_at) where notified_at is null`.execute(
    db,
  )
  await sql`create index counter_notices_notified on counter_notices (notified_at)`.execute(db)
  await sql`
    create table counter_notice_items (
      counter_notice_id uuid not null references counter_notices (id),
      -- Kept off the site by the decision, and named by one of its addresses.
      item_id uuid not null,
      name text not null,
      path text not null,
      primary key (counter_notice_id, item_id)
    )`.execute(db)

  // Which reminders of the end of the agent's registration administrators have been sent: each once, whatever happens meanwhile.
  await sql`
    create table agent_reminders (
      registration_ends_on date not null,
      -- The number of days before it ends; 0: it has ended.
      days_before smallint not null check (days_before in (60, 14, 1, 0)),
      notified_at timestamptz not null default now(),
      primary key (registration_ends_on, days_before)
    )`.execute(db)

  // The end of each journal of removals, one a data directory (docs/spec/notices.md#journal).
  await sql`
    create table removal_journals (
      -- As the first line of the file says it.
      id uuid primary key,
      lines integer not null check (lines >= 1),
      -- SHA-256 of the last line, base64url.
      hash text not null,
      recorded_at timestamptz not null default now()
    )`.execute(db)

  // Administrators who work on notices (docs/spec/notices.md#assigned).
  await sql`
    create table notice_assignments (
      -- The row of a notice is what its events have made of it: this is no event, and stands apart.
      notice_id uuid primary key references notices,
      member_id uuid not null references users on delete cascade,
      assigned_at timestamptz not null
    )`.execute(db)
  await sql`create index notice_assignments_of_member on notice_assignments (member_id)`.execute(db)
}
