import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import { readReported, type Reported } from '../../catalogue/removal/match-reported.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { addAddresses } from '../notice/begin-notice.server.ts'
import { type ElementName, isElementName, type NoticeFields, waysToReach } from '../notice/notice-elements.ts'
import { invalidNotice, refusedTransition } from '../notice/notice-errors.ts'
import type { NoticeKind } from '../notice/notice-kinds.ts'
import { recordNoticeEvent } from '../notice/record-event.server.ts'
import { limitFollowUps } from './notice-limits.server.ts'
import { hasDuplicates, noticeOfToken } from './read-tracked-notice.server.ts'
import { refuseFaults } from './send-notice.server.ts'
import { faultsIn, fieldsIn, maxAddresses, reportedIn, type Typed, type Fault, longestShown } from './typed-notice.ts'
import type { AppError } from '../../../platform/errors.ts'

/**
 * The acts of a sender on their private page. Each is refused if the notice has changed meanwhile.
 * @throws {AppError} `notice.not_found`, 404; `notice.transition`, 409; `limit.exceeded`, 429
 */

/**
 * Adds the requested elements, as far as the sender gives them. A text that was sent before is extended, not replaced.
 * @throws {AppError} `notice.invalid`, 422
 */
export async function addToNotice(
  app: NoticesApp,
  { token, typed, address }: { token: string; typed: Typed; address: string },
): Promise<void> {
  const id = await noticeOfToken(app, token)
  refuseFaults(faultsIn(typed))
  const fields = fieldsIn(typed)
  await limitFollowUps(app, address)
  const { kind, missing: before } = await app.db
    .selectFrom('notices')
    .select(['kind', 'missing'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // Ignores elements that nobody requested.
  const requestedTexts: Typed = {}
  for (const name of ['itemUrls', 'explanation'] as const)
    if (before.includes(name)) requestedTexts[name] = typed[name] ?? ''
  const urls = reportedIn(kind, requestedTexts)
  const reported = await readReported(app, urls)
  await changeNotice(app, async (trx) => {
    const notice = await trx
      .selectFrom('notices')
      .select(['kind', 'missing', 'work_description', 'explanation'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const requested = notice.missing.filter(isElementName)
    const isAnswered = (name: ElementName): boolean => {
      if (name === 'itemUrls') return urls.length > 0
      if (name === 'email') return waysToReach(notice.kind).some((way) => fields[way] !== null)
      return fields[name] !== null && fields[name] !== false
    }
    const answered = requested.filter(isAnswered)
    if (answered.length === 0)
      refuseFaults([{ field: requested[0] ?? 'explanation', message: 'Fill in at least one of these fields.' }])
    const changes = changesOf(answered, fields, notice)
    if (Object.keys(changes).length > 0) await trx.updateTable('notices').set(changes).where('id', '=', id).execute()
    if (answered.includes('itemUrls')) await addReported(app, trx, { noticeId: id, reported })
    else if (answered.includes('explanation'))
      await addReported(app, trx, { noticeId: id, reported, asManyAsFit: true })
    const missing = notice.missing.filter((name) => !answered.some((each) => each === name))
    await recordNoticeEvent(app, trx, {
      noticeId: id,
      event:
        missing.length === 0 ? { type: 'completed', given: answered } : { type: 'answered', missing, given: answered },
      by: { kind: 'sender' },
    })
  })
}

/**
 * Withdraws a notice, which releases its entries. One that others repeat cannot be withdrawn.
 * @param sent.isSure the sender's second confirmation: without JavaScript no dialog asks
 * @throws {AppError} `notice.invalid`, 422
 */
export async function withdrawNotice(
  app: NoticesApp,
  { token, address, isSure }: { token: string; address: string; isSure: boolean },
): Promise<void> {
  const noticeId = await noticeOfToken(app, token)
  if (!isSure) throw invalidNotice('Check the box if you want to withdraw your notice.', { field: 'sure' })
  await limitFollowUps(app, address)
  await changeNotice(app, async (trx) => {
    if (await hasDuplicates({ db: trx }, noticeId))
      throw refusedTransition(
        'This notice cannot be withdrawn: others have reported the same, and it is handled for them too.',
      )
    await recordNoticeEvent(app, trx, { noticeId, event: { type: 'withdrawn' }, by: { kind: 'sender' } })
  })
}

async function changeNotice(app: NoticesApp, change: (trx: NoticesTransaction) => Promise<void>): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    await change(trx)
  })
  await app.listing.catchUp()
}

type Changes = Partial<{
  name: string | null
  organization: string | null
  address: string | null
  phone: string | null
  email: string | null
  work_description: string
  explanation: string
  law_cited: string | null
  good_faith: true
  accuracy: true
  perjury: true
  signature: string | null
}>

function changesOf(
  answered: readonly ElementName[],
  fields: NoticeFields,
  before: { kind: NoticeKind; work_description: string | null; explanation: string | null },
): Changes {
  const changes: Changes = {}
  for (const name of answered) {
    switch (name) {
      case 'itemUrls':
        break
      case 'email':
        for (const way of waysToReach(before.kind)) if (fields[way] !== null) changes[way] = fields[way]
        break
      case 'workDescription':
        changes.work_description = joined(before.work_description, fields.workDescription)
        break
      case 'explanation':
        changes.explanation = joined(before.explanation, fields.explanation)
        break
      case 'lawCited':
        changes.law_cited = fields.lawCited
        break
      case 'goodFaith':
        changes.good_faith = true
        break
      case 'accuracy':
      case 'perjury':
        changes[name] = true
        break
      case 'name':
      case 'organization':
      case 'address':
      case 'phone':
      case 'signature':
        changes[name] = fields[name]
    }
  }
  return changes
}

function joined(before: string | null, more: string | null): string {
  return [before, more].filter((text) => text !== null).join('\n\n')
}

async function addReported(
  app: NoticesApp,
  trx: NoticesTransaction,
  {
    noticeId,
    reported,
    asManyAsFit = false,
  }: {
    noticeId: string
    reported: readonly Reported[]
    asManyAsFit?: boolean
  },
): Promise<void> {
  const known = await trx
    .selectFrom('notice_items')
    .select(['url', 'position'])
    .where('notice_id', '=', noticeId)
    .execute()
  const unknown = reported.filter(({ url }) => known.every((each) => each.url !== url))
  const added = asManyAsFit ? unknown.slice(0, Math.max(0, maxAddresses - known.length)) : unknown
  if (known.length + added.length > maxAddresses) {
    refuseFaults([
      {
        field: 'itemUrls',
        message: `A notice takes up to ${maxAddresses} addresses. Send the others in a second notice.`,
      },
    ])
  }
  if (added.length === 0) return
  await addAddresses(trx, { noticeId, reported: added, after: Math.max(0, ...known.map(({ position }) => position)) })
  // With it the notice holds the entries of these as well.
  await recordNoticeEvent(app, trx, {
    noticeId,
    event: { type: 'entries-changed', added: added.map(({ url }) => url).join(' ') },
    by: { kind: 'sender' },
  })
}

/** The state of a refused form: every fault, and the typed text. */
export function refusedForm(error: AppError, typed: Typed): { message: string; faults: Fault[]; typed: Typed } {
  const { faults } = (error.details ?? {}) as { faults?: Fault[] }
  const restored = Object.fromEntries(
    // The fields would return a NUL as another character.
    Object.entries(typed).map(([name, text]) => [name, text.slice(0, longestShown(name)).replaceAll('\0', '')]),
  )
  return {
    message: faults === undefined ? error.message : 'Not sent yet. Please correct the marked fields.',
    faults: faults ?? [],
    typed: restored,
  }
}
