import type { Generated } from 'kysely'
import type { Timestamp, TimestampByDefault } from './columns.ts'

export interface ReadersTables {
  readers: ReadersTable
  saved_entries: SavedEntriesTable
  download_history: DownloadHistoryTable
  saved_searches: SavedSearchesTable
}

interface ReadersTable {
  user_id: string
  keeps_history: Generated<boolean>
  seen_at: TimestampByDefault
  new_since: Timestamp | null
}

interface SavedEntriesTable {
  user_id: string
  slug: string
  saved_at: TimestampByDefault
}

interface DownloadHistoryTable {
  user_id: string
  slug: string
  host: string
  downloaded_at: TimestampByDefault
}

export interface SavedSearchesTable {
  id: string
  user_id: string
  name: string
  list: string
  query: string
  created_at: TimestampByDefault
  digest: Generated<'off' | 'daily' | 'weekly'>
  hour: Generated<number>
  time_zone: Generated<string>
  next_digest_at: Timestamp | null
  digested_until: Timestamp | null
}
