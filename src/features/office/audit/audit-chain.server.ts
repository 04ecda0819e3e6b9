import { createHash } from 'node:crypto'

/** An event as the database has it; the time with its microseconds, the details as they stand. */
export interface AuditRow {
  id: string
  recorded_at: string
  action: string
  actor: string
  actor_id: string | null
  subject: string | null
  subject_id: string | null
  details: string
}

/**
 * The hash of an event and of all before it. It is the rule of the database (`audit_text` in migration 0001), written a second time: a
 * check that used the database's own function would believe whoever has changed that.
 */
export function chainHash(previous: Uint8Array, event: AuditRow): Buffer {
  const { id, recorded_at: at, action, actor, actor_id: actorId, subject, subject_id: subjectId, details } = event
  const parts = [id, at, action, actor, actorId, subject, subjectId, details]
  return createHash('sha256').update(previous).update(parts.map(auditPart).join('')).digest()
}

/** With its length in bytes before it, so no two events have the same text. */
function auditPart(part: string | null): string {
  return part === null ? '-' : `${Buffer.byteLength(part)}:${part}`
}
