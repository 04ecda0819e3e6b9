import { sql } from 'kysely'
import { matchesMember, type MemberList, pageOfMembers } from '../../accounts/user/member-search.server.ts'
import { isCurrent } from '../access/current-access.server.ts'
import type { MembershipApp } from '../app.ts'
import { type DisabledOrder, notDefined, type VipFilter, type VipUser } from './vip-schema.ts'

/** A part of a list; without one the whole list. */
interface ListPart {
  page: number
  limit: number
}

interface Found {
  users: VipUser[]
  total: number
}

/**
 * Everybody who has or had a grant and is not disabled, the latest end first; with a search any member, the newest
 * first.
 */
export async function listVips(
  app: Pick<MembershipApp, 'db' | 'clock'>,
  { search, filter, part }: { search: string; filter: VipFilter; part: ListPart | undefined },
): Promise<Found> {
  const now = new Date(app.clock.now())
  const isEnded = sql`(a.effective_until is null or a.effective_until <= ${now})`
  const isWanted = {
    all: sql`true`,
    active: sql`(a.effective_until > ${now} and not a.is_disabled)`,
    expired: sql`(${isEnded} and a.is_disabled is not true)`,
  }[filter]
  if (search.trim() !== '') {
    return read(app, part, {
      from:
        filter === 'all'
          ? sql`users u`
          : sql`users u left join member_access a on a.user_id = u.id and ${isCurrent('a', now)}`,
      id: sql`u.id`,
      where: filter === 'all' ? matchesMember(search, 'u') : sql`${matchesMember(search, 'u')} and ${isWanted}`,
      order: sql`u.created_at desc, u.id desc`,
      isSearch: true,
    })
  }
  return read(app, part, {
    from: sql`member_access a`,
    id: sql`a.user_id`,
    where: sql`not a.is_disabled and a.effective_until is not null and ${isCurrent('a', now)} and ${isWanted}`,
    order: sql`a.effective_until desc, a.user_id desc`,
    isSearch: false,
  })
}

/** Everybody whose membership is disabled: the latest end first, or by name. */
export async function listDisabledVips(
  app: Pick<MembershipApp, 'db' | 'clock'>,
  { search, sort, part }: { search: string; sort: DisabledOrder; part: ListPart | undefined },
): Promise<Found> {
  const isSearch = search.trim() !== ''
  const isFound = isSearch ? matchesMember(search, 'u') : sql`true`
  const now = new Date(app.clock.now())
  if (sort === 'name') {
    return read(app, part, {
      from: sql`users u`,
      id: sql`u.id`,
      where: sql`u.vip_disabled and ${isFound}`,
      order: sql`u.name_folded, u.id`,
      isSearch,
    })
  }
  return read(app, part, {
    from: isSearch ? sql`member_access a join users u on u.id = a.user_id` : sql`member_access a`,
    id: sql`a.user_id`,
    where: sql`a.is_disabled and ${isCurrent('a', now)} and ${isFound}`,
    order: sql`a.effective_until desc nulls last, a.user_id desc`,
    isSearch,
  })
}

async function read(
  app: Pick<MembershipApp, 'db' | 'clock'>,
  part: ListPart | undefined,
  list: MemberList,
): Promise<Found> {
  const now = app.clock.now()
  const { ids, total } = await pageOfMembers(app, list, part)
  // A list that the planner cannot count is read by index; of one with 1,000 ids it reads whole tables instead.
  const { rows } = await sql<{
    id: string
    name: string
    email: string
    ends_at: Date | null
    effective_until: Date | null
    vip_disabled: boolean
  }>`
    select users.id, users.name, users.email, users.vip_disabled, member_access.ends_at, member_access.effective_until
      from unnest((select ${ids}::uuid[])) with ordinality as listed (id, place)
      join users on users.id = listed.id
      left join member_access on member_access.user_id = listed.id and ${isCurrent('member_access', new Date(now))}
     order by listed.place`.execute(app.db)
  const users = rows.map(({ ends_at, effective_until, vip_disabled: vipDisabled, ...user }): VipUser => {
    // For the hours of a renewal that is under way the end has passed, and access goes on.
    const isRenewing = ends_at !== null && effective_until !== null && +ends_at <= now && now < +effective_until
    const end = isRenewing ? effective_until : ends_at
    return { ...user, vipExpirationDate: end?.toISOString() ?? notDefined, vipDisabled }
  })
  return { users, total }
}
