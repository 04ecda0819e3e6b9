import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Timestamp, TimestampByDefault } from './columns.ts'

/** The tables that the office owns: no other room writes them. The migrations document each column. */
export interface OfficeTables {
  audit_events: AuditEventsTable
  audit_chain: AuditChainTable
  audit_head: AuditHeadTable
  audit_checks: AuditChecksTable
  site_texts: SiteTextsTable
  runs: RunsTable
  alarms: AlarmsTable
  rehearsal: RehearsalTable
  answer_templates: AnswerTemplatesTable
}

/** Written once. */
interface AuditEventsTable {
  id: string
  recorded_at: TimestampByDefault
  action: string
  actor: 'member' | 'operator' | 'system'
  actor_id: string | null
  subject: string | null
  subject_id: string | null
  details: ColumnType<unknown, string, never>
}

/** Written by the database alone. */
interface AuditChainTable {
  position: ColumnType<string, never, never>
  event_id: ColumnType<string, never, never>
  hash: ColumnType<Uint8Array, never, never>
}

/** Written by the database, but for its beginning. */
interface AuditHeadTable {
  only_row: Generated<boolean>
  first_position: ColumnType<string, never, string>
  previous_hash: ColumnType<Uint8Array, never, Uint8Array>
  position: ColumnType<string, never, never>
  hash: ColumnType<Uint8Array, never, never>
}

/** The findings of the last check of the whole chain. */
interface AuditChecksTable {
  only_row: Generated<boolean>
  checked_at: Timestamp
  events: ColumnType<string, number, number>
  faults: JSONColumnType<{ position: number | null; sentence: string }[]>
}

interface SiteTextsTable {
  key: string
  value: string | null
  version: number
  changed_at: TimestampByDefault
}

interface RunsTable {
  subject_id: string
  kind: string
  position: Generated<number>
  lease: string | null
  begun_by: string
  begun_at: TimestampByDefault
  advanced_at: TimestampByDefault
}

interface AlarmsTable {
  name: string
  headline: string
  sentence: string
  advice: string
  leads_to: string | null
  first_at: Timestamp
  last_at: Timestamp
  times: number
  times_since_email: number
  notified_at: Timestamp | null
}

/** There is a row while the database is a copy in rehearsal. */
interface RehearsalTable {
  only_row: Generated<boolean>
  began_at: TimestampByDefault
}

interface AnswerTemplatesTable {
  id: string
  name: string
  text: string
  version: Generated<number>
  changed_at: Timestamp
}
