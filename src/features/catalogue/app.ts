import type { Kysely } from 'kysely'
import type { CatalogueTables } from '../../db/tables/catalogue.ts'
import type { MembershipApp, MembershipDatabase } from '../membership/app.ts'
import type { CoverSource } from './covers/cover-source.server.ts'
import type { EvidenceStore } from './evidence/evidence-store.server.ts'
import type { Gateway } from './gateway/gateway.server.ts'
import type { CatalogueIndex } from './index/catalogue-index.server.ts'
import type { SearchMisses } from './search/missed-searches.server.ts'
import type { LinkProbe } from './links/link-probe.server.ts'
import type { CatalogueConfig } from './catalogue-config.server.ts'

/** The tables that the catalogue sees. It writes its own and reads those on its left. */
export interface CatalogueDatabase extends MembershipDatabase, CatalogueTables {}

export interface CatalogueApp extends MembershipApp {
  config: Readonly<CatalogueConfig>
  db: Kysely<CatalogueDatabase>
  maintenanceDb: Kysely<CatalogueDatabase>
  listing: CatalogueIndex
  gateway: Gateway
  evidence: EvidenceStore
  coverSource: CoverSource
  linkProbe: LinkProbe
  searchMisses: SearchMisses
}
