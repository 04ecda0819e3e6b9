import { sql } from 'kysely'
import { z } from 'zod'
import { counted } from '../../../platform/counted.ts'
import type { Email } from '../../../platform/email/mail.ts'
import { dayInZone } from '../../../platform/time/instant-in-words.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { restoreTimes } from '../notice/clocks.ts'
import { businessCalendar } from '../notice/holidays.server.ts'

/** The result of a counter-notice (docs/spec/notices.md#counter-notices). */
export const AboutProgress = z.object({
  counterNoticeId: z.string(),
  what: z.enum(['received', 'accepted', 'refused', 'action', 'restored', 'overtaken']),
})
export const AboutCounterNotices = z.object({
  userId: z.string(),
  counterNoticeIds: z.array(z.string()),
  count: z.int(),
})

/** Quotes a stranger's text, marked on each line. */
export function quoted(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `> ${line}`)
}

/** For whoever sent it. The receipt holds nothing that was typed but the name, and is the same whatever the reference leads to. */
export async function writeCounterProgress(
  app: NoticesApp,
  { counterNoticeId, what }: z.infer<typeof AboutProgress>,
): Promise<Email | undefined> {
  const row = await app.db
    .selectFrom('counter_notices as c')
    .leftJoin('notices as n', 'n.id', 'c.notice_id')
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
  const { brandName } = app.texts.inForce
  const written = {
    received: {
      subject: 'We have your counter-notice',
      paragraphs: [
        'A person looks at it within one business day. If it answers a copyright notice that took an entry off this site, we accept it, forward it to the person who sent that notice, and tell you when the entry goes back on the site. If we refuse it, we tell you why.',
      ],
    },
    accepted: { subject: `Your counter-notice to ${row.reference} was accepted`, paragraphs: await daysOf(app, row) },
    refused: {
      // One that answers no notice is refused, too.
      subject: `Your counter-notice ${row.reference === null ? '' : `to ${row.reference} `}was refused`,
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
      headline: written.subject,
      paragraphs: written.paragraphs,
      notes:
        what === 'received'
          ? [
              'If you did not send a counter-notice, somebody else entered your address. You do not need to do anything.',
            ]
          : [],
      reason: `You're receiving this email because a counter-notice with the address ${row.email} was sent to ${brandName}.`,
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

/** For an administrator: those to a notice by its reference, the others with all that they hold. */
export async function writeCounterReceived(
  app: NoticesApp,
  { userId, counterNoticeIds, count }: z.infer<typeof AboutCounterNotices>,
): Promise<Email | undefined> {
  const user = await app.db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .where('is_admin', '=', true)
    .executeTakeFirst()
  const rows = await app.db
    .selectFrom('counter_notices as c')
    .leftJoin('notices as n', 'n.id', 'c.notice_id')
    .select(['c.name', 'c.email', 'c.phone', 'c.address', 'c.explanation', 'c.signature', 'c.reference as typed'])
    .select(['n.reference', 'n.kind'])
    .where(sql<boolean>`c.id = any(${counterNoticeIds}::uuid[])`)
    .orderBy('c.id')
    .execute()
  const [first] = rows
  if (user === undefined || first === undefined) return undefined
  const { brandName } = app.texts.inForce
  const isOne = count === 1
  const listed = rows.flatMap(({ reference, kind }) => (reference === null || kind === 'child-safety' ? [] : reference))
  const subject = !isOne
    ? counted(count, 'new counter-notice')
    : first.reference === null
      ? 'A counter-notice that answers no notice we know'
      : `A counter-notice to notice ${first.reference}`
  const unlisted = rows.filter(({ reference }) => reference === null)
  return emailTo(app, user, {
    subject,
    preview: 'Nothing is forwarded or put back on the site before an administrator accepts it.',
    headline: subject,
    paragraphs: [
      ...(listed.length === 0
        ? []
        : [
            `To: ${[...new Set(listed)].join(', ')}. Check who sent it and whether they published the entry. Within one business day, accept it, which forwards it to the sender of the notice, or refuse it with reasons. Nothing is put back on the site before.`,
          ]),
      ...unlisted.flatMap(({ typed, name, email, phone, address, explanation, signature }) => [
        'The reference of this counter-notice is of no decision that a counter-notice can answer. It waits at the desk without a notice: attach it to the notice that it means, or refuse it with reasons. What follows was written by them.',
        ...quoted(
          `Reference: ${typed}\nName: ${name}\nEmail: ${email}\nTelephone: ${phone}\nAddress: ${address.replaceAll('\n', ', ')}\n${explanation}\nSignature: ${signature}`,
        ),
      ]),
    ],
    button:
      isOne && first.reference !== null
        ? { label: 'Open the notice', url: `${app.config.publicUrl}/admin/notices/${first.reference}` }
        : listed.length === 0
          ? { label: 'Open the desk', url: `${app.config.publicUrl}/admin/notices/counter-notices` }
          : { label: 'Open the desk', url: `${app.config.publicUrl}/admin/notices` },
    reason: `You're receiving this email because you administer ${brandName}: every administrator hears of this.`,
  })
}
