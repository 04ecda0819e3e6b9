import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import type { SiteApp } from '../features/site/app.ts'

/** All steps together: made once by `openApp`, closed once at the end of the process. */
export interface App extends SiteApp {
  db: Kysely<Database>
  maintenanceDb: Kysely<Database>
  /** For reads that may come from a replica (`HttpApp`). */
  replicaApp?: App
}
