import { sql } from 'kysely'
import { z } from 'zod'
import type { Email } from '../../../platform/email/message.ts'
import { instantInZone } from '../../../platform/time/instant-in-words.ts'
import { emailFacts, emailTo, paragraphsOf } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { findReader } from '../desk/readers.server.ts'
import { labelsOf } from '../desk/work-on-notice.server.ts'
import { quoted } from './counter-notice-emails.server.ts'
import { trackingPath, trackingTokenOf } from '../intake/tracking-token.server.ts'
import { restoreTimes } from '../notice/clocks.ts'
import { businessCalendar } from '../notice/holidays.server.ts'
import type { NoticeMail } from '../notice/notice-mails.ts'
import { named, reasonOf, seenBy } from './desk-digest-email.server.ts'
import { emailToSender } from './sender-emails.server.ts'
import { readWaiting } from '../desk/waiting-acts.server.ts'

export async function writeAppealAnswered(
  app: NoticesApp,
  { appealId, to }: NoticeMail<'appealAnswered'>,
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
  const { brandName, publicUrl } = emailFacts(app)
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

export async function writeAsked(
  app: NoticesApp,
  { noticeId, eventNo }: NoticeMail<'asked'>,
): Promise<Email | undefined> {
  const notice = await app.db
    .selectFrom('notices')
    .select(['id', 'reference', 'kind', 'name', 'email', 'status'])
    .where('id', '=', noticeId)
    .executeTakeFirst()
  // A notice that was answered or withdrawn meanwhile needs no email.
  if (notice?.status !== 'needs-info') return undefined
  const event = await app.db
    .selectFrom('notice_events')
    .select('details')
    .where('notice_id', '=', noticeId)
    .where('no', '=', eventNo)
    .executeTakeFirst()
  if (event === undefined) return undefined
  const { missing, message } = Question.parse(event.details)
  return emailToSender(app, notice, {
    subject: `Your notice ${notice.reference} needs more`,
    preview: 'Something is missing, and only you can give it.',
    paragraphs: [...paragraphsOf(message), `What is missing: ${labelsOf(notice.kind, missing).join('; ')}.`],
    label: 'Add what is missing',
  })
}

/** 17 U.S.C. 512(g)(2)(B): a copy of the counter-notice, and when what was removed is given back. */
export async function writeCounterForwarded(
  app: NoticesApp,
  { counterNoticeId: id }: NoticeMail<'counterForwarded'>,
): Promise<Email | undefined> {
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

/** Asks another safety officer to agree, or not; undefined if the act no longer waits. */
export async function writeSecondWanted(
  app: NoticesApp,
  { userId, noticeId }: NoticeMail<'secondWanted'>,
): Promise<Email | undefined> {
  const notice = await app.db
    .selectFrom('notices')
    .select(['id', 'reference', 'kind', 'version'])
    .where('id', '=', noticeId)
    .executeTakeFirst()
  if (notice === undefined || (await readWaiting(app, notice)).length === 0) return undefined
  const { reader, notices } = await seenBy(app, userId, [notice])
  if (reader === undefined || notices.length === 0) return undefined
  const subject = `Notice ${notice.reference} waits for a second safety officer`
  return emailTo(app, reader, {
    subject,
    preview: 'Another safety officer wants to give back what it names.',
    paragraphs: [
      'Another safety officer wants to give back what this notice names. It stays as it is until you agree. Look at the case yourself, and decide as you see it.',
    ],
    button: { label: 'Look at it', url: `${app.config.publicUrl}/admin/notices/${notice.reference}` },
    reason: reasonOf(app, notice.kind),
  })
}
