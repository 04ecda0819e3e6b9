import { sql } from 'kysely'
import { countForBounds, readReportedStanding } from '../../catalogue/removal/reported-standing.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { reportedItems } from './addresses-of-sender.server.ts'
import type { NoticeActor } from './record-event.server.ts'
import type { NoticeKind } from './notice-kinds.ts'
import type { NoticeState } from './transition.ts'
import { isBounded, type NoticeEventInput } from './notice-event.ts'

/** The count of the catalogue stops here: more entries change nothing. */
const mostCounted = 800

/** A quarter, but at least one full notice, and at most what a person can review. */
export function mostOf(entries: number): number {
  return Math.min(200, Math.max(50, Math.floor(entries / 4)))
}

interface Bounded {
  notice: { id: string; reference: string }
  /** The notice after the event. */
  wanted: Pick<NoticeState, 'kind' | 'holds'>
}

/**
 * Bounds how much an event makes a notice hide or hold (docs/spec/notices.md#hidden-at-once). An act of a sender or
 * deadline fits as a whole, or waits for a person, whose acts are not bounded. The caller holds the lock of the
 * catalogue.
 * @param input.event with its addresses written already
 * @returns the event, with the bound as the ledger records it
 */
export async function boundNotice(
  { alarms }: Pick<NoticesApp, 'alarms'>,
  trx: NoticesTransaction,
  { before, event, by, ...bounded }: Bounded & { before: NoticeState | null; event: NoticeEventInput; by: NoticeActor },
): Promise<NoticeEventInput> {
  if (bounded.wanted.holds === 'none' || !isBounded(event)) return event
  const wasWithheld = before?.isWithheld ?? false
  if (by.kind === 'administrator') {
    const hides = event.type === 'hidden' || event.type === 'reclassified' || (event.type === 'joined' && event.hides)
    return wasWithheld && hides ? { ...event, isWithheld: false } : event
  }
  const isWithheld = !(await fits(trx, bounded))
  if (isWithheld && !wasWithheld && bounded.wanted.holds === 'hides') alarms.raise(flood)
  const recorded = isWithheld || wasWithheld ? { ...event, isWithheld } : event
  return recorded.type === 'hidden' && isWithheld ? { ...recorded, items: [] } : recorded
}

export async function readUnhidden(trx: NoticesTransaction, notice: Bounded['notice']) {
  const standing = await readReportedStanding(trx, notice.reference, await reportedItems(trx, notice.id))
  return [...standing.values()].filter(({ own }) => own !== 'hides')
}

/** Whether all that the notice would hide or hold fits under the bound, and counts it. Entries that are off the site cost nothing. */
async function fits(trx: NoticesTransaction, { notice, wanted }: Bounded): Promise<boolean> {
  const unhidden = await readUnhidden(trx, notice)
  const hides = wanted.holds === 'hides'
  const count = unhidden.filter(({ isPublished, isHeld }) => (hides ? isPublished : !isHeld)).length
  if (count === 0) return true
  const { published, items, held } = await countForBounds(trx, mostCounted)
  // Hidden entries count by the hour against the published ones, held ones against all.
  const already = hides ? await countHidden(trx, wanted.kind) : held
  // A person has joined notices beyond the bound.
  if (already > 0 && already + count > mostOf(hides ? published : items)) return false
  if (hides) await trx.insertInto('notice_hides').values({ notice_id: notice.id, entries: count }).execute()
  return true
}

/** Entries that the site has hidden within the last hour: a child at risk has room of its own, all other kinds share theirs. */
async function countHidden(trx: NoticesTransaction, kind: NoticeKind): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(h.entries), 0)::int as count
      from notice_hides h join notices n on n.id = h.notice_id
     where h.at > now() - interval '1 hour' and (n.kind = 'child-safety') = ${kind === 'child-safety'}::boolean`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

/**
 * Returns what a notice that ended without effect has counted; a duplicate's share goes to the notice that it repeats.
 */
export async function giveRoomBack(
  trx: NoticesTransaction,
  { id, state: { duplicateOf, outcome, status } }: { id: string; state: NoticeState },
): Promise<void> {
  if (duplicateOf === null) {
    if (outcome !== 'keep' && status !== 'withdrawn') return
    await trx.deleteFrom('notice_hides').where('notice_id', '=', id).execute()
    return
  }
  await trx.updateTable('notice_hides').set({ notice_id: duplicateOf }).where('notice_id', '=', id).execute()
  await sql`
    delete from notice_hides h using notices n
     where n.id = h.notice_id and n.id = ${duplicateOf}::uuid and n.outcome = 'keep'`.execute(trx)
}

/**
 * Every administrator reads it, and some see nothing marked in their queue: it names no kind, and does not say that
 * something is there.
 */
const flood = {
  name: 'notices.flood',
  headline: 'Many entries reported at once',
  sentence:
    'Within an hour many entries were reported, more than the site acts on by itself. Some of them may stay on the site until a person has looked at them.',
  advice:
    "Open the queue. Notices marked 'Not hidden: too many at once' stand first: hide the entries of those that may be right, and decide the others, also many together. Where nothing is marked, there is nothing for you to do.",
  to: '/admin/notices',
} as const

/** How long the network of a sender is kept. */
const networkDays = 14

/** Forgets the networks of senders after that time. */
export async function forgetOrigins({ db }: Pick<NoticesApp, 'db'>): Promise<void> {
  await sql`delete from notice_hides where at <= now() - interval '1 hour'`.execute(db)
  await sql`
    update notices set network = null
     where network is not null and received_at <= now() - make_interval(days => ${networkDays})`.execute(db)
}
