import type { Generated } from 'kysely'
import type { Timestamp } from './columns.ts'

/** The tables that accounts owns: no other room writes them. What each column means and forbids stands in the migrations. */
export interface AccountsTables {
  users: UsersTable
  sessions: SessionsTable
  password_resets: PasswordResetsTable
  installation_secrets: InstallationSecretsTable
  kept_bans: KeptBansTable
}

interface UsersTable {
  id: string
  email: string
  email_folded: string
  name: string
  password_hash: string
  password_changed_at: Timestamp
  profile_image: string | null
  is_admin: Generated<boolean>
  vip_disabled: Generated<boolean>
  purchases_blocked: Generated<boolean>
  created_at: Timestamp
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
