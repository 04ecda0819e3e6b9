import type { Email } from '../../../platform/email/message.ts'
import { dayInZone } from '../../../platform/time/instant-in-words.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import type { NoticeMail } from '../notice/notice-mails.ts'
import { restoreTimes } from '../notice/clocks.ts'
import { businessCalendar } from '../notice/holidays.server.ts'

/** The result of a counter-notice (docs/spec/notices.md#counter-notices). */

/** Quotes a stranger's text, marked on each line. */
export function quoted(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `> ${line}`)
}

export async function writeCounterProgress(
  app: NoticesApp,
  { counterNoticeId, what }: NoticeMail<'counterProgress'>,
): Promise<Email | undefined> {
  const row = await app.db
    .selectFrom('counter_notices as c')
    .innerJoin('notices as n', 'n.id', 'c.notice_id')
    .select([
      'c.name',
      'c.email',
      'c.received_at',
      'c.accepted_at',
      'c.refusal',
      'c.restored_by',
      'c.is_answered',
      'n.reference',
    ])
    .where('c.id', '=', counterNoticeId)
    .executeTakeFirst()
  if (row === undefined || !row.is_answered) return undefined
  const written = {
    accepted: { subject: `Your counter-notice to ${row.reference} was accepted`, paragraphs: await daysOf(app, row) },
    refused: {
      subject: `Your counter-notice to ${row.reference} was refused`,
      paragraphs: [
        'We refused your counter-notice and did not forward it. Our reasons:',
        ...(row.refusal ?? '').split(/\n+/).filter((line) => line.trim() !== ''),
        'If you think this is wrong, you can send another counter-notice, write to us, or go to court.',
      ],
    },
    action: {
      subject: `A court action against your counter-notice to ${row.reference}`,
      paragraphs: [
        'We learned of a court action to keep off this site what your counter-notice names. So we do not put it back automatically (17 U.S.C. 512(g)(2)(C)), even if you send another counter-notice about it.',
      ],
    },
    restored: {
      subject: `Back on the site after your counter-notice to ${row.reference}`,
      paragraphs: [
        'Nobody told us about a court action in time, so the removal has ended. What happened to the entries in your counter-notice:',
        ...(await becameOf(app, counterNoticeId, row.restored_by)),
      ],
    },
    overtaken: {
      subject: `A new decision on ${row.reference}`,
      paragraphs: [
        'A new decision has replaced the one that your counter-notice answered, so your counter-notice has no further effect. If your entry is still off the site, you can send another counter-notice.',
      ],
    },
  }[what]
  return emailTo(
    app,
    { email: row.email, name: row.name },
    {
      subject: written.subject,
      preview: written.paragraphs[0] ?? '',
      paragraphs: written.paragraphs,
      reason: reasonOf(app, row.email),
    },
  )
}

async function daysOf(
  app: NoticesApp,
  { received_at: receivedAt, accepted_at: acceptedAt }: { received_at: Date; accepted_at: Date | null },
): Promise<string[]> {
  const { timeZone } = app.config
  const times = { receivedAt: receivedAt.getTime(), acceptedAt: (acceptedAt ?? receivedAt).getTime() }
  const { from, until } = restoreTimes(times, await businessCalendar(app.config))
  const late = from > until ? ' That is later than the fourteen business days of the law. We are sorry.' : ''
  return [
    'We accepted your counter-notice and forwarded it, with your name and address, to the sender of the notice.',
    `Its entries go back on the site on ${dayInZone(from, timeZone)}, unless we learn of a court action before then.${late} Entries that our publication rules no longer allow stay off the site.`,
  ]
}

async function becameOf({ db }: NoticesApp, id: string, decisionId: string | null): Promise<string[]> {
  if (decisionId === null) return []
  const rows = await db
    .selectFrom('counter_notice_items as c')
    .innerJoin('notice_decision_items as d', 'd.item_id', 'c.item_id')
    .select(['c.name', 'd.effect'])
    .where('c.counter_notice_id', '=', id)
    .where('d.decision_id', '=', decisionId)
    .orderBy('c.name')
    .execute()
  const words = { published: 'on the site again', draft: 'a draft again, as before' } as const
  return rows.map(({ name, effect }) =>
    effect === 'published' || effect === 'draft' ? `'${name}': ${words[effect]}.` : `'${name}': not on the site yet.`,
  )
}

/** The receipt holds nothing typed but the name, and is the same for a counter-notice that answers nothing. */
export async function writeCounterReceipt(
  app: NoticesApp,
  about: NoticeMail<'counterReceipt'>,
): Promise<Email | undefined> {
  const row =
    'inquiryId' in about
      ? await app.db
          .selectFrom('inquiries')
          .select(['name', 'email'])
          .where('id', '=', about.inquiryId)
          .executeTakeFirst()
      : await app.db
          .selectFrom('counter_notices')
          .select(['name', 'email'])
          .where('id', '=', about.counterNoticeId)
          .executeTakeFirst()
  if (row === undefined) return undefined
  const subject = 'We have your counter-notice'
  const paragraphs = [
    'A person looks at it within one business day. If it answers a copyright notice that took an entry off this site, we accept it, forward it to the person who sent that notice, and tell you when the entry goes back on the site. If we refuse it, we tell you why.',
  ]
  return emailTo(app, row, {
    subject,
    preview: paragraphs[0] ?? '',
    paragraphs,
    notes: [
      'If you did not send a counter-notice, somebody else entered your address. You do not need to do anything.',
    ],
    reason: reasonOf(app, row.email),
  })
}

function reasonOf(app: NoticesApp, email: string): string {
  return `You're receiving this email because a counter-notice with the address ${email} was sent to ${app.texts.inForce.brandName}.`
}
