import { type Kysely, sql } from 'kysely'

/** Requests with their votes, and support inquiries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table content_requests (
      id uuid primary key,
      -- Nobody's any more once the account is deleted.
      author_id uuid references users on delete set null,
      title text not null constraint content_requests_title check (char_length(title) between 1 and 120),
      title_folded text not null check (title_folded <> ''),
      title_grams integer[] not null,
      description text not null constraint content_requests_description check (char_length(description) <= 2000),
      status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
      votes integer not null default 0 check (votes >= 0),
      created_at timestamptz not null,
      decided_at timestamptz,
      item_id uuid references items on delete set null,
      -- When it was linked first. To a member who may not see the item, the request is open.
      fulfilled_at timestamptz,
      -- No member sees it any more, its author neither; administrators do.
      removed_at timestamptz,
      constraint content_requests_decided check ((status = 'pending') = (decided_at is null)),
      constraint content_requests_fulfilled check (fulfilled_at is null or status = 'approved'),
      constraint content_requests_item check (item_id is null or fulfilled_at is not null)
    )`.execute(db)
  // Fulfilled ones are among these: to some members they are open.
  await sql`create index content_requests_titles on content_requests (title_folded) where status <> 'rejected'`.execute(
    db,
  )
  await sql`
    create index content_requests_grams on content_requests using gin (title_grams)
      where status <> 'rejected'`.execute(db)
  await sql`
    create index content_requests_votes on content_requests (votes desc, id desc)
      where status <> 'rejected'`.execute(db)
  await sql`create index content_requests_status on content_requests (status, id desc)`.execute(db)
  await sql`create index content_requests_author on content_requests (author_id, id desc)`.execute(db)
  await sql`create index content_requests_item on content_requests (item_id) where item_id is not null`.execute(db)
  await sql`
    create unique index content_requests_open_title on content_requests (title_folded)
      where status <> 'rejected' and fulfilled_at is null and removed_at is null`.execute(db)
  // To list the requests whose authors have no account any more.
  await sql`
    create index content_requests_of_nobody on content_requests (id desc)
      where author_id is null and removed_at is null`.execute(db)
  // Two administrators, two clicks: a decision is made once.
  await sql`
    create function keep_request_decision() returns trigger language plpgsql as $$
    begin
      if old.status <> 'pending' and new.status <> old.status
         and not (new.status = 'pending' and old.fulfilled_at is null) then
        raise exception 'Request % was decided already.', old.id using errcode = 'check_violation',
          constraint = 'content_requests_decided_once';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger keep_request_decision before update of status on content_requests
      for each row execute function keep_request_decision()`.execute(db)

  await sql`
    create table request_votes (
      request_id uuid not null references content_requests on delete cascade,
      user_id uuid not null references users on delete cascade,
      voted_at timestamptz not null,
      -- When the mail about the item that fulfils the request was queued: once.
      notified_at timestamptz,
      -- It counts once its voter has confirmed their address.
      counts boolean not null default false,
      primary key (request_id, user_id)
    )`.execute(db)
  await sql`create index request_votes_user on request_votes (user_id)`.execute(db)
  await sql`create index request_votes_unnotified on request_votes (request_id, user_id) where notified_at is null`.execute(
    db,
  )
  // The writer of a vote locks the account before: no confirmation comes between.
  await sql`
    create function decide_vote_counts() returns trigger language plpgsql as $$
    begin
      new.counts := exists (select from users where id = new.user_id and email_confirmed_at is not null);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger decide_vote_counts before insert on request_votes
      for each row execute function decide_vote_counts()`.execute(db)
  await sql`
    create function count_votes_of_user() returns trigger language plpgsql as $$
    begin
      -- In one order: two who confirm at once have voted for the same requests.
      perform from content_requests where id in (select request_id from request_votes where user_id = new.id)
        order by id for no key update;
      update request_votes set counts = new.email_confirmed_at is not null where user_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger count_votes_of_user after update of email_confirmed_at on users
      for each row when ((old.email_confirmed_at is null) <> (new.email_confirmed_at is null))
      execute function count_votes_of_user()`.execute(db)
  // The count is kept beside the request, so that lists are in its order without counting. The rows are the truth.
  await sql`
    create function count_request_votes() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' and old.counts then
        update content_requests set votes = votes - 1 where id = old.request_id;
      end if;
      if tg_op <> 'DELETE' and new.counts then
        update content_requests set votes = votes + 1 where id = new.request_id;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger count_request_votes after insert or delete or update of counts on request_votes
      for each row execute function count_request_votes()`.execute(db)

  await sql`
    create table inquiries (
      id uuid primary key,
      -- The account behind the session that sent it; never one that a typed address names.
      user_id uuid references users on delete cascade,
      name text not null check (char_length(name) between 1 and 120),
      email text not null check (char_length(email) between 3 and 254),
      -- A form takes 5,000 characters; a counter-notice that answers nothing brings all that was typed into it.
      message text not null constraint inquiries_message check (char_length(message) between 1 and 20000),
      -- Whether that account was VIP then.
      is_vip boolean not null constraint inquiries_vip check (not is_vip or user_id is not null),
      -- The status with which the form service has refused it.
      refused_status integer,
      state text not null check (state in ('forwarding', 'open', 'answered', 'closed')),
      -- Tells this form from every other one that was sent; null where its page did not say.
      sending_digest bytea unique check (octet_length(sending_digest) = 32),
      version integer not null default 1 check (version >= 1),
      created_at timestamptz not null,
      -- When a run last asked the form service in vain.
      tried_at timestamptz,
      closed_at timestamptz,
      -- When a mail that names it was queued; null while it waits for the next one about many.
      mailed_at timestamptz,
      constraint inquiries_closed check ((state = 'closed') = (closed_at is not null))
    )`.execute(db)
  await sql`create index inquiries_newest on inquiries (state, id desc)`.execute(db)
  await sql`create index inquiries_user on inquiries (user_id) where user_id is not null`.execute(db)
  await sql`create index inquiries_closed_at on inquiries (closed_at) where state = 'closed'`.execute(db)
  await sql`
    create index inquiries_unmailed on inquiries (created_at)
      where mailed_at is null and state <> 'forwarding'`.execute(db)
  // The home of the administration asks for it, however many are open.
  await sql`create index inquiries_refused on inquiries (id desc) where state = 'open' and refused_status is not null`.execute(
    db,
  )
  await sql`create index inquiries_in_turn on inquiries (state, (not is_vip), id)`.execute(db)
  // To list what one address has sent.
  await sql`create index inquiries_email on inquiries (lower(email), state, id desc)`.execute(db)

  await sql`
    create table inquiry_replies (
      id uuid primary key,
      inquiry_id uuid not null references inquiries on delete cascade,
      written_by uuid references users on delete set null,
      message text not null constraint inquiry_replies_message check (char_length(message) between 1 and 10000),
      written_at timestamptz not null
    )`.execute(db)
  await sql`create index inquiry_replies_inquiry on inquiry_replies (inquiry_id, id)`.execute(db)
  await sql`create index inquiry_replies_writer on inquiry_replies (written_by) where written_by is not null`.execute(
    db,
  )

  // The emails of the last minutes are counted here: an inquiry goes with the account of its sender.
  await sql`
    create table inquiry_emails (
      id bigint generated always as identity primary key,
      queued_at timestamptz not null,
      is_about_many boolean not null
    )`.execute(db)
}
