import { type Selectable, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { mostCounted } from '../../../platform/counted-to-thousand.ts'
import { defineError } from '../../../platform/errors.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { foldEmail } from '../../accounts/user/email.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { RequestsApp, RequestsDatabase, RequestsTransaction } from '../app.ts'
import type {
  ClosedInquiries,
  InquiriesForAdmin,
  InquiryForAdmin,
  InquiryOfMember,
  InquiryState,
} from './inquiry-schema.ts'
import { replyEmail } from './support-emails.ts'

const atOnce = 50

interface Place {
  isVip: boolean
  id: string
}

/**
 * Inquiries in a state. Open ones: VIPs first, then the oldest. Others: the newest first.
 * @param wanted.email only those with this address, whatever its case
 * @param wanted.after the `next` of the part before
 */
export async function readInquiries(
  app: Pick<RequestsApp, 'db'>,
  { state, email = '', after }: { state: InquiryState; email?: string; after?: Place | undefined },
): Promise<InquiriesForAdmin> {
  const query = app.db
    .selectFrom('inquiries')
    .selectAll()
    .where('state', '=', state)
    .$if(email !== '', (all) => all.where(sql<boolean>`lower(email) = lower(${email})`))
  const rows =
    state === 'open'
      ? await query
          .$if(after !== undefined, (rest) =>
            rest.where(
              sql<boolean>`(not is_vip, id) > (not ${after?.isVip ?? false}::boolean, ${after?.id ?? null}::uuid)`,
            ),
          )
          .orderBy(sql`not is_vip`)
          .orderBy('inquiries.id')
          .limit(atOnce + 1)
          .execute()
      : await query
          .$if(after !== undefined, (rest) => rest.where('inquiries.id', '<', after?.id ?? ''))
          .orderBy('inquiries.id', 'desc')
          .limit(atOnce + 1)
          .execute()
  const shown = rows.slice(0, atOnce)
  const last = rows.length > atOnce ? shown.at(-1) : undefined
  return {
    inquiries: await forAdmins(app, shown),
    next: last === undefined ? null : `${last.is_vip ? 'vip' : 'all'}.${last.id}`,
  }
}

async function forAdmins(
  { db }: Pick<RequestsApp, 'db'>,
  rows: readonly Selectable<RequestsDatabase['inquiries']>[],
): Promise<InquiryForAdmin[]> {
  const repliesOf = await readReplies(db, rows)
  const members = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'created_at', 'last_seen_at'])
    .where(sql<boolean>`id = any(${rows.flatMap(({ user_id }) => user_id ?? [])}::uuid[])`)
    .execute()
  const accounts = new Map(
    members.map(({ created_at: createdAt, last_seen_at: lastSeenAt, ...member }) => [
      member.id,
      { ...member, createdAt: createdAt.toISOString(), lastSeenAt: lastSeenAt?.toISOString() ?? null },
    ]),
  )
  return rows.flatMap(({ id, user_id, name, email, message, is_vip, state, version, created_at, closed_at }) => {
    const account = accounts.get(user_id ?? '') ?? null
    return state === 'forwarding'
      ? []
      : {
          id,
          name,
          email,
          message,
          account,
          hasOtherEmail: account !== null && foldEmail(account.email) !== foldEmail(email),
          isVip: is_vip,
          state,
          version,
          createdAt: created_at.toISOString(),
          closedAt: closed_at?.toISOString() ?? null,
          replies: repliesOf(id),
        }
  })
}

/** The answers to these inquiries, the oldest first. */
async function readReplies(db: RequestsApp['db'], inquiries: readonly { id: string }[]) {
  const replies = await db
    .selectFrom('inquiry_replies')
    .select(['inquiry_id', 'message', 'written_at'])
    .where(sql<boolean>`inquiry_id = any(${inquiries.map(({ id }) => id)}::uuid[])`)
    .orderBy('inquiry_replies.id')
    .execute()
  return (inquiryId: string) =>
    replies
      .filter(({ inquiry_id }) => inquiry_id === inquiryId)
      .map(({ message, written_at }) => ({ message, writtenAt: written_at.toISOString() }))
}

/** @throws {AppError} `inquiry.not_found`, 404 */
async function readInquiry(app: Pick<RequestsApp, 'db'>, id: string): Promise<InquiryForAdmin> {
  const row = await app.db.selectFrom('inquiries').selectAll().where('id', '=', id).executeTakeFirst()
  const [found] = row === undefined ? [] : await forAdmins(app, [row])
  if (found === undefined) throw noSuchInquiry()
  return found
}

export const noSuchInquiry = defineError({
  code: 'inquiry.not_found',
  status: 404,
  sentence: 'There is no such inquiry any more.',
  remedy: 'Read the list again: an inquiry goes with the account that sent it, and 400 days after it was closed.',
})

interface Change {
  state: InquiryState
  /** More of the same transaction. */
  also?: (trx: RequestsTransaction) => Promise<void>
  action: 'inquiry.answered' | 'inquiry.closed' | 'inquiry.reopened'
}

/**
 * One change of an inquiry, if nobody has changed it since it was read: two clicks or two administrators make one.
 * @throws {AppError} `inquiry.not_found`, 404; `inquiry.conflict`, 409, with the inquiry as it is now
 */
async function change(
  app: RequestsApp,
  viewer: Viewer,
  { id, version }: { id: string; version: number },
  { state, also, action }: Change,
): Promise<InquiryForAdmin> {
  await readInquiry(app, id)
  const isChanged = await app.db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('inquiries')
      .set({
        state,
        version: version + 1,
        closed_at: state === 'closed' ? new Date(app.clock.now()) : null,
      })
      .where('id', '=', id)
      .where('version', '=', version)
      .where('state', '<>', 'forwarding')
      .returning('id')
      .executeTakeFirst()
    if (changed === undefined) return false
    await also?.(trx)
    const by = { memberId: requireMember(viewer).id }
    await recordAuditEvent(trx, { action, by, subject: { kind: 'inquiry', id } })
    return true
  })
  const current = await readInquiry(app, id)
  if (isChanged) return current
  throw inquiryConflict({ details: { current } })
}

/**
 * Answers an inquiry: the reply joins the thread and is mailed, once, to its sender.
 * @throws {AppError} `inquiry.not_found`, 404; `inquiry.conflict`, 409
 */
export function replyToInquiry(
  app: RequestsApp,
  viewer: Viewer,
  { message, ...which }: { id: string; version: number; message: string },
): Promise<InquiryForAdmin> {
  return change(app, viewer, which, {
    state: 'answered',
    action: 'inquiry.answered',
    async also(trx) {
      const id = uuidv7()
      const row = { id, inquiry_id: which.id, written_by: requireMember(viewer).id, message }
      await trx
        .insertInto('inquiry_replies')
        .values({ ...row, written_at: new Date(app.clock.now()) })
        .execute()
      await app.mail.queue(trx, replyEmail, { replyId: id })
    },
  })
}

/** @throws {AppError} `inquiry.not_found`, 404; `inquiry.conflict`, 409 */
export function closeInquiry(
  app: RequestsApp,
  viewer: Viewer,
  which: { id: string; version: number },
): Promise<InquiryForAdmin> {
  return change(app, viewer, which, { state: 'closed', action: 'inquiry.closed' })
}

/** Closes several inquiries at once, each if nobody has changed it since it was read with this version. */
export async function closeInquiries(
  app: RequestsApp,
  viewer: Viewer,
  wanted: readonly { id: string; version: number }[],
): Promise<ClosedInquiries> {
  const ids = wanted.map(({ id }) => id)
  const versions = wanted.map(({ version }) => version)
  const closedIds = await app.db.transaction().execute(async (trx) => {
    // In one order: of two who close the same at once, one waits for the other.
    const { rows } = await sql<{ id: string }>`
      with found as (
        select i.id from inquiries i
          join unnest(${ids}::uuid[], ${versions}::int[]) as wanted (id, version) using (id, version)
         where i.state in ('open', 'answered')
         order by i.id for update of i)
      update inquiries i set state = 'closed', version = i.version + 1, closed_at = ${new Date(app.clock.now())}
        from found where i.id = found.id returning i.id`.execute(trx)
    const by = { memberId: requireMember(viewer).id }
    for (const { id } of rows)
      await recordAuditEvent(trx, { action: 'inquiry.closed', by, subject: { kind: 'inquiry', id } })
    return new Set(rows.map(({ id }) => id))
  })
  const rows = await app.db
    .selectFrom('inquiries')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('inquiries.id')
    .execute()
  const current = await forAdmins(app, rows)
  const found = new Set(current.map(({ id }) => id))
  return {
    closed: current.filter(({ id }) => closedIds.has(id)),
    overtaken: current.filter(({ id }) => !closedIds.has(id)),
    gone: ids.filter((id) => !found.has(id)),
  }
}

/** @throws {AppError} `inquiry.not_found`, 404; `inquiry.conflict`, 409 */
export function reopenInquiry(
  app: RequestsApp,
  viewer: Viewer,
  which: { id: string; version: number },
): Promise<InquiryForAdmin> {
  return change(app, viewer, which, { state: 'open', action: 'inquiry.reopened' })
}

/** Open inquiries, as far as it matters to know how many, and those of VIPs among them. */
export async function countOpenInquiries({ db }: Pick<RequestsApp, 'db'>): Promise<{ all: number; ofVips: number }> {
  const { rows } = await sql<{ all: number; ofVips: number }>`
    select count(*)::int as "all", (count(*) filter (where is_vip))::int as "ofVips"
      from (select is_vip from inquiries where state = 'open' order by not is_vip, id limit ${mostCounted}) open`.execute(
    db,
  )
  return rows[0] ?? { all: 0, ofVips: 0 }
}

/** Inquiries that the form service has not taken for a while, and since when. */
export async function findStuckInquiries({
  db,
  clock,
}: Pick<RequestsApp, 'db' | 'clock'>): Promise<{ count: number; since: Date } | undefined> {
  const { count, since } = await db
    .selectFrom('inquiries')
    .select((of) => [of.fn.countAll<string>().as('count'), of.fn.min('created_at').as('since')])
    .where('state', '=', 'forwarding')
    .where('created_at', '<', new Date(clock.now() - 600_000))
    .executeTakeFirstOrThrow()
  return Number(count) === 0 ? undefined : { count: Number(count), since }
}

/** With what the form service has refused the newest of the open inquiries that it refused, and when that was sent. */
export async function findRefusedInquiry({
  db,
}: Pick<RequestsApp, 'db'>): Promise<{ status: number; since: Date } | undefined> {
  const newest = await db
    .selectFrom('inquiries')
    .select(['refused_status', 'created_at'])
    .where('state', '=', 'open')
    .where('refused_status', 'is not', null)
    .orderBy('inquiries.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest === undefined ? undefined : { status: Number(newest.refused_status), since: newest.created_at }
}

/** The caller's inquiries with the answers for their data export, the newest first. */
export async function exportInquiries({ db }: Pick<RequestsApp, 'db'>, viewer: Viewer): Promise<InquiryOfMember[]> {
  const rows = await db
    .selectFrom('inquiries')
    .selectAll()
    .where('user_id', '=', requireMember(viewer).id)
    .orderBy('inquiries.id', 'desc')
    .execute()
  const repliesOf = await readReplies(db, rows)
  return rows.map(({ id, name, email, message, state, created_at }) => ({
    createdAt: created_at.toISOString(),
    name,
    email,
    message,
    state,
    replies: repliesOf(id),
  }))
}

export const inquiryConflict = defineError({
  code: 'inquiry.conflict',
  status: 409,
  sentence: 'Somebody else has changed this inquiry meanwhile. Look at it as it is now, and try again.',
  members: { current: 'the inquiry as it is now.' },
  remedy: 'Look at the inquiry under `current`, and repeat the call with its version.',
})
