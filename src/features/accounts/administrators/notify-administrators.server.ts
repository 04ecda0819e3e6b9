import { sql } from 'kysely'
import { lockInTransaction } from '../../../db/locks.ts'
import { accountMails, type GraveAction, type NamedAct, type NamedPerson } from '../account-mails.ts'
import type { AccountsApp, AccountsTransaction } from '../app.ts'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import type { ChangedAddress } from '../../office/people.ts'
import { foldEmail } from '../user/email.ts'

interface GraveAct {
  action: GraveAction
  by: AuditActor
  at: string
  memberId?: string
  count?: number
  address?: ChangedAddress
}

type Notifying = Pick<AccountsApp, 'mail' | 'clock'>

/** This many acts of a kind are sent one by one within this time; later ones wait for one email about many. */
const maxSingle = 5
const withinMs = 600_000
const maxNamed = 20

/**
 * Notifies the administrators and the person concerned by email, in the transaction of the act, the actor too: it may
 * have been somebody else with their session. A flood waits for `mailManyGraveActs`.
 * @param act.memberId to whom it was done; of a role or mark they are emailed separately
 * @param act.address the old address, which is notified as well
 */
export async function notifyAdministrators(
  app: Notifying,
  trx: AccountsTransaction,
  act: Pick<GraveAct, 'action' | 'by' | 'memberId' | 'count' | 'address'>,
): Promise<void> {
  const now = new Date(app.clock.now())
  // Acts at the same moment count one after the other.
  await lockInTransaction(trx, 'grave-acts')
  await forgetOldActs(trx, now)
  const { rows } = await sql<{ notified: number; waiting: number }>`
    select count(notified_at)::int as notified, count(*) filter (where notified_at is null)::int as waiting
      from grave_acts where act ->> 'action' = ${act.action}`.execute(trx)
  const { notified, waiting } = rows[0] ?? { notified: 0, waiting: 0 }
  const isSingle = notified < maxSingle && waiting === 0
  const graveAct: GraveAct = { ...act, at: now.toISOString() }
  await trx
    .insertInto('grave_acts')
    .values({ done_at: now, notified_at: isSingle ? now : null, act: JSON.stringify(graveAct) })
    .execute()
  if (isSingle) await notify(app, trx, [graveAct])
}

/** Those that do not count any more. */
async function forgetOldActs(trx: AccountsTransaction, now: Date): Promise<void> {
  await trx
    .deleteFrom('grave_acts')
    .where('notified_at', '<=', new Date(now.getTime() - withinMs))
    .execute()
}

/** Tells in one email of all acts that wait, ten minutes after the oldest of them. */
export async function mailManyGraveActs({ db, mail, clock }: Notifying & Pick<AccountsApp, 'db'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockInTransaction(trx, 'grave-acts')
    const now = new Date(clock.now())
    await forgetOldActs(trx, now)
    const waiting = await trx
      .selectFrom('grave_acts')
      .select(['done_at', 'act'])
      .where('notified_at', 'is', null)
      .orderBy('id')
      .execute()
    const [oldest] = waiting
    if (oldest === undefined || oldest.done_at.getTime() > now.getTime() - withinMs) return
    await trx.updateTable('grave_acts').set({ notified_at: now }).where('notified_at', 'is', null).execute()
    const acts = waiting.map(({ act }) => act as GraveAct)
    await notify({ mail, clock }, trx, acts)
  })
}

async function notify({ mail }: Notifying, trx: AccountsTransaction, acts: readonly GraveAct[]): Promise<void> {
  const named = await nameAll(trx, acts)
  const administrators = await trx
    .selectFrom('users')
    .select(['id', 'email', 'name'])
    .where('is_admin', '=', true)
    .orderBy('id')
    .execute()
  const [only] = named
  if (only !== undefined && named.length === 1) {
    const others = administrators.filter(({ id }) => id !== only.member?.id)
    const emails = others.map((reader) => ({ ...reader, ...only }))
    await mail.queueMany(trx, accountMails.graveAct, emails)
  } else {
    const acts = named.slice(0, maxNamed)
    const emails = administrators.map((reader) => ({ ...reader, count: named.length, acts }))
    await mail.queueMany(trx, accountMails.graveActs, emails)
  }
  for (const emails of [emailsOfRole, emailsOfMark]) {
    for (const { last, times } of lastOfEach(named, (act) => emails[act.action] && act.member?.id)) {
      const { action, by, at, member } = last
      const kind = emails[action]
      // An account that has ended meanwhile has nobody to write to.
      if (kind === undefined || member === undefined || member.email === '') continue
      await mail.queue(trx, kind, { ...member, by, at, times })
    }
  }
  const isAdministrators = new Set(administrators.map(({ email }) => foldEmail(email)))
  for (const { last, times } of lastOfEach(named, ({ address }) => address && foldEmail(address.before))) {
    const { address, by, at } = last
    if (address === undefined || isAdministrators.has(foldEmail(address.before)) || isExample(address.before)) continue
    await mail.queue(trx, accountMails.addressChanged, { address, by, at, times })
  }
}

/** The email to the person concerned. */
const emailsOfRole: Partial<Record<GraveAction, typeof accountMails.administrator>> = {
  'role.granted': accountMails.administrator,
  'role.withdrawn': accountMails.administratorNoMore,
}
const emailsOfMark: Partial<Record<GraveAction, typeof accountMails.administrator>> = {
  'role.safety_officer_named': accountMails.safetyOfficer,
  'role.safety_officer_withdrawn': accountMails.safetyOfficerNoMore,
}

/** The first value of an installation that has set none: nobody reads there (RFC 2606). */
function isExample(address: string): boolean {
  return /@example\.(com|net|org)$/i.test(address)
}

/** The last act of each key, and how many there are of it. Acts without a key are left out. */
function lastOfEach(
  acts: readonly NamedAct[],
  keyOf: (act: NamedAct) => string | undefined,
): { last: NamedAct; times: number }[] {
  const found = new Map<string, { last: NamedAct; times: number }>()
  for (const act of acts) {
    const key = keyOf(act)
    if (key !== undefined) found.set(key, { last: act, times: (found.get(key)?.times ?? 0) + 1 })
  }
  return [...found.values()]
}

async function nameAll(trx: AccountsTransaction, acts: readonly GraveAct[]): Promise<NamedAct[]> {
  const ids = acts.flatMap(({ by, memberId }) => [
    ...(typeof by === 'string' ? [] : [by.memberId]),
    ...(memberId === undefined ? [] : [memberId]),
  ])
  const people = await trx
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where(sql<boolean>`id = any(${[...new Set(ids)]}::uuid[])`)
    .execute()
  const byId = new Map(people.map((person) => [person.id, person]))
  const nameOf = (id: string): NamedPerson => byId.get(id) ?? { id, name: '', email: '' }
  return acts.map(({ action, by, at, memberId, count, address }) => ({
    action,
    by: typeof by === 'string' ? by : nameOf(by.memberId),
    at,
    ...(memberId === undefined ? {} : { member: nameOf(memberId) }),
    ...(count === undefined ? {} : { count }),
    ...(address === undefined ? {} : { address }),
  }))
}
