import { sql } from 'kysely'
import type { AccountsApp } from '../app.ts'
import { matchesMember, pageOfMembers } from '../user/member-search.server.ts'
import type { People, PeopleOrder, PeopleRole, PeopleState, PersonInList } from './people-schema.ts'
import type { z } from 'zod'

const roles = {
  all: sql<boolean>`true`,
  admin: sql<boolean>`is_admin`,
  member: sql<boolean>`not is_admin`,
} satisfies Record<PeopleRole, unknown>

const states = {
  all: sql<boolean>`true`,
  unconfirmed: sql<boolean>`email_confirmed_at is null`,
  invited: sql<boolean>`password_hash is null`,
} satisfies Record<PeopleState, unknown>

const orders = {
  joined: sql`created_at desc, id desc`,
  seen: sql`last_seen_at desc nulls last, id desc`,
} satisfies Record<PeopleOrder, unknown>

export async function listPeople(
  app: Pick<AccountsApp, 'db'>,
  {
    search,
    role,
    state,
    sort,
    page,
    limit,
  }: { search: string; role: PeopleRole; state: PeopleState; sort: PeopleOrder; page: number; limit: number },
): Promise<z.infer<typeof People>> {
  const isSearch = search.trim() !== ''
  const where = sql<boolean>`${roles[role]} and ${states[state]}`
  const { ids, total } = await pageOfMembers(
    app,
    {
      from: sql`users`,
      id: sql`id`,
      where: isSearch ? sql`${where} and ${matchesMember(search)}` : where,
      order: orders[sort],
      isSearch,
    },
    { page, limit },
  )
  // A list that the planner cannot count is read by index; of one with 1,000 ids it reads whole tables instead.
  const { rows } = await sql<{
    id: string
    name: string
    email: string
    created_at: Date
    last_seen_at: Date | null
    is_admin: boolean
    is_safety_officer: boolean
    has_password: boolean
    is_confirmed: boolean
  }>`
    select users.id, name, email, created_at, last_seen_at, is_admin, is_safety_officer,
           password_hash is not null as has_password, email_confirmed_at is not null as is_confirmed
      from unnest((select ${ids}::uuid[])) with ordinality as listed (id, place)
      join users on users.id = listed.id
     order by listed.place`.execute(app.db)
  const people = rows.map((row): PersonInList => ({
    id: row.id,
    name: row.name,
    email: row.email,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    isAdmin: row.is_admin,
    isSafetyOfficer: row.is_safety_officer,
    hasPassword: row.has_password,
    isEmailConfirmed: row.is_confirmed,
  }))
  return { people, total, totalPages: Math.ceil(total / limit) }
}
