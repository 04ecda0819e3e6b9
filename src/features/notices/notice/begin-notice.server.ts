import { randomInt } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { networkOf } from '../../../platform/client-address.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import { matchReported, type Reported } from '../../catalogue/removal/match-reported.server.ts'
import { readReportedEntries } from '../../catalogue/removal/read-reported-entries.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import type { NoticeFields } from './notice-elements.ts'
import { isGrave, type NoticeKind } from './notice-kinds.ts'
import { applyEvent } from './record-event.server.ts'
import { notifyDesk } from './notify-desk.server.ts'

/**
 * Takes a notice in, in the caller's transaction: row, addresses with their entries, first event, clocks, and the hold
 * on the entries. It locks the catalogue first. The caller then awaits `app.listing.catchUp()`.
 * @param input.reported its addresses, read before that (`readReported`)
 * @param input.tokenDigest SHA-256 of the secret of its private page
 * @param input.sendingDigest tells this form from every other one
 */
export async function beginNotice(
  app: NoticesApp,
  trx: NoticesTransaction,
  input: {
    id?: string
    kind: NoticeKind
    fields: NoticeFields
    reported: readonly Reported[]
    missing: readonly string[]
    tokenDigest: Buffer
    sendingDigest?: Buffer
    from?: string
  },
): Promise<{ id: string; reference: string }> {
  const { id = uuidv7(), kind, fields, reported, missing, tokenDigest, sendingDigest = null, from } = input
  await lockCatalogue(trx)
  const reference = await freeReference(trx)
  const { received_at: receivedAt } = await trx
    .insertInto('notices')
    .values({
      id,
      reference,
      kind,
      // The first event sets the rest.
      status: 'received',
      holds: 'holds',
      name: fields.name,
      organization: fields.organization,
      address: fields.address,
      phone: fields.phone,
      email: fields.email,
      work_description: fields.workDescription,
      explanation: fields.explanation,
      law_cited: fields.lawCited,
      good_faith: fields.goodFaith,
      accuracy: fields.accuracy,
      perjury: fields.perjury,
      signature: fields.signature,
      token_digest: tokenDigest,
      sending_digest: sendingDigest,
      network: (from === undefined ? undefined : networkOf(from)) ?? null,
    })
    .returning('received_at')
    .executeTakeFirstOrThrow()
  await addAddresses(trx, { noticeId: id, reported, after: 0 })
  const received = { type: 'received', kind, missing } as const
  await applyEvent(app, trx, {
    notice: { id, reference, version: 0, receivedAt, state: null },
    event: received,
    by: { kind: 'sender' },
  })
  if (isGrave(kind)) await notifyDesk(app, trx)
  return { id, reference }
}

/**
 * Adds addresses to a notice, each with the entry that it leads to as that is now.
 * @param added.reported read before the lock of the catalogue was taken: what they lead to is looked up under it
 * @param added.after the position of the last one that it has
 * @returns the ids of the entries
 */
export async function addAddresses(
  trx: NoticesTransaction,
  { noticeId, reported, after }: { noticeId: string; reported: readonly Reported[]; after: number },
): Promise<string[]> {
  if (reported.length === 0) return []
  const matches = await matchReported(trx, reported)
  const ids = [...new Set(matches.flatMap((match) => match?.id ?? []))]
  const entries = await readReportedEntries(trx, ids)
  await trx
    .insertInto('notice_items')
    .values(
      reported.map(({ url }, no) => {
        const itemId = matches[no]?.id ?? null
        const entry = itemId === null ? undefined : entries.get(itemId)
        return {
          id: uuidv7(),
          notice_id: noticeId,
          position: after + no + 1,
          url,
          item_id: itemId,
          snapshot: entry === undefined ? null : JSON.stringify(entry),
        }
      }),
    )
    .execute()
  return ids
}

/** Crockford's base32: no look-alike letters, and none that form words. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A free one of 10^12 references, `N-XXXX-XXXX`; a unique index refuses two transactions with the same one. */
async function freeReference(trx: NoticesTransaction): Promise<string> {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  for (;;) {
    const reference = `N-${group()}-${group()}`
    const taken = await trx.selectFrom('notices').select('id').where('reference', '=', reference).executeTakeFirst()
    if (taken === undefined) return reference
  }
}
