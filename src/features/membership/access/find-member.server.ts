import type { MembershipApp } from '../app.ts'
import { invalidSession } from '../../accounts/sessions/recognise-session.server.ts'
import { AppError, isAppError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/uuid.ts'

/** A member as the administrators' billing pages name them. */
export interface MemberForAdmin {
  id: string
  name: string
  email: string
  createdAt: string
}

/**
 * The member of an administrator's call.
 * @throws {AppError} `member.unknown`, 404, also for what cannot be an id
 */
export async function findMember(
  { db }: Pick<MembershipApp, 'db'>,
  { id }: { id: string },
): Promise<MemberForAdmin & { isDisabled: boolean }> {
  const row = isUuid(id)
    ? await db
        .selectFrom('users')
        .select(['id', 'name', 'email', 'vip_disabled', 'created_at'])
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (row === undefined) throw unknownMember()
  const { name, email, vip_disabled, created_at } = row
  return { id: row.id, name, email, createdAt: created_at.toISOString(), isDisabled: vip_disabled }
}

const unknownCode = 'member.unknown'

export function unknownMember(): AppError {
  return new AppError({ code: unknownCode, status: 404, message: 'There is no such member, or no longer.' })
}

export function isUnknownMember(error: unknown): boolean {
  return isAppError(error) && error.code === unknownCode
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
