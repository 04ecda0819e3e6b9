import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Timestamp, TimestampByDefault } from './columns.ts'

/** The tables that accounts owns: no other room writes them. What each column means and forbids stands in the migrations. */
export interface AccountsTables {
  users: UsersTable
  sessions: SessionsTable
  password_resets: PasswordResetsTable
  installation_secrets: InstallationSecretsTable
  kept_bans: KeptBansTable
  member_notes: MemberNotesTable
  member_invitations: MemberInvitationsTable
  audit_events: AuditEventsTable
  audit_chain: AuditChainTable
  audit_head: AuditHeadTable
  audit_checks: AuditChecksTable
  site_texts: SiteTextsTable
}

interface UsersTable {
  id: string
  email: string
  email_folded: string
  name: string
  /** Null for who was imported and has not set one. */
  password_hash: string | null
  password_changed_at: Timestamp | null
  profile_image: string | null
  is_admin: Generated<boolean>
  vip_disabled: Generated<boolean>
  vip_disabled_at: Timestamp | null
  purchases_blocked: Generated<boolean>
  created_at: Timestamp
  last_seen_at: Timestamp | null
  search_text: ColumnType<string, never, never>
  name_folded: ColumnType<string, never, never>
}

interface MemberNotesTable {
  user_id: string
  note: string
  version: number
  changed_at: Timestamp
}

interface MemberInvitationsTable {
  user_id: string
  requested_at: TimestampByDefault
}

interface SessionsTable {
  id: string
  user_id: string
  token_hash: Uint8Array
  is_remembered: boolean
  user_agent: string
  created_at: Timestamp
  last_seen_at: Timestamp
  expires_at: Timestamp
}

interface PasswordResetsTable {
  user_id: string
  token_hash: Uint8Array
  expires_at: Timestamp
}

interface InstallationSecretsTable {
  name: string
  secret: Uint8Array
}

interface KeptBansTable {
  email_hash: Uint8Array
  vip_disabled: boolean
  purchases_blocked: boolean
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

/** What the last check of the whole chain has found. */
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
