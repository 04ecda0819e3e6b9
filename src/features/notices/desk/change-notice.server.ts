import { AppError, isAppError } from '../../../platform/errors.ts'
import type { AuditAction } from '../../office/audit/audit-event.ts'
import { recordForSafetyOfficers } from '../../office/audit/audit-secrecy.server.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { recordRemovals } from '../journal/reconcile-journal.server.ts'
import { noSuchNotice, noticeConflict, refusedTransition } from '../notice/notice-errors.ts'
import { isOfSafetyOfficers, type LockedNotice, lockNotice, type NoticeActor } from '../notice/record-event.server.ts'
import type { NoticeForDesk } from './desk-schema.ts'
import { maySee } from './may-see.ts'
import { findNotice, readNoticeForDesk } from './notice-for-desk.server.ts'

/** The notice that an administrator changes, locked, after the lock of the catalogue. */
export interface DeskWork {
  trx: NoticesTransaction
  notice: LockedNotice
  by: NoticeActor & { kind: 'administrator' }
}

/** The event of the audit log, beside the notice. */
export interface Recorded {
  action: AuditAction
  details?: Record<string, unknown>
}

/**
 * A change of a notice by an administrator, if nobody has changed it since it was read.
 * @param work does it, and returns the details for the audit log; undefined where it recorded them
 * @returns the notice; undefined where only safety officers may see it now
 * @throws {AppError} `notice.not_found`, 404; `notice.conflict`, `notice.transition`, 409, with the notice as it is now
 */
export async function changeNoticeIfSeen(
  app: NoticesApp,
  viewer: Viewer,
  { reference, version }: { reference: string; version: number },
  work: (desk: DeskWork) => Promise<Recorded | undefined>,
): Promise<NoticeForDesk | undefined> {
  try {
    await app.db.transaction().execute(async (trx) => {
      const desk = await openDesk(trx, viewer, { reference, version })
      const recorded = await work(desk)
      if (recorded !== undefined) await recordNoticeAudit(trx, desk, { details: {}, ...recorded })
    })
  } catch (error) {
    throw await withCurrent(app, viewer, reference, error)
  }
  await app.listing.catchUp()
  await recordRemovals(app, { reference })
  return readNoticeForDesk(app, viewer, reference).catch(nothingWhereHidden)
}

/** The same for a change after which the notice stays visible to this administrator. */
export async function changeNotice(...change: Parameters<typeof changeNoticeIfSeen>): Promise<NoticeForDesk> {
  const notice = await changeNoticeIfSeen(...change)
  if (notice === undefined) throw noSuchNotice()
  return notice
}

/** @throws {AppError} `notice.not_found`, 404; `notice.conflict`, 409 */
export async function openDesk(
  trx: NoticesTransaction,
  viewer: Viewer,
  { reference, version }: { reference: string; version: number },
): Promise<DeskWork> {
  const { id } = await findNotice({ db: trx }, viewer, reference)
  await lockCatalogue(trx)
  const notice = await lockNotice(trx, id)
  if (!maySee(viewer, notice.state.kind)) throw noSuchNotice()
  if (notice.version !== version) throw noticeConflict()
  return { trx, notice, by: { kind: 'administrator', id: requireMember(viewer).id } }
}

/** The log of a notice about a child at risk holds the id alone, for safety officers. */
export async function recordNoticeAudit(
  trx: NoticesTransaction,
  { notice, by }: Pick<DeskWork, 'notice' | 'by'>,
  { action, details }: Required<Recorded>,
): Promise<void> {
  const { kind } = await trx.selectFrom('notices').select('kind').where('id', '=', notice.id).executeTakeFirstOrThrow()
  const isSecret = isOfSafetyOfficers({ kind }) || isOfSafetyOfficers(notice.state)
  await recordForSafetyOfficers(isSecret, () =>
    recordAuditEvent(trx, {
      action,
      by: { memberId: by.id },
      subject: { kind: 'notice', id: notice.id },
      details: isSecret ? {} : { reference: notice.reference, kind, ...details },
    }),
  )
}

/** Adds the notice as it is now to an error that says it has changed. */
export async function withCurrent(
  app: NoticesApp,
  viewer: Viewer,
  reference: string,
  error: unknown,
): Promise<unknown> {
  if (!isAppError(error) || ![noticeConflict.code, refusedTransition.code].includes(error.code)) return error
  const current = await readNoticeForDesk(app, viewer, reference).catch(nothingWhereHidden)
  if (current === undefined) return noSuchNotice()
  return new AppError({ code: error.code, status: 409, message: error.message, details: { current }, cause: error })
}

/** A matter of the safety officers does not exist for anybody else. */
function nothingWhereHidden(error: unknown): undefined {
  if (!isAppError(error) || error.code !== noSuchNotice.code) throw error
}
