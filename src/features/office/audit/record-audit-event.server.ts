import { type RawBuilder, sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { OfficeTables } from '../../../db/tables/office.ts'
import { type AuditAction, type AuditEvent, isOfSecurity } from './audit-event.ts'
import { isForSafetyOfficers, secrecyMark } from './audit-secrecy.server.ts'
import { requestOrigin } from './request-origin.server.ts'

/**
 * Writes a line of the audit log (docs/spec/security.md#audit-log) in the transaction of its cause. Its place in the
 * chain of hashes comes at the commit. Details are facts: names of fields, old and new values, counts; never a secret,
 * and only ids of members, whom the log outlives. A member's acts on accounts also have network and request id.
 */
export async function recordAuditEvent(trx: Transaction<OfficeTables>, event: AuditEvent): Promise<void> {
  await recordAuditEvents(trx, [event])
}

/** The same of what was done with a member, by themselves where nobody else is said. */
export function recordMemberEvent(
  trx: Transaction<OfficeTables>,
  action: AuditAction,
  { of, by = of, details }: { of: string; by?: string; details?: AuditEvent['details'] },
): Promise<void> {
  const subject = { kind: 'member', id: of } as const
  return recordAuditEvent(trx, { action, by: { memberId: by }, subject, ...(details && { details }) })
}

/** The same of several, some hundred at the most, in one statement. */
export async function recordAuditEvents(trx: Transaction<OfficeTables>, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return
  await trx.insertInto('audit_events').values(events.map(rowOf)).execute()
}

/**
 * The same as a part of a statement, of a member's own act.
 * @param event.memberId an expression for the id of the member; where it is null, nothing is written
 */
export function insertAuditEvent({
  action,
  memberId,
  details,
}: Pick<AuditEvent, 'action' | 'details'> & { memberId: RawBuilder<unknown> }): RawBuilder<unknown> {
  return sql`
    insert into audit_events (id, action, actor, actor_id, details)
    select ${uuidv7()}::uuid, ${action}, 'member', actor.id, ${JSON.stringify(details)}::json
      from (select ${memberId} as id) actor where actor.id is not null`
}

function rowOf({ action, by, subject, details = {} }: AuditEvent) {
  const isByMember = typeof by !== 'string'
  // An act of the site itself may begin in somebody's request.
  const origin = isByMember && isOfSecurity(action) ? requestOrigin() : {}
  return {
    id: uuidv7(),
    action,
    actor: isByMember ? ('member' as const) : by,
    actor_id: isByMember ? by.memberId : null,
    subject: subject?.kind ?? null,
    subject_id: subject?.id ?? null,
    details: JSON.stringify({ ...details, ...origin, ...(isForSafetyOfficers() ? secrecyMark : {}) }),
  }
}
