import { z } from 'zod'
import type { EmailTemplates } from '../../../platform/email/email-contribution.ts'
import { layOutEmail } from '../../../platform/email/email-layout.ts'
import type { Email } from '../../../platform/email/mail.ts'
import { emailTo } from '../../accounts/emails/account-emails.server.ts'
import { anonymous, type Role } from '../../accounts/user/viewer.ts'
import { readAccessStatus } from '../../membership/access/read-access-status.server.ts'
import type { RequestsApp } from '../app.ts'
import { fulfilledEmail } from '../content-requests/tell-voters.server.ts'
import { receivedEmail, replyEmail } from '../support/support-emails.ts'

const AboutVote = z.object({ requestId: z.string(), userId: z.string() })
const AboutInquiry = z.object({ inquiryId: z.string() })
const AboutReply = z.object({ replyId: z.string() })

/** The emails about requests and inquiries. What was deleted while an email waited is written about to nobody. */
export const requestEmails: EmailTemplates<RequestsApp> = {
  [fulfilledEmail]: (app, data) => writeFulfilled(app, AboutVote.parse(data)),
  [receivedEmail]: (app, data) => writeReceived(app, AboutInquiry.parse(data).inquiryId),
  [replyEmail]: (app, data) => writeReply(app, AboutReply.parse(data).replyId),
}

/** Names the item only to who may see it at this moment. */
async function writeFulfilled(
  app: RequestsApp,
  { requestId, userId }: z.infer<typeof AboutVote>,
): Promise<Email | undefined> {
  const found = await app.db
    .selectFrom('content_requests as r')
    .innerJoin('request_votes as v', 'v.request_id', 'r.id')
    .innerJoin('users as u', 'u.id', 'v.user_id')
    .select(['r.title', 'r.item_id', 'r.author_id', 'u.name', 'u.email', 'u.is_admin', 'u.vip_disabled'])
    .where('r.id', '=', requestId)
    .where('u.id', '=', userId)
    .executeTakeFirst()
  if (found === undefined || found.item_id === null) return undefined
  const { isVip } = await readAccessStatus(app, { userId, isDisabled: found.vip_disabled })
  const roles = new Set<Role>([...(isVip ? (['vip'] as const) : []), ...(found.is_admin ? (['admin'] as const) : [])])
  const item = (await app.listing.readNames([found.item_id], { ...anonymous, roles })).get(found.item_id)
  if (item === undefined) return undefined
  const { brandName, publicUrl } = app.config
  const isAuthor = found.author_id === userId
  const whose = isAuthor ? 'you asked for' : 'you voted for'
  const headline = isAuthor ? 'Your request was fulfilled' : 'A request you voted for was fulfilled'
  return emailTo(app, found, {
    subject: `${headline}: ${found.title}`,
    preview: `${item.name} is in ${brandName} now.`,
    headline,
    paragraphs: [`"${found.title}", which ${whose}, is in the library now: ${item.name}.`],
    button: { label: 'Open it', url: `${publicUrl}${item.path}` },
    reason: `You're receiving this email because ${whose} it on ${publicUrl}/requests.`,
  })
}

async function writeReceived(app: RequestsApp, id: string): Promise<Email | undefined> {
  const inquiry = await app.db.selectFrom('inquiries').selectAll().where('id', '=', id).executeTakeFirst()
  if (inquiry === undefined) return undefined
  const { name, email, message, is_vip: isVip } = inquiry
  const { contactEmail, publicUrl } = app.config
  return {
    to: { address: contactEmail },
    replyTo: { name, address: email },
    ...layOutEmail(
      {
        subject: `${isVip ? 'VIP inquiry' : 'Inquiry'} from ${name}`,
        preview: message.slice(0, 120),
        headline: isVip ? 'A VIP has sent an inquiry' : 'Somebody has sent an inquiry',
        greeting: undefined,
        paragraphs: [`${name} <${email}> writes:`, ...paragraphsOf(message)],
        button: { label: 'Answer it', url: `${publicUrl}/admin/support` },
        notes: [
          inquiry.user_id === null
            ? 'It was sent without signing in: whether the address is theirs is not known.'
            : 'It was sent by a member who had signed in.',
          'An answer to this email reaches them too, but the list does not know of it.',
        ],
        reason: `You're receiving this email because ${contactEmail} is the contact address of the site.`,
      },
      app.config,
    ),
  }
}

async function writeReply(app: RequestsApp, id: string): Promise<Email | undefined> {
  const reply = await app.db
    .selectFrom('inquiry_replies as r')
    .innerJoin('inquiries as i', 'i.id', 'r.inquiry_id')
    .select(['r.message', 'i.name', 'i.email', 'i.message as inquiry'])
    .where('r.id', '=', id)
    .executeTakeFirst()
  if (reply === undefined) return undefined
  const { brandName, contactEmail } = app.config
  return {
    replyTo: { name: brandName, address: contactEmail },
    ...emailTo(app, reply, {
      subject: `Re: your inquiry to ${brandName}`,
      preview: reply.message.slice(0, 120),
      headline: 'The answer to your inquiry',
      paragraphs: paragraphsOf(reply.message),
      notes: ['You wrote:', ...paragraphsOf(reply.inquiry)],
      reason: `You're receiving this email because an inquiry with the address ${reply.email} was sent to ${brandName}. Answer it, and we read it.`,
    }),
  }
}

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
}
