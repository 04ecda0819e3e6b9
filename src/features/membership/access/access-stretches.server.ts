import { type RawBuilder, sql } from 'kysely'

/**
 * The stretches of unbroken access of all members, with their ends; a disabling ends one, and there is none after it. None ends
 * after its `effective_until`, which an index has.
 */
export function accessStretches(): RawBuilder<unknown> {
  // Few are disabled: no other account is joined.
  return sql`(
    select a.user_id, a.starts_at, a.effective_until, least(a.effective_until, u.vip_disabled_at) as ended_at,
           coalesce(u.vip_disabled_at < a.effective_until, false) as by_disabling, a.next_starts_at, u.vip_disabled_at
      from member_access a
      left join users u on a.is_disabled and u.vip_disabled_at is not null and u.id = a.user_id
     where a.effective_until is not null
  ) stretches`
}

/** How many members had access at each of some instants, in their order: access that has ended or was revoked since counts as it was. */
export function vipsAt(instants: readonly [Date, ...Date[]]): RawBuilder<number[]> {
  const counts = instants.map(
    (at) => sql`(count(*) filter (where starts_at <= ${at}::timestamptz and ended_at > ${at}::timestamptz))::int`,
  )
  return sql<number[]>`(
    select array[${sql.join(counts)}] from ${accessStretches()}
     where effective_until > least(${sql.join(instants.map((at) => sql`${at}::timestamptz`))}))`
}
