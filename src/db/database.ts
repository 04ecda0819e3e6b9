import type { AccountsTables } from './tables/accounts.ts'
import type { CatalogueTables } from './tables/catalogue.ts'
import type { MembershipTables } from './tables/membership.ts'
import type { NoticesTables } from './tables/notices.ts'
import type { OfficeTables } from './tables/office.ts'
import type { RequestsTables } from './tables/requests.ts'
import type { SiteTables } from './tables/site.ts'

/** Every table, for whoever opens the database. A feature sees its own tables and those of the features on its left. */
export interface Database
  extends OfficeTables, AccountsTables, MembershipTables, CatalogueTables, RequestsTables, NoticesTables, SiteTables {}
