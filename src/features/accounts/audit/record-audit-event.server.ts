import type { Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { AccountsTables } from '../../../db/tables/accounts.ts'
import type { AuditEvent } from './audit-event.ts'

/**
 * Writes a line of the audit log (docs/spec/security.md#audit-log) in the transaction of its cause: it is there if and
 * only if that commits. The database gives it its place in the chain of hashes at the commit.
 *
 * Details are facts that a reader needs: names of fields, old and new values, counts. Never a secret, and of members
 * nothing but ids: the log outlives their accounts.
 */
export async function recordAuditEvent(trx: Transaction<AccountsTables>, event: AuditEvent): Promise<void> {
  const { action, by, subject, details = {} } = event
  await trx
    .insertInto('audit_events')
    .values({
      id: uuidv7(),
      action,
      actor: typeof by === 'string' ? by : 'member',
      actor_id: typeof by === 'string' ? null : by.memberId,
      subject: subject?.kind ?? null,
      subject_id: subject?.id ?? null,
      details: JSON.stringify(details),
    })
    .execute()
}
