import { type RawBuilder, sql } from 'kysely'

/** The stretches of unbroken access of all members, with their ends; a disabling ends one, and there is none after it. */
export function accessStretches(): RawBuilder<unknown> {
  return sql`(
    select a.user_id, a.starts_at, least(a.effective_until, u.vip_disabled_at) as ended_at,
           coalesce(u.vip_disabled_at < a.effective_until, false) as by_disabling, a.next_starts_at, u.vip_disabled_at
      from member_access a left join users u on a.is_disabled and u.id = a.user_id
     where a.effective_until is not null
  ) stretches`
}

/** How many members had access at an instant: access that has ended or was revoked since counts as it was. */
export function vipsAt(at: Date): RawBuilder<number> {
  return sql<number>`(
    select count(*)::int from ${accessStretches()} where starts_at <= ${at}::timestamptz and ended_at > ${at}::timestamptz)`
}
