import { isAppError } from '../../../platform/errors.ts'
import type { Viewer } from '../../accounts/user/viewer.ts'
import type { NoticesApp } from '../app.ts'
import { openStatuses } from '../notice/notice-kinds.ts'
import { openDesk, recordNoticeAudit } from './change-notice.server.ts'
import { decide, recorded } from './decide-notice.server.ts'
import type { DecisionText } from './decide.server.ts'
import type { KeptNotices } from './desk-schema.ts'
import { readInQueue } from './list-notices.server.ts'
import { findNotice } from './notice-for-desk.server.ts'

type Fate = 'decided' | 'overtaken' | 'waiting'

/**
 * Decides to keep the entries of several notices, with one reason. Each is a decision of its own with its statement, in a transaction
 * of its own: in a flood nobody waits for all of them, and what stands, stands. A call that was cut off is sent again.
 * @param wanted.notices each is decided if it waits for a decision and nobody has changed it since it was read
 */
export async function keepNotices(
  app: NoticesApp,
  viewer: Viewer,
  {
    notices,
    reasons,
  }: { notices: readonly { reference: string; version: number }[]; reasons: Omit<DecisionText, 'outcome'> },
): Promise<KeptNotices> {
  const fates = new Map<string, Fate>()
  const gone: string[] = []
  try {
    for (const { reference, version } of notices) {
      try {
        const { id } = await findNotice(app, viewer, reference)
        fates.set(id, await keep(app, viewer, { reference, version }, { ...reasons, outcome: 'keep' }))
      } catch (error) {
        if (!isAppError(error) || error.code !== 'notice.not_found') throw error
        gone.push(reference)
      }
    }
  } finally {
    await app.listing.catchUp()
  }
  const of = (fate: Fate): string[] => [...fates].flatMap(([id, its]) => (its === fate ? id : []))
  return {
    decided: await readInQueue(app, of('decided')),
    overtaken: await readInQueue(app, of('overtaken')),
    waiting: await readInQueue(app, of('waiting')),
    gone,
  }
}

async function keep(
  app: NoticesApp,
  viewer: Viewer,
  which: { reference: string; version: number },
  decision: DecisionText,
): Promise<Fate> {
  try {
    return await app.db.transaction().execute(async (trx) => {
      const desk = await openDesk(trx, viewer, which)
      if (!openStatuses.includes(desk.notice.state.status)) return 'overtaken'
      const made = await decide(app, desk, decision)
      if (made === undefined) return 'waiting'
      await recordNoticeAudit(trx, desk, { details: {}, ...recorded(desk, decision, made.decisionId) })
      return 'decided'
    })
  } catch (error) {
    if (isAppError(error) && (error.code === 'notice.conflict' || error.code === 'notice.transition'))
      return 'overtaken'
    throw error
  }
}
