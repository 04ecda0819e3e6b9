import { sql } from 'kysely'
import { z } from 'zod'
import { counted } from '../../../platform/counted.ts'
import type { EmailTemplates } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/mail.ts'
import { instantInZone } from '../../../platform/time/instant-in-words.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { clockLabels } from '../desk/event-in-words.ts'
import { EmailReader, findReader } from '../desk/readers.server.ts'
import { AboutStatement, writeStatement } from '../desk/statement-email.server.ts'
import { labelsOf } from '../desk/work-on-notice.server.ts'
import {
  AboutCounterNotices,
  AboutProgress,
  quoted,
  writeCounterProgress,
  writeCounterReceived,
} from './counter-notice-emails.server.ts'
import { AboutKind, writeKindChanged } from './kind-changed-email.server.ts'
import { trackingPath, trackingTokenOf } from '../intake/tracking-token.server.ts'
import { restoreTimes } from '../notice/clocks.ts'
import { businessCalendar } from '../notice/holidays.server.ts'
import { type ClockName, isGrave, isNothingFound, kindLabels, type NoticeKind } from '../notice/notice-kinds.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import type { HoldState } from '../notice/transition.ts'

const AboutAppeal = z.object({ appealId: z.string(), to: EmailReader })
const AboutQuestion = z.object({ noticeId: z.string(), eventNo: z.coerce.string() })
const AboutCounterNotice = z.object({ counterNoticeId: z.string() })
const AboutGrave = z.object({ userId: z.string(), noticeIds: z.array(z.string()), count: z.int() })
const AboutOverdue = z.object({ userId: z.string(), clockIds: z.array(z.string()), count: z.int() })

/** The emails of the desk. A template returns undefined if its cause is gone. */
export const deskEmails: EmailTemplates<NoticesApp> = {
  [noticeMails.statement]: {
    urgency: 'usual',
    purpose: 'requested',
    write: (app, data) => writeStatement(app, AboutStatement.parse(data)),
  },
  [noticeMails.appealAnswered]: {
    urgency: 'usual',
    purpose: 'requested',
    write: (app, data) => writeAppealAnswered(app, AboutAppeal.parse(data)),
  },
  [noticeMails.asked]: {
    urgency: 'usual',
    purpose: 'requested',
    write: (app, data) => writeAsked(app, AboutQuestion.parse(data)),
  },
  [noticeMails.kindChanged]: {
    urgency: 'usual',
    purpose: 'requested',
    write: (app, data) => writeKindChanged(app, AboutKind.parse(data)),
  },
  [noticeMails.counterForwarded]: {
    urgency: 'usual',
    purpose: 'requested',
    write: (app, data) => writeCounterForwarded(app, AboutCounterNotice.parse(data).counterNoticeId),
  },
  [noticeMails.counterProgress]: {
    urgency: 'usual',
    purpose: 'requested',
    write: (app, data) => writeCounterProgress(app, AboutProgress.parse(data)),
  },
  [noticeMails.counterReceived]: {
    urgency: 'awaited',
    purpose: 'work',
    write: (app, data) => writeCounterReceived(app, AboutCounterNotices.parse(data)),
  },
  [noticeMails.grave]: {
    urgency: 'awaited',
    purpose: 'work',
    write: (app, data) => writeGrave(app, AboutGrave.parse(data)),
  },
  [noticeMails.overdue]: {
    urgency: 'awaited',
    purpose: 'work',
    write: (app, data) => writeOverdue(app, AboutOverdue.parse(data)),
  },
}

async function writeAppealAnswered(
  app: NoticesApp,
  { appealId, to }: z.infer<typeof AboutAppeal>,
): Promise<Email | undefined> {
  const row = await app.db
    .selectFrom('notice_appeals as a')
    .innerJoin('notices as n', 'n.id', 'a.notice_id')
    .select(['a.notice_id', 'a.answer', 'a.statement', 'n.reference', 'n.kind', 'n.name', 'n.email'])
    .where('a.id', '=', appealId)
    .executeTakeFirst()
  if (row === undefined || row.answer === null) return undefined
  const reader = await findReader(app, to, row)
  if (reader === undefined) return undefined
  const answered = await app.db
    .selectFrom('notice_events')
    .select('details')
    .where('notice_id', '=', row.notice_id)
    .where('type', '=', 'appeal-answered')
    .where(sql<boolean>`details ->> 'appealId' = ${appealId}`)
    .executeTakeFirst()
  const reasons = Reasons.parse(answered?.details ?? {})
  const { publicUrl } = app.config
  const { brandName } = app.texts.inForce
  const isSender = to.who === 'sender'
  return emailTo(app, reader, {
    subject: `The appeal against the decision on notice ${row.reference}`,
    preview: 'The decision stays.',
    headline: `The decision on notice ${row.reference} stays`,
    paragraphs: [
      `${isSender ? 'You appealed' : 'The sender of the notice appealed'} against the decision. We looked at it again, and the decision stays as it is.`,
      ...(reasons.facts === undefined ? [] : [`Facts: ${reasons.facts}`]),
      ...(reasons.legalGround === undefined ? [] : [`Ground: ${reasons.legalGround}`]),
      `Why: ${row.answer}`,
      'A person made this decision, without automated means. If you think it is wrong, you can go to court.',
    ],
    button: isSender
      ? {
          label: 'Open your private page',
          url: `${publicUrl}${trackingPath(await trackingTokenOf(app.db, row.notice_id))}`,
        }
      : { label: 'Open the notice', url: `${publicUrl}/admin/notices/${row.reference}` },
    reason: isSender
      ? `You're receiving this email because you appealed against a decision of ${brandName}.`
      : `You're receiving this email because the decision is about an entry of ${brandName} that you answer for.`,
  })
}

const Reasons = z.object({ facts: z.string().optional(), legalGround: z.string().optional() })
const Question = z.object({ missing: z.array(z.string()), message: z.string() })

async function writeAsked(
  app: NoticesApp,
  { noticeId, eventNo }: z.infer<typeof AboutQuestion>,
): Promise<Email | undefined> {
  const notice = await app.db
    .selectFrom('notices')
    .select(['reference', 'kind', 'name', 'email', 'status'])
    .where('id', '=', noticeId)
    .executeTakeFirst()
  // A notice that was answered or withdrawn meanwhile needs no email.
  if (notice === undefined || notice.email === null || notice.status !== 'needs-info') return undefined
  const event = await app.db
    .selectFrom('notice_events')
    .select('details')
    .where('notice_id', '=', noticeId)
    .where('no', '=', eventNo)
    .executeTakeFirst()
  if (event === undefined) return undefined
  const { missing, message } = Question.parse(event.details)
  const { publicUrl } = app.config
  const { brandName } = app.texts.inForce
  return emailTo(
    app,
    { email: notice.email, name: notice.name ?? '' },
    {
      subject: `Your notice ${notice.reference} needs more`,
      preview: 'Something is missing, and only you can give it.',
      headline: `Your notice ${notice.reference} needs more`,
      paragraphs: [...paragraphsOf(message), `What is missing: ${labelsOf(notice.kind, missing).join('; ')}.`],
      button: {
        label: 'Add what is missing',
        url: `${publicUrl}${trackingPath(await trackingTokenOf(app.db, noticeId))}`,
      },
      notes: ['Anyone with this link can act on your notice as you can. Keep it private.'],
      reason: `You're receiving this email because you sent this notice to ${brandName}.`,
    },
  )
}

/** 17 U.S.C. 512(g)(2)(B): a copy of the counter-notice, and when what was removed is given back. */
async function writeCounterForwarded(app: NoticesApp, id: string): Promise<Email | undefined> {
  const row = await app.db
    .selectFrom('counter_notices as c')
    .innerJoin('notices as n', 'n.id', 'c.notice_id')
    .select(['n.reference', 'n.name as senderName', 'n.email as senderEmail', 'c.received_at', 'c.name', 'c.address'])
    .select(['c.accepted_at', 'c.state'])
    .select(['c.phone', 'c.email', 'c.explanation', 'c.signature'])
    .where('c.id', '=', id)
    .executeTakeFirst()
  if (row === undefined || row.senderEmail === null) return undefined
  const items = await app.db
    .selectFrom('counter_notice_items')
    .select('name')
    .where('counter_notice_id', '=', id)
    .orderBy('name')
    .limit(50)
    .execute()
  const { config } = app
  const { brandName, dmcaEmail } = app.texts.inForce
  const times = { receivedAt: row.received_at.getTime(), acceptedAt: (row.accepted_at ?? row.received_at).getTime() }
  const { from } = restoreTimes(times, await businessCalendar(config))
  const due = instantInZone(from, config.timeZone)
  const isStopped = row.state === 'action'
  return emailTo(
    app,
    { email: row.senderEmail, name: row.senderName ?? '' },
    {
      subject: `A counter-notice to your notice ${row.reference}`,
      preview: isStopped
        ? 'Its entries stay off this site, because of a court action.'
        : `Its entries go back on the site on ${due}, unless you tell us about a court action.`,
      headline: `A counter-notice to your notice ${row.reference}`,
      paragraphs: [
        'Somebody sent a counter-notice to your notice. They say that the removal was a mistake, or that the entry was confused with something else.',
        `It is about: ${named(
          items.map(({ name }) => `'${name}'`),
          items.length,
        )}`,
        isStopped
          ? 'We were told about a court action over it, so this counter-notice does not put it back on the site (17 U.S.C. 512(g)(2)(C)).'
          : `We will put it back on the site on ${due}, unless you tell us before then that you have gone to court to keep it off this site (17 U.S.C. 512(g)(2)). If we already know of a court action over a part of it, that part stays off. Write to ${dmcaEmail} and give the reference ${row.reference}.`,
        'The rest of this email was written by the person who sent the counter-notice, not by us. Be careful with links in it.',
        ...quoted(row.explanation),
        `Name: ${row.name}`,
        `Address: ${row.address.replaceAll('\n', ', ')}`,
        `Telephone: ${row.phone}`,
        `Email: ${row.email}`,
        `Signature: ${row.signature}`,
      ],
      reason: `You're receiving this email because you sent this notice to ${brandName}.`,
    },
  )
}

async function writeGrave(
  app: NoticesApp,
  { userId, noticeIds, count }: z.infer<typeof AboutGrave>,
): Promise<Email | undefined> {
  const notices = await app.db
    .selectFrom('notices')
    .select(['reference', 'kind', 'status', 'holds', 'is_withheld'])
    .select(({ selectFrom }) =>
      selectFrom('notice_items as i')
        .whereRef('i.notice_id', '=', 'notices.id')
        .where('i.snapshot', 'is not', null)
        .select((of) => of.fn.countAll<string>().as('count'))
        .as('found'),
    )
    .where(sql<boolean>`id = any(${noticeIds}::uuid[])`)
    .orderBy('notices.id')
    .execute()
  // Notices of other kinds are listed only while a bound withholds them.
  const current = notices.filter(({ kind, is_withheld }) => isGrave(kind) || is_withheld)
  const shown = await seenBy(app, userId, current)
  const [first] = shown.notices
  if (first === undefined || shown.reader === undefined) return undefined
  const { publicUrl } = app.config
  // Notices that this administrator may not see any more are not counted.
  const total = count - (notices.length - shown.notices.length)
  const isOne = total === 1
  const what = isGrave(first.kind)
    ? isOne
      ? `New notice ${first.reference}`
      : counted(total, 'new notice')
    : `Not hidden: entries of ${isOne ? `notice ${first.reference}` : counted(total, 'notice')}`
  const isWithheld = shown.notices.some(({ is_withheld }) => is_withheld)
  const due = urgency[isWithheld ? 'hide' : first.kind === 'child-safety' ? 'person' : 'decide']
  const unfound = shown.notices.filter((notice) => isNothingFound(notice, Number(notice.found)))
  return emailTo(app, shown.reader, {
    subject: what,
    // A locked screen shows subject and preview: the kind stands further down.
    preview: unfound.length === 0 ? 'The desk says by when it has to be looked at.' : nothingFound(isOne),
    headline: what,
    paragraphs: [
      `What it is about: ${kindLabels[first.kind]}.`,
      ...(unfound.length === 0
        ? []
        : [isOne ? nothingFound(true) : `${nothingFound(false)} ${named(unfound.map(({ reference }) => reference))}`]),
      ...(isOne && unfound.length === 0 && !isWithheld ? [hiddenInWords(first.holds)] : []),
      ...(isOne ? [] : ['The desk says of each what was found and is hidden.']),
      due,
      ...(isOne
        ? []
        : [
            named(
              shown.notices.map(({ reference }) => reference),
              total,
            ),
          ]),
    ],
    button: isOne
      ? { label: 'Look at it now', url: `${publicUrl}/admin/notices/${first.reference}` }
      : { label: 'Look at them now', url: `${publicUrl}/admin/notices` },
    reason: reasonOf(app, first.kind),
  })
}

const urgency = {
  hide: 'Not hidden: too many came at once. Entries with this mark in the queue are still on the site: look at them now, and hide them by hand.',
  person: 'A safety officer has to look at it within 4 hours.',
  decide: 'Decide within 24 hours. Hidden entries stay hidden until a person decides.',
} as const

function nothingFound(isOne: boolean): string {
  return isOne
    ? 'No address in it leads to an entry, so nothing is hidden. Look for the entry yourself.'
    : 'Some lead to no entry, so nothing is hidden. Look for their entries yourself:'
}

/** The state of the entries that were found. */
function hiddenInWords(holds: HoldState): string {
  switch (holds) {
    case 'hides':
      return 'The entries that were found at its addresses are off the site.'
    case 'holds':
      return 'Something is missing: the entries that were found are hidden when it is complete.'
    case 'none':
      return 'It hides nothing any more.'
  }
}

async function writeOverdue(
  app: NoticesApp,
  { userId, clockIds, count }: z.infer<typeof AboutOverdue>,
): Promise<Email | undefined> {
  const clocks = await app.db
    .selectFrom('notice_clocks as c')
    .innerJoin('notices as n', 'n.id', 'c.notice_id')
    .select(['n.reference', 'n.kind', 'c.name', 'c.due_at', 'n.is_urgent as isUrgent'])
    .select(leadsNowhere('n'))
    .where(sql<boolean>`c.id = any(${clockIds}::uuid[])`)
    // Clocks that ended meanwhile are left out.
    .where('c.ended_at', 'is', null)
    .orderBy('c.gravity')
    .orderBy('c.due_at')
    .orderBy('c.id')
    .execute()
  const { notices: overdue, reader } = await seenBy(app, userId, clocks)
  const [first] = overdue
  if (first === undefined || reader === undefined) return undefined
  const { publicUrl, timeZone } = app.config
  // Those that are named may be fewer than there are; those that were dealt with, or are a matter of others now, are no part of either.
  const total = overdue.length < clockIds.length ? overdue.length : count
  const subject = total === 1 ? `Overdue: notice ${first.reference}` : `${counted(total, 'deadline')} of notices passed`
  return emailTo(app, reader, {
    subject,
    preview: 'A deadline of the law or of the site has passed.',
    headline: subject,
    paragraphs: [
      ...overdue.map(
        ({ reference, kind, name, due_at }) =>
          `${reference} (${kindLabels[kind]}): the deadline for ${labelOf(name)} passed on ${instantInZone(due_at, timeZone)}.`,
      ),
      ...(total > overdue.length ? [`And ${(total - overdue.length).toLocaleString('en-US')} more.`] : []),
      ...lost(overdue.filter(({ isUrgent }) => isUrgent)),
    ],
    button:
      total === 1
        ? { label: 'Open it', url: `${publicUrl}/admin/notices/${first.reference}` }
        : { label: 'Open the desk', url: `${publicUrl}/admin/notices` },
    reason: reasonOf(app, first.kind),
  })
}

/** Whether no address of a notice leads to an entry. */
function leadsNowhere(notices: 'n' | 'notices') {
  return sql<boolean>`not exists (
    select from notice_items i where i.notice_id = ${sql.ref(`${notices}.id`)} and i.item_id is not null)`.as('isLost')
}

/** Without an entry the site can hide nothing. */
function lost(notices: readonly { reference: string; isLost: boolean }[]): string[] {
  const references = [...new Set(notices.flatMap(({ reference, isLost }) => (isLost ? reference : [])))]
  return references.length === 0
    ? []
    : [
        `No address leads to an entry, so nothing is off the site: ${references.join(', ')}. Find the entry and attach it; where there is none, decide to keep, and say so.`,
      ]
}

function labelOf(name: string): string {
  return (clockLabels as Partial<Record<string, string>>)[name as ClockName] ?? name
}

/** The notices that this administrator may still see, and the page for them. */
export async function seenBy<T extends { kind: NoticeKind }>(
  { db }: Pick<NoticesApp, 'db'>,
  userId: string,
  notices: readonly T[],
): Promise<{ reader: { name: string; email: string } | undefined; notices: T[] }> {
  const user = await db
    .selectFrom('users')
    .select(['name', 'email', 'is_safety_officer'])
    .where('id', '=', userId)
    .where('is_admin', '=', true)
    .executeTakeFirst()
  return {
    reader: user,
    notices: notices.filter(({ kind }) => kind !== 'child-safety' || user?.is_safety_officer === true),
  }
}

export function named(references: readonly string[], count = references.length): string {
  const more = count - references.length
  return `${references.join(', ')}${more > 0 ? `, and ${more.toLocaleString('en-US')} more` : ''}.`
}

export function reasonOf(app: Pick<NoticesApp, 'texts'>, kind: NoticeKind): string {
  const { brandName } = app.texts.inForce
  return kind === 'child-safety'
    ? `You're receiving this email because you are a safety officer of ${brandName}: every safety officer hears of this.`
    : `You're receiving this email because you administer ${brandName}: every administrator hears of this.`
}

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
}
