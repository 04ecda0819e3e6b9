import { sql } from 'kysely'
import type { Invariant } from '../../office/contributions.ts'

/** The invariant of access: the answer to who is VIP agrees with the grants that it sums up. */
export const accessInvariants: readonly Invariant[] = [
  {
    name: 'members.access',
    headline: 'Members whose access is not what they were granted',
    sentence: 'The summary by which the site lets them into the VIP area differs from the grants that they have.',
    advice:
      'Somebody has written into the tables past their rules. Look at each of these members under Billing, and renew or disable their access: that sums it up anew.',
    over: { table: sql`users`, key: 'id', type: 'uuid' },
    // As the database sums it up, but for many members at once.
    findBroken: (batch) => sql`
      with given as (
        select user_id, least(starts_at, revoked_at, effective_until) as starts_at, least(ends_at, revoked_at) as ends_at,
               least(effective_until, revoked_at) as effective_until
          from access_grants where user_id in (select id from ${batch} u)
      ), marked as (
        select *, starts_at > max(effective_until) over (
                    partition by user_id order by starts_at, effective_until
                    rows between unbounded preceding and 1 preceding) as is_after_gap
          from given
      ), numbered as (
        select *, count(*) filter (where is_after_gap) over (
                    partition by user_id order by starts_at, effective_until rows unbounded preceding) as stretch
          from marked
      ), stretches as (
        select user_id, min(starts_at) as starts_at, max(ends_at) as ends_at, max(effective_until) as effective_until
          from numbered group by user_id, stretch
        union all
        select id, '-infinity', null, null from ${batch} u where vip_disabled
      ), expected as (
        select user_id, starts_at,
               coalesce(lead(starts_at) over (partition by user_id order by starts_at), 'infinity') as next_starts_at,
               ends_at, effective_until, u.vip_disabled as is_disabled
          from stretches join users u on u.id = user_id
      ), summed_up as (
        select user_id, starts_at, next_starts_at, ends_at, effective_until, is_disabled
          from member_access where user_id in (select id from ${batch} u)
      )
      select distinct user_id::text as id
        from ((table expected except table summed_up) union all (table summed_up except table expected)) differing`,
    to: (id) => `/admin/people/${id}`,
  },
]
