import type { AccountsApp } from '../app.ts'
import { defineError } from '../../../platform/errors.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'

/**
 * Ends one session of the caller's own: its token is refused from the next request on, on every instance.
 * @throws {AppError} `session.not_found`, 404, also for a session of somebody else
 */
export async function endSession(app: Pick<AccountsApp, 'db'>, viewer: Viewer, { id }: { id: string }): Promise<void> {
  const { numDeletedRows } = await app.db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', requireMember(viewer).id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw sessionNotFound()
}

export const sessionNotFound = defineError({
  code: 'session.not_found',
  status: 404,
  sentence: 'This session has already ended.',
  remedy: 'Nothing: it is gone already.',
})

export async function endOtherSessions(app: Pick<AccountsApp, 'db'>, viewer: Viewer): Promise<void> {
  const { id, sessionId } = requireMember(viewer)
  await app.db.deleteFrom('sessions').where('user_id', '=', id).where('id', '<>', sessionId).execute()
}
