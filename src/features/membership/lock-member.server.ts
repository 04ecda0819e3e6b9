import { type Kysely, sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { invalidSession } from '../accounts/recognise-session.server.ts'
import type { Database } from '../../db/schema.ts'
import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'

/** What holds a member's lock may do. */
export interface MemberLock {
  userId: string
  /** Null before the first checkout. */
  stripeCustomerId: string | null
  /**
   * Commits something of this member.
   * @throws {AppError} `billing.busy`, 503, with nothing written, when the lock has lapsed: somebody else is at work
   */
  commit<T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T>
}

/** A process that dies keeps the others waiting for so long. */
const heldSeconds = 20
/** A holder who waits for Stripe says that he is still there. */
const renewEveryMs = 5_000
/** How long a caller waits who is wanted back by a browser. */
const patienceMs = 12_000
/** How long a caller waits for whom nobody waits: it outlasts the lock of a process that has died. */
export const longPatienceMs = (heldSeconds + 10) * 1_000
/** A lock that is not free soon is looked for ever more seldom: many who wait for one member must not keep all others waiting. */
const lookAgainMs = { first: 40, most: 600 }

/**
 * Lets one at a time work on a member's money, over all processes and also across calls of Stripe, for which no
 * transaction may wait (ARCHITECTURE.md, "Transactions"). The lock is a row with an end, so a killed process gives it
 * back by itself; whoever has outlived his lock commits nothing.
 * @param waitMs how long it is waited for; by default as long as a browser may be kept waiting
 * @throws {AppError} `billing.busy`, 503, when it is not free in time; `session.invalid`, 401, when there is no such user
 */
export async function lockMember<T>(
  app: Pick<App, 'db' | 'log'>,
  userId: string,
  work: (lock: MemberLock) => Promise<T>,
  waitMs: number = patienceMs,
): Promise<T> {
  const holder = uuidv7()
  const stripeCustomerId = await take(app.db, userId, holder, waitMs)
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
  try {
    return await work({
      userId,
      stripeCustomerId,
      commit: (change) =>
        app.db.transaction().execute(async (trx) => {
          const held = await trx
            .selectFrom('billing_customers')
            .select('user_id')
            .where('user_id', '=', userId)
            .where('lock_holder', '=', holder)
            .forUpdate()
            .executeTakeFirst()
          if (held === undefined) throw busy()
          return change(trx)
        }),
    })
  } finally {
    clearInterval(renewal)
    await app.db
      .updateTable('billing_customers')
      .set({ lock_holder: null, locked_until: null })
      .where('user_id', '=', userId)
      .where('lock_holder', '=', holder)
      .execute()
  }
}

/** By the database's clock, which all processes share. */
const lockEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${heldSeconds})`

/** @returns the member's customer at Stripe, as it is now that he is locked */
async function take(db: Kysely<Database>, userId: string, holder: string, waitMs: number): Promise<string | null> {
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
    const locked = await db
      .selectFrom('billing_customers')
      .select('user_id')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (locked === undefined) throw invalidSession()
    await new Promise((wake) => setTimeout(wake, pauseMs * (1 + Math.random())))
    pauseMs = Math.min(pauseMs * 1.5, lookAgainMs.most)
  }
}

function busy(): AppError {
  return new AppError({
    code: 'billing.busy',
    status: 503,
    message: 'Another change of this membership is under way. Please try again in a minute.',
    retryAfterSeconds: 30,
  })
}

/**
 * Gives all locks back, at the start of a process that is the only one on its database: whoever held them is dead, and
 * nobody has to wait until they lapse.
 */
export async function releaseLocks({ db }: Pick<App, 'db'>): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ lock_holder: null, locked_until: null })
    .where('lock_holder', 'is not', null)
    .execute()
}
