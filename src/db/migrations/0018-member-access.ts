import { type Kysely, sql } from 'kysely'

/** A member's access is summed up under a lock of their row: one transaction may then change any number of members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function sum_up_member_access(member uuid) returns void language plpgsql as $$
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
}
