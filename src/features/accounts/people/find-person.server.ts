import type { AccountsApp } from '../app.ts'
import { unknownMember } from '../user/unknown-member.server.ts'

/**
 * The member of an administrator's call.
 * @throws {AppError} `member.unknown`, 404
 */
export async function findPerson({ db }: Pick<AccountsApp, 'db'>, { id }: { id: string }) {
  const row = await db
    .selectFrom('users')
    .select([
      'id',
      'name',
      'email',
      'email_folded',
      'created_at',
      'last_seen_at',
      'is_admin',
      'is_safety_officer',
      'password_hash',
      'password_changed_at',
      'email_confirmed_at',
      'has_second_factor',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => unknownMember())
  const { password_hash, ...person } = row
  return { ...person, hasPassword: password_hash !== null }
}
