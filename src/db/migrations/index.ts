import type { Migration } from 'kysely/migration'
import * as accounts from './0001-accounts.ts'
import * as membership from './0002-membership.ts'
import * as catalogue from './0003-catalogue.ts'
import * as requests from './0004-requests.ts'
import * as notices from './0005-notices.ts'
import * as site from './0006-site.ts'
import * as backups from './0007-backups.ts'
import * as feedTokens from './0008-feed-tokens.ts'
import * as appPasswords from './0009-app-passwords.ts'
import * as readersMemory from './0010-readers-memory.ts'
import * as sentEmails from './0011-sent-emails.ts'
import * as contentList from './0012-content-list.ts'
import * as linkHosts from './0013-link-hosts.ts'
import * as desk from './0014-desk.ts'
import * as firstSteps from './0015-first-steps.ts'
import * as appearance from './0016-appearance.ts'

/** Every migration in its order. A static list: the bundle and the file system need not agree on a folder. */
export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-membership': membership,
  '0003-catalogue': catalogue,
  '0004-requests': requests,
  '0005-notices': notices,
  '0006-site': site,
  '0007-backups': backups,
  '0008-feed-tokens': feedTokens,
  '0009-app-passwords': appPasswords,
  '0010-readers-memory': readersMemory,
  '0011-sent-emails': sentEmails,
  '0012-content-list': contentList,
  '0013-link-hosts': linkHosts,
  '0014-desk': desk,
  '0015-first-steps': firstSteps,
  '0016-appearance': appearance,
}
