import { randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { defineError } from '../../../platform/errors.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { accountMails } from '../account-mails.ts'
import type { AccountsApp } from '../app.ts'
import { lockFactors } from '../factors/second-factor.server.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { digestOf } from '../sessions/tokens.server.ts'
import { checkedName } from '../user/checked-name.server.ts'
import type { AppPassword, NewAppPassword } from './app-password-schema.ts'

const mostPasswords = 10

/** 128 bits: nobody finds the password of a digest by trying, so that it needs no slow hash. */
const bytesOfPassword = 16

/** The caller's app passwords, the newest first. */
export async function listAppPasswords(app: Pick<AccountsApp, 'db'>, viewer: Viewer): Promise<AppPassword[]> {
  return appPasswordsOf(app, { memberId: requireMember(viewer).id })
}

/** Those of a member, without what opens anything. */
export async function appPasswordsOf(
  { db }: Pick<AccountsApp, 'db'>,
  { memberId }: { memberId: string },
): Promise<AppPassword[]> {
  const rows = await db
    .selectFrom('app_passwords')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', memberId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, name, created_at: createdAt, last_used_at: lastUsedAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

/**
 * Gives the caller one more app password, and tells them by email. The answer alone has it: the database has its digest.
 * @throws {AppError} `app_password.too_many`, 409; `account.invalid`, 422
 */
export async function makeAppPassword(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
  { name }: { name: string },
): Promise<NewAppPassword> {
  const { id: userId, sessionId } = requireMember(viewer)
  const called = checkedName(name)
  const made = { id: uuidv7(), name: called, password: randomBytes(bytesOfPassword).toString('hex') }
  await app.db.transaction().execute(async (trx) => {
    // Two at once count each other.
    const user = await lockFactors(trx, userId)
    // A new password, which waits for the same lock, has ended the session: it ends what the session would leave behind, too.
    await trx
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow(() => invalidSession())
    const held = await trx.selectFrom('app_passwords').select('id').where('user_id', '=', userId).execute()
    if (held.length >= mostPasswords) throw tooManyAppPasswords()
    await trx
      .insertInto('app_passwords')
      .values({
        id: made.id,
        user_id: userId,
        name: called,
        secret_hash: digestOf(made.password),
        created_at: new Date(app.clock.now()),
        last_used_at: null,
      })
      .execute()
    await recordMemberEvent(trx, 'password.app_made', { of: userId })
    await app.mail.queue(trx, accountMails.appPasswordMade, { email: user.email, name: user.name })
  })
  return { ...made, password: made.password.replaceAll(/(.{4})(?=.)/g, '$1-') }
}

/** As its digest was made of it: readers type it with and without dashes. */
export function asMade(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, '')
}

/**
 * Ends one of the caller's app passwords.
 * @throws {AppError} `app_password.not_found`, 404, also for one of somebody else
 */
export async function endAppPassword(
  { db }: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<void> {
  const { id: userId } = requireMember(viewer)
  await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('app_passwords')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw appPasswordNotFound()
    await recordMemberEvent(trx, 'password.app_ended', { of: userId })
  })
}

export const appPasswordNotFound = defineError({
  code: 'app_password.not_found',
  status: 404,
  sentence: 'This app password has ended already.',
  remedy: 'Read the list of app passwords again.',
})

export const tooManyAppPasswords = defineError({
  code: 'app_password.too_many',
  status: 409,
  sentence: `You have ${mostPasswords} app passwords already. End one that you no longer use first.`,
  remedy: 'End one: DELETE /account/app-passwords/{id}.',
})
