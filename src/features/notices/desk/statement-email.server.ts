import { sql } from 'kysely'
import type { Email } from '../../../platform/email/message.ts'
import { counted } from '../../../platform/counted.ts'
import { dayInZone } from '../../../platform/time/instant-in-words.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { trackingPath, trackingTokenOf } from '../intake/tracking-token.server.ts'
import { appealDays } from '../notice/clocks.ts'
import type { NoticeKind, Outcome } from '../notice/notice-kinds.ts'
import { type EmailReader, type NoticeMail, noticeMails } from '../notice/notice-mails.ts'
import { duplicatesOf } from '../notice/duplicates-of.server.ts'
import { addressesOfSender, readDecidedEntries } from '../notice/addresses-of-sender.server.ts'
import { foundOf } from '../intake/read-tracked-notice.server.ts'
import { type DecidedEntry, entryBecame, groundTitle, outcomeInWords } from '../notice/outcome-in-words.ts'
import { concernedBy, findReader } from './readers.server.ts'

/** The statement of reasons (Regulation (EU) 2022/2065, article 17), as an email to each of those concerned. */

type Writing = Pick<NoticesApp, 'db' | 'config' | 'texts'>

export async function queueStatements(
  app: NoticesApp,
  trx: NoticesTransaction,
  { decisionId }: { decisionId: string },
): Promise<void> {
  const readers = await readersOf({ ...app, db: trx }, decisionId)
  await app.mail.queueMany(
    trx,
    noticeMails.statement,
    readers.map((to) => ({ decisionId, to })),
  )
}

/** The readers of a statement: the sender, the senders of duplicates, and those who answer for the entries. */
export async function readersOf(app: Pick<NoticesApp, 'db'>, decisionId: string): Promise<EmailReader[]> {
  const decision = await app.db
    .selectFrom('notice_decisions as d')
    .innerJoin('notices as n', 'n.id', 'd.notice_id')
    .select(['n.id', 'n.kind', 'n.email'])
    .where('d.id', '=', decisionId)
    .executeTakeFirstOrThrow()
  const items = await app.db
    .selectFrom('notice_decision_items')
    .select('item_id')
    .where('decision_id', '=', decisionId)
    .execute()
  const concerned = await concernedBy(
    app,
    decision.kind,
    items.map(({ item_id }) => item_id),
  )
  const duplicates = (await duplicatesOf(app, decision.id)).filter(({ hasEmail }) => hasEmail).map(({ id }) => id)
  return [
    ...(decision.email === null ? [] : [{ who: 'sender' as const }]),
    ...(await concernedAmong(app, decision.id, decisionId, duplicates)).map((noticeId) => ({
      who: 'duplicate' as const,
      noticeId,
    })),
    ...concerned,
  ]
}

/** The duplicates that a decision concerns: those that name one of its entries, or lead to no entry at all. */
async function concernedAmong(
  { db }: Pick<NoticesApp, 'db'>,
  noticeId: string,
  decisionId: string,
  duplicates: readonly string[],
): Promise<string[]> {
  if (duplicates.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select n.id from notices n
     where n.id = any(${[...duplicates]}::uuid[])
       and (exists (select from notice_items i where i.notice_id = n.id and i.item_id in (
              select x.item_id from notice_decision_items x where x.decision_id = ${decisionId}::uuid
              union all select r.item_id from notice_items r where r.notice_id = ${noticeId}::uuid and r.item_id is not null))
            or not exists (select from notice_items i where i.notice_id = n.id and i.item_id is not null))
     order by n.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Stands in a preview for the address that only the sender may know. */
const senderPage = '(the address of the private page of the notice)'

/**
 * Writes the statement of a decision for one of its readers; undefined where there is nobody to write to any more.
 * @param isPreview whether an administrator reads it: then it does not hold the address of the sender's private page, with which
 * anybody could act as the sender
 */
export async function writeStatement(
  app: Writing,
  { decisionId, to, isPreview = false }: NoticeMail<'statement'> & { isPreview?: boolean },
): Promise<Email | undefined> {
  const row = await app.db
    .selectFrom('notice_decisions as d')
    .innerJoin('notices as n', 'n.id', 'd.notice_id')
    .select(['d.notice_id', 'd.outcome', 'd.ground', 'd.legal_ground', 'd.facts', 'd.explanation', 'd.decided_at'])
    .select(['d.decided_by', 'd.reverses', 'n.reference', 'n.kind', 'n.name', 'n.email'])
    .select('n.received_at')
    .select(sql<boolean>`exists (select from counter_notices c where c.restored_by = d.id)`.as('isRestoration'))
    .where('d.id', '=', decisionId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const reader = await findReader(app, to, row)
  if (reader === undefined) return undefined
  const isSender = to.who === 'sender' || to.who === 'duplicate'
  // The sender of a duplicate reads only of entries that they named, under their own reference.
  const own = to.who === 'duplicate' ? await readDuplicate(app, to.noticeId) : undefined
  const noticeId = own?.id ?? row.notice_id
  const items = await readDecidedEntries(app.db, decisionId, noticeId)
  const { publicUrl, timeZone } = app.config
  const { brandName } = app.texts.inForce
  const { outcome } = row
  const { reference, received_at: receivedAt } = own ?? row
  const found = foundOf(await addressesOfSender(app, noticeId))
  const reported = items.filter(({ wasReported, isOfSender }) => (isSender ? isOfSender : wasReported))
  const { isRestoration } = row
  const headline = isRestoration
    ? `Decision after a counter-notice to notice ${reference}`
    : `${row.reverses === null ? 'Decision' : 'New decision'} on notice ${reference}`
  const pageOfSender = async (): Promise<string> =>
    isPreview ? senderPage : `${publicUrl}${trackingPath(await trackingTokenOf(app.db, noticeId))}`
  const url = isSender ? await pageOfSender() : `${publicUrl}/admin/notices/${reference}`
  return emailTo(app, reader, {
    subject: headline,
    preview: outcomeInWords(outcome, reported),
    headline,
    paragraphs: [
      ...(isRestoration
        ? [
            'We received a counter-notice, and nobody told us about a court action within ten business days. So the removal of what it names ends, as 17 U.S.C. 512(g) requires.',
          ]
        : []),
      outcomeInWords(outcome, reported),
      ...(own === undefined
        ? []
        : ['We handled your notice together with another one about the same. This decision is about both.']),
      ...(found === 'some' ? ['Some of the addresses in the notice lead to no entry on this site.'] : []),
      ...items.slice(0, maxNamed).map((item) => entryInWords(item, isSender)),
      ...(items.length > maxNamed ? [`And ${counted(items.length - maxNamed, 'more entry', 'more entries')}.`] : []),
      `Facts: ${row.facts}`,
      `${groundTitle(outcome, row.ground)}: ${row.legal_ground}`,
      `Why: ${row.explanation}`,
      `We took into account the notice of ${dayInZone(receivedAt, timeZone)}${isSender ? ', which you sent' : ''}. ${automationInWords(row)}`,
      ...(outcome === 'keep'
        ? []
        : ['The decision applies everywhere, from now on, until another decision replaces it.']),
      own === undefined
        ? redressInWords({
            isSender,
            kind: row.kind,
            outcome,
            publicUrl,
            reference,
            decidedAt: row.decided_at,
            timeZone,
          })
        : `If you think this is wrong, write to ${app.texts.inForce.contactEmail} and give the reference ${reference}. You can also go to court.`,
    ],
    button: { label: isSender ? 'Open your private page' : 'Open the notice', url },
    notes: isSender ? ['Anyone with this link can act on your notice as you can. Keep it private.'] : [],
    reason: isSender
      ? `You're receiving this email because you sent this notice to ${brandName}.`
      : to.who === 'contact'
        ? `You're receiving this email because ${reader.email} is the contact address of ${brandName}.`
        : row.kind === 'child-safety'
          ? `You're receiving this email because you are a safety officer of ${brandName}.`
          : `You're receiving this email because you attested the rights of an entry that the decision is about.`,
  })
}

async function readDuplicate(
  { db }: Writing,
  noticeId: string,
): Promise<{ id: string; reference: string; received_at: Date } | undefined> {
  return db
    .selectFrom('notices')
    .select(['id', 'reference', 'received_at'])
    .where('id', '=', noticeId)
    .executeTakeFirst()
}

const maxNamed = 20

function entryInWords(entry: DecidedEntry, isSender: boolean): string {
  const { name, path, wasReported, isOfSender } = entry
  const also = wasReported || isSender ? '' : ' It was not reported, but has the same link as one that was.'
  // The sender learns no name of an entry that they did not report.
  return `${isOfSender || !isSender ? `'${name}' (${path})` : 'Another entry, reported by others or with the same link'}: ${entryBecame(entry)}.${also}`
}

function automationInWords({ decided_by }: { decided_by: string | null }): string {
  const found = 'No automated means were used to find it.'
  return decided_by === null
    ? `${found} The decision was made by automated means alone, because its deadline had passed.`
    : `${found} A person made the decision, without automated means.`
}

function redressInWords({
  isSender,
  kind,
  outcome,
  publicUrl,
  reference,
  decidedAt,
  timeZone,
}: {
  isSender: boolean
  kind: NoticeKind
  outcome: Outcome
  publicUrl: string
  reference: string
  decidedAt: Date
  timeZone: string
}): string {
  const until = dayInZone(decidedAt.getTime() + appealDays * 86_400_000, timeZone)
  const court = 'You can also go to court.'
  if (isSender) {
    return `If you think this is wrong, you can appeal until ${until} on your private page. It is free, and another person answers if there is one. ${court}`
  }
  const counter =
    kind === 'copyright' && outcome !== 'keep'
      ? ` If the entry was removed by mistake, you can send a counter-notice under 17 U.S.C. 512(g) at ${publicUrl}/report/counter-notice?reference=${reference}.`
      : ''
  return `If you think this is wrong, you can ask for a new decision on the page of the notice until ${until}.${counter} ${court}`
}
