import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { maxAddresses } from '../intake/typed-notice.ts'
import { hastenClocks } from '../notice/move-clocks.server.ts'
import { invalidNotice } from '../notice/notice-errors.ts'
import { gravityOf, openStatuses } from '../notice/notice-kinds.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { applyEvent, isOfSafetyOfficers, type LockedNotice, lockNotice } from '../notice/record-event.server.ts'
import { changeNotice } from './change-notice.server.ts'
import type { NoticeForDesk } from './desk-schema.ts'
import { lastDecision } from './decide.server.ts'
import { findNotice } from './notice-for-desk.server.ts'

/** An original has at most so many addresses, its own and those of all its duplicates. */
const maxJoined = 10 * maxAddresses

/**
 * Marks a notice as one that repeats another (docs/spec/notices.md#duplicates). An open original takes over the
 * duplicate's addresses and holds, so nothing hidden returns without a decision; a decided one has covered them.
 * @throws {AppError} `notice.not_found`, 404; `notice.conflict`, `notice.transition`, 409, with the notice as it is;
 * `notice.invalid`, 422
 */
export function markDuplicate(
  app: NoticesApp,
  viewer: Viewer,
  { of, ...which }: { reference: string; version: number; of: string },
): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async ({ trx, notice, by }) => {
    const found = await findNotice({ db: trx }, viewer, of).catch(() => undefined)
    if (found === undefined) throw invalidNotice('There is no notice with this reference.', { field: 'of' })
    if (found.id === notice.id) throw invalidNotice('A notice cannot be a duplicate of itself.', { field: 'of' })
    const original = await lockNotice(trx, found.id)
    const { status } = original.state
    const isOpen = openStatuses.includes(notice.state.status)
    if (status === 'duplicate' || status === 'withdrawn') {
      throw invalidNotice('Nobody works on that notice. Enter the reference of one that is worked on.', { field: 'of' })
    }
    if (gravityOf(notice.state.kind) < gravityOf(original.state.kind)) {
      throw invalidNotice('That notice is less serious. Mark it as a duplicate of this one instead.', { field: 'of' })
    }
    // Other administrators would learn of it.
    if (isOfSafetyOfficers(original.state) && !isOfSafetyOfficers(notice.state)) {
      throw invalidNotice('That notice is for safety officers alone: give this one its kind first.', { field: 'of' })
    }
    const lacking = await addressesLacking(trx, { notice, original })
    if (openStatuses.includes(status)) {
      if (notice.state.isWhole && !original.state.isWhole) {
        throw invalidNotice('That notice is incomplete. Mark it as a duplicate of this one instead.', { field: 'of' })
      }
      // The transition below refuses a notice that is not open, and rolls this back.
      if (isOpen) {
        const added = await takeOver(trx, original, lacking)
        const hides = await hidesSomething(trx, notice)
        // Entries that a bound has left stay on the site: joining them is no decision to hide them.
        const isWithheld = notice.state.isWithheld && !hides && original.state.holds === 'hides'
        const event = {
          type: 'joined',
          duplicate: notice.id,
          added,
          hides,
          ...(isWithheld ? { isWithheld } : {}),
        } as const
        await applyEvent(app, trx, { notice: original, event, by })
        await hastenClocks(trx, { from: notice.id, to: original.id })
      }
    } else if (isOfSafetyOfficers(notice.state) && original.state.outcome === 'keep') {
      // Otherwise a single officer could release what this one hides (docs/spec/notices.md#second-officer).
      throw invalidNotice('That notice was decided to keep what it names. Decide this one on its own.', { field: 'of' })
    } else if (lacking.length > 0 || !(await isDecidedAbout(trx, { notice, original }))) {
      throw invalidNotice(
        'That notice is already decided, and its decision does not cover everything that this one names.',
        { field: 'of' },
      )
    }
    await applyEvent(app, trx, { notice, event: { type: 'marked-duplicate', of: original.id }, by })
    const inForce = openStatuses.includes(status) ? undefined : await lastDecision(trx, original.id)
    if (inForce !== undefined) {
      const to = { who: 'duplicate', noticeId: notice.id } as const
      await app.mail.queue(trx, noticeMails.statement, { decisionId: inForce.id, to })
    }
    // By id: an ordinary notice may become a matter of the safety officers.
    return { action: 'notice.duplicate', details: { of: original.id } }
  })
}

/** Whether it hides an entry, or would hide one that its addresses may still turn out to lead to. */
async function hidesSomething(
  trx: NoticesTransaction,
  { reference, state: { holds, isWithheld } }: LockedNotice,
): Promise<boolean> {
  if (holds !== 'hides' || !isWithheld) return holds === 'hides'
  const { rows } = await sql`
    select from item_holds
     where reference = ${reference} and kind = 'notice' and released_at is null and hides limit 1`.execute(trx)
  return rows.length > 0
}

interface Address {
  url: string
  item_id: string | null
  snapshot: Record<string, unknown> | null
}

/** The addresses of the duplicate that the original lacks: compared by entry, or as typed where there is none. */
async function addressesLacking(
  trx: NoticesTransaction,
  { notice, original }: { notice: LockedNotice; original: LockedNotice },
): Promise<Address[]> {
  const of = (id: string) =>
    trx
      .selectFrom('notice_items')
      .select(['url', 'item_id', 'snapshot'])
      .where('notice_id', '=', id)
      .orderBy('position')
      .execute()
  const keyOf = ({ url, item_id }: Address): string => item_id ?? url
  const known = new Set((await of(original.id)).map(keyOf))
  return (await of(notice.id)).filter((address) => {
    const isLacking = !known.has(keyOf(address))
    known.add(keyOf(address))
    return isLacking
  })
}

/**
 * Adds the addresses that the original lacks.
 * @returns their ids
 */
async function takeOver(
  trx: NoticesTransaction,
  original: LockedNotice,
  lacking: readonly Address[],
): Promise<string[]> {
  if (lacking.length === 0) return []
  const own = await trx
    .selectFrom('notice_items')
    .select('position')
    .where('notice_id', '=', original.id)
    .orderBy('position')
    .execute()
  if (own.length + lacking.length > maxJoined) {
    throw invalidNotice(`That notice has too many addresses already: together they have at most ${maxJoined}.`, {
      field: 'of',
    })
  }
  const last = own.at(-1)?.position ?? 0
  const rows = lacking.map(({ url, item_id, snapshot }, no) => ({
    id: uuidv7(),
    notice_id: original.id,
    position: last + no + 1,
    url,
    item_id,
    snapshot: snapshot === null ? null : JSON.stringify(snapshot),
  }))
  await trx.insertInto('notice_items').values(rows).execute()
  return rows.map(({ id }) => id)
}

/**
 * Whether the original's decision covers each entry of the duplicate; an entry that was attached later is not covered.
 */
async function isDecidedAbout(
  trx: NoticesTransaction,
  { notice, original }: { notice: LockedNotice; original: LockedNotice },
): Promise<boolean> {
  const undecided = await trx
    .selectFrom('notice_items as i')
    .select('i.id')
    .where('i.notice_id', '=', notice.id)
    .where('i.item_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notice_decision_items as x')
            .innerJoin('notice_decisions as d', 'd.id', 'x.decision_id')
            .select('x.item_id')
            .where('d.notice_id', '=', original.id)
            .where('x.was_reported', '=', true)
            .whereRef('x.item_id', '=', 'i.item_id'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return undecided === undefined
}
