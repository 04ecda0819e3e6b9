import type { Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { recordForSafetyOfficers } from '../../office/audit/audit-secrecy.server.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { restrictItems } from '../../catalogue/removal/hold-items.server.ts'
import type { ItemEffect } from '../../catalogue/removal/item-effect.ts'
import { keptOff, removeItems, restoreItems } from '../../catalogue/removal/remove-items.server.ts'
import type { NoticesApp, NoticesDatabase } from '../app.ts'
import { type Ground, kindLabels, type NoticeKind, type Outcome } from '../notice/notice-kinds.ts'
import {
  applyEvent,
  attestorOf,
  auditActorOf,
  isOfSafetyOfficers,
  type LockedNotice,
  type NoticeActor,
  reportedItems,
} from '../notice/record-event.server.ts'
import type { NoticeEventInput, NoticeState } from '../notice/transition.ts'
import type { AppError } from '../../../platform/errors.ts'
import { invalidNotice } from '../notice/notice-errors.ts'
import { categoryOf } from './eu-statement.ts'
import { queueStatements } from './statement-email.server.ts'

type Trx = Transaction<NoticesDatabase>

export interface DecisionText {
  outcome: Outcome
  ground: Ground
  legalGround: string
  facts: string
  explanation: string
}

/**
 * Makes a decision: what becomes of the entries, the decision itself, its event and its statement of reasons, all in the caller's
 * transaction, which holds the lock of the catalogue and then that of the notice. The caller then awaits `app.listing.catchUp()`.
 *
 * A later decision takes the place of the one before: what that took is given back first, through the gate.
 * @param made.eventOf what the ledger is told, for the new decision's id
 * @throws {AppError} `notice.transition`, 409; `notice.invalid`, 422, where an entry is to be taken off and no address leads to one
 */
export function makeDecision(app: NoticesApp, trx: Trx, made: DecisionToMake): Promise<MadeDecision> {
  // Also what becomes of the entries would tell of a child at risk.
  return recordForSafetyOfficers(isOfSafetyOfficers(made.notice.state), () => writeDecision(app, trx, made))
}

interface DecisionToMake {
  notice: LockedNotice & { state: NoticeState }
  decision: DecisionText
  by: NoticeActor
  /** The entries that alone are given back, where the rest stays as the decision in force has left it. */
  givesBack?: readonly string[]
  eventOf: (decisionId: string) => NoticeEventInput
}

interface MadeDecision {
  decisionId: string
  state: NoticeState
  items: ItemEffect[]
}

async function writeDecision(app: NoticesApp, trx: Trx, made: DecisionToMake): Promise<MadeDecision> {
  const { notice, decision, by, givesBack, eventOf } = made
  const decisionId = uuidv7()
  const attestation = { by: attestorOf(by), at: app.clock.now() }
  const { reference, state } = notice
  const itemIds = await reportedItems(trx, notice.id)
  if (givesBack === undefined && decision.outcome !== 'keep' && itemIds.length === 0) throw nothingToTakeOff()
  const reversed = await lastDecision(trx, notice.id)
  await trx
    .insertInto('notice_decisions')
    .values({
      id: decisionId,
      notice_id: notice.id,
      outcome: decision.outcome,
      ground: decision.ground,
      legal_ground: decision.legalGround,
      facts: decision.facts,
      explanation: decision.explanation,
      decided_by: by.kind === 'administrator' ? by.id : null,
      reverses: reversed?.id ?? null,
      category: categoryOf(state.kind, decision.ground),
      // A notice by the form of article 16; what a person asks of their own data or consent is another one.
      source_type: state.kind === 'privacy' || state.kind === 'consent' ? 'OTHER_NOTIFICATION' : 'ARTICLE_16',
      automated_decision: by.kind === 'administrator' ? 'NOT_AUTOMATED' : 'FULLY',
    })
    .execute()
  const effects: ItemEffect[] = []
  const keepsOff = reversed !== undefined && reversed.outcome !== 'keep'
  // A removal that was repeated after a restore has no decision in this database.
  if (keepsOff || (await keptOff(trx, reference)).length > 0) {
    if (givesBack !== undefined && reversed !== undefined) effects.push(...(await leftOff(trx, reversed.id)))
    effects.push(
      ...(await restoreItems(app, trx, {
        reference,
        attestation,
        ...(givesBack === undefined ? {} : { itemIds: givesBack }),
      })),
    )
  }
  if (givesBack === undefined && decision.outcome === 'remove') {
    const answer = answerOf(state.kind, decision.ground)
    effects.push(
      ...(await removeItems(app, trx, {
        reference,
        itemIds,
        answer,
        kind: kindLabels[state.kind],
        by: auditActorOf(by),
      })),
    )
  }
  if (givesBack === undefined && decision.outcome === 'restrict') {
    effects.push(...(await restrictItems(trx, { reference, itemIds, by: auditActorOf(by) })))
  }
  const applied = await applyEvent(app, trx, { notice, event: eventOf(decisionId), by })
  // The event gives back the entries that the notice has hidden and the decision does not take off.
  effects.push(...applied.effects)
  const items = await recordItems(trx, { decisionId, outcome: decision.outcome, effects, itemIds, givesBack })
  await queueStatements(app, trx, { decisionId })
  if (by.kind !== 'administrator')
    await recordOwnDecision(trx, { notice, decision, decisionId, isFirst: reversed === undefined })
  return { decisionId, state: applied.state, items }
}

/** Those of administrators are in the audit log by the call that they have made; what the site decides stands there as its own. */
async function recordOwnDecision(
  trx: Trx,
  {
    notice,
    decision: { outcome, ground, legalGround },
    decisionId,
    isFirst,
  }: { notice: LockedNotice & { state: NoticeState }; decision: DecisionText; decisionId: string; isFirst: boolean },
): Promise<void> {
  const { kind } = notice.state
  await recordAuditEvent(trx, {
    action: isFirst ? 'notice.decided' : 'notice.reversed',
    by: 'system',
    subject: { kind: 'notice', id: notice.id },
    details:
      kind === 'child-safety' ? {} : { reference: notice.reference, kind, outcome, ground, legalGround, decisionId },
  })
}

/** Nobody is told that something was taken off which nobody has found. */
function nothingToTakeOff(): AppError {
  return invalidNotice(
    'No address in this notice leads to an entry. Attach the entry first. If there is none, choose Keep and say so.',
    { field: 'outcome' },
  )
}

/** The status of the page of a removed entry (docs/spec/notices.md#answers). */
function answerOf(kind: NoticeKind, ground: Ground): 451 | 410 | 404 {
  if (kind === 'child-safety') return 404
  return ground === 'illegal' ? 451 : 410
}

/** The entries that a decision keeps off the site. */
async function leftOff(trx: Trx, decisionId: string): Promise<ItemEffect[]> {
  const rows = await trx
    .selectFrom('notice_decision_items')
    .select(['item_id', 'name', 'path', 'was_reported', 'effect', 'reasons'])
    .where('decision_id', '=', decisionId)
    .where('effect', 'in', ['removed', 'restricted'])
    .execute()
  return rows.map(({ item_id: id, was_reported: wasReported, ...row }) => ({ id, wasReported, ...row }))
}

/** The decision in force. */
export async function lastDecision(
  trx: Pick<Trx, 'selectFrom'>,
  noticeId: string,
): Promise<{ id: string; outcome: Outcome; decidedBy: string | null; decidedAt: Date } | undefined> {
  const row = await trx
    .selectFrom('notice_decisions')
    .select(['id', 'outcome', 'decided_by', 'decided_at'])
    .where('notice_id', '=', noticeId)
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { id: row.id, outcome: row.outcome, decidedBy: row.decided_by, decidedAt: row.decided_at }
}

/** Records the final effect on each entry, reported or affected with a reported one, each once. */
async function recordItems(
  trx: Trx,
  {
    decisionId,
    outcome,
    effects,
    itemIds,
    givesBack,
  }: {
    decisionId: string
    outcome: Outcome
    effects: readonly ItemEffect[]
    itemIds: readonly string[]
    givesBack: readonly string[] | undefined
  },
): Promise<ItemEffect[]> {
  const reported = new Set(itemIds)
  const last = new Map<string, ItemEffect>()
  for (const effect of effects) {
    if (effect.effect === 'unchanged' && last.has(effect.id)) continue
    // That the decision itself keeps it off is no reason of the gate.
    const isKeptOff = givesBack?.includes(effect.id) !== true && reported.has(effect.id)
    const reasons = outcome === 'restrict' && isKeptOff ? [] : effect.reasons
    last.set(effect.id, { ...effect, reasons, wasReported: reported.has(effect.id) })
  }
  const items = [...last.values()]
  if (items.length > 0) {
    await trx
      .insertInto('notice_decision_items')
      .values(
        items.map(({ id, name, path, wasReported, effect, reasons }) => ({
          decision_id: decisionId,
          item_id: id,
          name,
          path,
          was_reported: wasReported,
          effect,
          reasons: JSON.stringify(reasons),
        })),
      )
      .execute()
  }
  return items
}
