import type { Migration } from 'kysely/migration'
import * as catalogue from './0001-catalogue.ts'
import * as shippedLists from './0002-shipped-lists.ts'
import * as accounts from './0003-accounts.ts'
import * as membership from './0004-membership.ts'
import * as gate from './0005-gate.ts'
import * as itemRows from './0006-item-rows.ts'
import * as money from './0007-money.ts'
import * as deletionCause from './0008-deletion-cause.ts'
import * as plainNames from './0009-plain-names.ts'
import * as gateway from './0010-gateway.ts'
import * as links from './0011-links.ts'
import * as audit from './0012-audit.ts'
import * as content from './0013-content.ts'
import * as people from './0015-people.ts'
import * as statistics from './0017-statistics.ts'
import * as requests from './0016-requests.ts'
import * as transfer from './0014-transfer.ts'

/** Every migration in its order. A static list: the bundle and the file system need not agree on a folder. */
export const migrations: Record<string, Migration> = {
  '0001-catalogue': catalogue,
  '0002-shipped-lists': shippedLists,
  '0003-accounts': accounts,
  '0004-membership': membership,
  '0005-gate': gate,
  '0006-item-rows': itemRows,
  '0007-money': money,
  '0008-deletion-cause': deletionCause,
  '0009-plain-names': plainNames,
  '0010-gateway': gateway,
  '0011-links': links,
  '0012-audit': audit,
  '0013-content': content,
  '0015-people': people,
  '0017-statistics': statistics,
  '0016-requests': requests,
  '0014-transfer': transfer,
}
