import { isAppError } from '../../../platform/errors.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import { recordRemovals } from '../journal/reconcile-journal.server.ts'
import { refusedTransition, noSuchNotice } from '../notice/notice-errors.ts'
import { isOfSafetyOfficers } from '../notice/record-event.server.ts'
import { openDesk, recordNoticeAudit } from './change-notice.server.ts'
import { decide, recorded } from './decide-notice.server.ts'
import type { DecisionText } from './decide.server.ts'
import type { DecidedNotices } from './desk-schema.ts'
import { readInQueue } from './list-notices.server.ts'
import { findNotice } from './notice-for-desk.server.ts'

interface Which {
  reference: string
  version: number
}

type Result = Pick<DecidedNotices['results'][number], 'result' | 'reason'>

/**
 * One decision about several notices, each in a transaction of its own with its statement: earlier ones stay when a
 * later one fails. It replaces the decision in force where there is one. A repeated call decides nothing twice.
 * @param wanted.notices each in the version that it was read with
 */
export async function decideNotices(
  app: NoticesApp,
  viewer: Viewer,
  { notices, decision }: { notices: readonly Which[]; decision: DecisionText },
): Promise<DecidedNotices> {
  const results: (Result & { reference: string; id: string | undefined })[] = []
  try {
    for (const which of notices) {
      const found = await findNotice(app, viewer, which.reference).catch(nothingWhereGone)
      const result = found === undefined ? gone : await decideOne(app, viewer, which, decision)
      results.push({ reference: which.reference, id: result === gone ? undefined : found?.id, ...result })
    }
  } finally {
    await app.listing.catchUp()
  }
  const lines = await readInQueue(
    app,
    viewer,
    results.flatMap(({ id }) => id ?? []),
  )
  const byReference = new Map(lines.map((line) => [line.reference, line]))
  return {
    results: results.map(({ reference, result, reason }) => ({
      reference,
      result,
      reason,
      notice: byReference.get(reference) ?? null,
    })),
  }
}

const gone: Result = { result: 'gone', reason: 'There is no such notice.' }
const decided: Result = { result: 'decided', reason: null }

async function decideOne(app: NoticesApp, viewer: Viewer, which: Which, decision: DecisionText): Promise<Result> {
  try {
    await app.db.transaction().execute(async (trx) => {
      const desk = await openDesk(trx, viewer, which)
      const made = isOfSafetyOfficers(desk.notice.state) ? undefined : await decide(app, desk, decision)
      if (made === undefined) throw refusedTransition('A notice about a child at risk is decided on its own.')
      await recordNoticeAudit(trx, desk, { details: {}, ...recorded(desk, decision, made.decisionId) })
    })
  } catch (error) {
    if (!isAppError(error)) throw error
    const reason = error.message
    switch (error.code) {
      case 'notice.not_found':
        return gone
      case 'notice.conflict':
        return (await isMadeAlready(app, viewer, which, decision)) ? decided : { result: 'overtaken', reason }
      case 'notice.transition':
      case 'notice.invalid':
        return { result: 'refused', reason }
    }
    throw error
  }
  await recordRemovals(app, which)
  return decided
}

/** Whether this very decision, of the same administrator about the same version, is in force: a second click of the same call. */
async function isMadeAlready(
  { db }: NoticesApp,
  viewer: Viewer,
  { reference, version }: Which,
  decision: DecisionText,
): Promise<boolean> {
  const last = await db
    .selectFrom('notice_decisions as d')
    .innerJoin('notices as n', 'n.id', 'd.notice_id')
    .select(['d.outcome', 'd.ground', 'd.legal_ground', 'd.facts', 'd.explanation', 'd.decided_by'])
    .where('n.reference', '=', reference)
    .where('n.version', '=', version + 1)
    .orderBy('d.no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    last !== undefined &&
    last.decided_by === requireMember(viewer).id &&
    last.outcome === decision.outcome &&
    last.ground === decision.ground &&
    last.legal_ground === decision.legalGround &&
    last.facts === decision.facts &&
    last.explanation === decision.explanation
  )
}

function nothingWhereGone(error: unknown): undefined {
  if (!isAppError(error) || error.code !== noSuchNotice.code) throw error
}
