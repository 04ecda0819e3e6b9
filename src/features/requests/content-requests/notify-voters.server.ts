import { sql } from 'kysely'
import { isAdminInForce } from '../../accounts/user/is-administrator.server.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import { z } from 'zod'
import { defineEmail } from '../../../platform/email/email-kind.ts'
import type { RequestsApp } from '../app.ts'

export const fulfilledEmail = defineEmail(
  'requests.fulfilled',
  { title: 'Request fulfilled', urgency: 'bulk', purpose: 'news' },
  z.object({ requestId: z.string(), userId: z.string() }),
)

const batch = 200
/** Nobody expects this mail any more after so many days. */
const notifiedWithinDays = 400
const dayMs = 86_400_000

const aVip: Viewer = { ...anonymous, roles: new Set(['vip']) }

/**
 * Queues a mail to every voter of a fulfilled request, once each, however often and in how many processes this runs. It
 * waits until the item is visible to them; for a VIP item until they are VIP (docs/spec/membership.md#requests).
 * @param wanted.requestId one request; without it all of them
 */
export async function notifyVoters(
  app: RequestsApp,
  { requestId }: { requestId?: string | undefined } = {},
): Promise<void> {
  const since = new Date(app.clock.now() - notifiedWithinDays * dayMs)
  const requests = await app.db
    .selectFrom('content_requests as r')
    .select(['r.id', 'r.item_id'])
    .where('r.item_id', 'is not', null)
    .where('r.removed_at', 'is', null)
    .where('r.fulfilled_at', '>', since)
    .where(sql<boolean>`exists (select from request_votes v where v.request_id = r.id and v.notified_at is null)`)
    .$if(requestId !== undefined, (query) => query.where('r.id', '=', requestId as string))
    .execute()
  const ids = [...new Set(requests.flatMap(({ item_id }) => item_id ?? []))]
  if (ids.length === 0) return
  const forAll = await app.listing.readNames(ids, anonymous)
  const forVips = await app.listing.readNames(ids, aVip)
  for (const { id, item_id: itemId } of requests) {
    if (itemId === null || !forVips.has(itemId)) continue
    while ((await notifySome(app, { id, isForVips: !forAll.has(itemId) })) === batch);
  }
}

/** @returns how many were notified */
async function notifySome(
  { db, mail, clock, config }: Pick<RequestsApp, 'db' | 'mail' | 'clock' | 'config'>,
  { id, isForVips }: { id: string; isForVips: boolean },
): Promise<number> {
  const now = new Date(clock.now())
  return db.transaction().execute(async (trx) => {
    // Skips voters whom another process is notifying.
    const voters = await trx
      .selectFrom('request_votes as v')
      .select('v.user_id')
      .where('v.request_id', '=', id)
      .where('v.notified_at', 'is', null)
      .$if(isForVips, (query) => query.where(maySeeVip(config, now)))
      .orderBy('v.user_id')
      .limit(batch)
      .forUpdate()
      .skipLocked()
      .execute()
    const emails = voters.map(({ user_id: userId }) => ({ requestId: id, userId }))
    await mail.queueMany(trx, fulfilledEmail, emails)
    await trx
      .updateTable('request_votes')
      .set({ notified_at: now })
      .where('request_id', '=', id)
      .where(sql<boolean>`user_id = any(${voters.map(({ user_id }) => user_id)}::uuid[])`)
      .execute()
    return voters.length
  })
}

/** Whether the voter may see VIP items; the email asks again when it is written. */
function maySeeVip(config: RequestsApp['config'], now: Date) {
  return sql<boolean>`exists (
    select from users u
     where u.id = v.user_id
       and (${isAdminInForce(config, 'u')} or (not u.vip_disabled and exists (
             select from access_grants g
              where g.user_id = u.id and g.revoked_reason is null and g.starts_at <= ${now} and g.effective_until > ${now}))))`
}
