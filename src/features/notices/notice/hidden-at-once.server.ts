import { sql, type Transaction } from 'kysely'
import { addressBlockOf, networkOf, siteBlockOf } from '../../../platform/client-address.ts'
import { readPublishedAmong } from '../../catalogue/removal/published-among.server.ts'
import type { NoticesApp, NoticesDatabase } from '../app.ts'
import { mostHiddenForBlock, mostHiddenOnSite } from './hidden-at-once.ts'
import { invalidNotice } from './notice-errors.ts'
import { reportedItems } from './record-event.server.ts'
import { type NoticeEventInput, type NoticeState, transition } from './transition.ts'

type Trx = Transaction<NoticesDatabase>

/** What is kept of where a notice came from. */
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

/**
 * Bounds what notices hide by themselves within an hour (docs/spec/notices.md#hidden-at-once). The caller holds the lock of the
 * catalogue, so that those who come at the same moment count one after the other, and records the event that is returned.
 * @param given.event what its sender has done, with the addresses written already
 * @param given.had how many entries the notice had before
 * @param given.isAsked whether a person has asked the sender for what came
 * @returns the event, with `isWithheld` where its entries are to stay on the site
 * @throws {AppError} `notice.invalid`, 422, where a notice that hides its entries would hide too many more: what it has hidden is not
 * given back for that
 */
export async function boundHiding<
  T extends NoticeEventInput & { type: 'received' | 'answered' | 'completed' | 'entries-changed' },
>(
  { alarms }: Pick<NoticesApp, 'alarms'>,
  trx: Trx,
  given: {
    noticeId: string
    state: NoticeState | null
    event: T
    block: string | null
    had?: number
    isAsked?: boolean
  },
): Promise<T> {
  const { noticeId, state, event, block, had = 0, isAsked = false } = given
  const next = transition(state, event)
  if (next.isRefused || next.state.holds !== 'hides') return event
  const { ids, onSite } = await readPublishedAmong(trx, await reportedItems(trx, noticeId), mostHiddenOnSite.counted)
  const entries = ids.length
  if (entries === 0) return event
  const hidden = await readHidden(trx, block)
  const isTooMany =
    (block !== null && hidden.ofBlock + entries > mostHiddenForBlock) ||
    hidden.onSite + entries > mostHiddenOnSite.of(onSite)
  const hidesAlready = state?.holds === 'hides' && had > 0
  if (isTooMany && !hidesAlready) {
    alarms.raise(flood)
    return { ...event, isWithheld: true }
  }
  if (isTooMany && !isAsked) {
    throw invalidNotice(
      'itemUrls',
      'Too many entries were reported at once. Send these addresses in a separate notice, and a person looks at it.',
    )
  }
  await trx.insertInto('notice_hides').values({ notice_id: noticeId, block, entries }).execute()
  return event
}

/** What was hidden by itself within the last hour. */
async function readHidden(trx: Trx, block: string | null): Promise<{ ofBlock: number; onSite: number }> {
  const { rows } = await sql<{ ofBlock: number; onSite: number }>`
    select coalesce(sum(entries) filter (where block = ${block}::text), 0)::int as "ofBlock",
           coalesce(sum(entries), 0)::int as "onSite"
      from notice_hides where at > now() - interval '1 hour'`.execute(trx)
  return rows[0] ?? { ofBlock: 0, onSite: 0 }
}

/** All administrators read it, and some find nothing marked in their queue: it tells nothing of the kinds, and does not say that something is. */
const flood = {
  name: 'notices.flood',
  headline: 'Many entries reported at once',
  sentence:
    'Within an hour many entries were reported, more than the site acts on by itself. Some of them may stay on the site until a person has looked at them.',
  advice:
    "Open the queue. What is marked 'Not hidden: too many at once' stands first: hide the entries of those that may be right, and decide the others, also many together. Where nothing is marked, there is nothing for you to do.",
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
