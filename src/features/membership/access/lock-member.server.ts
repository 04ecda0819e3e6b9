import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Queryable } from '../../../db/queryable.ts'
import { defineError, isAppError, tryLater } from '../../../platform/errors.ts'
import type { MembershipApp, MembershipDatabase, MembershipTransaction } from '../app.ts'
import { unknownMember } from '../../accounts/user/unknown-member.server.ts'

/** A member's lock, in the hands of its holder. */
export interface MemberLock {
  userId: string
  /** Null before the first checkout. */
  stripeCustomerId: string | null
  /**
   * Commits something of this member.
   * @throws {AppError} `billing.busy`, 503, with nothing written, when the lock has lapsed: somebody else is at work
   */
  commit<T>(work: (trx: MembershipTransaction) => Promise<T>): Promise<T>
  /**
   * Makes sure that a transaction of somebody else commits only while the lock is held.
   * @throws {AppError} `billing.busy`, 503, when it has lapsed
   */
  assertHeld(trx: MembershipTransaction): Promise<void>
}

/** A process that dies keeps the others waiting for so long. */
const heldSeconds = 20
/** A holder that waits for Stripe says that it is still there. */
const renewEveryMs = 5_000
/** How long a caller waits who is wanted back by a browser. */
const timeoutMs = 12_000
/** The wait of a background job: it outlasts the lock of a process that has died. */
export const longTimeoutMs = (heldSeconds + 10) * 1_000
/** A lock that is not free soon is looked for ever more seldom: many who wait for one member must not keep all others waiting. */
const lookAgainMs = { first: 40, max: 600 }

/**
 * Lets one at a time work on a member's money, over all processes and across calls of Stripe. The lock is a row with an
 * end; work that outlives it commits nothing.
 * @throws {AppError} `billing.busy`, 503, if it is not free in time; `member.unknown`, 404
 */
export async function lockMember<T>(
  app: Pick<MembershipApp, 'db' | 'log'>,
  userId: string,
  work: (lock: MemberLock) => Promise<T>,
  { waitMs = timeoutMs }: { waitMs?: number } = {},
): Promise<T> {
  const holder = uuidv7()
  const stripeCustomerId = await take(app.db, userId, { holder, waitMs })
  const renewal = setInterval(() => {
    const renewed = app.db
      .updateTable('billing_customers')
      .set({ locked_until: lockEnd })
      .where('user_id', '=', userId)
      .where('lock_holder', '=', holder)
      .execute()
    // Without it the lock lapses, and the commit says so.
    renewed.catch((error: unknown) => app.log.warn({ err: error, userId }, 'A lock could not be renewed.'))
  }, renewEveryMs)
  const assertHeld = async (trx: MembershipTransaction): Promise<void> => {
    await trx
      .selectFrom('billing_customers')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('lock_holder', '=', holder)
      .forUpdate()
      .executeTakeFirstOrThrow(() => busy())
  }
  try {
    return await work({
      userId,
      stripeCustomerId,
      assertHeld,
      commit: (change) =>
        app.db.transaction().execute(async (trx) => {
          await assertHeld(trx)
          return change(trx)
        }),
    })
  } finally {
    clearInterval(renewal)
    const released = app.db
      .updateTable('billing_customers')
      .set({ lock_holder: null, locked_until: null })
      .where('user_id', '=', userId)
      .where('lock_holder', '=', holder)
      .execute()
    // It lapses by itself: what became of the work is the news.
    await released.catch((error: unknown) => app.log.warn({ err: error, userId }, 'A lock could not be released.'))
  }
}

/** By the database's clock, which all processes share. */
const lockEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${heldSeconds})`

/** @returns the member's customer at Stripe, as it is now that they are locked */
async function take(
  db: Queryable<MembershipDatabase>,
  userId: string,
  { holder, waitMs }: { holder: string; waitMs: number },
): Promise<string | null> {
  const end = performance.now() + waitMs
  let pauseMs = lookAgainMs.first
  await sql`
    insert into billing_customers (user_id) select id from users where id = ${userId}
    on conflict (user_id) do nothing`.execute(db)
  for (;;) {
    const row = await db
      .updateTable('billing_customers')
      .set({ lock_holder: holder, locked_until: lockEnd })
      .where('user_id', '=', userId)
      .where((where) =>
        where.or([where('lock_holder', 'is', null), where('locked_until', '<', sql<Date>`clock_timestamp()`)]),
      )
      .returning('stripe_customer_id')
      .executeTakeFirst()
    if (row !== undefined) return row.stripe_customer_id
    if (performance.now() > end) throw busy()
    await db
      .selectFrom('billing_customers')
      .select('user_id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow(() => unknownMember())
    await new Promise((wake) => setTimeout(wake, pauseMs * (1 + Math.random())))
    pauseMs = Math.min(pauseMs * 1.5, lookAgainMs.max)
  }
}

/** Whether an error says that somebody else is at work on the member. */
export function isBusy(error: unknown): boolean {
  return isAppError(error) && error.code === busy.code
}

export const busy = defineError({
  code: 'billing.busy',
  status: 503,
  sentence: 'Another change of this membership is under way. Please try again in a minute.',
  remedy: tryLater,
  retryAfterSeconds: 30,
})

/**
 * Gives all locks back, at the start of a process that is the only one on its database: their holders are dead, and
 * nobody has to wait until they lapse.
 */
export async function releaseLocks({ db }: Pick<MembershipApp, 'db'>): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ lock_holder: null, locked_until: null })
    .where('lock_holder', 'is not', null)
    .execute()
}
