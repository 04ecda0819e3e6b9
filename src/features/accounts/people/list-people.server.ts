import { sql } from 'kysely'
import type { AccountsApp } from '../app.ts'
import { matchesMember } from '../user/member-search.server.ts'
import type { People, PeopleOrder, PeopleRole, PersonInList } from './people-schema.ts'
import type { z } from 'zod'

const roles = {
  all: sql<boolean>`true`,
  admin: sql<boolean>`is_admin`,
  member: sql<boolean>`not is_admin`,
  invited: sql<boolean>`password_hash is null`,
} satisfies Record<PeopleRole, unknown>

const orders = {
  joined: sql`created_at desc, id desc`,
  seen: sql`last_seen_at desc nulls last, id desc`,
} satisfies Record<PeopleOrder, unknown>

/** The members, by name or address and role. The rows of a page are found by an index alone, and only then read. */
export async function listPeople(
  { db }: Pick<AccountsApp, 'db'>,
  {
    search,
    role,
    sort,
    page,
    limit,
  }: { search: string; role: PeopleRole; sort: PeopleOrder; page: number; limit: number },
): Promise<z.infer<typeof People>> {
  const isWanted = sql<boolean>`${roles[role]} and ${matchesMember(search)}`
  const { rows } = await sql<{
    id: string
    name: string
    email: string
    created_at: Date
    last_seen_at: Date | null
    is_admin: boolean
    has_password: boolean
  }>`
    select users.id, name, email, created_at, last_seen_at, is_admin, password_hash is not null as has_password
      from unnest(array(
             select id from users where ${isWanted} order by ${orders[sort]} limit ${limit} offset ${(page - 1) * limit}
           )) with ordinality as listed (id, place)
      join users on users.id = listed.id
     order by listed.place`.execute(db)
  const people = rows.map((row): PersonInList => ({
    id: row.id,
    name: row.name,
    email: row.email,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    isAdmin: row.is_admin,
    hasPassword: row.has_password,
  }))
  const counted = await db
    .selectFrom('users')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(isWanted)
    .executeTakeFirstOrThrow()
  return { people, total: counted.count, totalPages: Math.ceil(counted.count / limit) }
}
