import { sql } from 'kysely'
import { defineError } from '../../../platform/errors.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import { refusedTransition } from '../notice/notice-errors.ts'
import { openStatuses, type Outcome } from '../notice/notice-kinds.ts'
import { noticeMails, type EmailReader } from '../notice/notice-mails.ts'
import { applyEvent } from '../notice/record-event.server.ts'
import { changeNotice, type DeskWork, openDesk, type Recorded, withCurrent } from './change-notice.server.ts'
import { type DecisionText, lastDecision, makeDecision } from './decide.server.ts'
import type { DecisionPreview, NoticeForDesk } from './desk-schema.ts'
import { maySee } from './may-see.ts'
import { mayAnswerAppeal } from './notice-for-desk.server.ts'
import { concernedBy } from './readers.server.ts'
import { waitsForSecond } from './second-officer.server.ts'
import { readersOf, writeStatement } from './statement-email.server.ts'
import type { NoticeEventInput } from '../notice/notice-event.ts'

interface Which {
  reference: string
  version: number
}

/**
 * Decides a notice; a second decision takes the place of the first and gives back what that took, through the gate.
 * @throws {AppError} `notice.not_found`, 404; `notice.conflict` and `notice.transition`, 409, with the notice as it is
 */
export function decideNotice(
  app: NoticesApp,
  viewer: Viewer,
  { decision, ...which }: Which & { decision: DecisionText },
): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async (desk) => {
    const made = await decide(app, desk, decision)
    return made && recorded(desk, decision, made.decisionId)
  })
}

/**
 * Decides what is locked.
 * @returns undefined where a decision to keep waits for a second safety officer
 */
export async function decide(app: NoticesApp, desk: DeskWork, decision: DecisionText) {
  const event = decisionEvent(desk, decision, '')
  const { outcome, ...reasons } = decision
  if (outcome === 'keep' && (await waitsForSecond(app, desk, { act: 'keep', ...reasons, event }))) return undefined
  return makeDecisionOf(app, desk, decision)
}

function makeDecisionOf(app: NoticesApp, desk: DeskWork, decision: DecisionText) {
  const { trx, notice, by } = desk
  return makeDecision(app, trx, {
    notice,
    decision,
    by,
    eventOf: (decisionId) => decisionEvent(desk, decision, decisionId),
  })
}

function decisionEvent({ notice }: DeskWork, { outcome }: DecisionText, decisionId: string): NoticeEventInput {
  return { type: openStatuses.includes(notice.state.status) ? 'decided' : 'reversed', decisionId, outcome }
}

/** The audit event of a decision. */
export function recorded(
  { notice }: DeskWork,
  { outcome, ground, legalGround }: DecisionText,
  decisionId: string,
): Recorded {
  const isFirst = openStatuses.includes(notice.state.status)
  return {
    action: isFirst ? 'notice.decided' : 'notice.reversed',
    details: { outcome, ground, legalGround, decisionId },
  }
}

/** Carries the result of a preview out of the transaction that is rolled back. */
class Preview extends Error {
  readonly found: DecisionPreview

  constructor(found: DecisionPreview) {
    super('A preview is taken back.')
    this.found = found
  }
}

/**
 * The emails and effects of a decision: it is made, its emails are written, and everything is rolled back.
 * @throws {AppError} as `decideNotice`
 */
export async function previewDecision(
  app: NoticesApp,
  viewer: Viewer,
  { decision, ...which }: Which & { decision: DecisionText },
): Promise<DecisionPreview> {
  try {
    await app.db.transaction().execute(async (trx) => {
      const desk = await openDesk(trx, viewer, which)
      const { decisionId, items } = await makeDecisionOf(app, desk, decision)
      const inside = { ...app, db: trx }
      const readers = await readersOf(inside, decisionId)
      const emails = []
      for (const to of readers) {
        if (to.who === 'duplicate' && !(await maySeeDuplicate(inside, viewer, to.noticeId))) continue
        const email = await writeStatement(inside, { decisionId, to, isPreview: true })
        if (email !== undefined) emails.push({ to: email.to.address, subject: email.subject, text: email.text })
      }
      throw new Preview({
        emails,
        items: items.map(({ id, name, path, effect }) => ({ id, name, path, becomes: effect })),
      })
    })
  } catch (error) {
    if (error instanceof Preview) return error.found
    throw await withCurrent(app, viewer, which.reference, error)
  }
  throw new Error('A preview was kept.')
}

/** A notice for safety officers alone may repeat one that is for all. */
async function maySeeDuplicate({ db }: Pick<NoticesApp, 'db'>, viewer: Viewer, noticeId: string): Promise<boolean> {
  const { kind } = await db.selectFrom('notices').select('kind').where('id', '=', noticeId).executeTakeFirstOrThrow()
  return maySee(viewer, kind)
}

/** The outcome of a decision that replaces another one. */
const opposite: Record<Outcome, Outcome> = { remove: 'keep', restrict: 'keep', keep: 'remove' }

/**
 * Answers an appeal: the decision stays, or another one takes its place.
 * @throws {AppError} as `decideNotice`, and `notice.other_person`, 403, where somebody else than who decided can answer
 */
export function answerAppeal(
  app: NoticesApp,
  viewer: Viewer,
  { outcome, answer, ...which }: Which & { outcome: 'uphold' | 'overturn'; answer: Omit<DecisionText, 'outcome'> },
): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async (desk) => {
    const { trx, notice, by } = desk
    const { id, state } = notice
    if (state.appeal !== 'open') throw refusedTransition('No appeal is waiting.')
    if (!(await mayAnswerAppeal({ ...app, db: trx }, viewer, notice))) throw otherPerson()
    const inForce = await lastDecision(trx, id)
    const appeal = await trx
      .selectFrom('notice_appeals')
      .select('id')
      .where('notice_id', '=', id)
      .where('answered_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (inForce === undefined) throw new Error('An appeal waits without a decision.')
    let decisionId: string | null = null
    if (outcome === 'overturn') {
      const decision = { ...answer, outcome: opposite[inForce.outcome] }
      const event = { type: 'appeal-answered', appealId: appeal.id, decisionId: '', outcome: decision.outcome } as const
      const keeps = decision.outcome === 'keep'
      if (keeps && (await waitsForSecond(app, desk, { act: 'keep', ...answer, event }))) return undefined
      const made = await makeDecision(app, trx, {
        notice,
        decision,
        by,
        eventOf: (newId) => ({
          type: 'appeal-answered',
          appealId: appeal.id,
          decisionId: newId,
          outcome: decision.outcome,
        }),
      })
      decisionId = made.decisionId
    } else {
      const event = { type: 'appeal-answered', appealId: appeal.id, decisionId, outcome: inForce.outcome } as const
      await applyEvent(app, trx, { notice, event: { ...event, ...answer }, by })
    }
    await trx
      .updateTable('notice_appeals')
      .set({
        answered_at: sql<Date>`now()`,
        answered_by: by.id,
        is_upheld: outcome === 'uphold',
        answer: answer.explanation,
      })
      .where('id', '=', appeal.id)
      .execute()
    // A new decision sends its own statement.
    if (outcome === 'uphold') {
      const items = await trx
        .selectFrom('notice_decision_items')
        .select('item_id')
        .where('decision_id', '=', inForce.id)
        .execute()
      const itemIds = items.map(({ item_id }) => item_id)
      const readers: EmailReader[] = [{ who: 'sender' }, ...(await concernedBy({ db: trx }, state.kind, itemIds))]
      await app.mail.queueMany(
        trx,
        noticeMails.appealAnswered,
        readers.map((to) => ({ appealId: appeal.id, to })),
      )
    }
    return { action: 'notice.appeal_answered', details: { outcome, ...(decisionId === null ? {} : { decisionId }) } }
  })
}

export const otherPerson = defineError({
  code: 'notice.other_person',
  status: 403,
  sentence: 'You made this decision, so another administrator has to answer the appeal.',
  remedy: 'Have another administrator answer it; of a notice about a child at risk, another safety officer.',
})
