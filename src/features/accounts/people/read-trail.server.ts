import { sql } from 'kysely'
import { isUuid } from '../../../platform/uuid.ts'
import type { AccountsApp } from '../app.ts'
import { findPerson } from './find-person.server.ts'
import type { Trail, TrailEvent } from './people-schema.ts'
import type { z } from 'zod'

const pageSize = 25

/**
 * What the audit log has of a member: what was done to them, and what they did. The latest first.
 * @param input.before the id of the event after which the list goes on
 * @throws {AppError} `member.unknown`, 404
 */
export async function readTrail(
  app: Pick<AccountsApp, 'db'>,
  { id, before }: { id: string; before: string },
): Promise<z.infer<typeof Trail>> {
  const { id: memberId } = await findPerson(app, { id })
  const isBefore = isUuid(before)
    ? sql`(recorded_at, id) < (select recorded_at, id from audit_events where id = ${before}::uuid)`
    : sql`true`
  // Each side by its index; an event of a member about themselves is on both.
  const { rows } = await sql<{
    id: string
    recorded_at: Date
    action: string
    actor: 'member' | 'operator' | 'system'
    actor_id: string | null
    actor_name: string | null
    subject: string | null
    subject_id: string | null
    subject_name: string | null
    details: Record<string, unknown>
  }>`
    select e.id, e.recorded_at, e.action, e.actor, e.actor_id, e.subject, e.subject_id, e.details,
           actors.name as actor_name, subjects.name as subject_name
      from (select id from (
              (select id, recorded_at from audit_events where subject_id = ${memberId} and ${isBefore}
                order by recorded_at desc, id desc limit ${pageSize + 1})
              union
              (select id, recorded_at from audit_events where actor_id = ${memberId} and ${isBefore}
                order by recorded_at desc, id desc limit ${pageSize + 1})
            ) either order by recorded_at desc, id desc limit ${pageSize + 1}) found
      join audit_events e on e.id = found.id
      left join users actors on actors.id = e.actor_id
      left join users subjects on e.subject = 'member' and subjects.id::text = e.subject_id
     order by e.recorded_at desc, e.id desc`.execute(app.db)
  const events = rows.slice(0, pageSize).map((row): TrailEvent => ({
    id: row.id,
    at: row.recorded_at.toISOString(),
    action: row.action,
    by: { kind: row.actor, id: row.actor_id, name: row.actor_name },
    subject:
      row.subject === null || row.subject_id === null
        ? null
        : { kind: row.subject, id: row.subject_id, name: row.subject_name },
    details: row.details,
  }))
  return { events, hasMore: rows.length > pageSize }
}
