import { uuidv7 } from 'uuidv7'
import { recordForSafetyOfficers } from '../../office/audit/audit-secrecy.server.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { restrictItems } from '../../catalogue/removal/hold-items.server.ts'
import type { ItemEffect } from '../../catalogue/removal/item-effect.ts'
import { removeItems, restoreItems } from '../../catalogue/removal/remove-items.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { type Ground, kindLabels, type NoticeKind, type Outcome } from '../notice/notice-kinds.ts'
import {
  applyEvent,
  attestorOf,
  auditActorOf,
  isOfSafetyOfficers,
  type LockedNotice,
  type NoticeActor,
} from '../notice/record-event.server.ts'
import { reportedItems } from '../notice/addresses-of-sender.server.ts'
import type { AppError } from '../../../platform/errors.ts'
import { invalidNotice } from '../notice/notice-errors.ts'
import { queueStatements } from './statement-email.server.ts'
import type { NoticeEventInput } from '../notice/notice-event.ts'

export interface DecisionText {
  outcome: Outcome
  ground: Ground
  legalGround: string
  facts: string
  explanation: string
}

interface DecisionToMake {
  notice: LockedNotice
  decision: DecisionText
  by: NoticeActor & { kind: 'administrator' }
  eventOf: (decisionId: string) => NoticeEventInput
}

interface MadeDecision {
  decisionId: string
  items: ItemEffect[]
}

/**
 * Records a person's decision with its effects and statement of reasons, in the caller's transaction, which holds the
 * locks of catalogue and notice. The caller then awaits `app.listing.catchUp()`. A later decision first gives back,
 * through the gate, what the one before took.
 * @throws {AppError} `notice.transition`, 409; `notice.invalid`, 422, where no address leads to an entry to remove
 */
export function makeDecision(app: NoticesApp, trx: NoticesTransaction, made: DecisionToMake): Promise<MadeDecision> {
  const { notice, decision, by, eventOf } = made
  const { reference, state } = notice
  // The effects on entries would tell of a child at risk, too.
  return recordForSafetyOfficers(isOfSafetyOfficers(state), async () => {
    const itemIds = await reportedItems(trx, notice.id)
    if (decision.outcome !== 'keep' && itemIds.length === 0) throw nothingToTakeOff()
    const { decisionId } = await writeDecision(trx, made)
    // A removal that was repeated after a restore has no decision in this database.
    const attestation = { by: by.id, at: app.clock.now() }
    const effects = await restoreItems(app, trx, { reference, attestation })
    const taken = { reference, itemIds, by: auditActorOf(by) }
    if (decision.outcome === 'remove') {
      const answer = answerOf(state.kind, decision.ground)
      effects.push(...(await removeItems(trx, { ...taken, answer, kind: kindLabels[state.kind] })))
    }
    if (decision.outcome === 'restrict') effects.push(...(await restrictItems(trx, taken)))
    // The event releases the hidden entries that the decision does not remove.
    effects.push(...(await applyEvent(app, trx, { notice, event: eventOf(decisionId), by })).effects)
    const reported = new Set(itemIds)
    const items = await recordItems(trx, {
      decisionId,
      reported,
      // The decision itself is no reason of the gate to keep an entry off.
      effects: effects.map((effect) =>
        decision.outcome === 'restrict' && reported.has(effect.id) ? { ...effect, reasons: [] } : effect,
      ),
    })
    await queueStatements(app, trx, { decisionId })
    return { decisionId, items }
  })
}

/**
 * Restores entries by a decision of the site, through the gate; the rest of the decision in force stays. Otherwise like
 * `makeDecision`.
 * @param made.itemIds the entries; everything that the decision in force keeps off where the outcome is `keep`
 */
export async function giveBackByDecision(
  app: NoticesApp,
  trx: NoticesTransaction,
  made: Omit<DecisionToMake, 'by'> & { itemIds: readonly string[] },
): Promise<{ decisionId: string }> {
  const { notice, decision, itemIds, eventOf } = made
  const by = { kind: 'system' } as const
  const { decisionId, reversed } = await writeDecision(trx, { ...made, by })
  const isWhole = decision.outcome === 'keep'
  const effects = isWhole || reversed === undefined ? [] : await leftOff(trx, reversed)
  effects.push(
    ...(await restoreItems(app, trx, {
      reference: notice.reference,
      attestation: { by: attestorOf(by), at: app.clock.now() },
      ...(isWhole ? {} : { itemIds }),
    })),
  )
  effects.push(...(await applyEvent(app, trx, { notice, event: eventOf(decisionId), by })).effects)
  await recordItems(trx, { decisionId, reported: new Set(await reportedItems(trx, notice.id)), effects })
  await queueStatements(app, trx, { decisionId })
  const { outcome, ground, legalGround } = decision
  // Decisions of administrators are recorded by their own call.
  await recordAuditEvent(trx, {
    action: 'notice.reversed',
    by: 'system',
    subject: { kind: 'notice', id: notice.id },
    details: { reference: notice.reference, kind: notice.state.kind, outcome, ground, legalGround, decisionId },
  })
  return { decisionId }
}

/** @returns the ids of the new decision and of the one that it replaces */
async function writeDecision(
  trx: NoticesTransaction,
  { notice, decision, by }: Pick<DecisionToMake, 'notice' | 'decision'> & { by: NoticeActor },
): Promise<{ decisionId: string; reversed: string | undefined }> {
  const decisionId = uuidv7()
  const reversed = (await lastDecision(trx, notice.id))?.id
  const { kind } = notice.state
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
      reverses: reversed ?? null,
      // These three are read by the version before alone.
      category: categoryOf(kind, decision.ground),
      // Article 16 is about unlawful content; requests about one's own data or consent are not.
      source_type: kind === 'privacy' || kind === 'consent' ? 'OTHER_NOTIFICATION' : 'ARTICLE_16',
      automated_decision: by.kind === 'administrator' ? 'NOT_AUTOMATED' : 'FULLY',
    })
    .execute()
  return { decisionId, reversed }
}

const categories: Record<Exclude<NoticeKind, 'other'>, string> = {
  'child-safety': 'STATEMENT_CATEGORY_PROTECTION_OF_MINORS',
  'intimate-image': 'STATEMENT_CATEGORY_CYBER_VIOLENCE',
  consent: 'STATEMENT_CATEGORY_DATA_PROTECTION_AND_PRIVACY_VIOLATIONS',
  copyright: 'STATEMENT_CATEGORY_INTELLECTUAL_PROPERTY_INFRINGEMENTS',
  privacy: 'STATEMENT_CATEGORY_DATA_PROTECTION_AND_PRIVACY_VIOLATIONS',
}

function categoryOf(kind: NoticeKind, ground: Ground): string {
  if (kind !== 'other') return categories[kind]
  return ground === 'terms' ? 'STATEMENT_CATEGORY_OTHER_VIOLATION_TC' : 'STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE'
}

/** No statement says that an entry was removed where none was found. */
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

async function leftOff(trx: NoticesTransaction, decisionId: string): Promise<ItemEffect[]> {
  const rows = await trx
    .selectFrom('notice_decision_items')
    .select(['item_id', 'name', 'path', 'was_reported', 'effect', 'reasons'])
    .where('decision_id', '=', decisionId)
    .where('effect', 'in', ['removed', 'restricted'])
    .execute()
  return rows.map(({ item_id: id, was_reported: wasReported, ...row }) => ({ id, wasReported, ...row }))
}

export async function lastDecision(
  trx: Pick<NoticesTransaction, 'selectFrom'>,
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
  trx: NoticesTransaction,
  {
    decisionId,
    reported,
    effects,
  }: { decisionId: string; reported: ReadonlySet<string>; effects: readonly ItemEffect[] },
): Promise<ItemEffect[]> {
  const last = new Map<string, ItemEffect>()
  for (const effect of effects) {
    if (effect.effect === 'unchanged' && last.has(effect.id)) continue
    last.set(effect.id, { ...effect, wasReported: reported.has(effect.id) })
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
