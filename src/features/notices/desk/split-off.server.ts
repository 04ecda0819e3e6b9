import { sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { digestOf } from '../../accounts/sessions/tokens.server.ts'
import type { NoticesApp, NoticesDatabase } from '../app.ts'
import { trackingTokenOf } from '../intake/tracking-token.server.ts'
import { addressesOfSender } from '../notice/addresses-of-sender.server.ts'
import { freeReference } from '../notice/begin-notice.server.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { applyEvent, type LockedNotice } from '../notice/record-event.server.ts'
import { tellOfGraveNotice } from '../notice/tell-desk.server.ts'
import type { NoticeState } from '../notice/transition.ts'

type Trx = Transaction<NoticesDatabase>
type Locked = LockedNotice & { state: NoticeState }

/**
 * Makes addresses of an open, whole notice a notice of their own, of the same kind, sender and statement, which was received when the
 * oldest of them was added (docs/spec/notices.md#own-times). What was hidden stays so: the new notice holds it. Its sender is told by
 * email, and the desk as of every notice of the two gravest kinds.
 *
 * The caller holds the lock of the catalogue and then that of the notice, and decides about the rest.
 * @returns the notice as it is then
 */
export async function splitOff(
  app: NoticesApp,
  trx: Trx,
  { notice, addresses }: { notice: Locked; addresses: readonly string[] },
): Promise<Locked> {
  const { id: from, state } = notice
  const id = uuidv7()
  const reference = await freeReference(trx)
  const receivedAt = await insertPart(trx, { id, reference, from, addresses })
  await sql`
    update notice_items i set notice_id = ${id}, position = o.position
      from (select id, row_number() over (order by position) as position from notice_items
             where id = any(${[...addresses]}::uuid[])) o
     where i.id = o.id`.execute(trx)
  // What another sender has named is none of this one's business: no email about it goes to them.
  const isTold = (await addressesOfSender({ db: trx }, id)).length > 0
  if (!isTold) await trx.updateTable('notices').set({ email: null }).where('id', '=', id).execute()
  const by = { kind: 'system' } as const
  const received = { type: 'received', kind: state.kind, missing: state.missing, splitFrom: from } as const
  const part = { id, reference, version: 0, receivedAt, state: null }
  await applyEvent(app, trx, { notice: part, event: received, by })
  const event = { type: 'split-off', to: id, addresses } as const
  const { state: rest, version } = await applyEvent(app, trx, { notice, event, by })
  await tellOfGraveNotice(app, trx, { noticeId: id, kind: state.kind })
  if (isTold) await app.mail.queue(trx, noticeMails.splitOff, { noticeId: id })
  return { ...notice, version, state: rest }
}

/** @returns when it was received */
async function insertPart(
  trx: Trx,
  part: { id: string; reference: string; from: string; addresses: readonly string[] },
): Promise<Date> {
  const { id, reference, from, addresses } = part
  const tokenDigest = digestOf(await trackingTokenOf(trx, id))
  const { rows } = await sql<{ received_at: Date }>`
    insert into notices (id, reference, kind, received_as, is_acknowledged, status, holds, token_digest, split_from, received_at, completed_at,
      name, organization, address, phone, email, work_description, explanation, law_cited, good_faith, accuracy, perjury, signature, network)
    select ${id}::uuid, ${reference}, kind, received_as, is_acknowledged, 'received', 'holds', ${tokenDigest}::bytea, id, added.at, added.at,
      name, organization, address, phone, email, work_description, explanation, law_cited, good_faith, accuracy, perjury, signature, network
      from notices, (select min(added_at) as at from notice_items where id = any(${[...addresses]}::uuid[])) added
     where id = ${from}
    returning received_at`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('The notice that is split is not there.')
  return row.received_at
}
