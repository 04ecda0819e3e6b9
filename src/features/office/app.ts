import type { Kysely } from 'kysely'
import type { OfficeTables } from '../../db/tables/office.ts'
import type { HttpApp } from '../../http/http-app.ts'
import type { Alarms } from './alarms/alarms.server.ts'
import type { WebhookSignatures } from './alarms/webhook-signatures.server.ts'
import type { AuditWords } from './audit/audit-words.server.ts'
import type { CountedEvents } from './audit/counted-events.server.ts'
import type { OfficeConfig } from './office-config.server.ts'
import type { People } from './people.ts'
import type { Rehearsal } from './rehearsal.server.ts'
import type { SiteTexts } from './texts/site-texts.server.ts'

export interface OfficeApp extends HttpApp {
  config: Readonly<OfficeConfig>
  db: Kysely<OfficeTables>
  maintenanceDb: Kysely<OfficeTables>
  /** Notifies the administrators of what they are to look at. */
  alarms: Alarms
  /** Counts webhooks that are not what they say. */
  signatures: WebhookSignatures
  /** Counters of the audit log for events that come in floods. */
  countedEvents: CountedEvents
  texts: SiteTexts
  people: People
  rehearsal: Rehearsal
  audit: AuditWords
}
