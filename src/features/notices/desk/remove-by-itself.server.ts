import { sql, type Transaction } from 'kysely'
import type { NoticesApp, NoticesDatabase } from '../app.ts'
import { removeAfterHours } from '../notice/clocks.ts'
import { putOffRemoval } from '../notice/move-clocks.server.ts'
import { applyEvent, type LockedNotice } from '../notice/record-event.server.ts'
import type { NoticeState } from '../notice/transition.ts'
import { makeDecision } from './decide.server.ts'
import { splitOff } from './split-off.server.ts'

type Trx = Transaction<NoticesDatabase>
type Locked = LockedNotice & { state: NoticeState }

/**
 * What the site does at the end of the clock `remove` (docs/spec/notices.md#own-times): it removes what has had its 44 hours, and splits
 * off what was added later, and what too many at once have left on the site. Only a whole notice obliges anybody, and only where it leads to an entry is there anything to remove: all
 * else is overdue, for a person.
 *
 * The caller holds the lock of the catalogue and then that of the notice.
 */
export async function workOnRemoval(app: NoticesApp, trx: Trx, notice: Locked): Promise<void> {
  const addresses = await readAddresses(trx, notice.id)
  const namesEntry = addresses.some(({ item_id }) => item_id !== null)
  // An entry has its hours from the first of its addresses on.
  const due = new Set(
    addresses.flatMap(({ item_id, isDue, isLeft }) => (isDue && !isLeft && item_id !== null ? item_id : [])),
  )
  if (!notice.state.isWhole || !namesEntry || (notice.state.isWithheld && due.size === 0)) {
    const event = { type: 'overdue', clock: 'remove' } as const
    await applyEvent(app, trx, { notice, event, by: { kind: 'system' } })
    return
  }
  if (due.size === 0) {
    await putOffRemoval(trx, notice.id)
    return
  }
  const late = addresses.filter(({ item_id, isDue }) => (item_id === null ? !isDue : !due.has(item_id)))
  const rest = late.length === 0 ? notice : await splitOff(app, trx, { notice, addresses: late.map(({ id }) => id) })
  await removeByItself(app, trx, rest)
}

async function readAddresses(
  trx: Trx,
  noticeId: string,
): Promise<{ id: string; item_id: string | null; isDue: boolean; isLeft: boolean }[]> {
  // A clock ends with a whole millisecond.
  const { rows } = await sql<{ id: string; item_id: string | null; isDue: boolean; isLeft: boolean }>`
    select id, item_id, bounded_to is not null as "isLeft", date_trunc('milliseconds', added_at) + make_interval(hours => ${removeAfterHours}::int) <= now() as "isDue"
      from notice_items where notice_id = ${noticeId} order by position`.execute(trx)
  return rows
}

/** Nobody has decided about an intimate image in time (docs/spec/notices.md#deadlines). */
async function removeByItself(app: NoticesApp, trx: Trx, notice: Locked): Promise<void> {
  await makeDecision(app, trx, {
    notice,
    decision: {
      outcome: 'remove',
      ground: 'illegal',
      legalGround: 'Take It Down Act (47 U.S.C. 223a), or the law on intimate images that applies',
      facts:
        "A complete notice says that what was reported shows a person in an intimate or private image, without that person's consent.",
      explanation:
        'The law requires such an image to be removed within 48 hours. Nobody had decided in time, so the site removed it automatically.',
    },
    by: { kind: 'system' },
    eventOf: (decisionId) => ({ type: 'decided', decisionId, outcome: 'remove' }),
  })
}
