import { sql, type Transaction } from 'kysely'
import { addressBlockOf, networkOf, siteBlockOf } from '../../../platform/client-address.ts'
import { countForBounds, readReportedStanding } from '../../catalogue/removal/reported-standing.server.ts'
import type { NoticesApp, NoticesDatabase } from '../app.ts'
import {
  boundEach,
  type BoundedTo,
  levelOf,
  mostHeldForNetwork,
  mostHiddenForBlock,
  mostOnSite,
} from './hidden-at-once.ts'
import type { NoticeActor } from './record-event.server.ts'
import type { HoldState, NoticeEventInput, NoticeState } from './transition.ts'

type Trx = Transaction<NoticesDatabase>

/** The recorded origin of a notice. */
export interface Origin {
  /** For an hour, to count by: an IPv4 address, or the /48 that one tenant has. */
  block: string | null
  /** For 14 days, to find what came from the same network: a /24 or a /48. */
  network: string | null
}

export function originOf(address: string | undefined): Origin {
  if (address === undefined) return { block: null, network: null }
  return { block: siteBlockOf(address) ?? addressBlockOf(address), network: networkOf(address) ?? null }
}

/** A reported entry, and what the bound has left to it. */
export interface BoundedEntry {
  id: string
  boundedTo: BoundedTo
}

/** `isNew`: the event at hand has brought it to more than the bounds let through. */
interface LeftEntry extends BoundedEntry {
  isNew?: boolean
}

/** The entries that a notice's addresses lead to, each once, in the order of the addresses. */
export async function readBoundedEntries(trx: Trx, noticeId: string): Promise<BoundedEntry[]> {
  const { rows } = await sql<BoundedEntry>`
    select item_id::text as id, max(bounded_to) as "boundedTo" from notice_items
     where notice_id = ${noticeId} and item_id is not null group by item_id order by min(position)`.execute(trx)
  return rows
}

/**
 * Bounds what an event makes a notice hide or hold, entry by entry (docs/spec/notices.md#hidden-at-once): what senders and deadlines do
 * fits under the bounds or is left for a person, and what a person does is not bounded. Nothing is refused. The caller holds the lock of
 * the catalogue, so that those who come at the same moment count one after the other, and holds the entries as it is written here.
 * @param input.event what has happened, with its addresses written already
 * @param input.wanted what the event makes the notice do; nothing is read where that is nothing
 * @returns the event, with what the ledger keeps of what was left
 */
export async function boundNotice(
  { alarms }: Pick<NoticesApp, 'alarms'>,
  trx: Trx,
  input: {
    notice: { id: string; reference: string }
    before: NoticeState | null
    wanted: HoldState
    event: NoticeEventInput
    by: NoticeActor
  },
): Promise<NoticeEventInput> {
  const { notice, before, wanted, event, by } = input
  if (wanted === 'none' || !mayLeaveEntries(event)) return event
  const entries = await readBoundedEntries(trx, notice.id)
  const isByPerson = by.kind === 'administrator'
  const isHiddenByPerson = isByPerson && (event.type === 'hidden' || event.type === 'reclassified')
  const left: readonly LeftEntry[] = isHiddenByPerson
    ? await liftBounds(trx, notice.id)
    : isByPerson
      ? entries
      : await boundEntries(trx, { ...input, wanted, entries, block: by.kind === 'sender' ? by.block : undefined })
  const isWithheld = wanted === 'hides' && left.some(({ boundedTo }) => boundedTo !== null)
  const isTriedAgain = event.type === 'hidden' && before?.isWithheld === true
  if (isWithheld && !isByPerson && !isTriedAgain && left.some(({ isNew }) => isNew === true)) alarms.raise(flood)
  const isSame = isWithheld === (before?.isWithheld ?? false)
  const recorded = { ...event, ...(isSame ? {} : { isWithheld }) }
  if (recorded.type !== 'hidden') return recorded
  // The entries whose bound was lifted; all of them if none was hidden before.
  const stays = new Set(left.filter(({ boundedTo }) => boundedTo !== null).map(({ id }) => id))
  const hidden = entries.filter(
    ({ id, boundedTo }) => !stays.has(id) && (before?.holds !== 'hides' || boundedTo !== null),
  )
  return { ...recorded, isWithheld, items: hidden.map(({ id }) => id) }
}

type LeavingEvent = Extract<NoticeEventInput, { isWithheld?: boolean }>

function mayLeaveEntries(event: NoticeEventInput): event is LeavingEvent {
  return ['received', 'answered', 'completed', 'reclassified', 'entries-changed', 'joined', 'hidden'].includes(
    event.type,
  )
}

/** A person hides what the bounds have left. */
async function liftBounds(trx: Trx, noticeId: string): Promise<LeftEntry[]> {
  await trx
    .updateTable('notice_items')
    .set({ bounded_to: null })
    .where('notice_id', '=', noticeId)
    .where('bounded_to', 'is not', null)
    .execute()
  return []
}

/** Writes what the bounds leave to the entries that the event adds, or to all where it makes the notice do more. */
async function boundEntries(
  trx: Trx,
  input: {
    notice: { id: string; reference: string }
    before: NoticeState | null
    wanted: 'holds' | 'hides'
    entries: readonly BoundedEntry[]
    event: NoticeEventInput
    /** The sender's network block; undefined for the site itself, which counts for the network of the notice. */
    block: string | null | undefined
  },
): Promise<LeftEntry[]> {
  const { notice, before, wanted, entries, event } = input
  const standing = await readReportedStanding(
    trx,
    notice.reference,
    entries.map(({ id }) => id),
  )
  // A deadline tries again what did not fit before.
  const isRaised = wanted !== (before?.holds ?? 'none') || event.type === 'hidden'
  const pending = entries.flatMap(({ id, boundedTo }) => {
    const entry = standing.get(id)
    if (entry === undefined || entry.own === wanted) return []
    return isRaised || (boundedTo === null && entry.own === 'none') ? [entry] : []
  })
  if (pending.length === 0) return writeBounds(trx, notice.id, entries, new Map())
  const { network } = await trx
    .selectFrom('notices')
    .select('network')
    .where('id', '=', notice.id)
    .executeTakeFirstOrThrow()
  const block = input.block === undefined ? network : input.block
  const counts = await countForBounds(trx, mostOnSite.counted)
  const hiddenLately = await readHidden(trx, block)
  const { bounds, hidden } = boundEach(wanted, pending, {
    hidden: Math.min(
      block === null ? Number.POSITIVE_INFINITY : mostHiddenForBlock - hiddenLately.ofBlock,
      mostOnSite.of(counts.published) - hiddenLately.onSite,
    ),
    held: Math.min(
      network === null ? Number.POSITIVE_INFINITY : mostHeldForNetwork - (await countHeldOfNetwork(trx, network)),
      mostOnSite.of(counts.items) - counts.held,
    ),
  })
  if (hidden > 0)
    await trx.insertInto('notice_hides').values({ notice_id: notice.id, block, entries: hidden }).execute()
  return writeBounds(trx, notice.id, entries, bounds)
}

/** A bound applies to every address of an entry in the notice. */
async function writeBounds(
  trx: Trx,
  noticeId: string,
  entries: readonly BoundedEntry[],
  bounds: ReadonlyMap<string, BoundedTo>,
): Promise<LeftEntry[]> {
  const after = entries.map(({ id, boundedTo }) => ({
    id,
    boundedTo: bounds.has(id) ? (bounds.get(id) ?? null) : boundedTo,
    isNew: bounds.has(id) && bounds.get(id) !== null,
  }))
  await sql`
    update notice_items i set bounded_to = given.bounded_to
      from unnest(${after.map(({ id }) => id)}::uuid[], ${after.map(({ boundedTo }) => boundedTo)}::text[]) as given (item_id, bounded_to)
     where i.notice_id = ${noticeId} and i.item_id = given.item_id
       and i.bounded_to is distinct from given.bounded_to`.execute(trx)
  return after
}

/** The effect of a notice on each of its entries. */
export async function readLevels(trx: Trx, noticeId: string, holds: HoldState): Promise<Map<string, HoldState>> {
  if (holds === 'none') return new Map()
  const entries = await readBoundedEntries(trx, noticeId)
  return new Map(entries.map(({ id, boundedTo }) => [id, levelOf(holds, boundedTo)]))
}

/** Entries that the site hid within the last hour. */
async function readHidden(trx: Trx, block: string | null): Promise<{ ofBlock: number; onSite: number }> {
  const { rows } = await sql<{ ofBlock: number; onSite: number }>`
    select coalesce(sum(entries) filter (where block = ${block}::text), 0)::int as "ofBlock",
           coalesce(sum(entries), 0)::int as "onSite"
      from notice_hides where at > now() - interval '1 hour'`.execute(trx)
  return rows[0] ?? { ofBlock: 0, onSite: 0 }
}

/** How many entries the notices from a network hold now that no notice has taken off the site. */
async function countHeldOfNetwork(trx: Trx, network: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select h.item_id from notices n
        join item_holds h on h.reference = n.reference and h.kind = 'notice' and h.released_at is null
       where n.network = ${network} and n.holds <> 'none'
         and not exists (select from item_holds o where o.item_id = h.item_id and o.kind = 'notice'
                            and o.released_at is null and o.gives_back)
       group by h.item_id limit ${mostHeldForNetwork}) held`.execute(trx)
  return rows[0]?.count ?? 0
}

/** All administrators read it, and some find nothing marked in their queue: it tells nothing of the kinds, and does not say that something is. */
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

/** Forgets where notices came from, once that is not needed any more. */
export async function forgetOrigins({ db }: Pick<NoticesApp, 'db'>): Promise<void> {
  await sql`delete from notice_hides where at <= now() - interval '1 hour'`.execute(db)
  await sql`
    update notices set network = null
     where network is not null and received_at <= now() - make_interval(days => ${networkDays})`.execute(db)
}
