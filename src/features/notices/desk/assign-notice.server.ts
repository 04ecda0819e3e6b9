import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import { invalidNotice, noticeConflict, noSuchNotice } from '../notice/notice-errors.ts'
import { lockNotice } from '../notice/record-event.server.ts'
import type { NoticeKind } from '../notice/notice-kinds.ts'
import { recordNoticeAudit, withCurrent } from './change-notice.server.ts'
import type { NoticeForDesk } from './desk-schema.ts'
import { readAssignment } from './assignment.server.ts'
import { maySee } from './may-see.ts'
import { findNotice, readNoticeForDesk } from './notice-for-desk.server.ts'

/**
 * Gives a notice to an administrator to work on, or to nobody. Neither the notice nor its version or clocks change.
 * @param wanted.was who worked on it when it was read
 * @throws {AppError} `notice.not_found`, 404; `notice.conflict`, 409, with the notice as it is now; `notice.invalid`, 422, for who may not see it
 */
export async function assignNotice(
  app: NoticesApp,
  viewer: Viewer,
  { reference, to, was }: { reference: string; to: string | null; was: string | null },
): Promise<NoticeForDesk> {
  try {
    await app.db.transaction().execute(async (trx) => {
      const { id } = await findNotice({ db: trx }, viewer, reference)
      const notice = await lockNotice(trx, id)
      if (!maySee(viewer, notice.state.kind)) throw noSuchNotice()
      const { assignee, assignable } = await readAssignment({ db: trx }, viewer, id)
      const present = assignee?.id ?? null
      if (present === to) return
      if (present !== was) throw noticeConflict()
      if (to !== null && !assignable.some((one) => one.id === to)) throw mayNotWork(notice.state.kind)
      const row = { notice_id: id, member_id: to ?? '', assigned_at: new Date(app.clock.now()) }
      await trx.deleteFrom('notice_assignments').where('notice_id', '=', id).execute()
      if (to !== null) await trx.insertInto('notice_assignments').values(row).execute()
      const by = { kind: 'administrator', id: requireMember(viewer).id } as const
      await recordNoticeAudit(
        trx,
        { notice, by },
        { action: 'notice.assigned', details: { before: present, after: to } },
      )
    })
  } catch (error) {
    throw await withCurrent(app, viewer, reference, error)
  }
  return readNoticeForDesk(app, viewer, reference)
}

function mayNotWork(kind: NoticeKind) {
  return invalidNotice(
    kind === 'child-safety'
      ? 'Only a safety officer can work on this notice.'
      : 'Only an administrator can work on a notice.',
    { field: 'to' },
  )
}
