import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { ReadersTables } from './catalogue-readers.ts'
import type { RemovalTables } from './catalogue-removal.ts'
import type { Timestamp, TimestampByDefault } from './columns.ts'

/** The tables that catalogue owns: no other room writes them. The migrations document each column. */
export interface CatalogueTables extends RemovalTables, ReadersTables {
  categories: CategoriesTable
  items: ItemsTable
  item_counts: ItemCountsTable
  deleted_items: DeletedItemsTable
  clearances: ClearancesTable
  consent_records: ConsentRecordsTable
  evidence_files: EvidenceFilesTable
  covers: CoversTable
  unneeded_evidence: UnneededEvidenceTable
  prohibited_terms: ProhibitedTermsTable
  prohibited_lists: ProhibitedListsTable
  catalogue_state: CatalogueStateTable
  catalogue_changes: CatalogueChangesTable
  gateway_settings: GatewaySettingsTable
  gateway_tickets: GatewayTicketsTable
  download_events: DownloadEventsTable
  download_days: DownloadDaysTable
  search_misses: SearchMissesTable
  link_checks: LinkChecksTable
  item_links: ItemLinksTable
  paused_hosts: PausedHostsTable
  link_work: LinkWorkTable
  imports: ImportsTable
  import_pieces: ImportPiecesTable
  import_problems: ImportProblemsTable
  bulk_edits: BulkEditsTable
  bulk_edit_items: BulkEditItemsTable
  category_merges: CategoryMergesTable
  saved_filters: SavedFiltersTable
}

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
  restriction: 'rights_lapsed' | 'consent' | 'gate' | 'notice' | null
  category_id: number
  content_type: string
  region: string
  facets: GeneratedAlways<number>
  /** Made by `searchedText` (features/catalogue/item/searched-text.ts). */
  searched: string
  name: string
  slug: string
  id: string
  external_id: string | null
  creators: string[] | null
  description: string | null
  language: string[] | null
  year: string | null
  series: string | null
  series_number: number | null
  tags: string[] | null
  also_known_as: string[] | null
  cover: string | null
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
  link_format: string | null
  link_size: string | null
  link_sha256: string | null
  link2_format: string | null
  link2_size: string | null
  link2_sha256: string | null
  link_g_format: string | null
  link_g_size: string | null
  link_g_sha256: string | null
  link_p_format: string | null
  link_p_size: string | null
  link_p_sha256: string | null
  link_mv1_format: string | null
  link_mv1_size: string | null
  link_mv1_sha256: string | null
  link_mv2_format: string | null
  link_mv2_size: string | null
  link_mv2_sha256: string | null
  link_mv3_format: string | null
  link_mv3_size: string | null
  link_mv3_sha256: string | null
  link_mv4_format: string | null
  link_mv4_size: string | null
  link_mv4_sha256: string | null
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
  link_fingerprints: ColumnType<string[], string[] | undefined>
  fingerprint_edition: number | null
  fingerprint: GeneratedAlways<string>
}

/** Written by the database alone. */
interface ItemCountsTable {
  section: GeneratedAlways<string>
  status: GeneratedAlways<string>
  category_id: GeneratedAlways<number>
  count: GeneratedAlways<number>
}

/** Written by the database alone. */
interface DeletedItemsTable {
  item_id: GeneratedAlways<string>
  deleted_at: GeneratedAlways<Date>
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

interface CoversTable {
  hash: string
  stored_at: TimestampByDefault
}

interface ProhibitedTermsTable {
  term_folded: string
  added_at: TimestampByDefault
  list: Generated<'refused' | 'minority' | 'sexual'>
  is_built_in: Generated<boolean>
  names_category: Generated<boolean>
}

interface ProhibitedListsTable {
  only_row: Generated<boolean>
  version: number
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
  links_only: Generated<boolean>
}

interface LinkChecksTable {
  id: GeneratedAlways<number>
  address: string
  digest: GeneratedAlways<string>
  host: string
  state: Generated<'ok' | 'suspect' | 'dead' | 'unknown'>
  failures: Generated<number>
  reason: string | null
  status: number | null
  checked_at: Timestamp | null
  next_check_at: Timestamp
  front_at: Timestamp | null
  reported_at: Timestamp | null
}

interface ItemLinksTable {
  item_no: number
  slot: string
  link_id: number
}

interface PausedHostsTable {
  host: string
  paused_until: Timestamp
}

interface LinkWorkTable {
  only_row: Generated<boolean>
  gathered_version: ColumnType<string, number, number>
  sweep_no: number | null
  lease: string | null
  leased_until: TimestampByDefault
  unreachable_since: Timestamp | null
  resume_at: Timestamp | null
}

interface GatewaySettingsTable {
  only_row: Generated<boolean>
  version: number
  provider: 'local' | 'linkvertise' | 'off'
  account: string
  public_key: string
  raw: boolean
  wait_seconds: number
}

interface GatewayTicketsTable {
  id: string
  issued_at: Timestamp
  ready_at: Timestamp
  served_at: Timestamp | null
}

interface DownloadEventsTable {
  id: string
  item_id: string
  slot: string
  host: string
  tier: 'free' | 'vip'
  /** Written as `YYYY-MM-DD`. */
  day: ColumnType<Date, string, never>
  user_id: string | null
}

/** Written by the database alone. */
interface DownloadDaysTable {
  day: ColumnType<Date, never, never>
  host: ColumnType<string, never, never>
  tier: ColumnType<'free' | 'vip', never, never>
  downloads: ColumnType<number, never, never>
}

interface SearchMissesTable {
  /** Written as `YYYY-MM-DD`. */
  day: ColumnType<Date, string, never>
  tier: 'free' | 'vip'
  text: string
  searches: number
}

interface ImportsTable {
  id: string
  file_name: string
  format: 'csv' | 'jsonl'
  columns: JSONColumnType<string[]>
  byte_size: ColumnType<string, number, never>
  state: Generated<'waiting' | 'checking' | 'importing' | 'done' | 'failed' | 'cancelled'>
  publishes: Generated<boolean>
  creates_categories: Generated<boolean>
  rows_done: Generated<number>
  bytes_done: ColumnType<string, number | undefined, number>
  tally: JSONColumnType<Record<string, number> | null, string | null | undefined, string | null>
  problem_count: Generated<number>
  was_checked: Generated<boolean>
  failure: string | null
  uploaded_by: string
  uploaded_at: TimestampByDefault
  ended_at: Timestamp | null
}

interface UnneededEvidenceTable {
  id: string
  recorded_at: TimestampByDefault
}

interface ImportPiecesTable {
  import_id: string
  place: number
  bytes: Uint8Array
  stored_at: TimestampByDefault
}

interface ImportProblemsTable {
  import_id: string
  place: number
  line: number
  reasons: JSONColumnType<[column: string | null, sentence: string][]>
  cells: JSONColumnType<Record<string, string>>
}

interface BulkEditsTable {
  id: string
  filter: JSONColumnType<object>
  changes: JSONColumnType<object>
  state: Generated<'previewing' | 'ready' | 'applying' | 'done' | 'undoing' | 'undone' | 'failed' | 'cancelled'>
  selected: Generated<number>
  unchanged: Generated<number>
  failure: string | null
  made_by: string
  /** Those that were selected by hand, for a week. */
  item_ids: string[] | null
  version: Generated<number>
  made_at: TimestampByDefault
  applied_at: Timestamp | null
  undone_at: Timestamp | null
}

interface BulkEditItemsTable {
  bulk_edit_id: string
  item_no: number
  item_id: string
  name: string
  slug: string
  version: number
  outcome: 'planned' | 'excluded' | 'refused' | 'changed' | 'skipped' | 'undone' | 'left'
  difference: JSONColumnType<object[]>
  reasons: ColumnType<string[], string | undefined, string>
  before: JSONColumnType<object | null, string | null | undefined, string | null>
  version_after: number | null
}

interface SavedFiltersTable {
  id: string
  name: string
  name_folded: string
  section: string
  search: string
  category_id: number | null
  status: string
  made_at: TimestampByDefault
}

interface CategoryMergesTable {
  id: string
  from_id: number | null
  from_name: string
  into_id: number
  into_name: string
  state: Generated<'merging' | 'done' | 'failed'>
  moved: Generated<number>
  refused: ColumnType<{ name: string; reason: string }[], string | undefined, string>
  refused_count: Generated<number>
  failure: string | null
  begun_at: TimestampByDefault
  ended_at: Timestamp | null
}
