import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { notifyAdministrators } from '../administrators/notify-administrators.server.ts'
import { nameSafetyOfficer, withdrawSafetyOfficer } from '../administrators/safety-officer.server.ts'
import { withdrawRole } from '../administrators/withdraw-role.server.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { refuseLastOne } from '../user/last-administrator.server.ts'
import { unknownMember } from '../user/unknown-member.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { findPerson } from './find-person.server.ts'

/**
 * Makes a member an administrator. Their sessions end: the next sign-in looks whether the password is one that an
 * administrator may have, and asks for another one if it is not (`sign-in/sign-in.server.ts`). They and every administrator are told by email.
 * @throws {AppError} `member.unknown`, 404; `account.no_password`, 409, for who has not set one yet
 */
export async function makeMemberAdministrator(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<void> {
  const by = requireMember(viewer).id
  const person = await findPerson(app, { id })
  await app.db.transaction().execute(async (trx) => {
    const made = await trx
      .updateTable('users')
      .set({ is_admin: true })
      .where('id', '=', person.id)
      .where('is_admin', '=', false)
      .where('password_hash', 'is not', null)
      .returning('id')
      .executeTakeFirst()
    if (made === undefined) {
      const now = await trx
        .selectFrom('users')
        .select(['is_admin', 'name'])
        .where('id', '=', person.id)
        .executeTakeFirstOrThrow(() => unknownMember())
      if (now.is_admin) return
      throw noPassword(now.name)
    }
    await trx.deleteFrom('sessions').where('user_id', '=', person.id).execute()
    await notifyAdministrators(app, trx, { action: 'role.granted', by: { memberId: by }, memberId: person.id })
    await recordMemberEvent(trx, 'role.granted', { of: person.id, by, details: { role: 'admin' } })
  })
}

/**
 * Takes the role of an administrator from a member, who may be the caller; their next request is already without it.
 * They and every administrator are notified by email.
 * @throws {AppError} `member.unknown`, 404; `safety.officer`, 403, where they are a safety officer and not the caller; `account.last_admin` and `account.last_safety_officer`, 409
 */
export async function withdrawAdministrator(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<void> {
  await withdraw(app, viewer, id, withdrawRole)
}

/**
 * Names an administrator as a safety officer: from their next request on they see notices about children. They and every
 * administrator are notified by email.
 * @throws {AppError} `member.unknown`, 404; `safety.officer`, 403, for a caller without the mark, and for themselves; `account.not_admin`, 409
 */
export async function nameMemberSafetyOfficer(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<void> {
  const by = { memberId: requireMember(viewer).id }
  const person = await findPerson(app, { id })
  const isNamed = await app.db.transaction().execute((trx) => nameSafetyOfficer(app, trx, { memberId: person.id, by }))
  if (isNamed) return
  throw notAdministrator(person.name)
}

/**
 * Gives up the caller's own mark of a safety officer. They and every administrator are notified by email.
 * @throws {AppError} `member.unknown`, 404; `safety.officer`, 403, where it is the mark of somebody else; `account.last_safety_officer`, 409
 */
export async function withdrawMemberSafetyOfficer(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<void> {
  await withdraw(app, viewer, id, withdrawSafetyOfficer)
}

async function withdraw(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
  id: string,
  take: typeof withdrawRole,
): Promise<void> {
  const by = requireMember(viewer).id
  const person = await findPerson(app, { id })
  await refuseLastOne(
    () => app.db.transaction().execute((trx) => take(app, trx, { memberId: person.id, by: { memberId: by } })),
    person.id === by ? 'You are' : `${person.name} is`,
  )
}

export const noPassword = defineError({
  code: 'account.no_password',
  status: 409,
  sentence: (name: string) =>
    `${name} has not set a password yet. Send the invitation again, and wait until they have.`,
  remedy: 'Wait until the member has set a password by the link of their invitation.',
})

export const notAdministrator = defineError({
  code: 'account.not_admin',
  status: 409,
  sentence: (name: string) => `${name} is no administrator. Only an administrator can be a safety officer.`,
  remedy: 'Make the member an administrator first.',
})
