import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** Every table, as the queries see it. What each column means and forbids stands in the migrations. */
export interface Database {
  categories: CategoriesTable
  items: ItemsTable
  clearances: ClearancesTable
  consent_records: ConsentRecordsTable
  evidence_files: EvidenceFilesTable
  prohibited_terms: ProhibitedTermsTable
  catalogue_state: CatalogueStateTable
  catalogue_changes: CatalogueChangesTable
  users: UsersTable
  sessions: SessionsTable
  password_resets: PasswordResetsTable
}

/** Written as a date or its ISO text, read as a date. */
type Timestamp = ColumnType<Date, Date | string, Date | string>
/** The same, set by the database when nothing is given. */
type TimestampByDefault = ColumnType<Date, Date | string | undefined, Date | string>

interface CategoriesTable {
  id: GeneratedAlways<number>
  name: string
  name_folded: string
  is_fixed: Generated<boolean>
  created_at: TimestampByDefault
}

interface ItemsTable {
  no: GeneratedAlways<number>
  status: Generated<'draft' | 'published' | 'restricted' | 'removed'>
  post_month: number
  post_date: Timestamp
  created_at: TimestampByDefault
  lapses_at: Timestamp | null
  restriction: 'rights_lapsed' | 'consent' | 'notice' | null
  category_id: number
  content_type: string
  region: string
  facets: GeneratedAlways<number>
  name_folded: string
  name: string
  slug: string
  id: string
  external_id: string | null
  updated_at: TimestampByDefault
  version: Generated<number>
  rating: Generated<'general' | 'mature'>
  link: string | null
  link2: string | null
  link_g: string | null
  link_p: string | null
  link_mv1: string | null
  link_mv2: string | null
  link_mv3: string | null
  link_mv4: string | null
  people: 'none' | 'not_identifiable' | 'identifiable' | null
  rights_basis: string | null
  rights_holder: string | null
  rights_licence: string | null
  rights_evidence: string | null
  permits_download: Generated<boolean>
  permits_paid_access: Generated<boolean>
  rights_valid_from: Timestamp | null
  rights_valid_until: Timestamp | null
  rights_revoked_at: Timestamp | null
  rights_attested_by: string | null
  rights_attested_at: Timestamp | null
  rights_verified_by: string | null
  rights_verified_at: Timestamp | null
  import_digest: string | null
  cleared_version: number | null
  name_grams: number[]
  fingerprint: GeneratedAlways<string>
}

interface ClearancesTable {
  item_id: string
  version: number
  fingerprint: string
  checks: JSONColumnType<string[]>
  cleared_by: string
  cleared_at: TimestampByDefault
}

interface ConsentRecordsTable {
  id: string
  item_id: string
  pseudonym: string
  permits_publication: boolean
  permits_download: boolean
  evidence: string
  verified_adult: Generated<'yes' | 'no' | 'unknown'>
  valid_until: Timestamp | null
  withdrawn_at: Timestamp | null
  recorded_by: string
  recorded_at: TimestampByDefault
}

interface EvidenceFilesTable {
  id: string
  item_id: string
  consent_id: string | null
  file_name: string
  media_type: string
  byte_size: ColumnType<string, number, never>
  sha256: string
  stored_by: string
  stored_at: TimestampByDefault
}

interface ProhibitedTermsTable {
  term_folded: string
  added_at: TimestampByDefault
}

interface CatalogueStateTable {
  only_row: Generated<boolean>
  version: ColumnType<string, number, number>
  time_zone: string
}

interface CatalogueChangesTable {
  version: ColumnType<string, number, never>
  item_no: number | null
  changed_at: TimestampByDefault
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
  vip_expires_at: Timestamp | null
  vip_disabled: Generated<boolean>
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
