import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import { isDatabaseUnavailable } from '../../../platform/database-outages.ts'
import { lockUser } from '../../accounts/user/lock-user.server.ts'
import { membershipMails } from '../membership-mails.ts'
import type { MembershipApp, MembershipDatabase, MembershipTransaction } from '../app.ts'
import { readAccessStatus } from '../access/read-access-status.server.ts'
import type { AccessStatus } from '../access/access-status.ts'

type Needs = Pick<MembershipApp, 'db' | 'clock' | 'log' | 'mail'>
type Reading = Pick<MembershipApp, 'clock'> & { db: Queryable<MembershipDatabase> }
interface MemberToNotify {
  userId: string
  isDisabled: boolean
}

/** How long before the end a member is notified of it. */
const noticeMs = 7 * 86_400_000
/** After this time no email says any more that a membership has ended. */
const newsMs = 7 * 86_400_000

/** Why access is over, so far as a member is notified of it: neither while the bank decides, nor when they are disabled. */
const noticedEnds = ['ended', 'refund', 'dispute_lost', 'unpaid', 'paused'] as const
type NoticedEnd = (typeof noticedEnds)[number]

/** An end that nothing goes beyond, as far as is known. */
export interface ComingEnd {
  endsAt: number
  /** The ending access: a cancelled plan, or a grant by an administrator. */
  basis: 'plan' | 'manual'
  grantIds: string[]
}

export interface PastEnd {
  reason: NoticedEnd
  /** When it was to end; this lies ahead of many a grant that was taken back. */
  endsAt: number
  /** It was over because the card was not updated within the days of grace. */
  isAfterGrace: boolean
}

/**
 * Queues the emails about memberships that end within 7 days or have ended, each end once: the email and its record are
 * one transaction. A failure for one member is logged and repeated at the next run.
 * @param options.batchSize how many members are looked up at a time
 */
export async function sendExpiryNotices(app: Needs, { batchSize = 200 } = {}): Promise<void> {
  await deletePassedEnds(app)
  await eachMember(app, batchSize, endsSoon, sendEndsSoonNotices)
  await eachMember(app, batchSize, hasEnded, sendEndedNotices)
}

/**
 * When and why a member's access ends, within the days of the notification.
 * @returns undefined for a member who is not VIP, whose access ends later, or whom Stripe renews
 */
export async function readComingEnd(app: Reading, member: MemberToNotify): Promise<ComingEnd | undefined> {
  const now = app.clock.now()
  const { isVip, endsAt } = await readAccessStatus(app, member)
  if (!isVip || endsAt === null || endsAt <= now || endsAt > now + noticeMs) return undefined
  const grants = await app.db
    .selectFrom('access_grants')
    .select(['id', 'basis', 'renews', 'ends_at'])
    .where('user_id', '=', member.userId)
    .where('revoked_at', 'is', null)
    .where('effective_until', '>', new Date(now))
    .execute()
  // A grant by hand may end inside of a paid period that renews: then nothing ends.
  if (grants.some(({ renews }) => renews)) return undefined
  const last = grants.filter((grant) => grant.ends_at.getTime() === endsAt && grant.basis !== 'grace')
  if (last.length === 0) return undefined
  const basis = last.some((grant) => grant.basis === 'plan') ? 'plan' : 'manual'
  return { endsAt, basis, grantIds: last.map(({ id }) => id) }
}

/**
 * Why a member's access is over.
 * @returns undefined for a member who is VIP, never was, is disabled, or disputes a payment at this moment
 */
export async function readPastEnd(app: Reading, member: MemberToNotify): Promise<PastEnd | undefined> {
  const { isVip, reason, endsAt } = await readAccessStatus(app, member)
  if (isVip || endsAt === null || !isNoticedEnd(reason)) return undefined
  const last = await app.db
    .selectFrom('access_grants')
    .select('basis')
    .where('user_id', '=', member.userId)
    .where('starts_at', '<=', new Date(app.clock.now()))
    .orderBy('effective_until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { reason, endsAt, isAfterGrace: reason === 'ended' && last?.basis === 'grace' }
}

function isNoticedEnd(reason: AccessStatus['reason']): reason is NoticedEnd {
  return noticedEnds.some((reported) => reported === reason)
}

/**
 * Access that is in force again will end again, and that is told again. Until then it has ended only once, although
 * Stripe goes on to move its end: when the days of grace are over, the subscription becomes unpaid or is cancelled.
 */
async function deletePassedEnds({ db, clock }: Needs): Promise<void> {
  const now = new Date(clock.now())
  await db
    .updateTable('access_grants')
    .set({ ended_queued_for: null })
    .where('id', 'in', (query) =>
      query
        .selectFrom('access_grants')
        .select('id')
        .where('ended_queued_for', 'is not', null)
        .where('revoked_at', 'is', null)
        .where('starts_at', '<=', now)
        .where('effective_until', '>', now)
        // A sync holds several of them at a time: who waits for none stands in nobody's way.
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}

type Sought = (where: ExpressionBuilder<MembershipDatabase, 'access_grants'>, now: number) => Expression<SqlBool>

const endsSoon: Sought = (where, now) =>
  where.and([
    where('ends_at', '>', new Date(now)),
    where('ends_at', '<=', new Date(now + noticeMs)),
    where('renews', '=', false),
    where('basis', 'in', ['plan', 'manual']),
    where('revoked_at', 'is', null),
    where('ending_queued_for', 'is distinct from', where.ref('ends_at')),
  ])

const hasEnded: Sought = (where, now) =>
  where.and([
    where('ended_queued_for', 'is', null),
    where.or([
      where.and([
        where('revoked_at', 'is', null),
        where('effective_until', '<=', new Date(now)),
        where('effective_until', '>', new Date(now - newsMs)),
      ]),
      where.and([
        where('revoked_reason', 'in', ['refund', 'dispute_lost', 'unpaid', 'paused']),
        where('revoked_at', '>', new Date(now - newsMs)),
      ]),
    ]),
  ])

/** In batches, one transaction and one email a member. */
async function eachMember(
  app: Needs,
  batchSize: number,
  sought: Sought,
  send: (app: Needs, trx: MembershipTransaction, member: MemberToNotify) => Promise<void>,
): Promise<void> {
  const now = app.clock.now()
  const found = app.db
    .selectFrom('access_grants')
    .select('user_id')
    .distinct()
    .where((where) => sought(where, now))
    .orderBy('user_id')
    .limit(batchSize)
  let batch = await found.execute()
  for (;;) {
    for (const { user_id: userId } of batch) {
      try {
        await app.db.transaction().execute(async (trx) => {
          const member = await holdMember(trx, userId)
          if (member !== undefined) await send(app, trx, member)
        })
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        app.log.error({ err: error, userId }, 'The notice about the end of a membership could not be sent.')
      }
    }
    const last = batch.at(-1)
    if (last === undefined || batch.length < batchSize) return
    batch = await found.where('user_id', '>', last.user_id).execute()
  }
}

/**
 * Keeps everybody else from telling this member, and a sync of them from committing, until the transaction ends. The
 * account first and then its customer, as deleting an account locks them.
 * @returns undefined when the account is gone
 */
async function holdMember(trx: MembershipTransaction, userId: string): Promise<MemberToNotify | undefined> {
  const user = await lockUser(trx, userId)
  if (user === undefined) return undefined
  await trx.selectFrom('billing_customers').select('user_id').where('user_id', '=', userId).forUpdate().execute()
  return { userId, isDisabled: user.isVipDisabled }
}

async function sendEndsSoonNotices(app: Needs, trx: MembershipTransaction, member: MemberToNotify): Promise<void> {
  const { userId } = member
  const coming = await readComingEnd({ db: trx, clock: app.clock }, member)
  if (coming === undefined) return
  const recorded = await trx
    .updateTable('access_grants')
    .set(({ ref }) => ({ ending_queued_for: ref('ends_at') }))
    .where('id', 'in', coming.grantIds)
    .where((where) => endsSoon(where, app.clock.now()))
    .returning('id')
    .execute()
  if (recorded.length === 0) return
  await app.mail.queue(trx, membershipMails.endsSoon, { userId, endsAt: new Date(coming.endsAt).toISOString() })
}

async function sendEndedNotices(app: Needs, trx: MembershipTransaction, member: MemberToNotify): Promise<void> {
  const { userId } = member
  if ((await readPastEnd({ db: trx, clock: app.clock }, member)) === undefined) return
  const recorded = await trx
    .updateTable('access_grants')
    .set(({ ref }) => ({ ended_queued_for: ref('ends_at') }))
    .where('user_id', '=', userId)
    .where((where) => hasEnded(where, app.clock.now()))
    .returning('id')
    .execute()
  if (recorded.length > 0) await app.mail.queue(trx, membershipMails.ended, { userId })
}
