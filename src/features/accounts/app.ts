import type { Kysely } from 'kysely'
import type { AccountsTables } from '../../db/tables/accounts.ts'
import type { HttpApp } from '../../http/http-app.ts'
import type { Alarms } from './alarms/alarms.server.ts'
import type { CountedEvents } from './audit/counted-events.server.ts'
import type { Passwords } from './passwords/passwords.server.ts'
import type { SiteTexts } from './texts/site-texts.server.ts'
import type { AccountsConfig } from './accounts-config.server.ts'

/** The step of accounts. */
export interface AccountsApp extends HttpApp {
  config: Readonly<AccountsConfig>
  db: Kysely<AccountsTables>
  maintenanceDb: Kysely<AccountsTables>
  passwords: Passwords
  /** Tells the administrators of what they are to look at. */
  alarms: Alarms
  /** Counters of the audit log for events that come in floods. */
  countedEvents: CountedEvents
  /** The texts that administrators may change. */
  texts: SiteTexts
  /** Whether the database holds the demo: read at the start. */
  demo: { isHere: boolean }
}
