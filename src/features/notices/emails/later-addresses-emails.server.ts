import { sql } from 'kysely'
import { z } from 'zod'
import { counted } from '../../../platform/counted.ts'
import type { EmailTemplates } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/mail.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp } from '../app.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { named, reasonOf, seenBy } from './desk-emails.server.ts'

const AboutAdditions = z.object({ userId: z.string(), noticeIds: z.array(z.string()), count: z.int() })

/** The emails about addresses that were added to a notice later. */
export const laterAddressesEmails: EmailTemplates<NoticesApp> = {
  [noticeMails.additions]: {
    urgency: 'awaited',
    purpose: 'work',
    write: (app, data) => writeAdditions(app, AboutAdditions.parse(data)),
  },
}

/** For the desk; undefined if the notice was decided meanwhile. */
async function writeAdditions(
  app: NoticesApp,
  { userId, noticeIds, count }: z.infer<typeof AboutAdditions>,
): Promise<Email | undefined> {
  const notices = await app.db
    .selectFrom('notices')
    .select(['reference', 'kind'])
    .where(sql<boolean>`id = any(${noticeIds}::uuid[])`)
    .where('is_urgent', '=', true)
    .orderBy('id')
    .execute()
  const { reader, notices: shown } = await seenBy(app, userId, notices)
  const [first] = shown
  if (first === undefined || reader === undefined) return undefined
  const { publicUrl } = app.config
  // Those that are named may be fewer than there are; those that are settled, or a matter of others now, are no part of either.
  const total = shown.length < noticeIds.length ? shown.length : count
  const isOne = total === 1
  const subject = `Addresses added to ${isOne ? `notice ${first.reference}` : counted(total, 'notice')}`
  return emailTo(app, reader, {
    subject,
    preview: 'Their sender has named more: look at it before you decide.',
    headline: subject,
    paragraphs: [
      isOne
        ? 'Its sender has named further addresses. The notice says which of them lead to an entry, and what is hidden.'
        : 'Their senders have named further addresses. Each notice says which of them lead to an entry, and what is hidden.',
      ...(isOne
        ? []
        : [
            named(
              shown.map(({ reference }) => reference),
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
