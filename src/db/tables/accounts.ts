import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Timestamp, TimestampByDefault } from './columns.ts'

/** The tables that accounts owns: no other room writes them. The migrations document each column. */
export interface AccountsTables {
  users: UsersTable
  sessions: SessionsTable
  password_resets: PasswordResetsTable
  installation_secrets: InstallationSecretsTable
  kept_bans: KeptBansTable
  address_changes: AddressChangesTable
  address_links: AddressLinksTable
  former_addresses: FormerAddressesTable
  member_notes: MemberNotesTable
  member_invitations: MemberInvitationsTable
  grave_acts: GraveActsTable
  known_devices: KnownDevicesTable
  app_passwords: AppPasswordsTable
  passkeys: PasskeysTable
  totp_factors: TotpFactorsTable
  totp_setups: TotpSetupsTable
  recovery_codes: RecoveryCodesTable
  factor_challenges: FactorChallengesTable
  unfinished_sign_ins: UnfinishedSignInsTable
  notified_sign_ins: NotifiedSignInsTable
  feed_tokens: FeedTokensTable
  sent_emails: SentEmailsTable
  email_stops: EmailStopsTable
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
  /** An administrator's mark: they see notices about children. */
  is_safety_officer: Generated<boolean>
  has_second_factor: Generated<boolean>
  vip_disabled: Generated<boolean>
  vip_disabled_at: Timestamp | null
  purchases_blocked: Generated<boolean>
  /** When its limits were last cleared. */
  unlocked_at: Timestamp | null
  /** Null until somebody has used a link that was sent to the address. */
  email_confirmed_at: Timestamp | null
  confirmation_asked_at: Timestamp | null
  created_at: Timestamp
  last_seen_at: Timestamp | null
  search_text: ColumnType<string, never, never>
  name_folded: ColumnType<string, never, never>
}

interface FeedTokensTable {
  token_hash: Uint8Array
  user_id: string
  /** Null for the feed of all that its owner may see. */
  search_id: string | null
  created_at: Timestamp
  last_used_at: Timestamp | null
}

interface SentEmailsTable {
  id: string
  kind: string
  user_id: string | null
  address: string | null
  fate: 'sent' | 'file' | 'refused' | 'withheld' | 'bounced' | 'complained'
  answer: string | null
  at: Timestamp
}

interface EmailStopsTable {
  user_id: string
  email_folded: string
  reason: 'bounce' | 'complaint'
  stopped_at: Timestamp
}

interface MemberNotesTable {
  user_id: string
  note: string
  version: number
  changed_at: Timestamp
}

interface MemberInvitationsTable {
  user_id: string
  /** The file of members that it waits of. */
  import_id: string | null
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
  /** When its member has last shown who they are, by a sign-in or by a proof. */
  proved_at: Timestamp
}

interface PasswordResetsTable {
  /** That of the email that carries the link. */
  id: string
  user_id: string
  kind: 'forgotten' | 'administrator' | 'invitation'
  issued_at: Timestamp
  token_hash: Uint8Array
  expires_at: Timestamp
}

interface InstallationSecretsTable {
  name: string
  secret: Uint8Array
}

interface AddressChangesTable {
  user_id: string
  email: string
  requested_at: Timestamp
}

interface AddressLinksTable {
  /** That of the email that carries the link. */
  id: string
  user_id: string
  email: string
  token_hash: Uint8Array
  issued_at: Timestamp
  expires_at: Timestamp
}

interface FormerAddressesTable {
  user_id: string
  email_hash: Uint8Array
  replaced_at: Timestamp
}

interface KeptBansTable {
  email_hash: Uint8Array
  vip_disabled: boolean
  purchases_blocked: boolean
}

/** Acts that administrators were notified of within the last minutes, and those that wait for an email. */
interface GraveActsTable {
  id: GeneratedAlways<string>
  done_at: Timestamp
  notified_at: Timestamp | null
  act: ColumnType<unknown, string, never>
}

/** A browser in which a member has signed in, for one account. */
interface KnownDevicesTable {
  id: string
  user_id: string
  secret_hash: Uint8Array
  user_agent: string
  created_at: Timestamp
  /** When somebody last signed in there. */
  last_used_at: Timestamp
}

/** A password that a reading program has in place of the member's own. */
interface AppPasswordsTable {
  id: string
  user_id: string
  name: string
  secret_hash: Uint8Array
  created_at: Timestamp
  /** To the hour. */
  last_used_at: Timestamp | null
}

/** The public half of a key that an authenticator of the member holds. */
interface PasskeysTable {
  id: string
  user_id: string
  /** Base64url, as the authenticator has named it. */
  credential_id: string
  public_key: Uint8Array
  counter: ColumnType<string, number, number>
  transports: string[]
  name: string
  added_at: Timestamp
  last_used_at: Timestamp | null
}

interface TotpFactorsTable {
  user_id: string
  secret: Uint8Array
  /** Steps of 30 seconds since 1970. */
  last_step: number
  added_at: Timestamp
  last_used_at: Timestamp | null
}

/** An authenticator app that is being set up. */
interface TotpSetupsTable {
  user_id: string
  session_id: string
  secret: Uint8Array
  made_at: Timestamp
}

interface RecoveryCodesTable {
  user_id: string
  code_hash: Uint8Array
}

/** Challenges that a passkey signs once. */
interface FactorChallengesTable {
  challenge_hash: Uint8Array
  user_id: string
  session_id: string | null
  purpose: 'sign-in' | 'proof' | 'registration'
  made_at: Timestamp
}

/** A right password after which no second factor was shown yet. */
interface UnfinishedSignInsTable {
  user_id: string
  caller_hash: Uint8Array
  begun_at: TimestampByDefault
  times: Generated<number>
  is_known_device: boolean
  user_agent: string
  network: string | null
  request_id: string | null
}

/** When the last of an account was recorded, and when its owner was told. */
interface NotifiedSignInsTable {
  user_id: string
  recorded_at: Timestamp
  notified_at: Timestamp | null
}
