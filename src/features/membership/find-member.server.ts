import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'

/** A member as the billing of administrators names him. */
export interface MemberForAdmin {
  id: string
  name: string
  email: string
  createdAt: string
}

/**
 * The member whom an administrator's call is about.
 * @throws {AppError} `member.unknown`, 404, also for what cannot be an id
 */
export async function findMember(
  { db }: Pick<App, 'db'>,
  { id }: { id: string },
): Promise<MemberForAdmin & { isDisabled: boolean }> {
  const row = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
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

export function unknownMember(): AppError {
  return new AppError({ code: 'member.unknown', status: 404, message: 'There is no such member, or no longer.' })
}
