import type { MembershipApp } from '../app.ts'
import { invalidSession } from '../../accounts/sessions/recognise-session.server.ts'
import { isUnknownMember, unknownMember } from '../../accounts/user/unknown-member.server.ts'

export interface MemberForAdmin {
  id: string
  name: string
  email: string
  createdAt: string
}

/**
 * The member of an administrator's call.
 * @throws {AppError} `member.unknown`, 404
 */
export async function findMember(
  { db }: Pick<MembershipApp, 'db'>,
  { id }: { id: string },
): Promise<MemberForAdmin & { isDisabled: boolean; disabledSince: number | null }> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'vip_disabled', 'vip_disabled_at', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => unknownMember())
  const { name, email, vip_disabled: isDisabled, vip_disabled_at, created_at } = row
  const disabledSince = vip_disabled_at?.getTime() ?? null
  return { id: row.id, name, email, createdAt: created_at.toISOString(), isDisabled, disabledSince }
}

/**
 * For the routes of members themselves: a member who is gone has no session any more either.
 * @throws {AppError} `session.invalid`, 401, in place of `member.unknown`
 */
export async function asCaller<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isUnknownMember(error) ? invalidSession() : error
  }
}
