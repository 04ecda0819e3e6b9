import { type RawBuilder, sql } from 'kysely'
import type { OfficeApp } from '../app.ts'
import { addDays } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import { hasRole, type Viewer } from '../viewer/viewer.ts'
import type { AuditGroup } from './audit-event.ts'
import type { AuditEventForAdmin, AuditEventsForAdmin, AuditLogForAdmin } from './audit-log-schema.ts'

export interface AuditFilter {
  group?: AuditGroup | undefined
  /** The id, the address or the name of a member, who did it or to whom it was done. */
  person?: string | undefined
  /** `kind:id` of what it was done to. */
  subject?: string | undefined
  /** A text among the facts, such as the name of an entry, or the id of what it was done to. */
  about?: string | undefined
  /** Days in the time zone of the site, both inclusive. */
  from?: string | undefined
  to?: string | undefined
  /** The `next` of the part before. */
  before?: string | undefined
  limit: number
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface EventRow {
  id: string
  at: string
  action: string
  actor: 'member' | 'operator' | 'system'
  actor_id: string | null
  subject: string | null
  subject_id: string | null
  details: Record<string, unknown>
  position: string | null
  act: string
}

type Reader = Pick<Viewer, 'roles'>

type Reading = Pick<OfficeApp, 'db' | 'config' | 'people' | 'audit'>

/** A part of the audit log as this administrator may know it, newest first, with the last check of the whole. */
export async function readAuditLog(app: Reading, reader: Reader, filter: AuditFilter): Promise<AuditLogForAdmin> {
  const [events, check] = await Promise.all([readAuditEvents(app, reader, filter), readCheck(app, reader)])
  return { ...events, check }
}

/** A part of the events of the audit log that this administrator may know of, newest first. */
export async function readAuditEvents(app: Reading, reader: Reader, filter: AuditFilter): Promise<AuditEventsForAdmin> {
  const found = await readEvents(app, reader, filter)
  const rows = found.slice(0, filter.limit)
  const last = found.length > filter.limit ? rows.at(-1) : undefined
  const ids = rows
    .flatMap((row) => [row.actor_id, row.subject === 'member' ? row.subject_id : null])
    .filter((id) => id !== null && uuid.test(id))
  const names = await app.people.readNames(app.db, [...new Set(ids)] as string[])
  return {
    events: rows.map((row) => forAdmin(app, row, names, seesAll(reader))),
    next: last === undefined ? null : `${last.at}_${last.id}`,
  }
}

function seesAll(reader: Reader): boolean {
  return hasRole(reader, 'safety-officer')
}

/**
 * Events that only safety officers may see: those with the mark (`secrecyMark`), and all events of a notice with such
 * an event later. Earlier events of that notice would show that it has become their matter.
 */
const isOpenToAll = sql`e.details ->> 'onlyFor' is null and (e.subject is distinct from 'notice' or not exists (
  select from audit_events later
   where later.subject = 'notice' and later.subject_id = e.subject_id and later.recorded_at >= e.recorded_at
     and later.details ->> 'onlyFor' is not null))`

/**
 * Each branch is read in the order of an index, as far as the answer goes: a rare action is not looked for among all
 * sign-ins.
 */
async function readEvents(app: Reading, reader: Reader, filter: AuditFilter): Promise<EventRow[]> {
  const { db, config } = app
  const { group, person, subject, about, limit } = filter
  const bounds = boundsOf(filter, config.timeZone)
  const [kind = '', subjectId = ''] = subject === undefined ? [] : split(subject)
  const people = person === undefined ? undefined : await membersOf(app, person)
  if (people?.length === 0) return []
  const narrow: RawBuilder<unknown>[] = seesAll(reader) ? [...bounds] : [...bounds, isOpenToAll]
  if (subject !== undefined) narrow.push(sql`e.subject = ${kind} and e.subject_id = ${subjectId}`)
  if (about !== undefined) narrow.push(sql`(e.subject_id = ${about} or e.details::text ilike ${`%${escaped(about)}%`})`)
  const isNarrow = subject !== undefined || people !== undefined
  const actions = group === undefined ? [] : app.audit.actionsOf(group)
  if (group !== undefined && isNarrow) narrow.push(sql`e.action in (${sql.join(actions)})`)

  const branches: RawBuilder<unknown>[] =
    people !== undefined
      ? people.flatMap((id) => [
          sql`e.actor_id = ${id}::uuid`,
          sql`e.subject = 'member' and e.subject_id = ${id}
              and (e.actor_id is null or e.actor_id <> all(${people}::uuid[]))`,
        ])
      : group !== undefined && !isNarrow
        ? actions.map((action) => sql`e.action = ${action}`)
        : [sql`true`]
  const reads = branches.map((branch) => {
    const where = sql.join([branch, ...narrow], sql` and `)
    return sql`(select e.*, e.xmin::text as act from audit_events e where ${where} order by e.recorded_at desc, e.id desc limit ${limit + 1})`
  })
  const { rows } = await sql<EventRow>`
    select e.id, to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, e.action, e.actor,
           e.actor_id, e.subject, e.subject_id, e.details, e.act, c.position
      from (${sql.join(reads, sql` union all `)}) e left join audit_chain c on c.event_id = e.id
     order by e.recorded_at desc, e.id desc limit ${limit + 1}`.execute(db)
  return rows
}

function boundsOf({ from, to, before }: AuditFilter, timeZone: string): RawBuilder<unknown>[] {
  const bounds: RawBuilder<unknown>[] = []
  if (from !== undefined) bounds.push(sql`e.recorded_at >= ${new Date(startOfDay(from, timeZone))}`)
  if (to !== undefined) bounds.push(sql`e.recorded_at < ${new Date(startOfDay(addDays(to, 1), timeZone))}`)
  if (before !== undefined) {
    const [at = '', id = ''] = before.split('_')
    bounds.push(sql`(e.recorded_at, e.id) < (${at}::timestamptz, ${id}::uuid)`)
  }
  return bounds
}

function split(subject: string): [string, string] {
  const colon = subject.indexOf(':')
  return [subject.slice(0, colon), subject.slice(colon + 1)]
}

/** A text as it stands in JSON, for a pattern. */
function escaped(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/** A deleted account's id still finds its events; its address does not. */
function membersOf({ db, people }: Reading, person: string): Promise<string[]> | string[] {
  return uuid.test(person) ? [person.toLowerCase()] : people.findIds(db, person)
}

/** @param hasPosition whether places in the chain are shown: a gap reveals a hidden event */
function forAdmin(
  { audit, config: { timeZone } }: Reading,
  row: EventRow,
  names: ReadonlyMap<string, string>,
  hasPosition: boolean,
): AuditEventForAdmin {
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null))
  const { action, details, subject: kind, subject_id: id } = row
  const name = kind === 'member' ? nameOf(id) : null
  return {
    id: row.id,
    position: row.position === null || !hasPosition ? null : Number(row.position),
    at: new Date(row.at).toISOString(),
    action,
    words: audit.labelOf(action),
    by: { kind: row.actor, id: row.actor_id, name: nameOf(row.actor_id) },
    subject:
      kind === null || id === null
        ? null
        : { kind, id, name, ...audit.describe(kind, { action, id, name, details, timeZone }) },
    details,
    act: row.act,
  }
}

async function readCheck({ db }: Pick<OfficeApp, 'db'>, reader: Reader): Promise<AuditLogForAdmin['check']> {
  const check = await db.selectFrom('audit_checks').selectAll().executeTakeFirst()
  if (check === undefined) return null
  return {
    checkedAt: check.checked_at.toISOString(),
    events: seesAll(reader) ? Number(check.events) : null,
    faults: check.faults,
  }
}
