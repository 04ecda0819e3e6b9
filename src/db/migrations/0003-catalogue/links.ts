import { type Kysely, sql } from 'kysely'

/**
 * The health of links (docs/spec/links.md).
 *
 * An address is checked once, however many items have it: `link_checks` has a row for each address, and `item_links` says
 * which item has it in which slot. A job gathers both from the items after their commit, so that an import of many
 * thousands does not wait for it.
 */
export async function createLinks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table link_checks (
      id integer primary key generated always as identity,
      address text not null check (address ~* '^https?://'),
      -- An index takes no text of this length.
      digest text not null unique generated always as (md5(address)) stored,
      host text not null,
      state text not null default 'unknown' check (state in ('ok', 'suspect', 'dead', 'unknown')),
      -- Failures in a row.
      failures integer not null default 0 check (failures >= 0),
      -- The last check: a short code, and the status where there was an answer.
      reason text,
      status integer,
      checked_at timestamptz,
      next_check_at timestamptz not null,
      -- Since when it is to be checked before all others, and since when because a visitor has reported it.
      front_at timestamptz,
      reported_at timestamptz,
      constraint two_failures_make_dead check ((state = 'dead') = (failures >= 2) and (state = 'suspect') = (failures = 1)),
      constraint a_reported_link_is_in_front check (reported_at is null or front_at is not null)
    )`.execute(db)
  await sql`create index link_checks_due on link_checks (next_check_at)`.execute(db)
  await sql`create index link_checks_front on link_checks (front_at) where front_at is not null`.execute(db)
  await sql`create index link_checks_state on link_checks (state, id)`.execute(db)
  // The links of each host are counted by an index alone (docs/spec/links.md#administration).
  await sql`create index link_checks_host on link_checks (host, state)`.execute(db)
  // Most links are in one state: the others are counted by themselves. Few are reported.
  await sql`create index link_checks_reported on link_checks (state, id) where reported_at is not null`.execute(db)

  // No key to items: a deleted item's rows are taken out by the job that gathers links, which then knows whose they were.
  await sql`
    create table item_links (
      item_no integer not null,
      slot text not null check (slot in ('link', 'link2', 'linkG', 'linkP', 'linkMV1', 'linkMV2', 'linkMV3', 'linkMV4')),
      link_id integer not null references link_checks (id),
      primary key (item_no, slot)
    )`.execute(db)
  await sql`create index item_links_link on item_links (link_id)`.execute(db)

  // Hosts that have asked to be left alone for a while.
  await sql`
    create table paused_hosts (
      host text primary key,
      paused_until timestamptz not null
    )`.execute(db)

  /*
   * How far the work is. Everything that is published at version gathered_version is gathered, but for the items whose
   * numbers are above sweep_no, while that is set.
   */
  await sql`
    create table link_work (
      only_row boolean primary key default true check (only_row),
      gathered_version bigint not null,
      sweep_no integer,
      lease uuid,
      leased_until timestamptz not null default '-infinity',
      unreachable_since timestamptz,
      resume_at timestamptz
    )`.execute(db)
  await sql`insert into link_work (gathered_version, sweep_no) select version, 0 from catalogue_state`.execute(db)
}
