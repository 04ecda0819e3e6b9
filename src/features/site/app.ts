import type { Kysely } from 'kysely'
import type { SiteTables } from '../../db/tables/site.ts'
import type { RequestsApp, RequestsDatabase } from '../requests/app.ts'

/** The tables that the site sees: its own, and those of every feature. */
export interface SiteDatabase extends RequestsDatabase, SiteTables {}

/** The step of the site, the last one. */
export interface SiteApp extends RequestsApp {
  db: Kysely<SiteDatabase>
  maintenanceDb: Kysely<SiteDatabase>
}
