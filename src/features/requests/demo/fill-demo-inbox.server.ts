import { uuidv7 } from 'uuidv7'
import { recordAuditEvents } from '../../office/audit/record-audit-event.server.ts'
import type { AuditEvent } from '../../office/audit/audit-event.ts'
import { demoMembers } from '../../accounts/demo/demo-members.ts'
import {
  demoAdministratorAsViewer,
  demoMember,
  demoVip,
  readDemoPeople,
} from '../../accounts/demo/fill-demo-accounts.server.ts'
import type { RequestsApp, RequestsTransaction } from '../app.ts'
import { foldTitle, trigramsOfTitle } from '../content-requests/folded-title.ts'
import { demoInquiries, type DemoRequest, demoRequests } from './demo-inbox.ts'

const dayMs = 86_400_000
/** How long after it was written something was decided or answered. */
const answeredAfterMs = 7 * 3_600_000

interface Filling {
  now: number
  administratorId: string
  people: ReadonlyMap<string, { id: string; name: string }>
}

/**
 * Fills in the demo's requests with their votes, and its inquiries, in one transaction. Nobody is mailed. Does nothing where
 * there is a request already.
 * @param fulfilledBy the slug of the entry that fulfils the demo's fulfilled request
 */
export async function fillDemoInbox(
  app: Pick<RequestsApp, 'db' | 'clock'>,
  { fulfilledBy }: { fulfilledBy: string },
): Promise<void> {
  const filling = {
    now: app.clock.now(),
    administratorId: (await demoAdministratorAsViewer(app)).member.id,
    people: await readDemoPeople(app),
  }
  await app.db.transaction().execute(async (trx) => {
    const known = await trx.selectFrom('content_requests').select('id').limit(1).executeTakeFirst()
    if (known !== undefined) return
    const item = await trx.selectFrom('items').select('id').where('slug', '=', fulfilledBy).executeTakeFirst()
    await insertRequests(trx, filling, item?.id ?? null)
    await insertInquiries(trx, filling)
  })
}

async function insertRequests(
  trx: RequestsTransaction,
  { now, administratorId, people }: Filling,
  itemId: string | null,
): Promise<void> {
  const members = demoMembers.flatMap(({ email, daysAgo }) => {
    const person = people.get(email)
    return person === undefined ? [] : [{ id: person.id, daysAgo }]
  })
  const events: AuditEvent[] = []
  for (const [i, { title, description, daysAgo, votes, state }] of demoRequests.entries()) {
    const id = uuidv7()
    const createdAt = now - daysAgo * dayMs
    const decidedAt = state === 'pending' || state === 'removed' ? null : new Date(createdAt + answeredAfterMs)
    // Only who had joined by then; a turn further for each request, so that not always the same have voted.
    const there = members.filter((member) => member.daysAgo > daysAgo)
    const voters = there.map((_member, n) => there[(n + i * 5) % there.length]).slice(0, votes)
    const isFulfilled = state === 'fulfilled' && itemId !== null
    const folded = foldTitle(title)
    await trx
      .insertInto('content_requests')
      .values({
        id,
        author_id: voters[0]?.id ?? null,
        title,
        title_folded: folded,
        title_grams: trigramsOfTitle(folded),
        description,
        status: statusOf(state),
        created_at: new Date(createdAt),
        decided_at: decidedAt,
        item_id: isFulfilled ? itemId : null,
        fulfilled_at: isFulfilled ? new Date(createdAt + 3 * dayMs) : null,
        removed_at: state === 'removed' ? new Date(createdAt + answeredAfterMs) : null,
      })
      .execute()
    const rows = voters.flatMap((voter, n) =>
      voter === undefined
        ? []
        : {
            request_id: id,
            user_id: voter.id,
            voted_at: new Date(createdAt + n * 1_800_000),
            notified_at: isFulfilled ? new Date(createdAt + 3 * dayMs) : null,
          },
    )
    if (rows.length > 0) await trx.insertInto('request_votes').values(rows).execute()
    const line = { by: { memberId: administratorId }, subject: { kind: 'request', id } } as const
    if (state === 'removed') events.push({ action: 'request.removed', ...line, details: { title } })
    else if (decidedAt !== null)
      events.push({
        action: `request.${state === 'rejected' ? 'rejected' : 'approved'}`,
        ...line,
        details: { title, votes },
      })
    if (isFulfilled) events.push({ action: 'request.fulfilled', ...line, details: { title, itemId } })
  }
  await recordAuditEvents(trx, events)
}

function statusOf(state: DemoRequest['state']): 'pending' | 'approved' | 'rejected' {
  return state === 'fulfilled' ? 'approved' : state === 'removed' ? 'pending' : state
}

async function insertInquiries(trx: RequestsTransaction, { now, administratorId, people }: Filling): Promise<void> {
  const events: AuditEvent[] = []
  for (const { from, message, daysAgo, state, reply } of demoInquiries) {
    const id = uuidv7()
    const createdAt = new Date(now - daysAgo * dayMs)
    const answeredAt = new Date(createdAt.getTime() + answeredAfterMs)
    const email = from === 'vip' ? demoVip : from === 'member' ? demoMember : from.email
    const person = people.get(email)
    await trx
      .insertInto('inquiries')
      .values({
        id,
        user_id: person?.id ?? null,
        name: typeof from === 'string' ? (person?.name ?? email) : from.name,
        email,
        message,
        is_vip: from === 'vip' && person !== undefined,
        state,
        created_at: createdAt,
        mailed_at: createdAt,
        closed_at: state === 'closed' ? answeredAt : null,
        version: state === 'open' ? 1 : 2,
      })
      .execute()
    const line = { by: { memberId: administratorId }, subject: { kind: 'inquiry', id } } as const
    if (reply === undefined) continue
    await trx
      .insertInto('inquiry_replies')
      .values({ id: uuidv7(), inquiry_id: id, written_by: administratorId, message: reply, written_at: answeredAt })
      .execute()
    events.push({ action: 'inquiry.answered', ...line })
    if (state === 'closed') events.push({ action: 'inquiry.closed', ...line })
  }
  await recordAuditEvents(trx, events)
}
