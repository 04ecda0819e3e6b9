import { z } from 'zod'
import { letterTo } from '../accounts/letters.server.ts'
import type { App } from '../../platform/app.ts'
import type { LetterContent } from '../../platform/mail-layout.ts'
import type { Letter } from '../../platform/mail.ts'
import { dayInWords } from './day-in-words.ts'
import { moneyInWords } from './money-words.ts'
import { plans } from './plans.ts'
import { readStanding } from './read-standing.server.ts'
import { type PastEnd, readComingEnd, readPastEnd } from './tell-endings.server.ts'

const AboutInvoice = z.object({ invoiceId: z.string() })
const AboutMember = z.object({ userId: z.string() })
const AboutEnd = z.object({ userId: z.string(), endsAt: z.iso.datetime() })

/**
 * Says how the letters of the membership are written. Each is written from what is true when it is sent: what has been
 * settled while it waited, and who has deleted his account, gets none.
 */
export function registerMembershipLetters(app: App): void {
  const { mail } = app
  mail.register('membership.receipt', (data) => writeReceipt(app, AboutInvoice.parse(data).invoiceId))
  mail.register('membership.payment-failed', (data) => writePaymentFailed(app, AboutInvoice.parse(data).invoiceId))
  mail.register('membership.ends-soon', (data) => writeEndsSoon(app, AboutEnd.parse(data)))
  mail.register('membership.ended', (data) => writeEnded(app, AboutMember.parse(data).userId))
}

async function writeReceipt(app: App, invoiceId: string): Promise<Letter | undefined> {
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
  const { brandName, contactEmail, payments } = app.config
  const { plan_type, number, amount_cents, refunded_cents, currency, period_starts_at, period_ends_at } = payment
  const amount = moneyInWords(amount_cents, currency)
  const paidOn = dayOf(app, payment.paid_at ?? payment.invoiced_at)
  const { ends_at: endsAt, revoked_at: revokedAt, renews } = payment
  const isAhead = endsAt !== null && revokedAt === null && endsAt.getTime() > app.clock.now()
  return letterTo(app, payment, {
    subject: `Your receipt from ${brandName}`,
    preview: `${amount} for ${plans[plan_type].name}, paid on ${paidOn}.`,
    headline: 'Thank you for your payment',
    paragraphs: [
      `On ${paidOn} you paid ${amount} for ${plans[plan_type].name}.`,
      `It covers ${dayOf(app, period_starts_at)} to ${dayOf(app, period_ends_at)}.`,
      ...(number === null ? [] : [`Invoice number: ${number}.`]),
      ...(refunded_cents === 0 ? [] : [`Of this, ${moneyInWords(refunded_cents, currency)} was refunded.`]),
      ...(isAhead && renews === true ? [`The next charge is on ${dayOf(app, endsAt)}, unless you cancel before.`] : []),
    ],
    button: accountButton(app, 'Your account'),
    notes: [
      ...(payments.isSandbox ? ['TEST MODE: no card was charged.'] : []),
      `A question about this payment? Write to ${contactEmail}.`,
    ],
    reason: `You have this letter because a payment was made with the account of ${payment.email}.`,
  })
}

/** While it is owed and the days of grace were given for it: what is cancelled asks for no card. */
async function writePaymentFailed(app: App, invoiceId: string): Promise<Letter | undefined> {
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
  const { brandName, contactEmail } = app.config
  const { plan_type, amount_cents, currency } = payment
  const standing = await readStanding(app, { userId: payment.id, isDisabled: payment.vip_disabled })
  const amount = moneyInWords(amount_cents, currency)
  return letterTo(app, payment, {
    subject: `Your payment to ${brandName} failed`,
    preview: 'Please update your card.',
    headline: 'Your payment failed',
    paragraphs: [
      `We could not charge ${amount} for ${plans[plan_type].name}: the payment was refused.`,
      ...(standing.isVip && standing.endsAt !== null ? [`You stay VIP until ${dayOf(app, standing.endsAt)}.`] : []),
      ...(standing.reason === 'ended' ? ['Your VIP access rests until it is paid.'] : []),
      'Update your card, and your membership goes on as soon as the payment succeeds.',
    ],
    button: accountButton(app, 'Update your card'),
    notes: [`You think this is a mistake? Write to ${contactEmail}.`],
    reason: memberReason(app, payment),
  })
}

/** Of this end only: one that has moved is told by a letter of its own. */
async function writeEndsSoon(
  app: App,
  { userId, endsAt }: { userId: string; endsAt: string },
): Promise<Letter | undefined> {
  const reader = await readReader(app, userId)
  if (reader === undefined) return undefined
  const coming = await readComingEnd(app, reader)
  if (coming === undefined || coming.endsAt !== Date.parse(endsAt)) return undefined
  const { brandName, publicUrl, contactEmail } = app.config
  const day = dayOf(app, coming.endsAt)
  const isCancelled = coming.basis === 'plan'
  return letterTo(app, reader, {
    subject: `Your ${brandName} VIP membership ends on ${day}`,
    preview: isCancelled ? 'You have cancelled it. You can still keep it.' : 'You can keep it with one of our plans.',
    headline: 'Your VIP membership ends soon',
    paragraphs: [
      isCancelled
        ? `Your VIP membership at ${brandName} was cancelled and ends on ${day}. Until then nothing changes.`
        : `Your VIP membership at ${brandName} was given to you until ${day}. Until then nothing changes.`,
      isCancelled
        ? 'If you meant it so, there is nothing to do. If you would rather stay, you can renew your plan in your account.'
        : 'It does not renew by itself, and nothing will be charged. If you would rather stay, choose a plan.',
    ],
    button: isCancelled
      ? accountButton(app, 'Keep your membership')
      : { label: 'Keep your membership', url: `${publicUrl}/plans` },
    notes: [`A question about it? Write to ${contactEmail}.`],
    reason: memberReason(app, reader),
  })
}

async function writeEnded(app: App, userId: string): Promise<Letter | undefined> {
  const reader = await readReader(app, userId)
  if (reader === undefined) return undefined
  const end = await readPastEnd(app, reader)
  if (end === undefined) return undefined
  const { brandName, publicUrl, contactEmail } = app.config
  const isBarred = end.reason === 'dispute_lost'
  const content = {
    subject: `Your ${brandName} VIP membership has ended`,
    preview: 'Your account stays.',
    headline: 'Your VIP membership has ended',
    paragraphs: [
      sentenceOfEnd(app, end),
      'Your account stays, and everything that is free stays open to you.',
      ...(isBarred ? [`If you would like to become VIP again, write to ${contactEmail}.`] : []),
    ],
    reason: `You have this letter because you had a VIP membership at ${brandName} with ${reader.email}.`,
  }
  if (isBarred) return letterTo(app, reader, content)
  return letterTo(app, reader, {
    ...content,
    button: { label: 'Become VIP again', url: `${publicUrl}/plans` },
    notes: [`You think this is a mistake? Write to ${contactEmail}.`],
  })
}

function sentenceOfEnd(app: App, { reason, endsAt, isAfterGrace }: PastEnd): string {
  const yours = `your VIP membership at ${app.config.brandName}`
  switch (reason) {
    case 'ended':
      return isAfterGrace
        ? `The last payment failed and was not made up for, so ${yours} ended on ${dayOf(app, endsAt)}.`
        : `Y${yours.slice(1)} ended on ${dayOf(app, endsAt)}.`
    case 'refund':
      return `Your last payment was refunded in full. With it ${yours} has ended, and your subscription is cancelled.`
    case 'dispute_lost':
      return `A payment of yours was disputed, and the bank has taken it back. With it ${yours} has ended.`
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

async function readReader({ db }: Pick<App, 'db'>, userId: string): Promise<Reader | undefined> {
  return db
    .selectFrom('users')
    .select(['id as userId', 'email', 'name', 'vip_disabled as isDisabled'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Into the account, where the billing portal is opened: a portal's own address would be a secret. */
function accountButton({ config }: Pick<App, 'config'>, label: string): NonNullable<LetterContent['button']> {
  return { label, url: `${config.publicUrl}/account#billing` }
}

function memberReason({ config }: Pick<App, 'config'>, { email }: { email: string }): string {
  return `You have this letter because you have a VIP membership at ${config.brandName} with ${email}.`
}

function dayOf({ config }: Pick<App, 'config'>, instant: Date | number): string {
  return dayInWords(Number(instant), config.timeZone)
}
