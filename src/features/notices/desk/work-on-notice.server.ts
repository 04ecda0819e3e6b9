import { isUuid } from '../../../platform/uuid.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { readReported } from '../../catalogue/removal/match-reported.server.ts'
import type { NoticesApp } from '../app.ts'
import { maxAddresses } from '../intake/typed-notice.ts'
import { addAddresses } from '../notice/begin-notice.server.ts'
import { duplicatesOf } from '../notice/duplicates-of.server.ts'
import { readUnhidden } from '../notice/hidden-at-once.server.ts'
import {
  elementLabel,
  isElementName,
  mayBeRequested,
  missingElements,
  neededElements,
} from '../notice/notice-elements.ts'
import { invalidNotice } from '../notice/notice-errors.ts'
import { isGrave, type NoticeKind } from '../notice/notice-kinds.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { applyEvent, isOfSafetyOfficers, lockNotice } from '../notice/record-event.server.ts'
import { notifyDesk } from '../notice/notify-desk.server.ts'
import { changeNotice, changeNoticeIfSeen, type DeskWork, recordNoticeAudit } from './change-notice.server.ts'
import type { NoticeForDesk } from './desk-schema.ts'
import { fieldsOf } from './notice-for-desk.server.ts'
import { waitsForSecond } from './second-officer.server.ts'

/*
 * Each act throws `notice.not_found` (404), `notice.conflict` and `notice.transition` (409, with the notice as it is), or
 * `notice.invalid` (422).
 */

interface Which {
  reference: string
  version: number
}

export function reviewNotice(app: NoticesApp, viewer: Viewer, which: Which): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async ({ trx, notice, by }) => {
    await applyEvent(app, trx, { notice, event: { type: 'reviewed' }, by })
    return { action: 'notice.reviewed' }
  })
}

/** Hides the entries of a notice that exceeded the bound. */
export function hideEntries(app: NoticesApp, viewer: Viewer, which: Which): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async ({ trx, notice, by }) => {
    const left = await readUnhidden(trx, notice)
    await applyEvent(app, trx, { notice, event: { type: 'hidden', items: left.map(({ id }) => id) }, by })
    return { action: 'notice.hidden', details: { entries: left.length } }
  })
}

/** Asks the sender for elements of the form: an email goes to them, and their page asks for them. */
export function askSender(
  app: NoticesApp,
  viewer: Viewer,
  { missing, message, ...which }: Which & { missing: readonly string[]; message: string },
): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async ({ trx, notice, by }) => {
    const { kind } = notice.state
    const needless = missing.find((name) => !mayBeRequested(kind, name))
    if (needless !== undefined) {
      const needed = neededElements[kind].map((name) => elementLabel(kind, name)).join('; ')
      throw invalidNotice(`The law asks this of a notice of its kind, and nothing else: ${needed}.`, {
        field: 'missing',
      })
    }
    const event = { type: 'asked', missing: [...new Set(missing)], message } as const
    const { eventNo } = await applyEvent(app, trx, { notice, event, by })
    const { email } = await trx
      .selectFrom('notices')
      .select('email')
      .where('id', '=', notice.id)
      .executeTakeFirstOrThrow()
    if (email !== null) await app.mail.queue(trx, noticeMails.asked, { noticeId: notice.id, eventNo })
    return { action: 'notice.asked', details: { missing: event.missing } }
  })
}

/**
 * Gives a notice another kind, with its deadlines from the time of its receipt. Its duplicates follow it to the safety
 * officers.
 * @returns undefined where only safety officers may see it now
 */
export function reclassifyNotice(
  app: NoticesApp,
  viewer: Viewer,
  { kind, ...which }: Which & { kind: NoticeKind },
): Promise<NoticeForDesk | undefined> {
  return changeNoticeIfSeen(app, viewer, which, async (desk) => {
    const { trx, notice, by } = desk
    const event = { type: 'reclassified', kind, missing: await missingFor({ trx, notice }, kind) } as const
    if (await waitsForSecond(app, desk, { act: 'kind', of: kind, event })) return undefined
    await applyEvent(app, trx, { notice, event, by })
    await app.mail.queue(trx, noticeMails.kindChanged, { noticeId: notice.id, kind })
    if (isGrave(kind)) {
      // Another desk, or one that has not been notified of it yet.
      await trx.updateTable('notices').set({ notified_at: null }).where('id', '=', notice.id).execute()
      await notifyDesk(app, trx)
    }
    if (isOfSafetyOfficers({ kind })) await takeDuplicatesAlong(app, { trx, notice, by }, kind)
    return { action: 'notice.reclassified', details: { before: notice.state.kind, after: kind } }
  })
}

/** Gives its new kind to the duplicates of a notice, and to theirs. */
async function takeDuplicatesAlong(app: NoticesApp, { trx, notice, by }: DeskWork, kind: NoticeKind): Promise<void> {
  for (const { id, original } of await duplicatesOf({ db: trx }, notice.id)) {
    const duplicate = await lockNotice(trx, id)
    if (duplicate.state.kind === kind) continue
    const event = { type: 'reclassified', kind, missing: duplicate.state.missing, with: original } as const
    await applyEvent(app, trx, { notice: duplicate, event, by })
    await app.mail.queue(trx, noticeMails.kindChanged, { noticeId: id, kind })
    await recordNoticeAudit(trx, { notice: duplicate, by }, { action: 'notice.reclassified', details: {} })
  }
}

async function missingFor({ trx, notice }: Pick<DeskWork, 'trx' | 'notice'>, kind: NoticeKind): Promise<string[]> {
  const row = await trx.selectFrom('notices').selectAll().where('id', '=', notice.id).executeTakeFirstOrThrow()
  const { count } = await trx
    .selectFrom('notice_items')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('notice_id', '=', notice.id)
    .executeTakeFirstOrThrow()
  return missingElements(kind, fieldsOf(row), Number(count))
}

/** Adds an address that the sender named elsewhere, or takes off one that was a mistake. */
export async function changeEntries(
  app: NoticesApp,
  viewer: Viewer,
  { add, remove, ...which }: Which & { add?: string | undefined; remove?: string | undefined },
): Promise<NoticeForDesk> {
  const reported = await readReported(app, add === undefined ? [] : [add])
  return changeNotice(app, viewer, which, async (desk) => {
    const { trx, notice, by } = desk
    const addresses = await trx
      .selectFrom('notice_items')
      .select(['id', 'url', 'position', 'item_id'])
      .where('notice_id', '=', notice.id)
      .orderBy('position')
      .execute()
    if (add !== undefined) {
      if (addresses.length >= maxAddresses)
        throw invalidNotice(`A notice has at most ${maxAddresses} addresses.`, { field: 'add' })
      if (addresses.some(({ url }) => url === add))
        throw invalidNotice('The notice has this address already.', { field: 'add' })
      const last = addresses.at(-1)?.position ?? 0
      const found = await addAddresses(trx, { noticeId: notice.id, reported, after: last })
      if (found.length === 0) throw invalidNotice('No entry is at this address.', { field: 'add' })
      await applyEvent(app, trx, { notice, event: { type: 'entries-changed', added: add }, by })
      return { action: 'notice.entries_changed', details: { added: add } }
    }
    const one =
      remove !== undefined && isUuid(remove) ? addresses.find(({ id }) => id === remove.toLowerCase()) : undefined
    if (one === undefined) throw invalidNotice('The notice has no such address.', { field: 'remove' })
    const event = { type: 'entries-changed', removed: one.url } as const
    // An address that leads to no entry gives none back.
    if (one.item_id !== null && (await waitsForSecond(app, desk, { act: 'address', of: one.url, event })))
      return undefined
    await trx.deleteFrom('notice_items').where('id', '=', one.id).execute()
    await applyEvent(app, trx, { notice, event, by })
    return { action: 'notice.entries_changed', details: { removed: one.url } }
  })
}

export function closeNotice(app: NoticesApp, viewer: Viewer, which: Which): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async ({ trx, notice, by }) => {
    await applyEvent(app, trx, { notice, event: { type: 'closed' }, by })
    return { action: 'notice.closed' }
  })
}

export function labelsOf(kind: NoticeKind, names: readonly string[]): string[] {
  return names.filter(isElementName).map((name) => elementLabel(kind, name))
}
