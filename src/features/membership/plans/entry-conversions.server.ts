import { sql } from 'kysely'
import { namesGoneRow } from '../../../db/names-gone-row.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { MembershipApp, MembershipTransaction } from '../app.ts'

/* Counts of purchases that entries lead to (docs/spec/membership.md#conversion). Nobody is followed: the address of
   the plans page names the entry of the link, and the checkout sends it once. Only counts stay. */

const dayMs = 86_400_000

type Counter = Pick<MembershipApp, 'clock' | 'config'>

/** The slug of an entry, as the address of the plans page gives it; undefined for what can be none. */
export function originOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z0-9-]{1,120}$/.test(value) ? value : undefined
}

/**
 * Counts a checkout that was opened from the page of an entry, once a day for each member and entry. Unknown slugs are
 * ignored.
 */
export async function countCheckout(
  app: Counter & Pick<MembershipApp, 'db'>,
  userId: string,
  slug: string,
): Promise<void> {
  const now = app.clock.now()
  try {
    await app.db.transaction().execute(async (trx) => {
      const { rows } = await sql`
        insert into checkout_origins as known (user_id, slug, began_at)
        select id, ${slug}, ${new Date(now)} from users where id = ${userId}
            on conflict (user_id, slug) do update set began_at = excluded.began_at
               where known.began_at <= ${new Date(now - dayMs)}
        returning user_id`.execute(trx)
      if (rows.length > 0) await add(app, trx, { slug, checkouts: 1, purchases: 0 })
    })
  } catch (error) {
    // The slugs of both tables are those of items.
    if (!namesGoneRow(error)) throw error
  }
}

/**
 * Counts the purchase of a member whose checkout was opened from an entry within a day before, for the last such entry, and
 * forgets them all.
 */
export async function countPurchase(app: Counter, trx: MembershipTransaction, userId: string): Promise<void> {
  const gone = await trx
    .deleteFrom('checkout_origins')
    .where('user_id', '=', userId)
    .returning(['slug', 'began_at'])
    .execute()
  const [last] = gone.toSorted((a, b) => b.began_at.getTime() - a.began_at.getTime())
  if (last === undefined || last.began_at.getTime() <= app.clock.now() - dayMs) return
  await add(app, trx, { slug: last.slug, checkouts: 0, purchases: 1 })
}

async function add(
  { clock, config }: Counter,
  trx: MembershipTransaction,
  { slug, checkouts, purchases }: { slug: string; checkouts: number; purchases: number },
): Promise<void> {
  const day = dayOf(clock.now(), config.timeZone)
  await sql`
    insert into entry_conversions as known (day, slug, checkouts, purchases)
    values (${day}::date, ${slug}, ${checkouts}, ${purchases})
        on conflict (day, slug) do update set
           checkouts = known.checkouts + excluded.checkouts, purchases = known.purchases + excluded.purchases`.execute(
    trx,
  )
}
