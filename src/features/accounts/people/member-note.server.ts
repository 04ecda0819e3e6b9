import type { Queryable } from '../../../db/queryable.ts'
import { defineError } from '../../../platform/errors.ts'
import type { AccountsDatabase, AccountsApp } from '../app.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { lockUser } from '../user/lock-user.server.ts'
import { unknownMember } from '../user/unknown-member.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { findPerson } from './find-person.server.ts'
import type { MemberNote } from '../account/account-schema.ts'
import { maxNoteLength } from './people-schema.ts'

export async function readMemberNote(db: Queryable<AccountsDatabase>, userId: string): Promise<MemberNote> {
  const row = await db
    .selectFrom('member_notes')
    .select(['note', 'version', 'changed_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return { text: '', version: 0, changedAt: null }
  return { text: row.note, version: row.version, changedAt: row.changed_at.toISOString() }
}

export async function exportMemberNote(app: Pick<AccountsApp, 'db'>, viewer: Viewer): Promise<MemberNote> {
  return readMemberNote(app.db, requireMember(viewer).id)
}

/**
 * Writes what the operator notes of a member, over the version that was read.
 * @throws {AppError} `member.unknown`, 404; `account.invalid`, 422; `note.conflict`, 409, with the note as it is
 */
export async function saveMemberNote(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  viewer: Viewer,
  { id, text, version }: { id: string; text: string; version: number },
): Promise<MemberNote> {
  const by = requireMember(viewer).id
  const note = text.trim()
  if (Array.from(note).length > maxNoteLength) {
    assertValid({ field: 'text', message: `A note has at most ${maxNoteLength.toLocaleString('en-US')} characters` })
  }
  const { id: userId } = await findPerson(app, { id })
  return app.db.transaction().execute(async (trx) => {
    if ((await lockUser(trx, userId)) === undefined) throw unknownMember()
    const current = await readMemberNote(trx, userId)
    if (current.version !== version) {
      throw noteConflict({ details: { current } })
    }
    if (current.text === note) return current
    const changed = { note, version: version + 1, changed_at: new Date(app.clock.now()) }
    await trx
      .insertInto('member_notes')
      .values({ user_id: userId, ...changed })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changed))
      .execute()
    await recordMemberEvent(trx, 'member.record_changed', { of: userId, by, details: { version: changed.version } })
    return { text: note, version: changed.version, changedAt: changed.changed_at.toISOString() }
  })
}

export const noteConflict = defineError({
  code: 'note.conflict',
  status: 409,
  sentence: 'Somebody else has changed this note meanwhile. Both are shown: keep what is right, and save again.',
  members: { current: 'the note as it is now, with its version.' },
  remedy: 'Look at the current note of the answer, and send the note with its version.',
})
