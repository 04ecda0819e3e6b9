import type { Kysely, Transaction } from 'kysely'
import type { NoticesTables } from '../../db/tables/notices.ts'
import type { RequestsApp, RequestsDatabase } from '../requests/app.ts'
import type { RemovalJournal } from './journal/journal-file.server.ts'
import type { NoticesConfig } from './notices-config.server.ts'

export interface NoticesDatabase extends RequestsDatabase, NoticesTables {}

export type NoticesTransaction = Transaction<NoticesDatabase>

export interface NoticesApp extends RequestsApp {
  config: Readonly<NoticesConfig>
  db: Kysely<NoticesDatabase>
  maintenanceDb: Kysely<NoticesDatabase>
  removalJournal: RemovalJournal
}
