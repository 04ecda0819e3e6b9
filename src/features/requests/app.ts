import type { Kysely, Transaction } from 'kysely'
import type { RequestsTables } from '../../db/tables/requests.ts'
import type { CatalogueApp, CatalogueDatabase } from '../catalogue/app.ts'
import type { RequestsConfig } from './requests-config.server.ts'

export interface RequestsDatabase extends CatalogueDatabase, RequestsTables {}

export type RequestsTransaction = Transaction<RequestsDatabase>

export interface RequestsApp extends CatalogueApp {
  config: Readonly<RequestsConfig>
  db: Kysely<RequestsDatabase>
  maintenanceDb: Kysely<RequestsDatabase>
}
