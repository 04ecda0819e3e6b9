import type { Kysely } from 'kysely'
import type { SiteTables } from '../../db/tables/site.ts'
import type { NoticesApp, NoticesDatabase } from '../notices/app.ts'
import type { SiteConfig } from './site-config.server.ts'

/** The tables that the site sees: its own, and those of every feature. */
export interface SiteDatabase extends NoticesDatabase, SiteTables {}

/** The step of the site, the last one. */
export interface SiteApp extends NoticesApp {
  config: Readonly<SiteConfig>
  db: Kysely<SiteDatabase>
  maintenanceDb: Kysely<SiteDatabase>
  /** The answer of /metrics. */
  metrics: { write(): Promise<string> }
}
