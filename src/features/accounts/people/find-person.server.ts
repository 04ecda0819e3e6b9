import { isUuid } from '../../../platform/uuid.ts'
import type { AccountsApp } from '../app.ts'
import { unknownMember } from '../user/unknown-member.server.ts'

/**
 * The member of an administrator's call.
 * @throws {AppError} `member.unknown`, 404, also for what cannot be an id
 */
export async function findPerson({ db }: Pick<AccountsApp, 'db'>, { id }: { id: string }) {
  const row = isUuid(id)
    ? await db
        .selectFrom('users')
        .select([
          'id',
          'name',
          'email',
          'email_folded',
          'created_at',
          'last_seen_at',
          'is_admin',
          'password_hash',
          'password_changed_at',
        ])
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (row === undefined) throw unknownMember()
  const { password_hash, ...person } = row
  return { ...person, hasPassword: password_hash !== null }
}
