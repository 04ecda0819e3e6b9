import type { Kysely } from 'kysely'
import type { SiteTables } from '../../db/tables/site.ts'
import type { NoticesApp, NoticesDatabase } from '../notices/app.ts'
import type { SiteConfig } from './site-config.server.ts'

export interface SiteDatabase extends NoticesDatabase, SiteTables {}

/** The step of the site, the last one. */
export interface SiteApp extends NoticesApp {
  config: Readonly<SiteConfig>
  db: Kysely<SiteDatabase>
  maintenanceDb: Kysely<SiteDatabase>
  metrics: { write(): Promise<string> }
}
