import type { Kysely, Transaction } from 'kysely'
import type { AccountsTables } from '../../db/tables/accounts.ts'
import type { OfficeTables } from '../../db/tables/office.ts'
import type { OfficeApp } from '../office/app.ts'
import type { Passwords } from './passwords/passwords.server.ts'
import type { AccountsConfig } from './accounts-config.server.ts'

export interface AccountsDatabase extends OfficeTables, AccountsTables {}

export type AccountsTransaction = Transaction<AccountsDatabase>

export interface AccountsApp extends OfficeApp {
  config: Readonly<AccountsConfig>
  db: Kysely<AccountsDatabase>
  maintenanceDb: Kysely<AccountsDatabase>
  passwords: Passwords
  /** Whether the database holds the demo: read at the start. */
  demo: { isHere: boolean }
}
