import type { Kysely } from 'kysely'
import type { Database } from '../db/database.ts'
import type { RequestsApp } from '../features/requests/app.ts'

/** All steps together: made once by `openApp`, closed once at the end of the process. */
export interface App extends RequestsApp {
  db: Kysely<Database>
  maintenanceDb: Kysely<Database>
}
