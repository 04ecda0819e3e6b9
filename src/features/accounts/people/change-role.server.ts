import { AppError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import { lockAdministrators, refuseLastAdministrator } from '../user/last-administrator.server.ts'
import { unknownMember } from '../user/unknown-member.server.ts'
import { requireMember, type Viewer } from '../user/viewer.ts'
import { findPerson } from './find-person.server.ts'

/**
 * Makes a member an administrator. Their sessions end: the next sign-in looks whether the password is one that an
 * administrator may have, and asks for another one if it is not (`sign-in/sign-in.server.ts`). They are told by email.
 * @throws {AppError} `member.unknown`, 404; `account.no_password`, 409, for who has not set one yet
 */
export async function makeMemberAdministrator(
  app: Pick<AccountsApp, 'db' | 'mail'>,
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
      .returning(['email', 'name'])
      .executeTakeFirst()
    if (made === undefined) {
      const now = await trx
        .selectFrom('users')
        .select(['is_admin', 'name'])
        .where('id', '=', person.id)
        .executeTakeFirst()
      if (now === undefined) throw unknownMember()
      if (now.is_admin) return
      throw new AppError({
        code: 'account.no_password',
        status: 409,
        message: `${now.name} has not set a password yet. Send the invitation again, and wait until they have.`,
      })
    }
    await trx.deleteFrom('sessions').where('user_id', '=', person.id).execute()
    await app.mail.queue(trx, 'accounts.administrator', { email: made.email, name: made.name })
    await recordAuditEvent(trx, {
      action: 'role.granted',
      by: { memberId: by },
      subject: { kind: 'member', id: person.id },
      details: { role: 'admin' },
    })
  })
}

/**
 * Takes the role of an administrator from a member, who may be the caller; their next request is already without it.
 * @throws {AppError} `member.unknown`, 404; `account.last_admin`, 409
 */
export async function withdrawAdministrator(
  app: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<void> {
  const by = requireMember(viewer).id
  const person = await findPerson(app, { id })
  await refuseLastAdministrator(
    () =>
      app.db.transaction().execute(async (trx) => {
        await lockAdministrators(trx)
        const demoted = await trx
          .updateTable('users')
          .set({ is_admin: false })
          .where('id', '=', person.id)
          .where('is_admin', '=', true)
          .returning('id')
          .executeTakeFirst()
        if (demoted === undefined) return
        await recordAuditEvent(trx, {
          action: 'role.withdrawn',
          by: { memberId: by },
          subject: { kind: 'member', id: person.id },
          details: { role: 'admin' },
        })
      }),
    person.id === by ? 'You are' : `${person.name} is`,
  )
}
