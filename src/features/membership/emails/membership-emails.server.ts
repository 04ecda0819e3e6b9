import type { MembershipApp } from '../app.ts'
import { membershipMails } from '../membership-mails.ts'
import { emailFacts, emailTo } from '../../accounts/emails/email-to.server.ts'
import { type EmailTemplate, templateOf } from '../../../platform/email/email-contribution.ts'
import type { EmailContent } from '../../../platform/email/email-layout.ts'
import type { Email } from '../../../platform/email/message.ts'
import { dayInWords } from '../plans/format-day.ts'
import { moneyInWords } from '../plans/format-money.ts'
import { plans } from '../plans/plans.ts'
import { readAccessStatus } from '../access/read-access-status.server.ts'
import { type PastEnd, readComingEnd, readPastEnd } from './send-expiry-notices.server.ts'

/**
 * The emails of the membership. Each is written from what is true when it is sent: nothing goes out about what has been
 * settled while it waited, or to members who have deleted their account.
 */
export const membershipEmails: readonly EmailTemplate<MembershipApp>[] = [
  templateOf(membershipMails.receipt, writeReceipt),
  templateOf(membershipMails.paymentFailed, writePaymentFailed),
  templateOf(membershipMails.endsSoon, writeEndsSoon),
  templateOf(membershipMails.ended, writeEnded),
]

async function writeReceipt(app: MembershipApp, { invoiceId }: { invoiceId: string }): Promise<Email | undefined> {
  const payment = await app.db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .leftJoin('access_grants', 'access_grants.subscription_id', 'payments.subscription_id')
    .select([
      'users.email',
      'users.name',
      'payments.plan_type',
      'payments.number',
      'payments.amount_cents',
      'payments.refunded_cents',
      'payments.currency',
      'payments.period_starts_at',
      'payments.period_ends_at',
      'payments.invoiced_at',
      'payments.paid_at',
      'access_grants.renews',
      'access_grants.revoked_at',
      'access_grants.ends_at',
    ])
    .where('payments.invoice_id', '=', invoiceId)
    .where('payments.status', '=', 'paid')
    .executeTakeFirst()
  if (payment === undefined) return undefined
  const { payments } = app.config
  const { brandName, contactEmail } = app.texts.inForce
  const { plan_type, number, amount_cents, refunded_cents, currency, period_starts_at, period_ends_at } = payment
  const amount = moneyInWords(amount_cents, currency)
  const paidOn = dayOf(app, payment.paid_at ?? payment.invoiced_at)
  const { ends_at: endsAt, revoked_at: revokedAt, renews } = payment
  const isAhead = endsAt !== null && revokedAt === null && endsAt.getTime() > app.clock.now()
  return emailTo(app, payment, {
    subject: `Your receipt from ${brandName}`,
    preview: `${amount} for ${plans[plan_type].name}, paid on ${paidOn}.`,
    headline: 'Thank you for your payment',
    paragraphs: [
      `On ${paidOn} you paid ${amount} for ${plans[plan_type].name}.`,
      `It covers ${dayOf(app, period_starts_at)} to ${dayOf(app, period_ends_at)}.`,
      ...(number === null ? [] : [`Invoice number: ${number}.`]),
      ...(refunded_cents === 0 ? [] : [`Of this, ${moneyInWords(refunded_cents, currency)} was refunded.`]),
      ...(isAhead && renews === true
        ? [`The next charge is on ${dayOf(app, endsAt)}, unless you cancel before then.`]
        : []),
    ],
    button: accountButton(app, 'Your account'),
    notes: [
      ...(payments.isSandbox ? ['TEST MODE: no card was charged.'] : []),
      `If you have a question about this payment, write to ${contactEmail}.`,
    ],
    reason: `You're receiving this email because a payment was made with the account of ${payment.email}.`,
  })
}

/** While it is owed, within the days of grace: a cancelled one needs no card. */
async function writePaymentFailed(
  app: MembershipApp,
  { invoiceId }: { invoiceId: string },
): Promise<Email | undefined> {
  const payment = await app.db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .innerJoin('access_grants', 'access_grants.subscription_id', 'payments.subscription_id')
    .select([
      'users.id',
      'users.email',
      'users.name',
      'users.vip_disabled',
      'payments.plan_type',
      'payments.amount_cents',
      'payments.currency',
    ])
    .where('payments.invoice_id', '=', invoiceId)
    .where('payments.status', '=', 'open')
    .where('access_grants.basis', '=', 'grace')
    .executeTakeFirst()
  if (payment === undefined) return undefined
  const { brandName, contactEmail } = app.texts.inForce
  const { plan_type, amount_cents, currency } = payment
  const accessStatus = await readAccessStatus(app, { userId: payment.id, isDisabled: payment.vip_disabled })
  const amount = moneyInWords(amount_cents, currency)
  return emailTo(app, payment, {
    subject: `Your payment to ${brandName} failed`,
    preview: 'Please update your card.',
    headline: 'Your payment failed',
    paragraphs: [
      `We could not charge ${amount} for ${plans[plan_type].name}: the payment was declined.`,
      ...(accessStatus.isVip && accessStatus.endsAt !== null
        ? [`You stay VIP until ${dayOf(app, accessStatus.endsAt)}.`]
        : []),
      ...(accessStatus.reason === 'ended' ? ['Your VIP access is paused until the payment succeeds.'] : []),
      'Update your card, and your membership goes on as soon as the payment succeeds.',
    ],
    button: accountButton(app, 'Update your card'),
    notes: [`If you think this is a mistake, write to ${contactEmail}.`],
    reason: memberReason(app, payment),
  })
}

/** For this end only: a moved end has an email of its own. */
async function writeEndsSoon(
  app: MembershipApp,
  { userId, endsAt }: { userId: string; endsAt: string },
): Promise<Email | undefined> {
  const reader = await readReader(app, userId)
  if (reader === undefined) return undefined
  const coming = await readComingEnd(app, reader)
  if (coming === undefined || coming.endsAt !== Date.parse(endsAt)) return undefined
  const { brandName, contactEmail, publicUrl } = emailFacts(app)
  const day = dayOf(app, coming.endsAt)
  const isCancelled = coming.basis === 'plan'
  return emailTo(app, reader, {
    subject: `Your ${brandName} VIP membership ends on ${day}`,
    preview: isCancelled ? 'You have cancelled it. You can still keep it.' : 'You can keep it with one of our plans.',
    headline: 'Your VIP membership ends soon',
    paragraphs: [
      isCancelled
        ? `Your VIP membership at ${brandName} was cancelled and ends on ${day}. Until then nothing changes.`
        : `Your VIP membership at ${brandName} lasts until ${day}. Until then nothing changes.`,
      isCancelled
        ? 'If that is what you want, there is nothing to do. To stay VIP, renew your plan in your account.'
        : 'It does not renew by itself, and you will not be charged. To stay VIP, choose a plan.',
    ],
    button: isCancelled
      ? accountButton(app, 'Keep your membership')
      : { label: 'Keep your membership', url: `${publicUrl}/plans` },
    notes: [`If you have a question, write to ${contactEmail}.`],
    reason: memberReason(app, reader),
  })
}

async function writeEnded(app: MembershipApp, { userId }: { userId: string }): Promise<Email | undefined> {
  const reader = await readReader(app, userId)
  if (reader === undefined) return undefined
  const end = await readPastEnd(app, reader)
  if (end === undefined) return undefined
  const { brandName, contactEmail, publicUrl } = emailFacts(app)
  const isBarred = end.reason === 'dispute_lost'
  const content = {
    subject: `Your ${brandName} VIP membership has ended`,
    preview: 'You keep your account.',
    headline: 'Your VIP membership has ended',
    paragraphs: [
      sentenceOfEnd(app, end),
      'You keep your account and your access to everything that is free.',
      ...(isBarred ? [`If you would like to become VIP again, write to ${contactEmail}.`] : []),
    ],
    reason: `You're receiving this email because you had a VIP membership at ${brandName} with ${reader.email}.`,
  }
  if (isBarred) return emailTo(app, reader, content)
  return emailTo(app, reader, {
    ...content,
    button: { label: 'Become VIP again', url: `${publicUrl}/plans` },
    notes: [`If you think this is a mistake, write to ${contactEmail}.`],
  })
}

function sentenceOfEnd(app: MembershipApp, { reason, endsAt, isAfterGrace }: PastEnd): string {
  const yours = `your VIP membership at ${app.texts.inForce.brandName}`
  switch (reason) {
    case 'ended':
      return isAfterGrace
        ? `The last payment failed and was not paid later, so ${yours} ended on ${dayOf(app, endsAt)}.`
        : `Y${yours.slice(1)} ended on ${dayOf(app, endsAt)}.`
    case 'refund':
      return `Your last payment was refunded in full. With that, ${yours} has ended, and your subscription is cancelled.`
    case 'dispute_lost':
      return `One of your payments was disputed, and the bank took it back. With that, ${yours} has ended.`
    case 'unpaid':
      return `The renewal was never paid, so ${yours} has ended.`
    case 'paused':
      return `Your subscription is paused, and with it ${yours}.`
  }
}

interface Reader {
  userId: string
  email: string
  name: string
  isDisabled: boolean
}

async function readReader({ db }: Pick<MembershipApp, 'db'>, userId: string): Promise<Reader | undefined> {
  return db
    .selectFrom('users')
    .select(['id as userId', 'email', 'name', 'vip_disabled as isDisabled'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Into the account, where the billing portal is opened: a portal's own address would be a secret. */
function accountButton({ config }: Pick<MembershipApp, 'config'>, label: string): NonNullable<EmailContent['button']> {
  return { label, url: `${config.publicUrl}/account#billing` }
}

function memberReason({ texts }: Pick<MembershipApp, 'texts'>, { email }: { email: string }): string {
  return `You're receiving this email because you have a VIP membership at ${texts.inForce.brandName} with ${email}.`
}

function dayOf({ config }: Pick<MembershipApp, 'config'>, instant: Date | number): string {
  return dayInWords(Number(instant), config.timeZone)
}
