import { sql } from 'kysely'
import type { z } from 'zod'
import { type EmailTemplate, templateOf } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/message.ts'
import { emailFacts, emailTo, emailToAddress, paragraphsOf } from '../../accounts/emails/email-to.server.ts'
import { foldEmail } from '../../accounts/user/email.ts'
import { rolesOfAccount } from '../../accounts/user/roles-of-account.ts'
import { anonymous, type Role } from '../../office/viewer/viewer.ts'
import { readAccessStatus } from '../../membership/access/read-access-status.server.ts'
import type { RequestsApp } from '../app.ts'
import { fulfilledEmail } from '../content-requests/notify-voters.server.ts'
import { manyReceivedEmail, receivedEmail, replyEmail } from '../support/support-emails.ts'

/** The emails about requests and inquiries. A template returns undefined if its subject was deleted meanwhile. */
export const requestEmails: readonly EmailTemplate<RequestsApp>[] = [
  templateOf(fulfilledEmail, writeFulfilled),
  templateOf(receivedEmail, writeReceived),
  templateOf(manyReceivedEmail, writeManyReceived),
  templateOf(replyEmail, writeReply),
]

/** Names the item only to who may see it at this moment. */
async function writeFulfilled(
  app: RequestsApp,
  { requestId, userId }: z.infer<typeof fulfilledEmail.data>,
): Promise<Email | undefined> {
  const found = await app.db
    .selectFrom('content_requests as r')
    .innerJoin('request_votes as v', 'v.request_id', 'r.id')
    .innerJoin('users as u', 'u.id', 'v.user_id')
    .select(['r.title', 'r.item_id', 'r.author_id', 'u.name', 'u.email', 'u.vip_disabled'])
    .select(['u.is_admin', 'u.is_safety_officer', 'u.has_second_factor'])
    .where('r.id', '=', requestId)
    .where('r.removed_at', 'is', null)
    .where('u.id', '=', userId)
    .executeTakeFirst()
  if (found === undefined || found.item_id === null) return undefined
  const { isVip } = await readAccessStatus(app, { userId, isDisabled: found.vip_disabled })
  const roles = new Set<Role>([...(isVip ? (['vip'] as const) : []), ...rolesOfAccount(found, app.config)])
  const item = (await app.listing.readNames([found.item_id], { ...anonymous, roles })).get(found.item_id)
  if (item === undefined) return undefined
  const { brandName, publicUrl } = emailFacts(app)
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

async function writeReceived(app: RequestsApp, { inquiryId: id }: { inquiryId: string }): Promise<Email | undefined> {
  const inquiry = await app.db
    .selectFrom('inquiries as i')
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .select(['i.name', 'i.email', 'i.message', 'i.is_vip', 'u.name as memberName', 'u.email as memberEmail'])
    .where('i.id', '=', id)
    .executeTakeFirst()
  if (inquiry === undefined) return undefined
  const { name, email, message, is_vip: isVip } = inquiry
  const { contactEmail, publicUrl } = emailFacts(app)
  return {
    replyTo: { name, address: email },
    ...emailToAddress(app, contactEmail, {
      subject: `${isVip ? 'VIP inquiry' : 'Inquiry'} from ${name}`,
      preview: message.slice(0, 120),
      headline: isVip ? 'A VIP has sent an inquiry' : 'Somebody has sent an inquiry',
      paragraphs: [`${name} <${email}> writes:`, ...paragraphsOf(message)],
      button: { label: 'Answer it', url: `${publicUrl}/admin/support` },
      notes: [...senderInWords(inquiry), 'An answer to this email reaches them too, but the list does not know of it.'],
      reason: `You're receiving this email because ${contactEmail} is the contact address of the site.`,
    }),
  }
}

/** Names the session's member; the typed address may be somebody else's. */
function senderInWords({
  email,
  memberName,
  memberEmail,
}: {
  email: string
  memberName: string | null
  memberEmail: string | null
}): string[] {
  if (memberEmail === null) return ['It was sent without signing in: whether the address is theirs is not known.']
  const account = `It was sent from the account of ${memberName} <${memberEmail}>.`
  return foldEmail(email) === foldEmail(memberEmail) ? [account] : [account, `They typed another address: ${email}`]
}

async function writeManyReceived(
  app: RequestsApp,
  { count, inquiryIds }: z.infer<typeof manyReceivedEmail.data>,
): Promise<Email | undefined> {
  const inquiries = await app.db
    .selectFrom('inquiries')
    .select(['name', 'email', 'message'])
    .where(sql<boolean>`id = any(${inquiryIds}::uuid[])`)
    .orderBy('inquiries.id')
    .execute()
  if (inquiries.length === 0) return undefined
  const { contactEmail, publicUrl } = emailFacts(app)
  const more = count - inquiries.length
  return emailToAddress(app, contactEmail, {
    subject: `${count.toLocaleString('en-US')} inquiries`,
    preview: 'Many came at once: this is one email about all of them.',
    headline: `${count.toLocaleString('en-US')} inquiries have come within minutes`,
    paragraphs: [
      ...inquiries.map(({ name, email, message }) => `${name} <${email}>: ${firstLineOf(message)}`),
      ...(more > 0 ? [`And ${more.toLocaleString('en-US')} more.`] : []),
    ],
    button: { label: 'Answer them', url: `${publicUrl}/admin/support` },
    notes: ['Answer from the list: an answer to this email reaches none of them.'],
    reason: `You're receiving this email because ${contactEmail} is the contact address of the site.`,
  })
}

const longestLine = 100

function firstLineOf(text: string): string {
  const characters = Array.from(text.split('\n')[0] ?? '')
  return characters.length > longestLine ? `${characters.slice(0, longestLine).join('')}…` : characters.join('')
}

async function writeReply(app: RequestsApp, { replyId: id }: { replyId: string }): Promise<Email | undefined> {
  const reply = await app.db
    .selectFrom('inquiry_replies as r')
    .innerJoin('inquiries as i', 'i.id', 'r.inquiry_id')
    .select(['r.message', 'i.name', 'i.email', 'i.message as inquiry'])
    .where('r.id', '=', id)
    .executeTakeFirst()
  if (reply === undefined) return undefined
  const { brandName, contactEmail } = app.texts.inForce
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
