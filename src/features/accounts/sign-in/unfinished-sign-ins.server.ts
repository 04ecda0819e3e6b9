import { hash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { addressBlockOf } from '../../../platform/client-address.ts'
import type { AccountsApp, AccountsDatabase, AccountsTransaction } from '../app.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requestOrigin } from '../../office/audit/request-origin.server.ts'
import { deviceInWords } from '../sessions/device-in-words.server.ts'
import { accountMails } from '../account-mails.ts'

/** Minutes in which a sign-in may still be finished; and an account has one event in so many. */
const minutes = 15

/** The most networks that an event names. */
const maxNetworks = 5

/** Accounts that one run of the job looks at. */
const maxAccounts = 500

/** The caller of a sign-in, as far as the second step can be attributed to them. */
export interface SigningInFrom {
  userId: string
  /** As `clientAddressOf` tells it. */
  address: string
  userAgent: string
}

/** The recorded hash of a caller, which reveals nothing by itself. */
export function callerHash({ userId, address, userAgent }: SigningInFrom): Buffer {
  return hash('sha256', `${userId}\n${addressBlockOf(address)}\n${userAgent}`, 'buffer')
}

/**
 * Notes a sign-in whose password was right, and which has shown no second factor yet, or a wrong one. The statement that opens
 * the session forgets it.
 */
export async function recordUnfinished(
  { db }: Pick<AccountsApp, 'db'>,
  { isKnownDevice, ...from }: SigningInFrom & { isKnownDevice: boolean },
): Promise<void> {
  const { address, requestId } = requestOrigin()
  await db
    .insertInto('unfinished_sign_ins')
    .values({
      user_id: from.userId,
      caller_hash: callerHash(from),
      is_known_device: isKnownDevice,
      user_agent: from.userAgent,
      network: address ?? null,
      request_id: requestId ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'caller_hash']).doUpdateSet({
        times: sql<number>`unfinished_sign_ins.times + 1`,
        // Once by a stranger is enough.
        is_known_device: sql<boolean>`unfinished_sign_ins.is_known_device and excluded.is_known_device`,
        request_id: requestId ?? null,
      }),
    )
    .execute()
}

/**
 * Records sign-ins that were not finished within 15 minutes, one event for an account in 15 minutes. Once a day an
 * email warns its owner that somebody knows their password, except for a known device.
 */
export async function notifyOfUnfinished(app: Pick<AccountsApp, 'db' | 'mail'>): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from unfinished_sign_ins u
     where begun_at <= now() - make_interval(mins => ${minutes})
       and not exists (select from notified_sign_ins t
                        where t.user_id = u.user_id and t.recorded_at > now() - make_interval(mins => ${minutes}))
     limit ${maxAccounts}`.execute(app.db)
  for (const { user_id: userId } of rows) await notifyOne(app, userId)
}

type Unfinished = Omit<Selectable<AccountsDatabase['unfinished_sign_ins']>, 'user_id' | 'caller_hash'>

async function notifyOne(app: Pick<AccountsApp, 'db' | 'mail'>, userId: string): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    // An account that is deleted meanwhile has none.
    const { rows } = await sql<Unfinished>`
      delete from unfinished_sign_ins
       where user_id = ${userId} and begun_at <= now() - make_interval(mins => ${minutes})
      returning times, is_known_device, user_agent, network, request_id, begun_at`.execute(trx)
    const found = rows.toSorted((one, another) => one.begun_at.getTime() - another.begun_at.getTime())
    const stranger = found.findLast((one) => !one.is_known_device)
    const newest = found.at(-1)
    if (newest === undefined) return
    const last = stranger ?? newest
    const isNotified = await recordNotified(trx, { userId, isStranger: stranger !== undefined })
    const networks = [...new Set(found.flatMap(({ network }) => network ?? []))].slice(0, maxNetworks)
    await recordAuditEvent(trx, {
      action: 'factor.unfinished',
      by: 'system',
      subject: { kind: 'member', id: userId },
      details: {
        times: found.reduce((sum, { times }) => sum + times, 0),
        lastAt: newest.begun_at.toISOString(),
        ...(networks.length === 0 ? {} : { address: networks }),
        ...(last.request_id === null ? {} : { requestId: last.request_id }),
        notified: isNotified,
      },
    })
    if (!isNotified) return
    const { email, name } = await trx
      .selectFrom('users')
      .select(['email', 'name'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const news = { device: deviceInWords(last.user_agent), at: last.begun_at.toISOString() }
    await app.mail.queue(trx, accountMails.passwordKnown, { email, name, ...news })
  })
}

/** @returns whether the owner is notified this time */
async function recordNotified(
  trx: AccountsTransaction,
  { userId, isStranger }: { userId: string; isStranger: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ is_notified: boolean }>`
    insert into notified_sign_ins as t (user_id, recorded_at, notified_at)
    values (${userId}, now(), case when ${isStranger}::boolean then now() end)
    on conflict (user_id) do update
      set recorded_at = now(),
          notified_at = case when ${isStranger}::boolean and (t.notified_at is null or t.notified_at <= now() - interval '1 day')
                         then now() else t.notified_at end
    returning coalesce(t.notified_at = now(), false) as is_notified`.execute(trx)
  return rows[0]?.is_notified === true
}
