import { sql } from 'kysely'
import { counted } from '../../../platform/counted.ts'
import type { Email } from '../../../platform/email/message.ts'
import { instantInZone } from '../../../platform/time/instant-in-words.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { clockLabels } from '../desk/event-in-words.ts'
import { type ClockName, isGrave, isNothingFound, kindLabels, type NoticeKind } from '../notice/notice-kinds.ts'
import type { NoticeMail } from '../notice/notice-mails.ts'

interface Part {
  /** A locked screen shows subject and preview, so they name no kind. */
  subject: string
  preview: string
  paragraphs: string[]
  first: { reference: string; kind: NoticeKind }
  total: number
}

/** The one email about everything that waits for a desk; undefined if all of it is settled. */
export async function writeDigest(
  app: NoticesApp,
  { userId, notices, clocks, counterNotices }: NoticeMail<'desk'>,
): Promise<Email | undefined> {
  const { reader } = await seenBy(app, userId, [])
  const parts = [
    await aboutNotices(app, userId, notices),
    await aboutOverdue(app, userId, clocks),
    await aboutCounterNotices(app, userId, counterNotices),
  ].filter((part) => part !== undefined)
  const [first] = parts
  if (reader === undefined || first === undefined) return undefined
  const { publicUrl } = app.config
  const isOne = parts.length === 1 && first.total === 1
  const subject = parts.map((part) => part.subject).join('; ')
  return emailTo(app, reader, {
    subject,
    preview: first.preview,
    paragraphs: parts.flatMap(({ paragraphs }) => paragraphs),
    button: isOne
      ? { label: 'Open the notice', url: `${publicUrl}/admin/notices/${first.first.reference}` }
      : { label: 'Open the desk', url: `${publicUrl}/admin/notices` },
    reason: reasonOf(app, first.first.kind),
  })
}

type Waiting = NoticeMail<'desk'>['notices']

/** The first ones to name, and how many there are, without settled matters and those of others. */
function leftOf<T>({ ids, count }: Waiting, seen: readonly T[]): { first: T; total: number } | undefined {
  const [first] = seen
  return first && { first, total: count - (ids.length - seen.length) }
}

async function aboutNotices(app: NoticesApp, userId: string, waiting: Waiting): Promise<Part | undefined> {
  const rows = await app.db
    .selectFrom('notices')
    .select(['reference', 'kind', 'status', 'holds', 'is_withheld'])
    .select(({ selectFrom }) =>
      selectFrom('notice_items as i')
        .whereRef('i.notice_id', '=', 'notices.id')
        .where('i.snapshot', 'is not', null)
        .select((of) => of.fn.countAll<string>().as('count'))
        .as('found'),
    )
    .where(sql<boolean>`id = any(${waiting.ids}::uuid[]) and (is_urgent or is_withheld)`)
    .orderBy('id')
    .execute()
  const { notices } = await seenBy(app, userId, rows)
  const left = leftOf(waiting, notices)
  if (left === undefined) return undefined
  const { first, total } = left
  const isOne = total === 1
  const what = isOne ? `notice ${first.reference}` : counted(total, 'notice')
  const isWithheld = notices.some(({ is_withheld }) => is_withheld)
  const unfound = notices.filter((notice) => isNothingFound(notice, Number(notice.found)))
  const kinds = [...new Set(notices.map(({ kind }) => kindLabels[kind]))]
  return {
    subject: isGrave(first.kind)
      ? isOne
        ? `New ${what}`
        : counted(total, 'new notice')
      : `Not hidden: entries of ${what}`,
    preview: unfound.length === 0 ? 'The desk says by when it has to be looked at.' : nothingFound(isOne),
    paragraphs: [
      `What it is about: ${kinds.join('; ')}.`,
      ...(unfound.length === 0
        ? []
        : [isOne ? nothingFound(true) : `${nothingFound(false)} ${named(unfound.map(({ reference }) => reference))}`]),
      ...(isOne && unfound.length === 0 && !isWithheld
        ? [
            first.holds === 'hides'
              ? 'The entries that were found at its addresses are off the site.'
              : 'Something is missing: the entries that were found are hidden when it is complete.',
          ]
        : []),
      urgency[isWithheld ? 'hide' : first.kind === 'child-safety' ? 'person' : 'decide'],
      ...(isOne
        ? []
        : [
            'The desk says of each what was found and is hidden.',
            named(
              notices.map(({ reference }) => reference),
              total,
            ),
          ]),
    ],
    first,
    total,
  }
}

const urgency = {
  hide: 'Not hidden: too many came at once. Entries of notices with this mark in the queue are still on the site: look at them now, and hide them by hand.',
  person: 'A safety officer has to look at it within 4 hours.',
  decide: 'Decide within 24 hours. Hidden entries stay hidden until a person decides.',
} as const

function nothingFound(isOne: boolean): string {
  return isOne
    ? 'No address in it leads to an entry, so nothing is hidden. Look for the entry yourself.'
    : 'Some lead to no entry, so nothing is hidden. Look for their entries yourself:'
}

async function aboutOverdue(app: NoticesApp, userId: string, waiting: Waiting): Promise<Part | undefined> {
  const clocks = await app.db
    .selectFrom('notice_clocks as c')
    .innerJoin('notices as n', 'n.id', 'c.notice_id')
    .select(['n.reference', 'n.kind', 'c.name', 'c.due_at', 'n.is_urgent as isUrgent'])
    .select(
      sql<boolean>`not exists (select from notice_items i where i.notice_id = n.id and i.item_id is not null)`.as(
        'isLost',
      ),
    )
    .where(sql<boolean>`c.id = any(${waiting.ids}::uuid[])`)
    .where('c.ended_at', 'is', null)
    .orderBy('c.gravity')
    .orderBy('c.due_at')
    .orderBy('c.id')
    .execute()
  const { notices: overdue } = await seenBy(app, userId, clocks)
  const left = leftOf(waiting, overdue)
  if (left === undefined) return undefined
  const { first, total } = left
  const { timeZone } = app.config
  const lost = overdue.filter(({ isUrgent, isLost }) => isUrgent && isLost).map(({ reference }) => reference)
  return {
    subject: total === 1 ? `Overdue: notice ${first.reference}` : `${counted(total, 'deadline')} of notices passed`,
    preview: 'A deadline of the law or of the site has passed.',
    paragraphs: [
      ...overdue.map(
        ({ reference, kind, name, due_at }) =>
          `${reference} (${kindLabels[kind]}): the deadline for ${labelOf(name)} passed on ${instantInZone(due_at, timeZone)}.`,
      ),
      ...(total > overdue.length ? [`And ${(total - overdue.length).toLocaleString('en-US')} more.`] : []),
      // Without an entry the site can hide nothing.
      ...(lost.length === 0
        ? []
        : [
            `No address leads to an entry, so nothing is off the site: ${[...new Set(lost)].join(', ')}. Find the entry and attach it; where there is none, decide to keep, and say so.`,
          ]),
    ],
    first,
    total,
  }
}

function labelOf(name: string): string {
  return (clockLabels as Partial<Record<string, string>>)[name as ClockName] ?? name
}

async function aboutCounterNotices(app: NoticesApp, userId: string, waiting: Waiting): Promise<Part | undefined> {
  const rows = await app.db
    .selectFrom('counter_notices as c')
    .innerJoin('notices as n', 'n.id', 'c.notice_id')
    .select(['n.reference', 'n.kind'])
    .where(sql<boolean>`c.id = any(${waiting.ids}::uuid[])`)
    .orderBy('c.id')
    .execute()
  const { notices } = await seenBy(app, userId, rows)
  const left = leftOf(waiting, notices)
  if (left === undefined) return undefined
  const { first, total } = left
  return {
    subject: total === 1 ? `A counter-notice to notice ${first.reference}` : counted(total, 'new counter-notice'),
    preview: 'Nothing is forwarded or put back on the site before an administrator accepts it.',
    paragraphs: [
      `Counter-notices to: ${[...new Set(notices.map(({ reference }) => reference))].join(', ')}. Check who sent it and whether they published the entry. Within one business day, accept it, which forwards it to the sender of the notice, or refuse it with reasons. Nothing is put back on the site before.`,
    ],
    first,
    total,
  }
}

/** The notices that this administrator may still see, and who they are. */
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
