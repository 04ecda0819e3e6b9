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
import * as transfer from './0014-transfer.ts'
import * as people from './0015-people.ts'
import * as requests from './0016-requests.ts'
import * as statistics from './0017-statistics.ts'
import * as memberAccess from './0018-member-access.ts'
import * as inbox from './0019-inbox.ts'
import * as runs from './0020-runs.ts'
import * as administrationLists from './0021-administration-lists.ts'
import * as conversion from './0022-conversion.ts'
import * as graveActs from './0023-grave-acts.ts'
import * as resetLinks from './0024-reset-links.ts'
import * as importInvitations from './0025-import-invitations.ts'
import * as knownDevices from './0026-known-devices.ts'
import * as freshProof from './0027-fresh-proof.ts'
import * as addresses from './0028-addresses.ts'
import * as roles from './0029-roles.ts'
import * as secondPerson from './0030-second-person.ts'
import * as secondFactors from './0031-second-factors.ts'
import * as lapses from './0032-lapses.ts'
import * as removal from './0033-removal.ts'
import * as notices from './0034-notices.ts'
import * as safetyOfficer from './0035-safety-officer.ts'
import * as unfinishedSignIns from './0036-unfinished-sign-ins.ts'
import * as boundedNotices from './0037-bounded-notices.ts'
import * as ownTimes from './0038-own-times.ts'
import * as removalJournals from './0039-removal-journals.ts'
import * as noticeSmalls from './0040-notice-smalls.ts'
import * as unattachedCounterNotices from './0041-unattached-counter-notices.ts'
import * as prohibitedNames from './0042-prohibited-names.ts'
import * as builtInNames from './0043-built-in-names.ts'
import * as confirmedVotes from './0044-confirmed-votes.ts'
import * as undoneDecisions from './0045-undone-decisions.ts'
import * as noRemovalByAClock from './0046-no-removal-by-a-clock.ts'
import * as demo from './0047-demo.ts'
import * as rowsByType from './0048-rows-by-type.ts'
import * as creators from './0049-creators.ts'

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
  '0014-transfer': transfer,
  '0015-people': people,
  '0016-requests': requests,
  '0017-statistics': statistics,
  '0018-member-access': memberAccess,
  '0019-inbox': inbox,
  '0020-runs': runs,
  '0021-administration-lists': administrationLists,
  '0022-conversion': conversion,
  '0023-grave-acts': graveActs,
  '0024-reset-links': resetLinks,
  '0025-import-invitations': importInvitations,
  '0026-known-devices': knownDevices,
  '0027-fresh-proof': freshProof,
  '0028-addresses': addresses,
  '0029-roles': roles,
  '0030-second-person': secondPerson,
  '0031-second-factors': secondFactors,
  '0032-lapses': lapses,
  '0033-removal': removal,
  '0034-notices': notices,
  '0035-safety-officer': safetyOfficer,
  '0036-unfinished-sign-ins': unfinishedSignIns,
  '0037-bounded-notices': boundedNotices,
  '0038-own-times': ownTimes,
  '0039-removal-journals': removalJournals,
  '0040-notice-smalls': noticeSmalls,
  '0041-unattached-counter-notices': unattachedCounterNotices,
  '0042-prohibited-names': prohibitedNames,
  '0043-built-in-names': builtInNames,
  '0044-confirmed-votes': confirmedVotes,
  '0045-undone-decisions': undoneDecisions,
  '0046-no-removal-by-a-clock': noRemovalByAClock,
  '0047-demo': demo,
  '0048-rows-by-type': rowsByType,
  '0049-creators': creators,
}
