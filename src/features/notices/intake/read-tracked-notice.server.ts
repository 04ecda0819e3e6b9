import { sql } from 'kysely'
import { z } from 'zod'
import { instantInZone } from '../../../platform/time/instant-in-words.ts'
import { digestOf, looksLikeToken } from '../../accounts/sessions/tokens.server.ts'
import type { NoticesApp } from '../app.ts'
import { appealDays } from '../notice/clocks.ts'
import { addressesOfSender, readDecidedEntries } from '../notice/addresses-of-sender.server.ts'
import { workedOn } from '../notice/duplicates-of.server.ts'
import { noSuchNotice } from '../notice/notice-errors.ts'
import { type ElementName, isElementName } from '../notice/notice-elements.ts'
import { groundTitle, outcomeInWords } from '../notice/outcome-in-words.ts'
import {
  kindLabels,
  type NoticeKind,
  type NoticeStatus,
  noticeKinds,
  openStatuses,
  type Outcome,
} from '../notice/notice-kinds.ts'

/** A notice as its sender sees it on its private page. Instants are in words, in the time zone of the site. */
export interface TrackedNotice {
  reference: string
  kind: NoticeKind
  /** The kind that its sender chose. */
  sentAs: NoticeKind
  status: NoticeStatus
  receivedAt: string
  addresses: string[]
  missing: ElementName[]
  question: string | undefined
  trail: { no: string; at: string; sentence: string }[]
  decision: TrackedDecision | undefined
  mayAnswer: boolean
  isOpen: boolean
  mayWithdraw: boolean
  /** Why an open notice cannot be withdrawn. */
  whyItStays: 'child' | 'repeated' | undefined
  mayAppeal: boolean
}

/** The decision in force, and what came of the sender's appeal against it. */
export interface TrackedDecision {
  outcome: Outcome
  /** The effect on the reported entries, in words. */
  became: string
  /** How many of the addresses led to an entry. */
  found: 'all' | 'some' | 'none'
  groundTitle: string
  legalGround: string
  facts: string
  explanation: string
  at: string
  isBySite: boolean
  appealUntil: string
  /** Appeals against this decision and those before it, the oldest first. */
  appeals: TrackedAppeal[]
}

export interface TrackedAppeal {
  id: string
  statement: string
  at: string
  /** Undefined while it waits. It has law and facts where the decision stays; a new decision has its own. */
  answer: { isUpheld: boolean; explanation: string; legalGround?: string; facts?: string } | undefined
}

/**
 * The id of the notice whose private page this is.
 * @throws {AppError} `notice.not_found`, 404
 */
export async function noticeOfToken({ db }: Pick<NoticesApp, 'db'>, token: string): Promise<string> {
  if (!looksLikeToken(token)) throw noSuchNotice()
  const notice = await db
    .selectFrom('notices')
    .select('id')
    .where('token_digest', '=', digestOf(token))
    .executeTakeFirstOrThrow(() => noSuchNotice())
  return notice.id
}

export async function hasDuplicates({ db }: Pick<NoticesApp, 'db'>, id: string): Promise<boolean> {
  const one = await db.selectFrom('notices').select('id').where('duplicate_of', '=', id).limit(1).executeTakeFirst()
  return one !== undefined
}

/** How many of the addresses led to an entry. */
export function foundOf(addresses: readonly { wasFound: boolean }[]): 'all' | 'some' | 'none' {
  if (addresses.every(({ wasFound }) => wasFound)) return 'all'
  return addresses.some(({ wasFound }) => wasFound) ? 'some' : 'none'
}

/** @throws {AppError} `notice.not_found`, 404 */
export async function readTrackedNotice(app: NoticesApp, token: string): Promise<TrackedNotice> {
  const { db, config } = app
  const id = await noticeOfToken(app, token)
  const inWords = (at: Date): string => instantInZone(at, config.timeZone)
  const [notice, addresses, events, decision, isRepeated] = await Promise.all([
    db
      .selectFrom('notices')
      .select(['reference', 'kind', 'received_as', 'status', 'missing', 'received_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
    addressesOfSender(app, id),
    db
      .selectFrom('notice_events')
      .select(['no', 'at', 'type', 'by_kind', 'details'])
      .where('notice_id', '=', id)
      .orderBy('no')
      .execute(),
    readDecision(app, id, inWords),
    hasDuplicates(app, id),
  ])
  const { reference, kind, received_as: sentAs, status } = notice
  const isOpen = openStatuses.includes(status)
  const missing = isOpen ? notice.missing.filter(isElementName) : []
  const lastQuestion = events.findLast(({ type }) => type === 'asked')
  return {
    reference,
    kind,
    sentAs,
    status,
    receivedAt: inWords(notice.received_at),
    addresses: addresses.map(({ url }) => url),
    missing,
    question: missing.length === 0 ? undefined : Question.parse(lastQuestion?.details ?? {}).message,
    trail: events.flatMap(({ no, at, type, by_kind, details }, index) => {
      // The ledger records some deadlines every hour.
      if ((type === 'overdue' || type === 'hidden') && events[index - 1]?.type === type) return []
      const sentence = sentenceOf(type, by_kind === 'sender', details)
      return sentence === undefined ? [] : [{ no, at: inWords(at), sentence }]
    }),
    decision: decision && { ...decision.shown, found: foundOf(addresses) },
    mayAnswer: missing.length > 0,
    isOpen,
    // A report about a child is handled even if its sender would withdraw it.
    mayWithdraw: isOpen && kind !== 'child-safety' && !isRepeated,
    whyItStays: !isOpen ? undefined : kind === 'child-safety' ? 'child' : isRepeated ? 'repeated' : undefined,
    mayAppeal:
      (status === 'decided' || status === 'closed') &&
      decision !== undefined &&
      decision.isInTime &&
      !decision.isAppealed,
  }
}

const Question = z.object({ message: z.string().optional() })
const Reclassified = z.object({ kind: z.enum(noticeKinds) })
const Hidden = z.object({ clock: z.optional(z.string()) })

async function readDecision(
  { db }: Pick<NoticesApp, 'db'>,
  id: string,
  inWords: (at: Date) => string,
): Promise<{ shown: Omit<TrackedDecision, 'found'>; isInTime: boolean; isAppealed: boolean } | undefined> {
  // A duplicate follows the decision on its original.
  const decided = await workedOn({ db }, id)
  const row = await db
    .selectFrom('notice_decisions as d')
    .select([
      'd.id',
      'd.outcome',
      'd.ground',
      'd.legal_ground as legalGround',
      'd.facts',
      'd.explanation',
      'd.decided_by as decidedBy',
      'd.decided_at as decidedAt',
    ])
    .select(sql<Date>`d.decided_at + make_interval(days => ${appealDays}::int)`.as('appealUntil'))
    .select(sql<boolean>`now() <= d.decided_at + make_interval(days => ${appealDays}::int)`.as('isInTime'))
    .where('d.notice_id', '=', decided)
    .orderBy('d.no', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { outcome, ground, legalGround, facts, explanation, decidedBy, decidedAt, appealUntil } = row
  const own = (await readDecidedEntries(db, row.id, id)).filter(({ isOfSender }) => isOfSender)
  const appeals = await readAppeals(db, id)
  return {
    isInTime: row.isInTime,
    isAppealed: appeals.some(({ decisionId }) => decisionId === row.id),
    shown: {
      outcome,
      became: outcomeInWords(outcome, own),
      groundTitle: groundTitle(outcome, ground),
      legalGround,
      facts,
      explanation,
      at: inWords(decidedAt),
      isBySite: decidedBy === null,
      appealUntil: inWords(appealUntil),
      appeals: appeals.map(({ appeal, filedAt }) => ({ ...appeal, at: inWords(filedAt) })),
    },
  }
}

const Answered = z.object({ legalGround: z.string().optional(), facts: z.string().optional() })

async function readAppeals(
  db: NoticesApp['db'],
  noticeId: string,
): Promise<{ decisionId: string; filedAt: Date; appeal: Omit<TrackedAppeal, 'at'> }[]> {
  const rows = await db
    .selectFrom('notice_appeals as a')
    .select(['a.id', 'a.decision_id', 'a.statement', 'a.filed_at', 'a.is_upheld', 'a.answer'])
    .select(
      sql`(select e.details from notice_events e where e.notice_id = a.notice_id and e.type = 'appeal-answered'
        and e.details ->> 'appealId' = a.id::text limit 1)`.as('reasons'),
    )
    .where('a.notice_id', '=', noticeId)
    .orderBy('a.filed_at')
    .orderBy('a.id')
    .execute()
  return rows.map(({ id, decision_id, statement, filed_at, is_upheld, answer, reasons }) => {
    const { legalGround, facts } = Answered.parse(reasons ?? {})
    return {
      decisionId: decision_id,
      filedAt: filed_at,
      appeal: {
        id,
        statement,
        answer:
          is_upheld === null
            ? undefined
            : {
                isUpheld: is_upheld,
                explanation: answer ?? '',
                ...(legalGround === undefined ? {} : { legalGround }),
                ...(facts === undefined ? {} : { facts }),
              },
      },
    }
  })
}

/** A line of the ledger for its sender, without names of administrators; undefined for internal ones. */
function sentenceOf(type: string, isOwn: boolean, details: unknown): string | undefined {
  switch (type) {
    case 'received':
      return 'We received your notice.'
    case 'answered':
      return 'You added information.'
    case 'completed':
      return 'You added what was missing.'
    case 'asked':
      return 'We asked you for more information.'
    case 'reviewed':
      return 'A person started to review it.'
    case 'reclassified':
      return `We changed the kind of your notice to: ${kindLabels[Reclassified.parse(details).kind]}.`
    case 'entries-changed':
      return isOwn ? 'You added addresses.' : 'We corrected the list of addresses.'
    case 'marked-duplicate':
      return 'We combined it with another notice about the same entry.'
    case 'withdrawn':
      return 'You withdrew it.'
    case 'decided':
      return 'We made a decision.'
    case 'reversed':
      return 'We made a new decision.'
    case 'appealed':
      return 'You appealed against the decision.'
    case 'appeal-answered':
      return 'We answered your appeal.'
    case 'counter-received':
      return 'A counter-notice arrived.'
    case 'counter-accepted':
      return 'We passed the counter-notice on to you.'
    case 'counter-refused':
      return 'We refused a counter-notice.'
    case 'action-notified':
      return 'We were told about a court action.'
    case 'restored':
      return 'We ended the removal that the counter-notice answers, because nobody told us about a court action.'
    case 'hidden':
      // A person hides only entries that were found; the sender must not learn that an address led to one.
      return Hidden.parse(details).clock === undefined ? undefined : 'We hid what you reported until we decide.'
    case 'overdue':
      return 'We missed a deadline. We are still working on your notice.'
    case 'closed':
      return 'We closed the notice.'
    default:
      return undefined
  }
}
