import type { Email } from '../../../platform/email/message.ts'
import type { NoticesApp } from '../app.ts'
import { whatHappens } from '../intake/what-happens.ts'
import { kindChangedInWords } from '../notice/kind-changed-in-words.ts'
import { elementLabel, isElementName } from '../notice/notice-elements.ts'
import type { NoticeMail } from '../notice/notice-mails.ts'
import { emailToSender } from './email-to-sender.server.ts'

/**
 * For the sender of a notice that is handled as another kind; undefined if the kind has changed again, or the notice is
 * over: a later email says so.
 */
export async function writeKindChanged(
  app: NoticesApp,
  { noticeId, kind }: NoticeMail<'kindChanged'>,
): Promise<Email | undefined> {
  const notice = await app.db
    .selectFrom('notices')
    .select(['id', 'reference', 'kind', 'received_as', 'status', 'missing', 'name', 'email'])
    .where('id', '=', noticeId)
    .executeTakeFirst()
  if (notice?.kind !== kind) return undefined
  if (!['received', 'needs-info', 'in-review', 'duplicate'].includes(notice.status)) return undefined
  const missing = notice.missing.filter(isElementName).map((element) => elementLabel(kind, element))
  const isDuplicate = notice.status === 'duplicate'
  return emailToSender(app, notice, {
    subject: `Your notice ${notice.reference} is handled differently`,
    preview: 'What that means, and what happens by when.',
    paragraphs: [
      kindChangedInWords(notice.received_as, kind),
      ...(isDuplicate
        ? ['We handle it together with another notice about the same.']
        : [whatHappens(kind, missing.length === 0)]),
      ...(isDuplicate || missing.length === 0
        ? []
        : [
            `For this kind of notice the law asks for more: ${missing.join('; ')}. You add it on the page of your notice.`,
          ]),
      'Nothing that you sent is lost, and you need not send it again.',
    ],
    label: !isDuplicate && missing.length > 0 ? 'Add what is missing' : 'Open your private page',
  })
}
